package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// mmapFlags read the file ahead at open: without a stored free list bbolt
// walks all of it (R11).
const mmapFlags = syscall.MAP_POPULATE

// allocate reserves blocks for a range of the file, which grows if need be.
func allocate(f *os.File, off, n int64) error {
	for {
		err := unix.Fallocate(int(f.Fd()), 0, off, n)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOSYS):
			return fmt.Errorf("allocating: %w", errors.ErrUnsupported)
		case err != nil:
			return os.NewSyscallError("fallocate", err)
		}
		return nil
	}
}

// syncData makes written bytes durable; the file's size does not change.
func syncData(f *os.File) error {
	return os.NewSyscallError("fdatasync", unix.Fdatasync(int(f.Fd())))
}

// weakFilesystems by their statfs magic, from linux/magic.h and the drivers'
// sources: their locks do not hold between hosts, or their syncs do not reach a
// disk of ours.
var weakFilesystems = map[int64]string{
	0x6969:     "NFS",
	0x01021997: "9p",
	0x794c7630: "overlay",
	0xff534d42: "CIFS",
	0xfe534d42: "SMB",
}

// weakFilesystem names the file system of a directory if it is such a one.
func weakFilesystem(dir string) (string, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return "", fmt.Errorf("asking for the file system of %s: %w", dir, err)
	}
	return weakFilesystems[int64(uint32(st.Type))], nil
}
