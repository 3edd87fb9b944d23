package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// pageWalk reads every page that is reachable, without a map of the file, so
// that a damaged page is an error. bbolt walks the same pages when it opens,
// partly on a goroutine of its own, where its panic would end the process.
type pageWalk struct {
	r    io.ReaderAt
	meta boltMeta
	seen []bool
}

const (
	pageBranch   = 0x01
	pageLeaf     = 0x02
	pageFreelist = 0x10
	elementSize  = 16
	leafBucket   = 0x01 // flag of a leaf element that holds a bucket
	maxDepth     = 64   // a tree this deep has a loop
)

func walkPages(r io.ReaderAt, meta boltMeta) error {
	w := &pageWalk{r: r, meta: meta, seen: make([]bool, meta.high)}
	if meta.freelist != boltNoFreelist {
		if err := w.freelist(meta.freelist); err != nil {
			return err
		}
	}
	return w.tree(meta.root, 0)
}

// tree walks a page and what hangs below it.
func (w *pageWalk) tree(id uint64, depth int) error {
	if depth > maxDepth {
		return errors.New("its tree of pages is too deep")
	}
	page, err := w.read(id)
	if err != nil {
		return err
	}
	return w.elements(id, page, depth)
}

// read returns a page with its overflow.
func (w *pageWalk) read(id uint64) ([]byte, error) {
	if id < 2 || id >= w.meta.high {
		return nil, fmt.Errorf("page %d is outside the file", id)
	}
	var head [boltHeader]byte
	at := int64(id) * w.meta.page
	if _, err := w.r.ReadAt(head[:], at); err != nil {
		return nil, fmt.Errorf("page %d: %w", id, err)
	}
	last := id + uint64(binary.NativeEndian.Uint32(head[12:]))
	if got := binary.NativeEndian.Uint64(head[:]); got != id || last >= w.meta.high {
		return nil, fmt.Errorf("page %d has the head of another", id)
	}
	for p := id; p <= last; p++ {
		if w.seen[p] {
			return nil, fmt.Errorf("page %d is used twice", p)
		}
		w.seen[p] = true
	}
	page := make([]byte, int64(last-id+1)*w.meta.page)
	if _, err := w.r.ReadAt(page, at); err != nil {
		return nil, fmt.Errorf("page %d: %w", id, err)
	}
	return page, nil
}

// elements checks the elements of a page or of a bucket kept inside a value.
func (w *pageWalk) elements(id uint64, page []byte, depth int) error {
	flags, count := binary.NativeEndian.Uint16(page[8:]), int(binary.NativeEndian.Uint16(page[10:]))
	if flags != pageBranch && flags != pageLeaf || flags == pageBranch && count == 0 {
		return fmt.Errorf("page %d is neither branch nor leaf", id)
	}
	if boltHeader+count*elementSize > len(page) {
		return fmt.Errorf("page %d promises more elements than it holds", id)
	}
	var before []byte
	for i := range count {
		at := boltHeader + i*elementSize
		e := element{page: page, at: at, leaf: flags == pageLeaf}
		key, value, ok := e.parts()
		if !ok || i > 0 && bytes.Compare(before, key) >= 0 {
			return fmt.Errorf("page %d: element %d is out of place", id, i)
		}
		before = key
		if err := w.below(id, e, value, depth); err != nil {
			return err
		}
	}
	return nil
}

// below follows an element to the page it names, if it names one.
func (w *pageWalk) below(id uint64, e element, value []byte, depth int) error {
	switch {
	case !e.leaf:
		return w.tree(e.child(), depth+1)
	case e.flags() == 0:
		return nil
	case e.flags() != leafBucket || len(value) < 16:
		return fmt.Errorf("page %d holds an unknown kind of element", id)
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		return w.tree(root, depth+1)
	}
	if inline := value[16:]; len(inline) >= boltHeader && binary.NativeEndian.Uint16(inline[8:]) == pageLeaf {
		return w.elements(id, inline, depth+1)
	}
	return fmt.Errorf("page %d: a bucket inside it is cut", id)
}

func (w *pageWalk) freelist(id uint64) error {
	page, err := w.read(id)
	if err != nil {
		return err
	}
	count := uint64(binary.NativeEndian.Uint16(page[10:]))
	ids := page[boltHeader:]
	if count == 0xffff {
		count, ids = binary.NativeEndian.Uint64(ids), ids[8:]
	}
	if binary.NativeEndian.Uint16(page[8:]) != pageFreelist || count > uint64(len(ids)/8) {
		return fmt.Errorf("page %d is no free list", id)
	}
	return nil
}

// element is one row of a branch or leaf page.
//
//	leaf    flags 4 | position 4 | key size 4 | value size 4
//	branch  position 4 | key size 4 | child 8
type element struct {
	page []byte
	at   int
	leaf bool
}

func (e element) u32(off int) uint64 {
	return uint64(binary.NativeEndian.Uint32(e.page[e.at+off:]))
}

func (e element) flags() uint64 { return e.u32(0) }
func (e element) child() uint64 { return binary.NativeEndian.Uint64(e.page[e.at+8:]) }

// parts cuts key and value out of the page, if they lie inside it.
func (e element) parts() (key, value []byte, ok bool) {
	pos, ksize, vsize := e.u32(0), e.u32(4), uint64(0)
	if e.leaf {
		pos, ksize, vsize = e.u32(4), e.u32(8), e.u32(12)
	}
	start := uint64(e.at) + pos
	if start+ksize+vsize > uint64(len(e.page)) {
		return nil, nil, false
	}
	rest := e.page[start:]
	return rest[:ksize], rest[ksize : ksize+vsize], true
}
