package store

import (
	"sync/atomic"
	"time"
)

// Stats are counts since Open and gauges of now.
type Stats struct {
	Commits       uint64        // bbolt transactions on disk
	Batched       uint64        // updates answered by them
	CommitTime    time.Duration // spent in commits, syncs and mark included
	LastCommit    time.Duration // of the newest commit
	Waiting       int           // updates whose callers wait
	OpenReads     int           // views, backups and checks under way
	OldestRead    time.Duration // age of the oldest of them; 0 without one
	Size          int64         // bytes of the database in use
	MaxSize       int64         // configured bound, 0: none
	Reserve       int64         // bytes allocated beyond Size, at the last commit
	ReserveLow    bool          // new work is refused
	FailStopped   bool
	AuditSequence uint64 // newest audit row, as of the last commit
}

// counters are written by the committer.
type counters struct {
	commits, batched, nanos, last, audit atomic.Uint64
}

func (c *counters) note(updates int, took time.Duration, audit uint64) {
	c.commits.Add(1)
	c.batched.Add(uint64(updates))
	c.nanos.Add(uint64(took))
	c.last.Store(uint64(took))
	c.audit.Store(audit)
}

// Stats may be called at any time.
func (db *DB) Stats() Stats {
	reads, since := db.gate.oldest()
	s := Stats{
		Commits:       db.counters.commits.Load(),
		Batched:       db.counters.batched.Load(),
		CommitTime:    time.Duration(db.counters.nanos.Load()),
		LastCommit:    time.Duration(db.counters.last.Load()),
		Waiting:       int(db.waiting.Load()),
		OpenReads:     reads,
		Size:          db.size.Load(),
		MaxSize:       int64(db.opt.MaxSize),
		Reserve:       db.reserve.room.Load(),
		ReserveLow:    db.reserve.low(),
		FailStopped:   db.failed.Load() != nil,
		AuditSequence: db.counters.audit.Load(),
	}
	if reads > 0 {
		s.OldestRead = time.Since(since)
	}
	return s
}
