package store

import (
	"fmt"

	"holdpoint/core"
)

// The invariants of the records, for DB.Check. Each is a sentence that holds between any two commits;
// a finding names the record at which it does not.
func init() {
	checks = append(checks,
		inspection("records", checkRecords),
		inspection("indexes", checkIndexes),
		inspection("approvals", checkApprovals),
		inspection("tasks", checkTasks),
		inspection("claims", checkClaims),
		inspection("executions", checkExecutions),
		inspection("references", checkReferences),
	)
}

// inspector reads one state and notes what is wrong.
type inspector struct {
	tx    *ReadTx
	check string
	found []Finding
}

// inspection makes a check of the store out of a walk over the records. What a walk can't read ends it
// with a finding.
func inspection(name string, walk func(*inspector)) func(*ReadTx) []Finding {
	return func(tx *ReadTx) []Finding {
		in := &inspector{tx: tx, check: name}
		if err := guard(func() error { walk(in); return nil }); err != nil {
			in.found = append(in.found, Finding{Check: name, Text: err.Error()})
		}
		return in.found
	}
}

func (in *inspector) note(b Bucket, key []byte, format string, args ...any) {
	in.found = append(in.found, Finding{Check: in.check, Bucket: b, Key: key, Text: fmt.Sprintf(format, args...)})
}

// each walks all records of a kind that can be read; checkRecords tells of the others.
func each[T any](in *inspector, k kind[T], fn func(key []byte, v T)) {
	for key, stored := range in.tx.Scan(k.bucket, nil, nil, false) {
		if v, err := k.decode(stored); err == nil {
			fn(key, v)
		}
	}
}

// find gives a record that can be read.
func find[T any](in *inspector, k kind[T], id string) (T, bool) {
	var none T
	stored, ok := in.tx.Get(k.bucket, []byte(id))
	if !ok {
		return none, false
	}
	v, err := k.decode(stored)
	return v, err == nil
}

func checkRecords(in *inspector) {
	checkKind(in, tasks)
	checkKind(in, requests)
	checkKind(in, approvals)
	checkKind(in, claims)
	checkKind(in, sessions)
	checkKind(in, executions)
	checkKind(in, cards)
	checkKind(in, tokens)
	checkKind(in, signIns)
	checkKind(in, webSessions)
}

// checkKind: every record reads and lies under its own key.
func checkKind[T any](in *inspector, k kind[T]) {
	for key, stored := range in.tx.Scan(k.bucket, nil, nil, false) {
		v, err := k.decode(stored)
		switch {
		case err != nil:
			in.note(k.bucket, key, "%v", err)
		case string(k.key(v)) != string(key):
			in.note(k.bucket, key, "the record belongs under %q", k.key(v))
		}
	}
}

// checkReferences: every card shows something, every request made something.
func checkReferences(in *inspector) {
	each(in, cards, func(key []byte, c core.Card) {
		if _, ok := find(in, approvals, c.Subject); !ok {
			in.note(bucketCards, key, "there is no approval %s to show", c.Subject)
		}
	})
	each(in, requests, func(key []byte, q core.Request) {
		for _, b := range identified {
			if _, ok := in.tx.Get(b, []byte(q.Record)); ok {
				return
			}
		}
		in.note(bucketRequests, key, "there is no record %s that it made", q.Record)
	})
}
