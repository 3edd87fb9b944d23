package store

import (
	"bytes"
	"encoding/binary"
	"slices"
	"time"
)

// joined makes one key of several texts: every one but the last is preceded by its length in two bytes.
// A text that is longer makes a key that the store refuses.
func joined(parts ...string) []byte {
	var key []byte
	last := len(parts) - 1
	for _, p := range parts[:last] {
		key = binary.BigEndian.AppendUint16(key, uint16(min(len(p), 1<<16-1)))
		key = append(key, p...)
	}
	return append(key, parts[last]...)
}

// tail gives the last part of a key that joined made of two.
func tail(key []byte) ([]byte, bool) {
	if len(key) < 2 {
		return nil, false
	}
	at := 2 + int(binary.BigEndian.Uint16(key))
	if at > len(key) {
		return nil, false
	}
	return key[at:], true
}

// stamp is a time as part of a key: whole milliseconds since 1970, big-endian. What lies before is 1970,
// and so is no time at all.
func stamp(t time.Time) []byte {
	ms := int64(0)
	if !t.IsZero() {
		ms = max(t.UnixMilli(), 0)
	}
	return binary.BigEndian.AppendUint64(nil, uint64(ms))
}

// stamped parts a key that begins with a stamp.
func stamped(key []byte) (at time.Time, rest []byte, ok bool) {
	if len(key) < 8 {
		return time.Time{}, nil, false
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(key))).UTC(), key[8:], true
}

// identified are the buckets whose keys are ids that people may type.
var identified = []Bucket{bucketTasks, bucketApprovals, bucketExecutions, bucketSessions}

// Match gives the ids of tasks, approvals, executions and sessions that begin with a prefix, in their
// order, at most limit of them.
func (r reader) Match(prefix string, limit int) []string {
	var out []string
	for _, b := range identified {
		out = append(out, r.keys(b, []byte(prefix), limit)...)
	}
	slices.Sort(out)
	return out[:min(len(out), max(limit, 0))]
}

// keys gives the keys that begin with a prefix, in their order, at most limit of them.
func (r reader) keys(b Bucket, prefix []byte, limit int) []string {
	var out []string
	if limit <= 0 {
		return out
	}
	for key := range r.tx.Scan(b, prefix, nil, false) {
		if out = append(out, string(key)); len(out) == limit {
			break
		}
	}
	return out
}

// tails gives the last parts of all the keys whose first part is given.
func (r reader) tails(b Bucket, first string) []string {
	var out []string
	prefix := joined(first, "")
	for key := range r.tx.Scan(b, prefix, nil, false) {
		out = append(out, string(bytes.TrimPrefix(key, prefix)))
	}
	return out
}
