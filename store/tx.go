package store

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.etcd.io/bbolt"
)

// Limits of one record. A write beyond them refuses its update with
// ErrInvalidRecord.
const (
	MaxKeyBytes   = 1 << 10
	MaxValueBytes = 4 << 20
)

// ReadTx reads one state of the store. It is valid inside its closure and on
// its goroutine only. What it returns is the caller's own copy.
//
// A record whose seal does not fit ends the closure at once: View or Update
// returns ErrTampered and the store fail-stops.
type ReadTx struct {
	btx   *bbolt.Tx
	seals *sealer
	over  *overlay // nil in a view
	state state
}

// Get returns the value under key.
func (tx *ReadTx) Get(b Bucket, key []byte) (value []byte, ok bool) {
	b.spec()
	if v, written := tx.over.get(b, key); written {
		return bytes.Clone(v), v != nil
	}
	bb := tx.bucket(b)
	if bb == nil {
		return nil, false
	}
	stored := bb.Get(key)
	if stored == nil {
		return nil, false
	}
	return bytes.Clone(tx.unseal(b, key, stored)), true
}

// Epoch is the number that every restore raises. What was issued under another
// epoch is stale.
func (tx *ReadTx) Epoch() uint64 { return tx.state.Epoch }

// bucket is nil until something was written to it.
func (tx *ReadTx) bucket(b Bucket) *bbolt.Bucket {
	if tx.btx == nil {
		panic("store: a transaction was used after its closure had returned")
	}
	return tx.btx.Bucket([]byte(b))
}

func (tx *ReadTx) unseal(b Bucket, key, stored []byte) []byte {
	v, err := tx.seals.open(b, key, stored)
	if err != nil {
		panic(tamper{err})
	}
	return v
}

// tamper carries ErrTampered out of a closure: the closure must not go on with
// a record that was changed, nor with its absence.
type tamper struct{ err error }

// Tx reads and writes. It sees what it wrote and what earlier updates of the
// same batch wrote. Its closure does no I/O and does not wait: every other
// update waits for it.
type Tx struct {
	ReadTx
	err   error // first write outside the limits
	dirty bool  // the head changes even if no record does
}

// Put stores a value, which must not be empty. Limits are MaxKeyBytes and
// MaxValueBytes.
func (tx *Tx) Put(b Bucket, key, value []byte) {
	b.spec()
	switch {
	case len(value) == 0 || len(value) > MaxValueBytes:
		tx.refuse(b, "value", len(value), MaxValueBytes)
	case tx.keyFits(b, key):
		tx.over.set(b, key, bytes.Clone(value))
	}
}

// Delete removes a key; a key that is not there is no error.
func (tx *Tx) Delete(b Bucket, key []byte) {
	b.spec()
	if tx.keyFits(b, key) {
		tx.over.set(b, key, nil)
	}
}

// AppendAudit adds a row to the audit and returns the number it has once this
// update is accepted. Data that is not JSON refuses the update.
func (tx *Tx) AppendAudit(row AuditRow) uint64 {
	next := AuditEntry{Seq: tx.state.Audit + 1, AuditRow: row, Prev: tx.state.Head}
	if len(row.Data) > 0 && !json.Valid(row.Data) {
		tx.fail(fmt.Errorf("%w: data of audit row %q is not JSON", ErrInvalidRecord, row.Type))
		return next.Seq
	}
	stored, head := encodeAudit(next)
	tx.over.set(bucketAudit, auditKey(next.Seq), stored)
	tx.state.Audit, tx.state.Head = next.Seq, head
	return next.Seq
}

func (tx *Tx) keyFits(b Bucket, key []byte) bool {
	if len(key) == 0 || len(key) > MaxKeyBytes {
		tx.refuse(b, "key", len(key), MaxKeyBytes)
		return false
	}
	return true
}

func (tx *Tx) refuse(b Bucket, what string, got, most int) {
	tx.fail(fmt.Errorf("%w: %s in %s has %d bytes, allowed are 1 to %d", ErrInvalidRecord, what, b, got, most))
}

func (tx *Tx) fail(err error) {
	if tx.err == nil {
		tx.err = err
	}
}
