package store

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The files of a data directory that are the store's.
const (
	fileDB    = "holdpoint.db"
	fileMark  = "holdpoint.mark"
	fileKey   = "holdpoint.key"
	fileLock  = "holdpoint.lock"
	dirFiles  = "files"
	tmpSuffix = ".tmp"

	dirMode  = 0o700
	fileMode = 0o600
	keySize  = 32
)

func newKey() []byte {
	key := make([]byte, keySize)
	rand.Read(key) // never fails; see crypto/rand
	return key
}

func encodeKey(key []byte) []byte { return []byte(hex.EncodeToString(key) + "\n") }

// readKey reads the key of a directory. Its text never reaches an error.
func readKey(dir string) ([]byte, error) {
	return readKeyFile(filepath.Join(dir, fileKey))
}

func readKeyFile(path string) ([]byte, error) {
	const hint = "put back the key of this database, or restore the last backup, which holds both"
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s is not there; %s", ErrKey, path, hint)
	}
	if err != nil {
		return nil, unwritable(filepath.Dir(path), err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != keySize {
		return nil, fmt.Errorf("%w: %s is not %d bytes in hex; %s", ErrKey, path, keySize, hint)
	}
	return key, nil
}

// writeSynced makes a file whose content is on disk when it returns. Its name
// is only so after syncDir.
func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// syncFile makes the content of a closed file durable.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncDir makes the names in a directory durable. Systems that cannot sync a
// directory do it by themselves.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, fs.ErrPermission) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

// exists is true for anything under the path, a dangling link included.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
