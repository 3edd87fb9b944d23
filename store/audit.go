package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"time"
)

// AuditRow is what a caller says happened. The store adds number and chain.
type AuditRow struct {
	Type    string          `json:"type"`
	At      time.Time       `json:"at"`
	Actor   string          `json:"actor,omitempty"`
	Subject string          `json:"subject,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// AuditEntry is a row in its place. Hash is the SHA-256 of the previous row's
// hash followed by this row's JSON without its own hash.
type AuditEntry struct {
	Seq uint64 `json:"seq"`
	AuditRow
	Prev digest `json:"prev"`
	Hash digest `json:"-"`
}

// Audit walks the rows by number, starting at from, inclusive; from 0 starts at
// the first row, or at the last in reverse.
func (tx *ReadTx) Audit(from uint64, reverse bool) iter.Seq[AuditEntry] {
	var start []byte
	if from > 0 {
		start = auditKey(from)
	}
	return func(yield func(AuditEntry) bool) {
		for key, stored := range tx.Scan(bucketAudit, nil, start, reverse) {
			e, err := decodeAudit(stored)
			if err != nil {
				panic(tamper{tampered(bucketAudit, key, err.Error())})
			}
			if !yield(e) {
				return
			}
		}
	}
}

// hashField ends every stored row. The chain covers the bytes before it, so a
// row verifies without knowing its fields: later versions may add some.
const hashField = `,"hash":"`

// encodeAudit returns the stored row and its hash. The caller has checked Data.
func encodeAudit(e AuditEntry) ([]byte, digest) {
	e.At = e.At.UTC()
	row, err := json.Marshal(e)
	if err != nil {
		panic(fmt.Sprintf("store: audit row %q cannot be encoded: %v", e.Type, err))
	}
	sum := chain(e.Prev, row)
	stored := append(row[:len(row)-1:len(row)-1], hashField...)
	stored = hex.AppendEncode(stored, sum[:])
	return append(stored, `"}`...), sum
}

// decodeAudit reads a stored row and checks its own hash. Whether it follows
// its predecessor is Check's to say.
func decodeAudit(stored []byte) (AuditEntry, error) {
	var e AuditEntry
	cut := len(stored) - len(hashField) - 2*sha256.Size - len(`"}`)
	if cut < 1 || !bytes.HasPrefix(stored[cut:], []byte(hashField)) {
		return e, fmt.Errorf("audit row does not end with its hash")
	}
	row := append(stored[:cut:cut], '}')
	if err := json.Unmarshal(row, &e); err != nil {
		return e, fmt.Errorf("audit row is not JSON: %w", err)
	}
	text := stored[cut+len(hashField):]
	if err := e.Hash.UnmarshalText(text[:2*sha256.Size]); err != nil {
		return e, err
	}
	if chain(e.Prev, row) != e.Hash {
		return e, fmt.Errorf("hash of audit row %d does not fit it", e.Seq)
	}
	return e, nil
}

func chain(prev digest, row []byte) digest {
	h := sha256.New()
	h.Write(prev[:])
	h.Write(row)
	return digest(h.Sum(nil))
}

// auditNumber reads a key of the audit bucket.
func auditNumber(key []byte) (uint64, bool) {
	if len(key) != 8 {
		return 0, false
	}
	return binary.BigEndian.Uint64(key), true
}
