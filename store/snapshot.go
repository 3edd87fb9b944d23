package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"go.etcd.io/bbolt"
)

// poolReaders is how many views can run at once while a commit is under way.
// Views are short and use the processor only.
const poolReaders = 8

// gate hands out read transactions that see only what is synced.
//
// bbolt makes a commit visible before its last sync. So the committer closes
// the gate before it commits: it opens a few read transactions of the state
// before, and views borrow those until the commit has returned.
type gate struct {
	bolt *bbolt.DB
	now  func() time.Time // for the age of reads
	dead <-chan struct{}  // closed when the store has stopped, perhaps in mid-commit

	mu    sync.Mutex
	pool  *readPool // nil when no commit is under way
	reads map[*bbolt.Tx]time.Time
}

func newGate(bolt *bbolt.DB, dead <-chan struct{}) gate {
	return gate{bolt: bolt, now: time.Now, dead: dead, reads: map[*bbolt.Tx]time.Time{}}
}

// readPool lives as long as one commit.
type readPool struct {
	free chan *bbolt.Tx
	over chan struct{} // closed when the commit has returned
}

// acquire returns a read transaction and the way to give it back. While a
// commit is under way it may wait for another view to end; ctx bounds that.
func (g *gate) acquire(ctx context.Context) (*bbolt.Tx, func(), error) {
	for {
		p, btx, err := g.open()
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrClosed, err)
		}
		if p == nil {
			return btx, func() { g.release(nil, btx) }, nil
		}
		select {
		case btx := <-p.free:
			g.track(btx)
			return btx, func() { g.release(p, btx) }, nil
		case <-p.over:
		case <-g.dead:
			return nil, nil, ErrFailStopped
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
}

// acquireOwn waits until no commit is under way and opens a transaction that
// may be kept longer than a view's: backup and check use it.
func (g *gate) acquireOwn(ctx context.Context) (*bbolt.Tx, func(), error) {
	for {
		p, btx, err := g.open()
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrClosed, err)
		}
		if p == nil {
			return btx, func() { g.release(nil, btx) }, nil
		}
		select {
		case <-p.over:
		case <-g.dead:
			return nil, nil, ErrFailStopped
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
}

// open begins a transaction unless a commit is under way; then it returns that
// commit's pool.
func (g *gate) open() (*readPool, *bbolt.Tx, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pool != nil {
		return g.pool, nil, nil
	}
	btx, err := g.bolt.Begin(false)
	if err != nil {
		return nil, nil, err
	}
	g.reads[btx] = g.now()
	return nil, btx, nil
}

func (g *gate) track(btx *bbolt.Tx) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reads[btx] = g.now()
}

// release gives a transaction back to the pool it came from, or ends it.
func (g *gate) release(p *readPool, btx *bbolt.Tx) {
	g.mu.Lock()
	delete(g.reads, btx)
	again := p != nil && g.pool == p
	if again {
		p.free <- btx // has room: it holds every transaction of the pool
	}
	g.mu.Unlock()
	if !again {
		endRead(btx)
	}
}

// close begins a commit. With hold, no reader is opened: views wait for the
// commit, and the commit may move the map without waiting for a reader of the
// pool.
func (g *gate) close(hold bool) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := &readPool{free: make(chan *bbolt.Tx, poolReaders), over: make(chan struct{})}
	for i := 0; i < poolReaders && !hold; i++ {
		btx, err := g.bolt.Begin(false)
		if err != nil {
			drain(p)
			return err
		}
		p.free <- btx
	}
	g.pool = p
	return nil
}

// reopen ends a commit, if one is under way. A transaction still borrowed ends
// when it is returned.
func (g *gate) reopen() {
	g.mu.Lock()
	p := g.pool
	g.pool = nil
	g.mu.Unlock()
	if p == nil {
		return
	}
	close(p.over)
	drain(p)
}

// oldest is when the oldest read transaction in use was opened.
func (g *gate) oldest() (open int, since time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, at := range g.reads {
		if since.IsZero() || at.Before(since) {
			since = at
		}
	}
	return len(g.reads), since
}

func drain(p *readPool) {
	for {
		select {
		case btx := <-p.free:
			endRead(btx)
		default:
			return
		}
	}
}

// endRead cannot fail: the only error is that of a transaction already ended.
func endRead(btx *bbolt.Tx) { _ = btx.Rollback() }
