package store_test

import (
	"context"
	"testing"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/store"
)

// day is the day of all records in these tests, in the form in which the store gives times back.
var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// openRecords opens a store; at the end of the test it is closed and checked.
func openRecords(t testing.TB) *store.Store { return store.Records(open(t, t.TempDir())) }

func apply(t testing.TB, s *store.Store, changes ...core.Change) {
	t.Helper()
	for _, c := range changes {
		if err := s.Update(context.Background(), func(tx engine.Tx) error { tx.Apply(c); return nil }); err != nil {
			t.Fatal(err)
		}
	}
}

func view(t testing.TB, s *store.Store, fn func(engine.Reader)) {
	t.Helper()
	if err := s.View(context.Background(), func(r engine.Reader) error { fn(r); return nil }); err != nil {
		t.Fatal(err)
	}
}
