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

// The buckets of the records. Ids are sortable by time, so a bucket keyed by them is in the order of
// making. "a + b" is joined(a, b) of ids.go: every part but the last is preceded by its length, so that
// no text of one part runs into the next, and the keys that share their first parts are in the order of
// the last one. An index entry's value is one byte without meaning, unless it is said otherwise.
const (
	bucketTasks       Bucket = "tasks"        // task id → task
	bucketApprovals   Bucket = "approvals"    // approval id → approval
	bucketClaims      Bucket = "claims"       // approval id → claim
	bucketSessions    Bucket = "sessions"     // session id → session
	bucketExecutions  Bucket = "executions"   // execution id → execution
	bucketCards       Bucket = "cards"        // subject + surface → card
	bucketTokens      Bucket = "tokens"       // hash of the secret → token
	bucketSignIns     Bucket = "sign-ins"     // hash of the secret → sign-in link
	bucketWebSessions Bucket = "web-sessions" // hash of the cookie → web session
	bucketRequests    Bucket = "requests"     // requester + request id → request

	bucketTaskState       Bucket = "task-state"        // state + task id
	bucketTaskParent      Bucket = "task-parent"       // parent's id + task id
	bucketTaskRollback    Bucket = "task-rollback"     // id of a task whose rollback waits or runs
	bucketTaskEvents      Bucket = "task-events"       // task id + big-endian number of the audit's row
	bucketApprovalTask    Bucket = "approval-task"     // task id + approval id
	bucketApprovalState   Bucket = "approval-state"    // stored state + approval id
	bucketApprovalCode    Bucket = "approval-code"     // code → approval id
	bucketDeadlines       Bucket = "deadlines"         // big-endian milliseconds since 1970, id of an approval or execution
	bucketSessionTask     Bucket = "session-task"      // task id + session id
	bucketExecutionTask   Bucket = "execution-task"    // task id + execution id
	bucketExecutionLive   Bucket = "execution-live"    // id of an execution whose end is not recorded
	bucketCardWaiting     Bucket = "card-waiting"      // surface + (big-endian milliseconds of the next try, subject)
	bucketWebSessionOwner Bucket = "web-session-owner" // person + hash of the cookie
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

	bucketTasks: {sealed: true}, bucketApprovals: {sealed: true}, bucketClaims: {sealed: true},
	bucketSessions: {sealed: true}, bucketExecutions: {sealed: true}, bucketCards: {sealed: true},
	bucketTokens: {sealed: true}, bucketSignIns: {sealed: true}, bucketWebSessions: {sealed: true},
	bucketRequests: {sealed: true},

	// An index leads to sealed records, which are compared with the entry that led there.
	bucketTaskState: {}, bucketTaskParent: {}, bucketTaskRollback: {}, bucketTaskEvents: {},
	bucketApprovalTask: {}, bucketApprovalState: {}, bucketApprovalCode: {}, bucketDeadlines: {},
	bucketSessionTask: {}, bucketExecutionTask: {}, bucketExecutionLive: {},
	bucketCardWaiting: {}, bucketWebSessionOwner: {},
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
