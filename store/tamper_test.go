package store_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"holdpoint/store"
)

func TestARecordChangedFromOutsideStopsTheStore(t *testing.T) {
	seed, _ := seeded(t)
	good := read(t, filepath.Join(seed, store.FileDB))
	forged := bytes.ReplaceAll(good, []byte("REJECTED"), []byte("APPROVED"))
	for name, look := range map[string]func(*store.DB) error{
		"read by a view": func(db *store.DB) error {
			return db.View(testContext, func(tx *store.ReadTx) error { tx.Get(things, []byte("k00")); return nil })
		},
		"read by a scan": func(db *store.DB) error {
			return db.View(testContext, func(tx *store.ReadTx) error {
				for range tx.Scan(things, nil, nil, false) {
				}
				return nil
			})
		},
		"read by an update": func(db *store.DB) error {
			return db.Update(testContext, func(tx *store.Tx) error {
				tx.Get(things, []byte("k00"))
				t.Error("the closure went on")
				return nil
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, told := copyDir(t, seed), make(chan error, 1)
			write(t, filepath.Join(dir, store.FileDB), forged)
			opt := options(t, dir)
			opt.OnFailStop = func(err error) { told <- err }
			db, err := store.Open(t.Context(), opt)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			found, err := db.Check(t.Context())
			if err != nil || len(found) == 0 {
				t.Errorf("check found %v (error %v), want the record", found, err)
			}
			if err := look(db); !errors.Is(err, store.ErrTampered) {
				t.Errorf("got %v, want ErrTampered", err)
			}
			<-told
			wantStopped(t, db)
		})
	}
}

// TestNoFlippedByteIsSilentlyWrong flips bytes all over a small database. Each
// time the store refuses, reports it, or answers as before.
func TestNoFlippedByteIsSilentlyWrong(t *testing.T) {
	seed, _ := seeded(t)
	good := used(read(t, filepath.Join(seed, store.FileDB)))
	step := len(good) / 1500
	if testing.Short() {
		step *= 10
	}
	dir := copyDir(t, seed)
	path := filepath.Join(dir, store.FileDB)
	refused, noticed, same := 0, 0, 0
	for at := 0; at < len(good); at += step {
		bad := bytes.Clone(good)
		bad[at] ^= 0x41
		write(t, path, bad)
		db, err := store.OpenReadOnly(t.Context(), store.Options{Dir: dir})
		if err != nil {
			refused++
			continue
		}
		got, err := decision(db)
		switch {
		case errors.Is(err, store.ErrTampered):
			noticed++
		case err != nil:
			t.Errorf("byte %d: %v", at, err)
		case got != "REJECTED":
			t.Errorf("byte %d: reads %q without a word", at, got)
		default:
			same++
		}
		if err := db.Close(); err != nil {
			t.Errorf("byte %d: close: %v", at, err)
		}
	}
	if refused == 0 || same == 0 {
		t.Errorf("refused %d, noticed %d, same %d: the sweep hit nothing", refused, noticed, same)
	}
	t.Logf("refused %d, noticed at the read %d, as before %d", refused, noticed, same)
}

// used cuts off what was allocated and never written.
func used(db []byte) []byte {
	n := len(bytes.TrimRight(db, "\x00"))
	return db[:(n+4096)/4096*4096]
}

func decision(db *store.DB) (got string, err error) {
	err = db.View(context.Background(), func(tx *store.ReadTx) error {
		for k, v := range tx.Scan(things, nil, nil, false) {
			if string(k) == "k00" {
				got = string(v)
			}
		}
		return nil
	})
	return got, err
}
