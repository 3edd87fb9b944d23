package store

import (
	"bytes"
	"context"
	"fmt"

	"go.etcd.io/bbolt"
)

// A Finding is one thing that is not as it must be.
type Finding struct {
	Check  string // which check speaks, e.g. "audit"
	Bucket Bucket // where, if it is about a record
	Key    []byte
	Text   string
}

// String is one line for a terminal.
func (f Finding) String() string {
	if f.Bucket == "" {
		return f.Check + ": " + f.Text
	}
	return fmt.Sprintf("%s: %s %q: %s", f.Check, f.Bucket, f.Key, f.Text)
}

// checks prove the records, after the structure was found whole. Each reads one
// state and changes nothing; the files of the records add theirs.
var checks = []func(*ReadTx) []Finding{}

// Check proves the store on one state of it: bbolt's pages, every seal, the
// audit chain up to the head, then the records. It works on a live store too,
// and holds a read transaction as long as it runs. An empty list is a whole
// store; the error says that it could not look.
func (db *DB) Check(ctx context.Context) ([]Finding, error) {
	btx, done, err := db.gate.acquireOwn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { done() }()
	found := checkPages(btx)
	// bbolt compares a reader's pages with the free list as it is now: beside a commit some of them seem
	// to be freed. What is really wrong is found again.
	for try := 0; len(found) > 0 && !db.readOnly && try < pageTries; try++ {
		done()
		if btx, done, err = db.gate.acquireOwn(ctx); err != nil {
			done = func() {}
			return nil, err
		}
		found = checkPages(btx)
	}
	if len(found) > 0 {
		return found, nil
	}
	head, err := readState(btx, db.seals)
	if err != nil {
		return []Finding{{Check: "head", Bucket: bucketMeta, Key: keyState, Text: err.Error()}}, nil
	}
	tx := &ReadTx{btx: btx, seals: db.seals, state: head}
	if found = checkSeals(tx); len(found) > 0 {
		return found, nil // the rest could not read what is not ours
	}
	found = checkChain(tx)
	for _, check := range checks {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		found = append(found, check(tx)...)
	}
	return found, nil
}

// pageTries is how often pages of a live store are looked at again.
const pageTries = 20

func checkPages(btx *bbolt.Tx) (found []Finding) {
	for err := range btx.Check() {
		found = append(found, Finding{Check: "pages", Text: err.Error()})
	}
	return found
}

// checkSeals reads every record of every bucket, known or not.
func checkSeals(tx *ReadTx) (found []Finding) {
	_ = tx.btx.ForEach(func(name []byte, b *bbolt.Bucket) error { // fn returns no error
		bucket := Bucket(name)
		if _, known := buckets[bucket]; !known {
			found = append(found, Finding{Check: "seals", Text: fmt.Sprintf("bucket %q is none of ours", name)})
			return nil
		}
		return b.ForEach(func(key, stored []byte) error {
			if _, err := tx.seals.open(bucket, key, stored); err != nil {
				found = append(found, Finding{Check: "seals", Bucket: bucket, Key: bytes.Clone(key), Text: err.Error()})
			}
			return nil
		})
	})
	return found
}

// checkChain follows the audit from its first row to the head.
func checkChain(tx *ReadTx) (found []Finding) {
	var last AuditEntry
	complain := func(key []byte, text string) {
		found = append(found, Finding{Check: "audit", Bucket: bucketAudit, Key: key, Text: text})
	}
	for key, stored := range tx.Scan(bucketAudit, nil, nil, false) {
		row, err := decodeAudit(stored)
		seq, ok := auditNumber(key)
		switch {
		case err != nil:
			complain(key, err.Error())
			return found
		case !ok || row.Seq != seq:
			complain(key, fmt.Sprintf("row %d lies under another number", row.Seq))
		case seq != last.Seq+1:
			complain(key, fmt.Sprintf("row %d follows row %d", seq, last.Seq))
		case row.Prev != last.Hash:
			complain(key, fmt.Sprintf("row %d does not chain to the one before", seq))
		}
		last = row
	}
	if last.Seq != tx.state.Audit || last.Hash != tx.state.Head {
		complain(nil, fmt.Sprintf("the audit ends at row %d, the head says %d, or their hashes differ", last.Seq, tx.state.Audit))
	}
	return found
}
