package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"go.etcd.io/bbolt"
)

// Restore makes a store in opt.Dir, which is absent or empty, out of an archive
// that Backup wrote. It checks the database as Check does and raises the epoch,
// so that everything issued before is stale. Cut off half way it leaves nothing
// that counts as content: it can be started again.
func Restore(ctx context.Context, archive string, opt Options) error {
	opt = opt.withDefaults()
	if exists(filepath.Join(opt.Dir, fileDB)) {
		return fmt.Errorf("%w: %s; name an empty one", ErrNotEmpty, opt.Dir)
	}
	if err := ensureDir(opt.Dir); err != nil {
		return err
	}
	lock, err := lockDir(ctx, opt.Dir, opt.LockTimeout)
	if err != nil {
		return err
	}
	defer unlockFile(lock)
	if err := os.Chmod(opt.Dir, dirMode); err != nil {
		return unwritable(opt.Dir, err)
	}
	key, head, err := unpack(ctx, archive, opt)
	if err != nil {
		return errors.Join(fmt.Errorf("restore: %w", err), sweep(opt.Dir))
	}
	if err := publish(opt.Dir, key, newMark(newSealer(key), head)); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	return nil
}

// unpack puts an archive under temporary names and makes its database the
// first state of a new epoch.
func unpack(ctx context.Context, archive string, opt Options) ([]byte, state, error) {
	if err := sweep(opt.Dir); err != nil {
		return nil, state{}, err
	}
	root, err := os.OpenRoot(opt.Dir)
	if err != nil {
		return nil, state{}, err
	}
	defer root.Close() //nolint:errcheck // opened for reading
	_, err = readArchive(ctx, archive, func(name string, _ int64, r io.Reader) error { return extract(root, name, r) })
	if err != nil {
		return nil, state{}, err
	}
	if err := syncTree(opt.Dir); err != nil {
		return nil, state{}, err
	}
	key, err := readKeyFile(filepath.Join(opt.Dir, fileKey+tmpSuffix))
	if err != nil {
		return nil, state{}, err
	}
	head, err := newEpoch(ctx, filepath.Join(opt.Dir, fileDB+tmpSuffix), newSealer(key), opt.Now())
	return key, head, err
}

// tmpName is where an entry waits: the suffix is on its first element.
func tmpName(entry string) string {
	first, rest, _ := strings.Cut(entry, "/")
	return path.Join(first+tmpSuffix, rest)
}

func extract(root *os.Root, entry string, r io.Reader) error {
	name := tmpName(entry)
	if err := root.MkdirAll(path.Dir(name), dirMode); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Sync(), f.Close())
}

// syncTree makes the names of extracted files durable.
func syncTree(dir string) error {
	return filepath.WalkDir(filepath.Join(dir, dirFiles+tmpSuffix), func(name string, d os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil || !d.IsDir() {
			return err
		}
		return syncDir(name)
	})
}

// newEpoch proves a database and raises its epoch. The new number is at least
// the time in milliseconds: one backup restored twice must not issue the same
// epoch twice.
func newEpoch(ctx context.Context, path string, seals *sealer, now time.Time) (state, error) {
	head, err := checkCopy(ctx, path, seals)
	if err != nil {
		return head, err
	}
	if head.Schema > SchemaVersion {
		return head, fmt.Errorf("%w: the backup has schema %d, this program knows %d; use the newer program", ErrNewerSchema, head.Schema, SchemaVersion)
	}
	head.Epoch = max(head.Epoch+1, uint64(max(now.UnixMilli(), 0)))
	head.Commit++
	o, err := openBolt(Options{Dir: filepath.Dir(path)}.withDefaults(), path, false)
	if err != nil {
		return head, err
	}
	err = o.bolt.Update(func(btx *bbolt.Tx) error { return writeState(btx, seals, head) })
	return head, errors.Join(err, o.bolt.Close(), syncFile(path))
}

// sweep removes what an earlier attempt left under temporary names.
func sweep(dir string) error {
	var errs []error
	for _, name := range []string{fileDB, fileKey, fileMark, dirFiles} {
		errs = append(errs, os.RemoveAll(filepath.Join(dir, name+tmpSuffix)))
	}
	return errors.Join(errs...)
}
