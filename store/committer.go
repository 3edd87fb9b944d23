package store

import (
	"context"
	"fmt"
)

// maxBatch bounds how many updates share one sync.
const maxBatch = 512

// scarceBatch is the bound while the reserve is low: a small batch still fits
// where a large one would be refused as a whole.
const scarceBatch = 16

// update is one waiting caller.
type update struct {
	fn   func(*Tx) error
	grow bool // new work: refused first when the disk fills
	err  error
	done chan struct{}
}

// Update runs fn once, in order with all others, and returns when what it wrote
// is on disk.
//
// fn's own error is returned as it is and undoes this update alone. ctx bounds
// the wait until fn's turn; from then on the outcome is awaited whatever ctx
// says. A panic in fn stops the store: its rules have a bug, and nothing after
// that can be trusted. See the package comment for the other errors.
func (db *DB) Update(ctx context.Context, fn func(tx *Tx) error) error {
	return db.submit(ctx, &update{fn: fn, done: make(chan struct{})})
}

// UpdateNew is Update for new work, which is refused with ErrDiskFull while the
// reserve for decisions is low.
func (db *DB) UpdateNew(ctx context.Context, fn func(tx *Tx) error) error {
	return db.submit(ctx, &update{fn: fn, grow: true, done: make(chan struct{})})
}

// submit hands over and waits. The queue has no buffer, so handed over means
// taken, and those who wait are taken in the order they came.
func (db *DB) submit(ctx context.Context, u *update) error {
	if db.readOnly {
		return fmt.Errorf("%w: %w", ErrNotWritten, ErrReadOnly)
	}
	if err := db.usable(); err != nil {
		return fmt.Errorf("%w: %w", ErrNotWritten, err)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ErrNotWritten, context.Cause(ctx))
	}
	db.waiting.Add(1)
	defer db.waiting.Add(-1)
	select {
	case db.queue <- u:
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrNotWritten, context.Cause(ctx))
	case <-db.dead:
		return fmt.Errorf("%w: %w", ErrNotWritten, db.usable())
	case <-db.closing:
		return fmt.Errorf("%w: %w", ErrNotWritten, ErrClosed)
	}
	<-u.done
	return u.err
}

// commitLoop is the only writer. It ends when the store is closed or stopped.
func (db *DB) commitLoop() {
	for {
		select {
		case u := <-db.queue:
			db.commit(db.gather(u))
		case <-db.dead:
			return
		case <-db.closing:
			return
		}
		if db.failed.Load() != nil {
			return
		}
		db.reserve.topUp()
		db.warnOfSize()
	}
}

// warnOfSize says once that the configured size draws near: at 70 % of where
// bbolt refuses, which is one growth step below the bound (B7).
func (db *DB) warnOfSize() {
	bound := int64(db.opt.MaxSize - db.bolt.AllocSize)
	if db.opt.MaxSize == 0 || db.warned || db.size.Load() < bound/10*7 {
		return
	}
	db.warned = true
	db.log.Warn("the database nears its configured size", "bytes", db.size.Load(), "refuses_at", bound)
}

// gather takes whoever waits already, and waits for nobody.
func (db *DB) gather(first *update) []*update {
	most := maxBatch
	if db.reserve.low() {
		most = scarceBatch
	}
	batch := []*update{first}
	for len(batch) < most {
		select {
		case u := <-db.queue:
			batch = append(batch, u)
		default:
			return batch
		}
	}
	return batch
}
