package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// boltMeta is what is needed of bbolt's meta page: magic, version, page size,
// flags, root bucket, free list, high page id, transaction id, checksum.
type boltMeta struct {
	page     int64
	root     uint64
	freelist uint64
	high     uint64 // first page id never used
	txid     uint64
}

const (
	boltMagic      = 0xED0CDAED
	boltVersion    = 2
	boltHeader     = 16
	boltMetaSize   = 64
	boltMinPage    = 1 << 10
	boltMaxPage    = 1 << 24
	boltMinFile    = 16 << 10 // four pages of 4 KiB, which is what bbolt makes at first
	boltNoFreelist = ^uint64(0)
)

const restoreHint = "restore the last backup into an empty directory, and keep this file to look into"

// inspect looks at a database before bbolt may, because bbolt takes an empty
// file for a new database and panics on a cut one. It only reads.
func inspect(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s is no regular file; %s", ErrForeignFile, path, restoreHint)
	case info.Size() == 0:
		return fmt.Errorf("%w: %s is empty; %s", ErrDamaged, path, restoreHint)
	}
	meta, err := newestMeta(f, info.Size())
	if err != nil {
		return fmt.Errorf("%w: %s; %s", err, path, restoreHint)
	}
	if need := int64(meta.high) * meta.page; info.Size() < max(need, boltMinFile) {
		return fmt.Errorf("%w: %s has %d bytes of at least %d: it was cut; %s", ErrDamaged, path, info.Size(), max(need, boltMinFile), restoreHint)
	}
	if err := walkPages(f, meta); err != nil {
		return fmt.Errorf("%w: %s: %w; %s", ErrDamaged, path, err, restoreHint)
	}
	return nil
}

// newestMeta finds the meta page that bbolt will use. One bad page is what a
// power cut during an unanswered commit leaves; whether a confirmed commit is
// missing is for the high-water mark to say.
func newestMeta(r io.ReaderAt, size int64) (boltMeta, error) {
	var best boltMeta
	found, ours := false, false
	for _, at := range metaOffsets(size) {
		m, magic, ok := readMeta(r, at)
		ours = ours || magic
		if ok && (at == 0 || at == m.page) && (!found || m.txid > best.txid) {
			best, found = m, true
		}
	}
	switch {
	case found:
		return best, nil
	case ours:
		return best, fmt.Errorf("%w: no meta page is whole", ErrDamaged)
	default:
		return best, ErrForeignFile
	}
}

// metaOffsets are the places of both meta pages: the second one's depends on
// the page size, which only a whole meta page tells.
func metaOffsets(size int64) []int64 {
	at := []int64{0}
	for p := int64(boltMinPage); p <= boltMaxPage && p < size; p <<= 1 {
		at = append(at, p)
	}
	return at
}

// readMeta reads a meta page; magic says that it was one, ok that it is whole.
func readMeta(r io.ReaderAt, at int64) (m boltMeta, magic, ok bool) {
	var buf [boltHeader + boltMetaSize]byte
	if _, err := r.ReadAt(buf[:], at); err != nil && !errors.Is(err, io.EOF) {
		return m, false, false
	}
	b := buf[boltHeader:]
	native := binary.NativeEndian
	if native.Uint32(b) != boltMagic {
		return m, false, false
	}
	sum := fnv.New64a()
	sum.Write(b[:boltMetaSize-8])
	m = boltMeta{
		page:     int64(native.Uint32(b[8:])),
		root:     native.Uint64(b[16:]),
		freelist: native.Uint64(b[32:]),
		high:     native.Uint64(b[40:]),
		txid:     native.Uint64(b[48:]),
	}
	sane := m.page >= boltMinPage && m.page <= boltMaxPage && m.page&(m.page-1) == 0
	return m, true, sane && native.Uint32(b[4:]) == boltVersion && native.Uint64(b[56:]) == sum.Sum64() && m.high < 1<<40
}
