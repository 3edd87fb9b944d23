package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"holdpoint/store"
)

func TestDecisionsGoOnWhenTheDiskIsFull(t *testing.T) {
	disk := smallDisk(t, 64<<20)
	opt := options(t, filepath.Join(disk, "data"))
	opt.ReserveBytes = 16 << 20
	db, err := store.Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	put(t, db, "before", "1")
	fillDisk(t, filepath.Join(disk, "others"))

	decisions := 0
	for ; decisions < 1000; decisions++ {
		if err := decide(db, decisions); err != nil {
			t.Fatalf("decision %d after the disk was full: %v", decisions, err)
		}
	}
	var full error
	for n := 0; full == nil && n < 1_000_000; n++ {
		full = db.UpdateNew(t.Context(), func(tx *store.Tx) error {
			tx.Put(things, fmt.Appendf(nil, "new-%07d", n), make([]byte, 64<<10))
			return nil
		})
	}
	if !errors.Is(full, store.ErrDiskFull) || !errors.Is(full, store.ErrNotWritten) || !db.ReserveLow() {
		t.Errorf("new work: %v (low %v), want ErrDiskFull and ErrNotWritten", full, db.ReserveLow())
	}
	if err := decide(db, decisions); err != nil {
		t.Errorf("a decision after new work was refused: %v", err)
	}
	// To the very end: an update is refused before a commit can fail.
	full = nil
	for n := 0; full == nil && n < 100_000; n++ {
		full = db.Update(t.Context(), func(tx *store.Tx) error {
			tx.Put(things, fmt.Appendf(nil, "end-%07d", n), make([]byte, 64<<10))
			return nil
		})
	}
	if !errors.Is(full, store.ErrDiskFull) || !errors.Is(full, store.ErrNotWritten) || errors.Is(full, store.ErrFailStopped) {
		t.Errorf("at the end: %v, want ErrDiskFull and ErrNotWritten", full)
	}
	if err := os.Remove(filepath.Join(disk, "others")); err != nil {
		t.Fatal(err)
	}
	if err := decide(db, 0); err != nil {
		t.Errorf("after room came back: %v", err)
	}
	closeAndCheck(t, db, opt.Dir)
}

func decide(db *store.DB, n int) error {
	return db.Update(testContext, func(tx *store.Tx) error {
		tx.Put(things, fmt.Appendf(nil, "decision-%07d", n), []byte("APPROVED"))
		tx.AppendAudit(store.AuditRow{Type: "decided", Actor: "ana"})
		return nil
	})
}

// fillDisk writes until nothing more fits.
func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; size /= 2 {
		for {
			if _, err := f.Write(make([]byte, size)); err != nil {
				break
			}
		}
	}
}

func TestAFullSizeIsNoUnknownOutcome(t *testing.T) {
	dir := t.TempDir()
	opt := options(t, dir)
	opt.MaxSize = 32 << 20
	db, err := store.Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	var full error
	for n := 0; full == nil && n < 4000; n++ {
		full = db.Update(t.Context(), func(tx *store.Tx) error {
			tx.Put(things, fmt.Appendf(nil, "k%07d", n), make([]byte, 64<<10))
			return nil
		})
	}
	if !errors.Is(full, store.ErrDiskFull) || !errors.Is(full, store.ErrNotWritten) || errors.Is(full, store.ErrUnknownOutcome) {
		t.Errorf("got %v, want ErrDiskFull and ErrNotWritten", full)
	}
	err = db.Update(t.Context(), func(tx *store.Tx) error {
		tx.Delete(things, []byte("k0000000"))
		return nil
	})
	if err != nil {
		t.Errorf("a deletion in a full store: %v", err)
	}
	closeAndCheck(t, db, dir)
}
