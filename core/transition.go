package core

import "slices"

// TaskEvent is what can happen to a task, as far as its state is concerned.
type TaskEvent string

// The events of the table in section 3 of the contract.
const (
	EvStarted        TaskEvent = "started"         // checkpoint 0 is gated before anything of it runs
	EvApproved       TaskEvent = "approved"        // the decision that completes the approval
	EvClaimed        TaskEvent = "claimed"         // execution made
	EvDiffers        TaskEvent = "differs"         // at the claim something differs, or use_within has passed
	EvNextGate       TaskEvent = "next gate"       // the step succeeded and another checkpoint follows
	EvRoundOver      TaskEvent = "round over"      // a goal's check says 1
	EvChecking       TaskEvent = "checking"        // a goal's last step succeeded, its check runs
	EvDone           TaskEvent = "done"            // the last step succeeded, a goal's check says 0
	EvStepFailed     TaskEvent = "step failed"     // failed or timed out, or the rounds are used up
	EvRejected       TaskEvent = "rejected"        // one reject
	EvRenewed        TaskEvent = "renewed"         // a fresh approval for an expired, superseded or missing one
	EvExpiredHold    TaskEvent = "expired"         // nobody decided, on_expiry: hold
	EvExpiredCancel  TaskEvent = "expired, cancel" // nobody decided, on_expiry: cancel
	EvUnknown        TaskEvent = "effect unknown"  // stopped or lost
	EvRetried        TaskEvent = "retry"
	EvResolvedNext   TaskEvent = "resolved, next"   // done, another checkpoint follows
	EvResolvedCheck  TaskEvent = "resolved, check"  // done at a goal's last checkpoint
	EvResolvedDone   TaskEvent = "resolved, done"   // done at the last checkpoint
	EvResolvedFailed TaskEvent = "resolved, failed" // failed
	EvPaused         TaskEvent = "pause"
	EvResumedQueued  TaskEvent = "resume, approved" // the approved fingerprint still holds
	EvResumedGate    TaskEvent = "resume, waiting"
	EvCancelled      TaskEvent = "cancel"
)

// taskNew is the state before there is a record.
const taskNew TaskState = "new"

var transitions = map[TaskState]map[TaskEvent]TaskState{
	taskNew: {EvStarted: TaskAwaiting},
	TaskAwaiting: {
		EvApproved: TaskQueued, EvRejected: TaskRejected, EvExpiredHold: TaskAwaiting, EvRenewed: TaskAwaiting,
		EvExpiredCancel: TaskCancelled, EvRetried: TaskAwaiting, EvPaused: TaskPaused, EvCancelled: TaskCancelled,
	},
	TaskQueued: {EvClaimed: TaskRunning, EvDiffers: TaskAwaiting, EvPaused: TaskPaused, EvCancelled: TaskCancelled},
	TaskRunning: {
		EvNextGate: TaskAwaiting, EvRoundOver: TaskAwaiting, EvChecking: TaskRunning, EvDone: TaskCompleted,
		EvStepFailed: TaskFailed, EvUnknown: TaskReview,
	},
	TaskPaused: {
		EvResumedQueued: TaskQueued, EvResumedGate: TaskAwaiting, EvExpiredHold: TaskPaused, EvRenewed: TaskPaused,
		EvExpiredCancel: TaskCancelled, EvCancelled: TaskCancelled,
	},
	TaskReview: {
		EvRetried: TaskAwaiting, EvResolvedNext: TaskAwaiting, EvResolvedCheck: TaskRunning, EvResolvedDone: TaskCompleted,
		EvResolvedFailed: TaskFailed, EvCancelled: TaskCancelled,
	},
	TaskFailed:   {EvRetried: TaskAwaiting},
	TaskRejected: {EvRetried: TaskAwaiting},
}

// Next is the one transition function of tasks and goals: the state after an event, or a conflict that
// names both. What the table doesn't hold is refused.
func Next(from TaskState, ev TaskEvent) (TaskState, error) {
	to, ok := transitions[from][ev]
	if !ok {
		return from, conflict("", "%s is not possible while %s", ev, from)
	}
	return to, nil
}

// TaskEvents lists every event, in the order of the table.
func TaskEvents() []TaskEvent {
	return []TaskEvent{
		EvStarted, EvApproved, EvClaimed, EvDiffers, EvNextGate, EvRoundOver, EvChecking, EvDone, EvStepFailed, EvRejected, EvRenewed,
		EvExpiredHold, EvExpiredCancel, EvUnknown, EvRetried, EvResolvedNext, EvResolvedCheck, EvResolvedDone, EvResolvedFailed,
		EvPaused, EvResumedQueued, EvResumedGate, EvCancelled,
	}
}

// From lists the states from which an event leads on, "new" among them.
func From(ev TaskEvent) []TaskState {
	var out []TaskState
	for _, s := range append([]TaskState{taskNew}, TaskStates()...) {
		if _, ok := transitions[s][ev]; ok {
			out = append(out, s)
		}
	}
	return slices.Clip(out)
}
