package store

import (
	"encoding/binary"
	"fmt"
)

// A Bucket is one ordered set of keys. Only those in the table below exist; use
// of another is a programmer's error and panics.
type Bucket string

// The buckets of the core. Those of the records stand beside them.
const (
	bucketMeta  Bucket = "meta"  // one record: state
	bucketAudit Bucket = "audit" // big-endian sequence → row
)

// bucketSpec says how a bucket is kept. A sealed bucket's values carry a MAC
// that every read checks.
type bucketSpec struct {
	sealed bool
}

// buckets is every bucket of the database. To add one, name it above and list
// it here: it is made at its first write, and an older database reads it as
// empty.
var buckets = map[Bucket]bucketSpec{
	bucketMeta:  {sealed: true},
	bucketAudit: {sealed: true},
}

// spec finds a bucket's row in the table.
func (b Bucket) spec() bucketSpec {
	s, ok := buckets[b]
	if !ok {
		panic(fmt.Sprintf("store: bucket %q is not in the table of keys.go", string(b)))
	}
	return s
}

var keyState = []byte("state")

// auditKey orders rows by their number.
func auditKey(seq uint64) []byte {
	return binary.BigEndian.AppendUint64(nil, seq)
}
