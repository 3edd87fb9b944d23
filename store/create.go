package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.etcd.io/bbolt"

	"holdpoint/failpoint"
)

// ensureDir makes the directory if it is absent, and refuses one whose content
// is not a store's.
func ensureDir(dir string) error {
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return unwritable(dir, err)
	}
	if exists(filepath.Join(dir, fileDB)) {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return unwritable(dir, err)
	}
	for _, e := range entries {
		if !isNoContent(e.Name()) {
			return fmt.Errorf("%w: %s holds %s; name an empty directory, or restore a backup into one", ErrForeignDir, dir, e.Name())
		}
	}
	return nil
}

// isNoContent is true for what a store that never came to be leaves behind.
func isNoContent(name string) bool {
	return name == fileLock || strings.HasSuffix(name, tmpSuffix)
}

// create makes a new store. Everything is on disk under temporary names before
// the database takes its own; the rest follows, here or at the next Open.
func create(dir string) error {
	if err := os.Chmod(dir, dirMode); err != nil {
		return unwritable(dir, err)
	}
	key := newKey()
	seals := newSealer(key)
	head := state{Schema: SchemaVersion, Epoch: 1}
	if err := createDB(filepath.Join(dir, fileDB+tmpSuffix), seals, head); err != nil {
		return fmt.Errorf("creating the database: %w", unwritable(dir, err))
	}
	return publish(dir, key, newMark(seals, head))
}

// createDB writes a database that holds nothing but its head.
func createDB(path string, seals *sealer, head state) error {
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	b, err := bbolt.Open(path, fileMode, boltOptions(nil))
	if err != nil {
		return err
	}
	err = b.Update(func(btx *bbolt.Tx) error { return writeState(btx, seals, head) })
	if cerr := b.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return syncFile(path)
}

// publish gives a database that waits under its temporary name its own name,
// with key and mark beside it.
func publish(dir string, key, mark []byte) error {
	if err := writeSynced(filepath.Join(dir, fileKey+tmpSuffix), encodeKey(key)); err != nil {
		return err
	}
	if err := writeSynced(filepath.Join(dir, fileMark+tmpSuffix), mark); err != nil {
		return err
	}
	if err := syncDir(dir); err != nil {
		return err
	}
	db := filepath.Join(dir, fileDB)
	if err := os.Rename(db+tmpSuffix, db); err != nil {
		return err
	}
	if err := failpoint.Hit("createRenamed"); err != nil {
		return err
	}
	if err := syncDir(dir); err != nil {
		return err
	}
	return finishPublish(dir)
}

// finishPublish gives the rest their names. It also completes a creation or a
// restore that was cut off after the database had its name.
func finishPublish(dir string) error {
	moved := false
	for _, name := range []string{fileKey, fileMark, dirFiles} {
		path := filepath.Join(dir, name)
		if exists(path) || !exists(path+tmpSuffix) {
			continue
		}
		if err := os.Rename(path+tmpSuffix, path); err != nil {
			return unwritable(dir, err)
		}
		moved = true
	}
	if !moved {
		return nil
	}
	return syncDir(dir)
}
