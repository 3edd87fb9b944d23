package store

import (
	"bytes"
	"fmt"
	"slices"
)

// A kind is how one kind of record is kept: where, under which key, in which form, found by which
// index entries, and what must never change.
type kind[T any] struct {
	bucket  Bucket
	key     func(T) []byte
	encode  func(T) []byte
	decode  func([]byte) (T, error)
	entries func(T) []entry               // nil: no index leads here
	keeps   func(was, now T) (bad string) // says what changed that must not; "": all is well
}

// entry is one index entry that a record has.
type entry struct {
	bucket Bucket
	key    []byte
	value  []byte
}

// present is the value of an entry whose key says all.
var present = []byte{1}

func at(b Bucket, key []byte) entry { return entry{b, key, present} }

func (e entry) equal(o entry) bool {
	return e.bucket == o.bucket && bytes.Equal(e.key, o.key) && bytes.Equal(e.value, o.value)
}

// get reads a record. One that can't be read is not absent: the store stops itself.
func (k kind[T]) get(tx *ReadTx, key []byte) (T, bool) {
	stored, ok := tx.Get(k.bucket, key)
	if !ok {
		var none T
		return none, false
	}
	return k.read(key, stored), true
}

func (k kind[T]) read(key, stored []byte) T {
	v, err := k.decode(stored)
	if err != nil {
		panic(unreadable(k.bucket, key, err))
	}
	return v
}

// follow reads the record to which an index entry leads. An entry that leads nowhere, or to a record
// that has no such entry, is damage.
func (k kind[T]) follow(tx *ReadTx, e entry, key []byte) T {
	v, ok := k.get(tx, key)
	if !ok || !slices.ContainsFunc(k.entriesOf(v), e.equal) {
		panic(tamper{tampered(e.bucket, e.key, "the index leads to a record that does not know it")})
	}
	return v
}

func (k kind[T]) entriesOf(v T) []entry {
	if k.entries == nil {
		return nil
	}
	return k.entries(v)
}

// put writes a record and moves its index entries along.
func (k kind[T]) put(tx *Tx, v T) {
	key, value := k.key(v), k.encode(v)
	stored, exists := tx.Get(k.bucket, key)
	if exists && bytes.Equal(stored, value) {
		return
	}
	var before []entry
	if exists {
		was := k.read(key, stored)
		if bad := k.keeps(was, v); bad != "" {
			panic(fmt.Sprintf("store: %s %q: %s", k.bucket, key, bad))
		}
		before = k.entriesOf(was)
	}
	tx.Put(k.bucket, key, value)
	reindex(tx, before, k.entriesOf(v))
}

func reindex(tx *Tx, before, after []entry) {
	for _, e := range before {
		if !slices.ContainsFunc(after, e.equal) {
			tx.Delete(e.bucket, e.key)
		}
	}
	for _, e := range after {
		if slices.ContainsFunc(before, e.equal) {
			continue
		}
		if other, taken := tx.Get(e.bucket, e.key); taken && !bytes.Equal(other, e.value) {
			panic(fmt.Sprintf("store: %s %q is to lead to %q and leads to %q", e.bucket, e.key, e.value, other))
		}
		tx.Put(e.bucket, e.key, e.value)
	}
}

// page gives at most limit records, newest first: of one group of an index whose keys are group + id, or
// of all where group is "". Only those older than before, unless that is "".
func (k kind[T]) page(tx *ReadTx, index Bucket, group, before string, limit int) []T {
	var out []T
	if limit <= 0 {
		return out
	}
	b, prefix := k.bucket, []byte(nil)
	if group != "" {
		b, prefix = index, joined(group, "")
	}
	var from []byte
	if before != "" {
		from = append(bytes.Clone(prefix), before...)
	}
	for key, value := range tx.Scan(b, prefix, from, true) {
		if from != nil && bytes.Equal(key, from) {
			continue
		}
		if group == "" {
			out = append(out, k.read(key, value))
		} else {
			out = append(out, k.follow(tx, entry{b, key, value}, bytes.TrimPrefix(key, prefix)))
		}
		if len(out) == limit {
			break
		}
	}
	return out
}

// group gives all the records of one group of an index whose keys are group + id, in their order.
func (k kind[T]) group(tx *ReadTx, index Bucket, name string) []T {
	var out []T
	prefix := joined(name, "")
	for key, value := range tx.Scan(index, prefix, nil, false) {
		out = append(out, k.follow(tx, entry{index, key, value}, bytes.TrimPrefix(key, prefix)))
	}
	return out
}
