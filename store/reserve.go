package store

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
)

// reserve keeps room allocated beyond the data, so that decisions still commit
// when others have filled the disk (R3). Only the committer changes it.
type reserve struct {
	want  atomic.Int64 // room to keep beyond the data; 0: off
	limit int64        // largest file allowed; 0: none
	file  *os.File
	log   *slog.Logger
	used  func() int64

	end     int64 // the file is allocated up to here
	room    atomic.Int64
	short   atomic.Bool // the last attempt to allocate failed
	retryAt time.Time
}

// retryAfter bounds how often a full disk is asked again.
const retryAfter = time.Second

// fill allocates the reserve at start. A disk that is full already is no
// refusal: what is there is served, and new work waits.
func (r *reserve) fill() {
	if r.want.Load() > 0 {
		r.end = r.used()
		r.extend(r.target())
	}
}

// topUp restores the reserve once a quarter of it is used. It runs between
// batches, when nobody waits for the committer's answer.
func (r *reserve) topUp() {
	if r.want.Load() == 0 {
		return
	}
	r.room.Store(r.end - r.used())
	if r.room.Load() >= r.want.Load()/4*3 || r.short.Load() && time.Now().Before(r.retryAt) {
		return
	}
	r.extend(r.target())
}

func (r *reserve) target() int64 {
	t := r.used() + r.want.Load()
	if r.limit > 0 {
		t = min(t, r.limit)
	}
	return t
}

// extend allocates up to an offset. The new size is synced here, so that a
// commit's own sync of data alone is enough.
func (r *reserve) extend(end int64) {
	defer func() { r.room.Store(r.end - r.used()) }()
	if end <= r.end {
		return
	}
	err := allocate(r.file, r.end, end-r.end)
	if err == nil {
		err = r.file.Sync()
	}
	if errors.Is(err, errors.ErrUnsupported) {
		r.want.Store(0)
		r.log.Warn("this file system cannot reserve room: a full disk will stop the store at once", "cause", err)
		return
	}
	was := r.short.Swap(err != nil)
	if err == nil {
		r.end = end
		return
	}
	r.retryAt = time.Now().Add(retryAfter)
	if !was {
		r.log.Warn("the disk is full: decisions use the reserve, new work waits once a quarter of it is left", "cause", err)
	}
}

// low is true when less than a quarter is left and the disk gives no more.
func (r *reserve) low() bool {
	return r.want.Load() > 0 && r.short.Load() && r.room.Load() < r.want.Load()/4
}

// admit makes sure that a commit of about this size finds its pages, before
// bbolt is asked: once it has been, a full disk could no longer be answered
// with a plain no.
func (r *reserve) admit(need, free int64) error {
	if r.want.Load() == 0 || need <= r.end-r.used()+free/2 {
		return nil
	}
	r.extend(r.used() + need)
	if need <= r.end-r.used() {
		return nil
	}
	return fmt.Errorf("%w: even the reserve is used up; free some space on the disk of the data directory", ErrDiskFull)
}

// room asks the reserve for what this batch can need at most: each touched page
// anew, one more for a split, and large values once whole.
func (b *batch) room() error {
	stats, whole := b.btx.Stats(), b.db.bolt.Stats()
	page := b.db.mapped.page
	need := (2*stats.GetNodeCount()+16)*page + 4*int64(b.bytes)
	return b.db.reserve.admit(need, int64(whole.FreePageN)*page)
}

// ReserveLow is true when new work is refused because the disk is full.
func (db *DB) ReserveLow() bool { return db.reserve.low() }
