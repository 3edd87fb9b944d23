package store_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"holdpoint/store"
)

func TestEveryWaitingUpdateGetsItsOwnOutcome(t *testing.T) {
	db := open(t, t.TempDir())
	const callers = 200
	var runs [callers]int
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			refusal := fmt.Errorf("refused %d", i)
			err := db.Update(t.Context(), func(tx *store.Tx) error {
				runs[i]++
				tx.Put(things, fmt.Appendf(nil, "k%03d", i), []byte("v"))
				tx.AppendAudit(store.AuditRow{Type: "put"})
				if i%3 == 0 {
					return refusal
				}
				return nil
			})
			if i%3 == 0 && !errors.Is(err, refusal) || i%3 != 0 && err != nil {
				t.Errorf("update %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	for i := range callers {
		want := "v"
		if i%3 == 0 {
			want = ""
		}
		if got := get(t, db, fmt.Sprintf("k%03d", i)); got != want || runs[i] != 1 {
			t.Errorf("k%03d reads %q after %d runs, want %q after 1", i, got, runs[i], want)
		}
	}
	if s := db.Stats(); s.Commits == 0 || s.Commits > s.Batched/2 {
		t.Errorf("%d updates took %d commits, want several to share one", s.Batched, s.Commits)
	}
}

func TestAnUpdateSeesTheNeighboursBeforeIt(t *testing.T) {
	db := open(t, t.TempDir())
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			err := db.Update(t.Context(), func(tx *store.Tx) error {
				n, _ := tx.Get(things, []byte("n"))
				tx.Put(things, []byte("n"), append(n, '.'))
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := len(get(t, db, "n")); got != 100 {
		t.Errorf("counted %d of 100 increments", got)
	}
}

func TestWritesOutsideTheLimitsRefuseTheirUpdate(t *testing.T) {
	db := open(t, t.TempDir())
	for name, write := range map[string]func(*store.Tx){
		"an empty value":          func(tx *store.Tx) { tx.Put(things, []byte("k"), nil) },
		"an empty key":            func(tx *store.Tx) { tx.Put(things, nil, []byte("v")) },
		"a key too long":          func(tx *store.Tx) { tx.Put(things, make([]byte, store.MaxKeyBytes+1), []byte("v")) },
		"a value too long":        func(tx *store.Tx) { tx.Put(things, []byte("k"), make([]byte, store.MaxValueBytes+1)) },
		"deleting an empty key":   func(tx *store.Tx) { tx.Delete(things, nil) },
		"audit data that no JSON": func(tx *store.Tx) { tx.AppendAudit(store.AuditRow{Data: []byte("{")}) },
	} {
		t.Run(name, func(t *testing.T) {
			err := db.Update(t.Context(), func(tx *store.Tx) error {
				tx.Put(things, []byte("beside"), []byte("v"))
				write(tx)
				return nil
			})
			if !errors.Is(err, store.ErrInvalidRecord) || !errors.Is(err, store.ErrNotWritten) {
				t.Errorf("got %v, want ErrInvalidRecord and ErrNotWritten", err)
			}
			if get(t, db, "beside") != "" {
				t.Error("the rest of the update was written")
			}
		})
	}
	put(t, db, "k", "the store works on")
}

func TestBytesAreCopiedBothWays(t *testing.T) {
	db := open(t, t.TempDir())
	key, value := []byte("key"), []byte("value")
	var kept []byte
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		tx.Put(things, key, value)
		key[0], value[0] = 'X', 'X'
		kept, _ = tx.Get(things, []byte("key"))
		kept[1] = 'X'
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.View(t.Context(), func(tx *store.ReadTx) error {
		for k, v := range tx.Scan(things, nil, nil, false) {
			kept = v
			k[0], v[0] = '-', '-'
		}
		return nil
	})
	if got := get(t, db, "key"); err != nil || got != "value" || string(kept) != "-alue" {
		t.Errorf("read %q and kept %q (error %v), want value and -alue", got, kept, err)
	}
}

func TestAnEndedContextIsNotWritten(t *testing.T) {
	db := open(t, t.TempDir())
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("caller went away")
	cancel(cause)
	err := db.Update(ctx, func(*store.Tx) error { t.Error("fn ran"); return nil })
	if !errors.Is(err, store.ErrNotWritten) || !errors.Is(err, cause) {
		t.Errorf("got %v, want ErrNotWritten with its cause", err)
	}
}

func TestAContextThatEndsAfterTheTurnDoesNotHideTheOutcome(t *testing.T) {
	db := open(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Update(ctx, func(tx *store.Tx) error {
		cancel()
		tx.Put(things, []byte("k"), []byte("v"))
		return nil
	})
	if err != nil || get(t, db, "k") != "v" {
		t.Errorf("got %v, want the outcome: written", err)
	}
}

func TestAClosedStoreRefuses(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(t.Context(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	closeAndCheck(t, db, dir)
	err = db.Update(t.Context(), func(*store.Tx) error { return nil })
	if !errors.Is(err, store.ErrClosed) || !errors.Is(err, store.ErrNotWritten) {
		t.Errorf("update: %v, want ErrClosed and ErrNotWritten", err)
	}
	if err := db.View(t.Context(), func(*store.ReadTx) error { return nil }); !errors.Is(err, store.ErrClosed) {
		t.Errorf("view: %v, want ErrClosed", err)
	}
	if err := db.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
}

func TestAClosureThatEndsAbnormallyStopsTheStore(t *testing.T) {
	for name, end := range map[string]func(){
		"by a panic":  func() { panic("a rule has a bug") },
		"by a Goexit": runtime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			dir, told := t.TempDir(), make(chan error, 2)
			opt := options(t, dir)
			opt.OnFailStop = func(err error) { told <- err }
			db, err := store.Open(t.Context(), opt)
			if err != nil {
				t.Fatal(err)
			}
			put(t, db, "before", "1")
			err = db.Update(t.Context(), func(tx *store.Tx) error {
				tx.Put(things, []byte("k"), []byte("v"))
				end()
				return nil
			})
			if !errors.Is(err, store.ErrNotWritten) || !errors.Is(err, store.ErrFailStopped) {
				t.Errorf("got %v, want ErrNotWritten and ErrFailStopped", err)
			}
			<-told
			wantStopped(t, db)
			closeAndCheck(t, db, dir)
			db = open(t, dir)
			if get(t, db, "k") != "" || get(t, db, "before") != "1" {
				t.Error("the disk does not hold exactly what was confirmed")
			}
		})
	}
}

func wantStopped(t *testing.T, db *store.DB) {
	t.Helper()
	err := db.Update(t.Context(), func(*store.Tx) error { return nil })
	if !errors.Is(err, store.ErrFailStopped) || !errors.Is(err, store.ErrNotWritten) {
		t.Errorf("update after the stop: %v, want ErrFailStopped and ErrNotWritten", err)
	}
	if err := db.View(t.Context(), func(*store.ReadTx) error { return nil }); !errors.Is(err, store.ErrFailStopped) {
		t.Errorf("view after the stop: %v, want ErrFailStopped", err)
	}
	if err := db.StillMine(); !errors.Is(err, store.ErrFailStopped) {
		t.Errorf("StillMine after the stop: %v, want ErrFailStopped", err)
	}
}
