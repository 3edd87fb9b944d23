package store

import (
	"context"
	"errors"
	"fmt"
)

// View runs fn on a state that is on disk. fn does no I/O, waits for nothing
// and starts no other View or Update: it holds a read transaction, which keeps
// old pages from being used again. ctx bounds the wait for one, not fn.
func (db *DB) View(ctx context.Context, fn func(tx *ReadTx) error) error {
	if err := db.usable(); err != nil {
		return err
	}
	btx, done, err := db.gate.acquire(ctx)
	if err != nil {
		return err
	}
	defer done()
	// Asked again with the transaction in hand: a commit that failed in
	// between may have left in it what is not on disk.
	if err := db.usable(); err != nil {
		return err
	}
	tx := &ReadTx{btx: btx, seals: db.seals, state: state{Epoch: db.epoch}}
	defer func() { tx.btx = nil }()
	err = guard(func() error { return fn(tx) })
	if errors.Is(err, ErrTampered) {
		db.failStop(err)
	}
	return err
}

// guard turns the panic of a broken seal back into its error.
func guard(fn func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case tamper:
			err = p.err
		default:
			panic(p)
		}
	}()
	return fn()
}

// usable tells why the store answers no more, if it does not.
func (db *DB) usable() error {
	if cause := db.failed.Load(); cause != nil {
		return fmt.Errorf("%w: %w", ErrFailStopped, *cause)
	}
	select {
	case <-db.closing:
		return ErrClosed
	default:
		return nil
	}
}

// failStop ends the store for its first cause. The caller must not hold a lock
// of the store.
func (db *DB) failStop(cause error) {
	db.poison(cause)
	db.announce()
}

// poison makes the store refuse everything from now on.
func (db *DB) poison(cause error) {
	if db.failed.CompareAndSwap(nil, &cause) {
		close(db.dead)
	}
}

// announce tells the owner, once.
func (db *DB) announce() {
	db.told.Do(func() {
		cause := *db.failed.Load()
		db.log.Error("store has stopped", "cause", cause)
		db.opt.OnFailStop(cause)
	})
}
