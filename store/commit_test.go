package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"holdpoint/store"
)

func TestAViewDuringACommitSeesTheStateBeforeIt(t *testing.T) {
	for name, mmap := range map[string]int{"with a pool of readers": 0, "when the map may move": 32 << 10} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			db, err := store.Open(t.Context(), options(t, dir).WithMmap(mmap))
			if err != nil {
				t.Fatal(err)
			}
			defer closeAndCheck(t, db, dir)
			put(t, db, "k", "old")
			var views sync.WaitGroup
			store.WrapCommit(db, func(commit func() error) error {
				err := commit() // bbolt shows it from here on; its sync has "not returned"
				for range 50 {
					views.Go(func() { viewDuring(t, db, mmap == 0) })
				}
				if mmap == 0 {
					views.Wait() // they get along without the commit's end
				}
				return err
			})
			put(t, db, "k", "new")
			if got := get(t, db, "k"); got != "new" {
				t.Errorf("a view after the answer reads %q, want new", got)
			}
			views.Wait()
		})
	}
}

func viewDuring(t *testing.T, db *store.DB, committing bool) {
	if got := get(t, db, "k"); committing && got != "old" {
		t.Errorf("a view during the commit reads %q, want old", got)
	}
}

func TestACommitErrorIsUnknownToAllAndStopsTheStore(t *testing.T) {
	for name, written := range map[string]bool{"and it is on disk": true, "and it is not": false} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			opt, told := options(t, dir), make(chan error, 2)
			opt.OnFailStop = func(err error) { told <- err }
			db, err := store.Open(t.Context(), opt)
			if err != nil {
				t.Fatal(err)
			}
			put(t, db, "k", "old")
			broken := errors.New("input/output error")
			store.WrapCommit(db, func(commit func() error) error {
				if written {
					return errors.Join(commit(), broken)
				}
				return broken
			})
			errs := updateTogether(t, db, 3)
			for i, err := range errs {
				if !errors.Is(err, store.ErrUnknownOutcome) && !errors.Is(err, store.ErrNotWritten) {
					t.Errorf("caller %d: %v, want ErrUnknownOutcome, or ErrNotWritten for one never taken", i, err)
				}
				if errors.Is(err, store.ErrUnknownOutcome) && errors.Is(err, store.ErrNotWritten) && !errors.Is(err, store.ErrFailStopped) {
					t.Errorf("caller %d is told both: %v", i, err)
				}
			}
			if err := <-told; !errors.Is(err, broken) {
				t.Errorf("owner was told %v, want the cause", err)
			}
			wantStopped(t, db)
			if written {
				closeAndCheck(t, db, dir)
			}
		})
	}
}

// updateTogether makes callers wait behind one update, so that they share a
// batch; one of them refuses.
func updateTogether(t *testing.T, db *store.DB, n int) []error {
	t.Helper()
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			errs[i] = db.Update(t.Context(), func(tx *store.Tx) error {
				tx.Put(things, fmt.Appendf(nil, "k%d", i), []byte("v"))
				return nil
			})
		})
	}
	wg.Wait()
	return errs
}

func TestARefusalThatRestsOnAnUnsyncedNeighbourIsNotPassedOn(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(t.Context(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	entered, release := make(chan struct{}), make(chan struct{})
	refusal := errors.New("already approved by ana")
	var errs [2]error
	var wg sync.WaitGroup
	// Holds the committer so that the next two share a batch. Only a test may
	// wait inside a closure.
	wg.Go(func() {
		err := db.Update(t.Context(), func(*store.Tx) error { close(entered); <-release; return nil })
		if err != nil {
			t.Error(err)
		}
	})
	<-entered
	decide := func(i int) {
		errs[i] = db.Update(t.Context(), func(tx *store.Tx) error {
			if _, taken := tx.Get(things, []byte("decision")); taken {
				return refusal
			}
			tx.Put(things, []byte("decision"), []byte("v"))
			return nil
		})
	}
	for i := range errs {
		wg.Go(func() { decide(i) })
	}
	store.WrapCommit(db, func(func() error) error { return errors.New("input/output error") })
	store.WaitQueued(db, 3) // the one inside its closure, and two
	close(release)
	wg.Wait()
	for i, err := range errs {
		if errors.Is(err, refusal) {
			t.Errorf("caller %d was refused because of what may not be on disk: %v", i, err)
		}
	}
}
