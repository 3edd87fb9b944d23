package store

import (
	"slices"

	"go.etcd.io/bbolt"
)

// overlay holds what one update wrote, until it is accepted or dropped. Keys of
// a bucket are kept sorted, so that a scan can walk them beside the database.
type overlay struct {
	buckets map[Bucket]*writes
	bytes   int // keys and values held
	puts    int // writes held, an upper bound
}

// writes is one bucket's share. A nil value is a deletion.
type writes struct {
	values map[string][]byte
	keys   []string
}

func (o *overlay) empty() bool { return len(o.buckets) == 0 }

// get tells what the update wrote under a key, if it did. A deletion is nil.
func (o *overlay) get(b Bucket, key []byte) (value []byte, written bool) {
	w := o.of(b)
	if w == nil {
		return nil, false
	}
	value, written = w.values[string(key)]
	return value, written
}

// set takes ownership of value.
func (o *overlay) set(b Bucket, key, value []byte) {
	if o.buckets == nil {
		o.buckets = map[Bucket]*writes{}
	}
	w := o.buckets[b]
	if w == nil {
		w = &writes{values: map[string][]byte{}}
		o.buckets[b] = w
	}
	k := string(key)
	if _, known := w.values[k]; !known {
		i, _ := slices.BinarySearch(w.keys, k)
		w.keys = slices.Insert(w.keys, i, k)
	}
	w.values[k] = value
	o.bytes += len(key) + len(value) + sealSize
	o.puts++
}

func (o *overlay) of(b Bucket) *writes {
	if o == nil {
		return nil
	}
	return o.buckets[b]
}

// after finds the next written key at or beyond k in the direction of walk.
func (w *writes) after(k string, inclusive, reverse bool) (string, bool) {
	if w == nil {
		return "", false
	}
	i, found := slices.BinarySearch(w.keys, k)
	switch {
	case reverse && !(found && inclusive):
		i--
	case !reverse && found && !inclusive:
		i++
	}
	if i < 0 || i >= len(w.keys) {
		return "", false
	}
	return w.keys[i], true
}

// edge finds the first written key, or the last one in reverse.
func (w *writes) edge(reverse bool) (string, bool) {
	switch {
	case w == nil || len(w.keys) == 0:
		return "", false
	case reverse:
		return w.keys[len(w.keys)-1], true
	default:
		return w.keys[0], true
	}
}

// flush writes the overlay into the open bbolt transaction, sealed.
func (o *overlay) flush(btx *bbolt.Tx, s *sealer) error {
	for name, w := range o.buckets {
		b, err := btx.CreateBucketIfNotExists([]byte(name))
		if err != nil {
			return err
		}
		for _, k := range w.keys {
			if err := flushKey(b, s, name, []byte(k), w.values[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

func flushKey(b *bbolt.Bucket, s *sealer, name Bucket, key, value []byte) error {
	if value == nil {
		return b.Delete(key)
	}
	return b.Put(key, s.seal(name, key, value))
}
