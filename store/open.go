package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// boltOptions are R11's: no stored free list, so that a forgotten reader cannot
// blow the file up, and a large map, so that no reader blocks the writer.
func boltOptions(open func(string, int, os.FileMode) (*os.File, error)) *bbolt.Options {
	return &bbolt.Options{
		Timeout:        time.Second,
		NoFreelistSync: true,
		FreelistType:   bbolt.FreelistMapType,
		MmapFlags:      mmapFlags,
		OpenFile:       open,
	}
}

// opened is a bbolt database with the file beneath it.
type opened struct {
	bolt *bbolt.DB
	file *os.File
	head state
}

// openDB inspects a database, opens it, and compares its head with key, schema
// and mark. It writes nothing.
func openDB(o Options, seals *sealer, readOnly bool) (*opened, error) {
	path := filepath.Join(o.Dir, fileDB)
	if err := inspect(path); err != nil {
		return nil, unwritable(o.Dir, err)
	}
	db, err := openBolt(o, path, readOnly)
	if err != nil {
		return nil, err
	}
	if err := db.bolt.View(func(btx *bbolt.Tx) error { return db.judge(btx, seals, o.Dir) }); err != nil {
		_ = db.bolt.Close() // nothing was written
		return nil, err
	}
	return db, nil
}

// openBolt opens the file, and never creates it. A panic of bbolt on a file
// that inspect let pass is an error; its lock would otherwise stay.
func openBolt(o Options, path string, readOnly bool) (db *opened, err error) {
	db = &opened{}
	opt := boltOptions(func(name string, flag int, mode os.FileMode) (*os.File, error) {
		f, err := os.OpenFile(name, flag&^os.O_CREATE, mode)
		db.file = f
		return f, err
	})
	opt.Timeout, opt.ReadOnly, opt.MaxSize = o.LockTimeout, readOnly, o.MaxSize
	if !readOnly && runtime.GOOS != "windows" { // there the file grows to its map
		opt.InitialMmapSize = o.mmapSize
	}
	defer func() {
		if p := recover(); p != nil {
			unlockFile(db.file)
			db, err = nil, fmt.Errorf("%w: %s: %v; %s", ErrDamaged, path, p, restoreHint)
		}
	}()
	db.bolt, err = bbolt.Open(path, fileMode, opt)
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, lockedBy(o.Dir)
	case err != nil:
		return nil, fmt.Errorf("opening %s: %w", path, unwritable(o.Dir, err))
	}
	return db, nil
}

// judge decides whether this is the store that its key and mark speak of.
func (db *opened) judge(btx *bbolt.Tx, seals *sealer, dir string) error {
	var err error
	if db.head, err = readState(btx, seals); err != nil {
		if errors.Is(err, ErrTampered) {
			err = fmt.Errorf("%w, or its head record was changed: %w", ErrKey, err)
		}
		return fmt.Errorf("%s: %w", dir, err)
	}
	if db.head.Schema > SchemaVersion {
		return fmt.Errorf("%w: %s has schema %d, this program knows %d; use the newer program, or restore a backup of this one", ErrNewerSchema, dir, db.head.Schema, SchemaVersion)
	}
	mark, err := readMark(dir, seals)
	if err != nil {
		return err
	}
	return db.compare(btx, seals, mark)
}

// compare refuses a database that lacks what the mark says was answered.
func (db *opened) compare(btx *bbolt.Tx, seals *sealer, mark state) error {
	const hint = "put the newest database back, or restore a backup with the restore command, which makes older taps stale"
	if mark.Epoch != db.head.Epoch {
		return fmt.Errorf("%w: it has epoch %d, the mark %d; %s", ErrRolledBack, db.head.Epoch, mark.Epoch, hint)
	}
	if mark.Commit > db.head.Commit || mark.Audit > db.head.Audit {
		return fmt.Errorf("%w: it ends at commit %d, commit %d was confirmed; %s", ErrRolledBack, db.head.Commit, mark.Commit, hint)
	}
	if mark.Audit == 0 {
		return nil
	}
	var row AuditEntry
	err := guard(func() error {
		tx := &ReadTx{btx: btx, seals: seals}
		stored, _ := tx.Get(bucketAudit, auditKey(mark.Audit))
		var err error
		row, err = decodeAudit(stored)
		return err
	})
	if err != nil {
		return fmt.Errorf("%w: audit row %d: %w; %s", ErrDamaged, mark.Audit, err, restoreHint)
	}
	if row.Hash != mark.Head {
		return fmt.Errorf("%w: audit row %d is another than the one that was confirmed; %s", ErrRolledBack, mark.Audit, hint)
	}
	return nil
}
