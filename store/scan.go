package store

import (
	"bytes"
	"iter"

	"go.etcd.io/bbolt"
)

// Scan walks the keys of a bucket that begin with prefix (nil: all), in key
// order or in reverse. It starts at from, inclusive; nil starts at the edge of
// the prefix. Keys and values are the caller's own copies.
//
// The walk is live: what the loop's body writes or deletes ahead of it is seen.
// Break ends it early; nothing has to be closed.
func (tx *ReadTx) Scan(b Bucket, prefix, from []byte, reverse bool) iter.Seq2[[]byte, []byte] {
	b.spec()
	return func(yield func(k, v []byte) bool) {
		w := &walk{tx: tx, b: b, prefix: prefix, reverse: reverse}
		w.start(from)
		for w.next() {
			if w.value != nil && !yield([]byte(w.key), w.value) {
				return
			}
		}
	}
}

// walk merges the overlay of an update with the database beneath it.
type walk struct {
	tx      *ReadTx
	b       Bucket
	prefix  []byte
	reverse bool

	base       *bbolt.Cursor // nil when the bucket has never been written
	baseKey    []byte        // valid until the cursor moves
	baseStored []byte

	from    string // where the overlay is looked up next
	fresh   bool   // from itself counts
	bounded bool   // from is set; otherwise the overlay starts at its edge

	key   string
	value []byte // nil: deleted by the overlay
}

// start puts the cursor on the first key at or beyond from.
func (w *walk) start(from []byte) {
	if bb := w.tx.bucket(w.b); bb != nil {
		w.base = bb.Cursor()
	}
	switch {
	case from != nil && !w.beyondPrefix(from):
		w.seek(from, true)
	case !w.reverse:
		w.seek(w.prefix, true)
	case len(w.prefix) == 0:
		w.last()
	default:
		w.seekEndOfPrefix()
	}
}

// beyondPrefix is true for a start that lies outside the prefix on the side
// where the walk begins: it then begins at the edge of the prefix.
func (w *walk) beyondPrefix(from []byte) bool {
	if w.reverse {
		return bytes.Compare(from, w.prefix) > 0 && !bytes.HasPrefix(from, w.prefix)
	}
	return bytes.Compare(from, w.prefix) < 0
}

func (w *walk) seekEndOfPrefix() {
	if end := successor(w.prefix); end != nil {
		w.seek(end, false)
		return
	}
	w.last()
}

func (w *walk) last() {
	w.bounded = false
	if w.base != nil {
		w.baseKey, w.baseStored = w.base.Last()
	}
}

func (w *walk) seek(k []byte, inclusive bool) {
	w.from, w.fresh, w.bounded = string(k), inclusive, true
	if w.base == nil {
		return
	}
	w.baseKey, w.baseStored = w.base.Seek(k)
	if !w.reverse {
		return
	}
	if w.baseKey == nil {
		w.baseKey, w.baseStored = w.base.Last()
	}
	for w.baseKey != nil && (bytes.Compare(w.baseKey, k) > 0 || !inclusive && bytes.Equal(w.baseKey, k)) {
		w.baseKey, w.baseStored = w.base.Prev()
	}
}

// next moves to the nearer of both sides; the overlay wins where they meet.
func (w *walk) next() bool {
	over, written := w.overlaid()
	switch {
	case !written && w.baseKey == nil:
		return false
	case written && (w.baseKey == nil || w.before(over, string(w.baseKey))):
		w.take(over)
	default:
		w.takeBase()
	}
	return bytes.HasPrefix([]byte(w.key), w.prefix)
}

func (w *walk) overlaid() (string, bool) {
	if !w.bounded {
		return w.tx.over.of(w.b).edge(w.reverse)
	}
	return w.tx.over.of(w.b).after(w.from, w.fresh, w.reverse)
}

func (w *walk) before(a, b string) bool {
	if w.reverse {
		return a > b
	}
	return a < b
}

func (w *walk) take(key string) {
	value, _ := w.tx.over.get(w.b, []byte(key))
	w.at(key, bytes.Clone(value))
}

func (w *walk) takeBase() {
	key, stored := string(w.baseKey), w.baseStored
	if value, written := w.tx.over.get(w.b, w.baseKey); written {
		w.at(key, bytes.Clone(value))
	} else {
		w.at(key, bytes.Clone(w.tx.unseal(w.b, w.baseKey, stored)))
	}
	if w.reverse {
		w.baseKey, w.baseStored = w.base.Prev()
	} else {
		w.baseKey, w.baseStored = w.base.Next()
	}
}

func (w *walk) at(key string, value []byte) {
	w.key, w.value = key, value
	w.from, w.fresh, w.bounded = key, false, true
}

// successor is the least key above every key with this prefix, nil when there
// is none.
func successor(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			end := bytes.Clone(prefix[:i+1])
			end[i]++
			return end
		}
	}
	return nil
}
