package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"holdpoint/store"
)

func TestABackupUnderLoadRestoresIntoANewEpoch(t *testing.T) {
	dir, files := t.TempDir(), t.TempDir()
	db := open(t, dir)
	write(t, filepath.Join(files, "evidence"), []byte("a picture"))
	write(t, filepath.Join(files, "half.tmp"), []byte("being written"))
	if err := os.MkdirAll(filepath.Join(files, "ab"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(files, "ab", "cd"), []byte("deeper"))
	put(t, db, "before", "1")

	ctx, stop := context.WithCancel(t.Context())
	var load sync.WaitGroup
	for i := range 4 {
		load.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				put(t, db, fmt.Sprintf("load-%d-%d", i, n), "v")
			}
		})
	}
	archive := filepath.Join(t.TempDir(), "backup.tar")
	err := db.Backup(t.Context(), archive, files)
	stop()
	load.Wait()
	if err != nil {
		t.Fatal(err)
	}
	put(t, db, "after", "1")

	target := filepath.Join(t.TempDir(), "restored")
	var last uint64
	at := time.Now()
	for range 2 { // twice from one backup: never the same epoch
		if err := os.RemoveAll(target); err != nil {
			t.Fatal(err)
		}
		opt := options(t, target)
		opt.Now = func() time.Time { return at }
		at = at.Add(time.Millisecond)
		if err := store.Restore(t.Context(), archive, opt); err != nil {
			t.Fatal(err)
		}
		restored, err := store.Open(t.Context(), options(t, target))
		if err != nil {
			t.Fatal(err)
		}
		if get(t, restored, "before") != "1" || get(t, restored, "after") != "" {
			t.Error("the restored store is not the one that was backed up")
		}
		if e := restored.Epoch(); e <= db.Epoch() || e <= last {
			t.Errorf("epoch %d after %d and %d, want a higher one", e, db.Epoch(), last)
		} else {
			last = e
		}
		put(t, restored, "it works on", "1")
		closeAndCheck(t, restored, target)
	}
	if got := read(t, filepath.Join(target, "files", "ab", "cd")); !bytes.Equal(got, []byte("deeper")) {
		t.Errorf("files/ab/cd holds %q", got)
	}
	if _, err := os.Stat(filepath.Join(target, "files", "half.tmp")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file still being written was restored: %v", err)
	}
}

func TestARestoreThatCannotBeRightLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	put(t, db, "k", "v")
	archive := filepath.Join(t.TempDir(), "backup.tar")
	if err := db.Backup(t.Context(), archive, ""); err != nil {
		t.Fatal(err)
	}
	good := read(t, archive)
	for name, data := range map[string][]byte{
		"empty":                     {},
		"text":                      bytes.Repeat([]byte("hello\n"), 1000),
		"cut in the middle":         good[:len(good)/2],
		"cut before its manifest":   good[:len(good)-4096],
		"one bit of the db flipped": flip(good, 512+9000),
	} {
		t.Run(name, func(t *testing.T) {
			bad, target := filepath.Join(t.TempDir(), "bad.tar"), filepath.Join(t.TempDir(), "target")
			write(t, bad, data)
			if err := store.Restore(t.Context(), bad, options(t, target)); !errors.Is(err, store.ErrArchive) {
				t.Errorf("got %v, want ErrArchive", err)
			}
			if err := store.Restore(t.Context(), archive, options(t, target)); err != nil {
				t.Errorf("a good archive into the same directory: %v", err)
			}
			open(t, target)
		})
	}
	if err := store.Restore(t.Context(), archive, options(t, dir)); !errors.Is(err, store.ErrNotEmpty) {
		t.Errorf("over a live store: %v, want ErrNotEmpty", err)
	}
	foreign := t.TempDir()
	write(t, filepath.Join(foreign, "thesis.txt"), []byte("x"))
	if err := store.Restore(t.Context(), archive, options(t, foreign)); !errors.Is(err, store.ErrForeignDir) {
		t.Errorf("into a foreign directory: %v, want ErrForeignDir", err)
	}
}
