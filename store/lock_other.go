//go:build !unix

package store

import "os"

// tryLock has nothing to take here: bbolt's own lock on the database remains.
func tryLock(*os.File) (bool, error) { return true, nil }

func unlock(*os.File) {}
