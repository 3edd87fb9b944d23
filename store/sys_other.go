//go:build !linux

package store

import (
	"errors"
	"os"
)

const mmapFlags = 0

// allocate has no portable form: there is no reserve on these systems.
func allocate(*os.File, int64, int64) error { return errors.ErrUnsupported }

func syncData(f *os.File) error { return f.Sync() }

func weakFilesystem(string) (string, error) { return "", nil }
