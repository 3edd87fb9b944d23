package store

import (
	"context"
	"errors"
	"fmt"

	"holdpoint/core"
	"holdpoint/core/engine"
)

// Store is an open database as the engine sees it: commands apply changes, readers look records up. It
// is the DB in every other respect.
type Store struct{ *DB }

var (
	_ engine.Store  = (*Store)(nil)
	_ engine.Tx     = writer{}
	_ engine.Reader = reader{}
)

// Records gives the engine's view of an open database. Closing either closes both.
func Records(db *DB) *Store { return &Store{db} }

// Update runs fn in one transaction that is on disk when nil is returned. Of the errors, what fn
// returned comes back as it is; one of unknown outcome matches engine.ErrUnknownOutcome; a full disk is
// a core.Error of code disk_full.
func (s *Store) Update(ctx context.Context, fn func(engine.Tx) error) error {
	return outcome(s.DB.Update(ctx, typed(fn)))
}

// UpdateNew is Update for new work, which is refused first when the disk fills.
func (s *Store) UpdateNew(ctx context.Context, fn func(engine.Tx) error) error {
	return outcome(s.DB.UpdateNew(ctx, typed(fn)))
}

// View shows what is synced, and waits for no writer. Nothing that it gives out is used after fn.
func (s *Store) View(ctx context.Context, fn func(engine.Reader) error) error {
	return outcome(s.DB.View(ctx, func(tx *ReadTx) error { return fn(reader{tx}) }))
}

func typed(fn func(engine.Tx) error) func(*Tx) error {
	return func(tx *Tx) error { return fn(writer{reader{&tx.ReadTx}, tx}) }
}

// outcome says in the engine's words what the database said.
func outcome(err error) error {
	switch {
	case errors.Is(err, ErrUnknownOutcome):
		return fmt.Errorf("%w: %w", engine.ErrUnknownOutcome, err)
	case errors.Is(err, ErrDiskFull):
		full := core.Refuse(core.CodeDiskFull, "", "the disk is full: free some space on the disk of the data directory, then try again")
		full.Err = err
		return full
	}
	return err
}

// reader looks records up in one transaction.
type reader struct{ tx *ReadTx }

// writer reads what it wrote.
type writer struct {
	reader
	tx *Tx
}

// Epoch is raised by every restore.
func (r reader) Epoch() int64 { return int64(r.tx.Epoch()) }
