package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// lockRetry is how often another process' lock is tried again.
const lockRetry = 25 * time.Millisecond

// lockDir takes the lock of a data directory for the life of this process. The
// lock is on a file of its own: the one bbolt takes on the database moves away
// with the database when somebody renames it (R6).
func lockDir(ctx context.Context, dir string, wait time.Duration) (*os.File, error) {
	path := filepath.Join(dir, fileLock)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, unwritable(dir, err)
	}
	if err := waitLock(ctx, f, wait); err != nil {
		_ = f.Close() // nothing was written
		if errors.Is(err, ErrLocked) {
			err = lockedBy(dir)
		}
		return nil, err
	}
	pid := strconv.Itoa(os.Getpid()) + "\n"
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt([]byte(pid), 0)
	}
	if err != nil {
		unlockFile(f)
		return nil, unwritable(dir, err)
	}
	return f, nil
}

// holdLock takes the lock of a directory that is only read, and makes no file: without one nobody serves
// it.
func holdLock(ctx context.Context, dir string, wait time.Duration) (*os.File, error) {
	f, err := os.Open(filepath.Join(dir, fileLock))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := waitLock(ctx, f, wait); err != nil {
		_ = f.Close() // it was only read
		if errors.Is(err, ErrLocked) {
			err = lockedBy(dir)
		}
		return nil, err
	}
	return f, nil
}

func waitLock(ctx context.Context, f *os.File, wait time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, wait, ErrLocked)
	defer cancel()
	again := time.NewTicker(lockRetry)
	defer again.Stop()
	for {
		got, err := tryLock(f)
		if got || err != nil {
			return err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// lockedBy names the process that holds the directory, as far as it is known.
func lockedBy(dir string) error {
	who := "another process"
	if text, err := os.ReadFile(filepath.Join(dir, fileLock)); err == nil {
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			who = fmt.Sprintf("process %d", pid)
		}
	}
	return fmt.Errorf("%w: %s holds %s; stop it first, or use another data directory", ErrLocked, who, dir)
}

func unlockFile(f *os.File) {
	if f == nil {
		return
	}
	unlock(f)
	_ = f.Close() // nothing was written that matters
}

// unwritable says in words what a refused write means.
func unwritable(dir string, err error) error {
	if errors.Is(err, fs.ErrPermission) || isReadOnlyFS(err) {
		return fmt.Errorf("%w: %s: %w; make it writable for this user, or use another data directory", ErrReadOnlyDir, dir, err)
	}
	return err
}

func isReadOnlyFS(err error) bool {
	return err != nil && strings.Contains(err.Error(), "read-only file system")
}
