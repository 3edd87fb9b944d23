package store_test

import (
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/store"
)

func TestAMarkThatLagsIsAccepted(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(t.Context(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	put(t, db, "k", "1")
	lagging := read(t, filepath.Join(dir, store.FileMark))
	for range 20 {
		put(t, db, "k", "2")
	}
	closeAndCheck(t, db, dir)
	write(t, filepath.Join(dir, store.FileMark), lagging)
	db = open(t, dir)
	if got := get(t, db, "k"); got != "2" {
		t.Errorf("reads %q, want 2", got)
	}
}

func TestAnotherHistoryOfTheSameLengthIsRefused(t *testing.T) {
	seed, _ := seeded(t)
	dirs := [2]string{copyDir(t, seed), copyDir(t, seed)}
	for i, dir := range dirs {
		db, err := store.Open(t.Context(), options(t, dir))
		if err != nil {
			t.Fatal(err)
		}
		put(t, db, "fork", string(rune('a'+i)))
		put(t, db, "tail"+string(rune('a'+i)), "v")
		closeAndCheck(t, db, dir)
	}
	write(t, filepath.Join(dirs[0], store.FileDB), read(t, filepath.Join(dirs[1], store.FileDB)))
	if _, err := store.Open(t.Context(), options(t, dirs[0])); !errors.Is(err, store.ErrRolledBack) {
		t.Errorf("got %v, want ErrRolledBack", err)
	}
}

func TestTheMarkIsWrittenWithEveryCommit(t *testing.T) {
	dir := t.TempDir()
	opt := options(t, dir)
	opt.MarkSync = time.Hour // its sync never comes
	db, err := store.Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	put(t, db, "k", "1")
	older := read(t, filepath.Join(dir, store.FileDB))
	put(t, db, "k", "2")
	mark := read(t, filepath.Join(dir, store.FileMark)) // as a kill leaves it
	closeAndCheck(t, db, dir)
	write(t, filepath.Join(dir, store.FileDB), older)
	write(t, filepath.Join(dir, store.FileMark), mark)
	if _, err := store.Open(t.Context(), options(t, dir)); !errors.Is(err, store.ErrRolledBack) {
		t.Errorf("got %v, want ErrRolledBack", err)
	}
}

func TestAYearOfCommitsInVirtualTime(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		opt := options(t, dir)
		opt.Watch = -1
		db, err := store.Open(t.Context(), opt)
		if err != nil {
			t.Fatal(err)
		}
		for range 365 {
			time.Sleep(24 * time.Hour)
			put(t, db, "day", time.Now().Format(time.DateOnly))
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	})
	checkDir(t, dir)
}

func TestAStoreThatOutgrowsItsMap(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(t.Context(), options(t, dir).WithMmap(64<<10))
	if err != nil {
		t.Fatal(err)
	}
	stop, views := make(chan struct{}), make(chan int, 4)
	for range cap(views) {
		go func() {
			n := 0
			for ; ; n++ {
				select {
				case <-stop:
					views <- n
					return
				default:
					get(t, db, "k")
				}
			}
		}()
	}
	for range 40 {
		put(t, db, "k", string(make([]byte, 100<<10)))
		put(t, db, string(rune('A'+db.Stats().Commits%60)), string(make([]byte, 300<<10)))
	}
	close(stop)
	for range cap(views) {
		if <-views == 0 {
			t.Error("a reader never got its turn")
		}
	}
	closeAndCheck(t, db, dir)
}
