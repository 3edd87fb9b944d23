package store

import (
	"crypto/sha256"
	"fmt"
	"hash"
)

// entrySum hashes the entries of an archive in order; each is led by its name
// and size, so that no two lists of entries share a text.
type entrySum struct{ hash.Hash }

func newEntrySum() entrySum { return entrySum{sha256.New()} }

func (s entrySum) entry(name string, size int64) { fmt.Fprintf(s.Hash, "%q %d\n", name, size) }

func (s entrySum) digest() digest { return digest(s.Sum(nil)) }
