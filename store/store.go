package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"go.etcd.io/bbolt"
)

// DB is an open store. All its methods may be called at once from many
// goroutines.
type DB struct {
	opt      Options
	log      *slog.Logger
	dir      string
	readOnly bool

	lock  *os.File
	file  *os.File // bbolt's own, for its identity and its reserve
	bolt  *bbolt.DB
	seals *sealer
	gate  gate
	mark  *mark
	epoch uint64

	queue   chan *update
	closing chan struct{}
	waiting atomic.Int64  // updates handed over or waiting to be
	dead    chan struct{} // closed when the store has stopped
	failed  atomic.Pointer[error]
	told    sync.Once
	wedged  atomic.Bool // bbolt panicked in a commit: its locks may be held
	loops   sync.WaitGroup
	ended   sync.Once
	endErr  error

	// The committer's own.
	state      state
	mapped     mapping
	reserve    reserve
	commitBolt func(*bbolt.Tx) error
	warned     bool // of the size

	size     atomic.Int64
	counters counters
}

// Open opens the store in a directory, or creates it where the directory is
// absent or empty. ctx bounds the wait for the lock. A refusal matches one of
// the errors of this package and says what to do.
func Open(ctx context.Context, opt Options) (*DB, error) {
	opt = opt.withDefaults()
	if opt.Dir == "" {
		return nil, errors.New("no data directory is named")
	}
	if err := ensureDir(opt.Dir); err != nil {
		return nil, err
	}
	if err := checkFilesystem(opt); err != nil {
		return nil, err
	}
	lock, err := lockDir(ctx, opt.Dir, opt.LockTimeout)
	if err != nil {
		return nil, err
	}
	db, err := openLocked(ctx, opt, lock)
	if err != nil {
		unlockFile(lock)
		return nil, err
	}
	return db, nil
}

// openLocked goes on once no other process can be in the directory.
func openLocked(ctx context.Context, opt Options, lock *os.File) (*DB, error) {
	if !exists(filepath.Join(opt.Dir, fileDB)) {
		if err := create(opt.Dir); err != nil {
			return nil, err
		}
	}
	if err := finishPublish(opt.Dir); err != nil {
		return nil, err
	}
	db, err := assemble(opt, false)
	if err != nil {
		return nil, err
	}
	if err := db.begin(); err != nil {
		return nil, errors.Join(err, db.bolt.Close())
	}
	db.lock = lock
	if err := db.migrate(ctx); err != nil {
		db.lock = nil // the caller's still
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// OpenReadOnly opens a store that no process serves, for reading: ErrLocked if
// one does. It makes and changes no file.
func OpenReadOnly(ctx context.Context, opt Options) (*DB, error) {
	opt = opt.withDefaults()
	// The lock comes first: a database that a daemon writes to looks damaged to whoever reads its pages.
	lock, err := holdLock(ctx, opt.Dir, opt.LockTimeout)
	if err != nil {
		return nil, err
	}
	db, err := assemble(opt, true)
	if err != nil {
		unlockFile(lock)
		return nil, err
	}
	db.lock = lock
	return db, nil
}

// assemble opens the files and refuses what must be refused.
func assemble(opt Options, readOnly bool) (*DB, error) {
	if path := filepath.Join(opt.Dir, fileDB); !exists(path) {
		return nil, fmt.Errorf("%s: %w; name the data directory of a daemon", path, os.ErrNotExist)
	}
	key, err := readKey(opt.Dir)
	if err != nil {
		return nil, err
	}
	seals := newSealer(key)
	o, err := openDB(opt, seals, readOnly)
	if err != nil {
		return nil, err
	}
	db := &DB{
		opt: opt, log: opt.Logger, dir: opt.Dir, readOnly: readOnly,
		file: o.file, bolt: o.bolt, seals: seals, epoch: o.head.Epoch, state: o.head,
		queue: make(chan *update), closing: make(chan struct{}), dead: make(chan struct{}),
		commitBolt: (*bbolt.Tx).Commit,
	}
	db.gate = newGate(o.bolt, db.dead)
	db.counters.audit.Store(o.head.Audit)
	return db, db.measure()
}

// begin makes a store that was accepted ready for writing.
func (db *DB) begin() error {
	info, err := db.file.Stat()
	if err != nil {
		return err
	}
	db.mapped = newMapping(db.opt.mmapSize, info, db.bolt.Info().PageSize)
	file, err := os.OpenFile(filepath.Join(db.dir, fileMark), os.O_RDWR, 0)
	if err != nil {
		return unwritable(db.dir, err)
	}
	db.mark = &mark{file: file, seals: db.seals, delay: db.opt.MarkSync, fail: db.failStop}
	// What is served from now on counts as confirmed.
	if err := db.mark.write(db.state); err != nil {
		return errors.Join(err, db.mark.close())
	}
	db.reserve = reserve{limit: int64(db.opt.MaxSize), file: db.file, log: db.log, used: db.size.Load}
	db.reserve.want.Store(max(db.opt.ReserveBytes, 0))
	db.reserve.fill()
	db.loops.Go(db.commitLoop)
	if db.opt.Watch > 0 {
		db.loops.Go(db.watchLoop)
	}
	return nil
}

// Epoch is the number that every restore raises. It does not change while the
// store is open.
func (db *DB) Epoch() uint64 { return db.epoch }

// Close lets the batch under way finish, refuses what waits, and releases the
// directory. It waits for views.
func (db *DB) Close() error {
	db.ended.Do(func() { db.endErr = db.end() })
	return db.endErr
}

func (db *DB) end() error {
	close(db.closing)
	db.loops.Wait()
	var errs []error
	if db.mark != nil {
		errs = append(errs, db.mark.close())
	}
	if db.wedged.Load() {
		errs = append(errs, errors.New("the database could not be closed after a panic in its commit; end the process"))
	} else {
		errs = append(errs, db.bolt.Close())
	}
	unlockFile(db.lock)
	return errors.Join(errs...)
}

// measure notes how much of the file is in use.
func (db *DB) measure() error {
	btx, err := db.bolt.Begin(false)
	if err != nil {
		return err
	}
	defer endRead(btx)
	db.size.Store(btx.Size())
	return nil
}

func checkFilesystem(opt Options) error {
	if opt.AnyFilesystem {
		return nil
	}
	name, err := weakFilesystem(opt.Dir)
	if err != nil || name == "" {
		return err
	}
	return fmt.Errorf("%w: %s is on %s, where locks or syncs cannot be relied on; use a local disk, or accept the risk in the configuration", ErrFilesystem, opt.Dir, name)
}
