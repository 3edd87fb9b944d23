package store

import (
	"errors"
	"fmt"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"holdpoint/failpoint"
)

// batch is one bbolt transaction on its way to the disk, and who waits for it.
type batch struct {
	db      *DB
	updates []*update
	btx     *bbolt.Tx
	state   state
	bytes   int  // accepted keys and values
	puts    int  // accepted writes
	dirty   bool // there is something to commit
	asked   bool // bbolt's commit has been called: failure is no longer "no"
	settled bool
}

// commit runs a batch to its end and answers everybody in it, whatever happens
// on the way.
func (db *DB) commit(updates []*update) {
	b := &batch{db: db, updates: updates, state: db.state}
	defer b.abandon()
	var err error
	if b.btx, err = db.bolt.Begin(true); err != nil {
		b.stop(fmt.Errorf("no write transaction: %w", err))
		return
	}
	for _, u := range updates {
		if err := b.run(u); err != nil {
			b.stop(err)
			return
		}
	}
	if !b.dirty {
		b.undo()
		b.answer(nil)
		return
	}
	b.write()
}

// run gives one update its overlay and keeps it if the update accepts. The
// error it returns is one the store must not go on after.
func (b *batch) run(u *update) error {
	if u.grow && b.db.reserve.low() {
		u.err = fmt.Errorf("%w: %w: new work waits until there is room; free some space on the disk of the data directory", ErrNotWritten, ErrDiskFull)
		return nil
	}
	over := &overlay{}
	tx := &Tx{ReadTx: ReadTx{btx: b.btx, seals: b.db.seals, over: over, state: b.state}}
	u.err = guard(func() error { return u.fn(tx) })
	tx.btx = nil
	if errors.Is(u.err, ErrTampered) {
		return u.err
	}
	if u.err == nil && tx.err != nil {
		u.err = fmt.Errorf("%w: %w", ErrNotWritten, tx.err)
	}
	if u.err != nil || over.empty() && !tx.dirty {
		return nil //nolint:nilerr // the refusal is this update alone, and is told to its caller
	}
	if err := over.flush(b.btx, b.db.seals); err != nil {
		return fmt.Errorf("staging an update: %w", err)
	}
	b.state = tx.state
	b.bytes += over.bytes
	b.puts += over.puts
	b.dirty = true
	return nil
}

// write commits, marks and answers.
func (b *batch) write() {
	b.state.Commit++
	if err := writeState(b.btx, b.db.seals, b.state); err != nil {
		b.stop(fmt.Errorf("staging the head: %w", err))
		return
	}
	if err := errors.Join(failpoint.Hit("storeBeforeCommit"), b.room()); err != nil {
		b.undo()
		b.answer(fmt.Errorf("%w: %w", ErrNotWritten, err))
		return
	}
	began := time.Now()
	if err := b.sync(); err != nil {
		b.fail(err)
		return
	}
	b.db.state = b.state
	b.db.counters.note(len(b.updates), time.Since(began), b.state.Audit)
	b.answer(nil)
}

// sync makes the batch durable. Views see the state before it until bbolt has
// returned.
func (b *batch) sync() error {
	db := b.db
	hold := db.mapped.mayMove(b.btx.Size(), b.bytes, b.puts)
	if err := db.gate.close(hold); err != nil {
		return fmt.Errorf("no read transaction: %w", err)
	}
	b.asked = true
	err := db.commitBolt(b.btx)
	if err == nil {
		err = failpoint.Hit("storeAfterCommit")
	}
	if err != nil {
		return err
	}
	if err := db.measure(); err != nil {
		return err
	}
	db.mapped.grew(db.size.Load(), hold)
	db.gate.reopen()
	if err := db.mark.write(b.state); err != nil {
		return err
	}
	return failpoint.Hit("storeMarkWritten")
}

// fail answers a batch whose commit returned an error. The store is poisoned
// before the gate opens: what is perhaps not on disk is read by nobody.
func (b *batch) fail(err error) {
	unknown, outcome := b.unknown(err), b.outcome(err)
	if unknown {
		b.db.poison(outcome)
	}
	b.undo()
	if !b.db.wedged.Load() {
		b.db.gate.reopen()
	}
	b.answer(outcome)
	if unknown {
		b.db.announce()
	}
}

// unknown is false only for the one failure that bbolt meets before it writes.
func (b *batch) unknown(err error) bool {
	return b.asked && !errors.Is(err, bolterrors.ErrMaxSizeReached)
}

func (b *batch) outcome(err error) error {
	switch {
	case !b.asked:
		return fmt.Errorf("%w: %w", ErrNotWritten, err)
	case errors.Is(err, bolterrors.ErrMaxSizeReached):
		return fmt.Errorf("%w: %w: the database has reached its configured size: %w", ErrNotWritten, ErrDiskFull, err)
	default:
		return fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
	}
}

// stop ends the store before bbolt was asked to commit: nothing was written.
func (b *batch) stop(cause error) {
	b.undo()
	b.db.poison(cause)
	b.answer(fmt.Errorf("%w: %w: %w", ErrNotWritten, ErrFailStopped, cause))
	b.db.announce()
}

func (b *batch) undo() {
	if b.btx != nil && !b.asked {
		_ = b.btx.Rollback() // its only error is that it has ended
	}
}

// answer tells everybody. An outcome other than nil goes to those too whom
// their closure refused: it may have refused because of a neighbour that is now
// not, or not surely, on disk.
func (b *batch) answer(outcome error) {
	b.settled = true
	for _, u := range b.updates {
		if outcome != nil {
			u.err = outcome
		}
		close(u.done)
	}
}

// abandon is the way out of a panic, and of a goroutine ended inside a closure.
// A panic inside bbolt's commit may have left its locks held.
func (b *batch) abandon() {
	if b.settled {
		return
	}
	cause := fmt.Errorf("a closure or the commit itself ended abnormally: %v", recover())
	if !b.asked {
		b.stop(cause)
		return
	}
	b.db.wedged.Store(true)
	b.fail(cause)
}
