package store

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// StillMine tells whether the path still leads to the open database, whole. It
// is asked before each claim and every few seconds. If not, two daemons could
// be writing: the store stops (R6).
func (db *DB) StillMine() error {
	if err := db.usable(); err != nil {
		return err
	}
	if err := db.sameFile(); err != nil {
		err = fmt.Errorf("%w: %w; end this process and look at the data directory", ErrReplaced, err)
		db.failStop(err)
		return err
	}
	return nil
}

func (db *DB) sameFile() error {
	path := filepath.Join(db.dir, fileDB)
	there, err := os.Stat(path)
	if err != nil {
		return err
	}
	open, err := db.file.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(there, open) {
		return fmt.Errorf("%s is another file now", path)
	}
	if there.Size() < db.size.Load() {
		return fmt.Errorf("%s was cut to %d bytes", path, there.Size())
	}
	return nil
}

func (db *DB) watchLoop() {
	every := time.NewTicker(db.opt.Watch)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			_ = db.StillMine() // it has stopped the store and told its owner
		case <-db.dead:
			return
		case <-db.closing:
			return
		}
	}
}
