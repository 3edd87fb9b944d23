package store_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"

	"holdpoint/store"
)

const things = store.Bucket("things")

func init() { store.AddBucket(things) }

// options of a store for a test: no reserve, which only costs time here.
func options(t testing.TB, dir string) store.Options {
	return store.Options{Dir: dir, ReserveBytes: -1, Logger: slog.New(slog.NewTextHandler(t.Output(), nil))}
}

// open opens a store and, at the end of the test, closes and checks it.
func open(t testing.TB, dir string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAndCheck(t, db, dir) })
	return db
}

func closeAndCheck(t testing.TB, db *store.DB, dir string) {
	t.Helper()
	if n := store.OpenTxN(db); n != 0 {
		t.Errorf("%d read transactions are open in an idle store, want 0", n)
	}
	if err := db.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	checkDir(t, dir)
}

// checkDir proves that what is on disk is whole.
func checkDir(t testing.TB, dir string) {
	t.Helper()
	db, err := store.OpenReadOnly(context.Background(), options(t, dir))
	if err != nil {
		t.Errorf("reopen for the check: %v", err)
		return
	}
	defer db.Close()
	findings, err := db.Check(context.Background())
	if err != nil {
		t.Errorf("check: %v", err)
	}
	for _, f := range findings {
		t.Errorf("check: %v", f)
	}
}

func put(t testing.TB, db *store.DB, key, value string) {
	t.Helper()
	err := db.Update(context.Background(), func(tx *store.Tx) error {
		tx.Put(things, []byte(key), []byte(value))
		tx.AppendAudit(store.AuditRow{Type: "put", Subject: key})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, db *store.DB, key string) (value string) {
	t.Helper()
	err := db.View(context.Background(), func(tx *store.ReadTx) error {
		v, _ := tx.Get(things, []byte(key))
		value = string(v)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestAnUpdateIsThereAfterReopening(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "here")
	db, err := store.Open(t.Context(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		put(t, db, fmt.Sprintf("k%03d", i), "v")
	}
	closeAndCheck(t, db, dir)
	db = open(t, dir)
	for i := range 300 {
		if got := get(t, db, fmt.Sprintf("k%03d", i)); got != "v" {
			t.Fatalf("key %d reads %q after reopening, want v", i, got)
		}
	}
	rows := 0
	err = db.View(t.Context(), func(tx *store.ReadTx) error {
		for e := range tx.Audit(0, false) {
			rows++
			if e.Seq != uint64(rows) || e.Type != "put" {
				t.Errorf("audit row %d is %+v", rows, e)
			}
		}
		return nil
	})
	if err != nil || rows != 300 {
		t.Errorf("%d audit rows, error %v; want 300", rows, err)
	}
}

func TestARefusedUpdateUndoesItselfAlone(t *testing.T) {
	db := open(t, t.TempDir())
	refusal := errors.New("not now")
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		tx.Put(things, []byte("a"), []byte("1"))
		tx.AppendAudit(store.AuditRow{Type: "never"})
		return refusal
	})
	if !errors.Is(err, refusal) {
		t.Errorf("got %v, want the closure's own error as it is", err)
	}
	put(t, db, "b", "2")
	if a, b := get(t, db, "a"), get(t, db, "b"); a != "" || b != "2" {
		t.Errorf("a=%q b=%q, want nothing and 2", a, b)
	}
}
