package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"holdpoint/failpoint"
)

// Backup writes one archive of the database, its key and the files below
// filesDir ("" or absent: none) to path, which must lie on a local disk. The
// store works on meanwhile. Under its final name the archive is complete, on
// disk, and was read back: its database opened, checked and chained.
//
// The archive holds the key: keep it as the data directory is kept.
func (db *DB) Backup(ctx context.Context, path, filesDir string) error {
	copied, tmp := path+".db"+tmpSuffix, path+tmpSuffix
	defer os.Remove(copied) //nolint:errcheck // gone already when all went well; a leftover *.tmp is no content
	defer os.Remove(tmp)    //nolint:errcheck // gone already when all went well; a leftover *.tmp is no content
	if err := db.copyDB(ctx, copied); err != nil {
		return fmt.Errorf("backup: copying the database: %w", err)
	}
	head, err := checkCopy(ctx, copied, db.seals)
	if err != nil {
		return fmt.Errorf("backup: the copy of the database: %w", err)
	}
	// The files come after the copy: what its records name is there by then.
	if err := writeArchive(ctx, tmp, archiveSource{db: copied, key: db.seals.key, files: filesDir, head: head, at: db.opt.Now()}); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	if err := readBack(ctx, tmp); err != nil {
		return fmt.Errorf("backup: reading it back: %w", err)
	}
	if err := failpoint.Hit("backupWritten"); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return syncDir(filepath.Dir(path))
}

// copyDB writes one state of the database to a file. The read transaction lasts
// as long as a copy to a local disk does, not as long as a slow sink would.
func (db *DB) copyDB(ctx context.Context, path string) error {
	btx, done, err := db.gate.acquireOwn(ctx)
	if err != nil {
		return err
	}
	defer done()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	_, err = btx.WriteTo(&cancelWriter{ctx: ctx, f: f})
	return errors.Join(err, f.Sync(), f.Close())
}

// cancelWriter ends a long copy when its context ends.
type cancelWriter struct {
	ctx context.Context
	f   *os.File
}

func (w *cancelWriter) Write(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	return w.f.Write(p)
}

// checkCopy opens a database that nobody serves and proves it as Check does.
func checkCopy(ctx context.Context, path string, seals *sealer) (state, error) {
	if err := inspect(path); err != nil {
		return state{}, err
	}
	o, err := openBolt(Options{Dir: filepath.Dir(path)}.withDefaults(), path, true)
	if err != nil {
		return state{}, err
	}
	copied := &DB{bolt: o.bolt, seals: seals, gate: newGate(o.bolt, nil)}
	err = o.bolt.View(func(btx *bbolt.Tx) (err error) {
		o.head, err = readState(btx, seals)
		return err
	})
	var found []Finding
	if err == nil {
		found, err = copied.Check(ctx)
	}
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("%w: %d findings, the first: %v", ErrDamaged, len(found), found[0])
	}
	return o.head, errors.Join(err, o.bolt.Close())
}
