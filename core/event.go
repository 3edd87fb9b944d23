package core

import "time"

// Event is one row of the audit before the store has given it its number and chained it: what
// happened, when, by whom, to what. It holds no secret, and texts of programs as they were written.
type Event struct {
	Seq     int64 // given by the store, from 1
	Type    string
	At      time.Time
	Actor   string
	Subject string // the id of the record that it is about
	Task    string // the task that the record belongs to, "" if none
	Data    map[string]any
}

// The types of events. A type is part of the contract of /events and /audit: none is ever renamed.
const (
	EventTaskStarted        = "task.started"
	EventTaskCompleted      = "task.completed"
	EventTaskFailed         = "task.failed"
	EventTaskRejected       = "task.rejected"
	EventTaskCancelled      = "task.cancelled"
	EventTaskReview         = "task.review"
	EventTaskRetried        = "task.retried"
	EventTaskResolved       = "task.resolved"
	EventTaskPaused         = "task.paused"
	EventTaskResumed        = "task.resumed"
	EventTaskRound          = "task.round"
	EventTaskEdited         = "task.edited"
	EventWaiter             = "approval.waiter"
	EventSessionCancelled   = "session.cancelled"
	EventTeardownRaised     = "teardown.raised"
	EventTeardownEnded      = "teardown.ended"
	EventLateReport         = "report.late"
	EventRollbackNoted      = "rollback.noted"
	EventRollbackRequested  = "rollback.requested"
	EventRollbackDone       = "rollback.done"
	EventRollbackFailed     = "rollback.failed"
	EventApprovalRequested  = "approval.requested"
	EventApprovalDecided    = "approval.decided"
	EventApprovalApproved   = "approval.approved"
	EventApprovalRejected   = "approval.rejected"
	EventApprovalExpired    = "approval.expired"
	EventApprovalSuperseded = "approval.superseded"
	EventApprovalCancelled  = "approval.cancelled"
	EventApprovalClaimed    = "approval.claimed"
	EventExecutionStarted   = "execution.started"
	EventExecutionEnded     = "execution.ended"
	EventRefused            = "refused"
	EventTokenCreated       = "token.created"
	EventTokenRevoked       = "token.revoked"
	EventSignInCreated      = "signin.created"
	EventSignInUsed         = "signin.used"
	EventSignedOut          = "signin.ended"
	EventRestored           = "store.restored"
)
