package store

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// checkIndexes: every entry that a record has is there and leads to it, and there is no other entry.
func checkIndexes(in *inspector) {
	checkEntries(in, tasks)
	checkEntries(in, approvals)
	checkEntries(in, sessions)
	checkEntries(in, executions)
	checkEntries(in, cards)
	checkEntries(in, webSessions)
	checkIndex(in, tasks, bucketTaskState, ownerIsTail)
	checkIndex(in, tasks, bucketTaskParent, ownerIsTail)
	checkIndex(in, approvals, bucketApprovalState, ownerIsTail)
	checkIndex(in, approvals, bucketApprovalTask, ownerIsTail)
	checkIndex(in, approvals, bucketApprovalCode, ownerIsValue)
	checkDeadlines(in)
	checkIndex(in, sessions, bucketSessionTask, ownerIsTail)
	checkIndex(in, executions, bucketExecutionTask, ownerIsTail)
	checkIndex(in, executions, bucketExecutionLive, ownerIsKey)
	checkIndex(in, cards, bucketCardWaiting, ownerIsCard)
	checkIndex(in, webSessions, bucketWebSessionOwner, ownerIsTail)
	checkTaskEvents(in)
}

// checkEntries: every entry that a record has is there and leads to it.
func checkEntries[T any](in *inspector, k kind[T]) {
	each(in, k, func(key []byte, v T) {
		for _, e := range k.entriesOf(v) {
			switch value, ok := in.tx.Get(e.bucket, e.key); {
			case !ok:
				in.note(e.bucket, e.key, "the entry of %q in %s is missing", key, k.bucket)
			case !bytes.Equal(value, e.value):
				in.note(e.bucket, e.key, "the entry is that of %q and also that of %q in %s", value, key, k.bucket)
			}
		}
	})
}

// checkIndex: every entry of an index is that of a record.
func checkIndex[T any](in *inspector, k kind[T], index Bucket, owner func(key, value []byte) []byte) {
	for key, value := range in.tx.Scan(index, nil, nil, false) {
		if id := owner(key, value); !has(in, k, id, entry{index, key, value}) {
			in.note(index, key, "%q in %s has no such entry", id, k.bucket)
		}
	}
}

func has[T any](in *inspector, k kind[T], id []byte, e entry) bool {
	v, ok := find(in, k, string(id))
	return ok && slices.ContainsFunc(k.entriesOf(v), e.equal)
}

// checkDeadlines: every deadline is that of an approval or of an execution.
func checkDeadlines(in *inspector) {
	for key, value := range in.tx.Scan(bucketDeadlines, nil, nil, false) {
		id, e := ownerIsStamped(key, value), entry{bucketDeadlines, key, value}
		if !has(in, approvals, id, e) && !has(in, executions, id, e) {
			in.note(bucketDeadlines, key, "%q has no such entry", id)
		}
	}
}

// checkTaskEvents: every row of the audit that belongs to a task is listed beside it, and no other.
func checkTaskEvents(in *inspector) {
	for a := range in.tx.Audit(0, false) {
		e := toEvent(a)
		if e.Task == "" {
			continue
		}
		key := joined(e.Task, string(auditKey(a.Seq)))
		if _, ok := in.tx.Get(bucketTaskEvents, key); !ok {
			in.note(bucketTaskEvents, key, "the entry of row %d of the audit is missing", a.Seq)
		}
	}
	for key := range in.tx.Scan(bucketTaskEvents, nil, nil, false) {
		if !in.leadsToRow(key) {
			in.note(bucketTaskEvents, key, "the audit has no such row of that task")
		}
	}
}

func (in *inspector) leadsToRow(key []byte) bool {
	number, ok := tail(key)
	if !ok {
		return false
	}
	stored, ok := in.tx.Get(bucketAudit, number)
	if !ok {
		return false
	}
	a, err := decodeAudit(stored)
	return err == nil && toEvent(a).Task == string(head(key))
}

// Whose an entry is: the key of the record that has it, as each kind of index tells it.

func ownerIsTail(key, _ []byte) []byte {
	id, _ := tail(key)
	return id
}

func ownerIsKey(key, _ []byte) []byte { return key }

func ownerIsValue(_, value []byte) []byte { return value }

func ownerIsStamped(key, _ []byte) []byte {
	_, id, _ := stamped(key)
	return id
}

func ownerIsCard(key, _ []byte) []byte {
	rest, _ := tail(key)
	_, subject, _ := stamped(rest)
	return joined(string(subject), string(head(key)))
}

// head gives the first part of a key that joined made of two, nil where it is none.
func head(key []byte) []byte {
	if _, ok := tail(key); !ok {
		return nil
	}
	return key[2 : 2+int(binary.BigEndian.Uint16(key))]
}
