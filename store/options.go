package store

import (
	"log/slog"
	"time"
)

// Options say where a store lives and how it behaves. The zero value of each
// field but Dir is a sensible default.
type Options struct {
	Dir    string       // data directory; required
	Logger *slog.Logger // default: discard

	// ReserveBytes is kept allocated beyond the data so that decisions still
	// commit on a full disk. Default 64 MiB; negative switches it off.
	ReserveBytes int64
	// MaxSize bounds the database file in bytes. Default 0: no bound. bbolt
	// refuses up to 16 MiB earlier, because it grows in steps of that size.
	MaxSize int
	// AnyFilesystem accepts file systems whose locks or syncs are known to be
	// weak (NFS, overlay, 9p, SMB).
	AnyFilesystem bool

	Now         func() time.Time // default time.Now; for stamps of the store itself
	OnFailStop  func(error)      // called once, from a goroutine of the store; it must return soon and not call Close
	LockTimeout time.Duration    // wait for another process' lock; default 1 s
	MarkSync    time.Duration    // longest lag of the synced mark; default 1 s
	Watch       time.Duration    // how often the file is compared with its path; default 5 s, negative: never

	mmapSize int // initial map; default 1 GiB; tests make it small
}

const (
	defaultReserve = 64 << 20
	defaultMmap    = 1 << 30 // R9: above what retention keeps, so that no commit remaps under readers
)

// withDefaults fills what was left out.
func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.ReserveBytes == 0 {
		o.ReserveBytes = defaultReserve
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.OnFailStop == nil {
		o.OnFailStop = func(error) {}
	}
	o.LockTimeout = orDefault(o.LockTimeout, time.Second)
	o.MarkSync = orDefault(o.MarkSync, time.Second)
	o.Watch = orDefault(o.Watch, 5*time.Second)
	if o.mmapSize == 0 {
		o.mmapSize = defaultMmap
	}
	return o
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}
