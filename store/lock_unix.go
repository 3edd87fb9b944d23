//go:build unix

package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes the advisory lock of an open file, or reports who is not there.
func tryLock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, os.NewSyscallError("flock", err)
}

// unlock gives the lock back although a map of the file may still be held, as
// it is after a panic inside bbolt.
func unlock(f *os.File) { _ = unix.Flock(int(f.Fd()), unix.LOCK_UN) } // best effort on a file about to be closed
