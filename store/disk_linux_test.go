package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"holdpoint/store"
)

// smallDisk mounts a file system of its own, which only root may.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0700", size)); err != nil {
		t.Skipf("SKIPPED, needs root: mounting a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return dir
}

func TestADirectoryThatCannotBeWrittenIsRefused(t *testing.T) {
	disk := smallDisk(t, 16<<20)
	dir := filepath.Join(disk, "data")
	db, err := store.Open(t.Context(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	closeAndCheck(t, db, dir)
	remount(t, disk, syscall.MS_RDONLY)
	defer remount(t, disk, 0)
	if _, err := store.Open(t.Context(), options(t, dir)); !errors.Is(err, store.ErrReadOnlyDir) {
		t.Errorf("got %v, want ErrReadOnlyDir", err)
	}
	if _, err := store.Open(t.Context(), options(t, filepath.Join(disk, "new"))); !errors.Is(err, store.ErrReadOnlyDir) {
		t.Errorf("creating: %v, want ErrReadOnlyDir", err)
	}
	checkDir(t, dir) // reading is possible
}

func remount(t *testing.T, dir string, flags uintptr) {
	t.Helper()
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|flags, ""); err != nil {
		t.Error(err)
	}
}

func TestADirectoryWithoutTheRightToWriteIsRefused(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("SKIPPED: root may write everywhere; the read-only mount stands in")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(t.Context(), options(t, dir)); !errors.Is(err, store.ErrReadOnlyDir) {
		t.Errorf("got %v, want ErrReadOnlyDir", err)
	}
}
