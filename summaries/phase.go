package summaries

import (
	"time"

	"holdpoint/core"
)

// phase is where one approval stands together with the step that it released: what its card tells.
type phase uint8

const (
	phaseNone       phase = iota // there is no approval
	phaseWaiting                 // somebody may decide it now
	phasePaused                  // pending, and nobody may decide until the task is resumed
	phaseExpired                 // nobody decided in time
	phaseSuperseded              // another one took its place, or what it showed no longer holds
	phaseCancelled
	phaseRejected
	phaseQueued     // approved, nothing started
	phaseHeld       // approved, and the task was paused before anything started
	phaseUnused     // approved, not used within its time
	phaseRunning    // its step runs
	phaseSucceeded  // its step succeeded
	phaseFailed     // its step failed
	phaseReview     // nobody knows whether its step took effect
	phaseCompleted  // its step was the last one, and all is done
	phaseUsed       // its step ended, and the record no longer tells how
	phaseOutOfReach // pending, but not its task's current one
)

// phaseOf derives the phase from task, approval and time alone. executions may help with an older
// attempt, of which the task no longer tells.
func phaseOf(t core.Task, a core.Approval, executions []core.Execution, now time.Time) phase {
	if a.ID == "" {
		return phaseNone
	}
	switch a.StateAt(now) {
	case core.ApprovalPending:
		return pendingPhase(t, a)
	case core.ApprovalApproved:
		return approvedPhase(t, a, executions, now)
	case core.ApprovalRejected:
		return phaseRejected
	case core.ApprovalExpired:
		return phaseExpired
	case core.ApprovalCancelled:
		return phaseCancelled
	}
	return phaseSuperseded
}

func pendingPhase(t core.Task, a core.Approval) phase {
	switch {
	case a.Kind == core.ApproveRollback && a.ID == t.Rollback.ApprovalID && t.Rollback.State == core.RollbackAwaiting:
		return phaseWaiting
	case a.ID != t.ApprovalID:
		return phaseOutOfReach
	case t.State == core.TaskPaused:
		return phasePaused
	case t.State != core.TaskAwaiting && a.Kind == core.ApproveStep:
		return phaseOutOfReach // a record that went elsewhere: a tap would decide nothing
	}
	return phaseWaiting
}

func approvedPhase(t core.Task, a core.Approval, executions []core.Execution, now time.Time) phase {
	switch {
	case a.Used:
		return usedPhase(t, a, executions)
	case a.UnusedAt(now):
		return phaseUnused
	case a.ID == t.ApprovalID && t.State == core.TaskPaused:
		return phaseHeld
	}
	return phaseQueued
}

// usedPhase reads what became of the step from the task as long as that is at the same attempt, and
// from the approval's own execution after that.
func usedPhase(t core.Task, a core.Approval, executions []core.Execution) phase {
	if a.Kind == core.ApproveRollback {
		return rollbackPhase(t, a, executions)
	}
	if p, ok := progressOf(t, a); ok {
		switch p.State {
		case core.CheckpointSucceeded:
			if t.State == core.TaskCompleted && a.ID == t.ApprovalID {
				return phaseCompleted
			}
			return phaseSucceeded
		case core.CheckpointFailed:
			return phaseFailed
		case core.CheckpointRunning:
			return liveOrUnknown(t)
		}
	}
	for _, x := range executions {
		if x.ApprovalID == a.ID {
			return executionPhase(x)
		}
	}
	return phaseUsed
}

// rollbackPhase reads what became of a rollback: its own execution tells, else the task as long as it is at
// this one.
func rollbackPhase(t core.Task, a core.Approval, executions []core.Execution) phase {
	for _, x := range executions {
		if x.ApprovalID == a.ID && !x.Live() {
			return executionPhase(x)
		}
	}
	if t.Rollback.ApprovalID != a.ID {
		return phaseUsed
	}
	switch t.Rollback.State {
	case core.RollbackRunning:
		return phaseRunning
	case core.RollbackDone:
		return phaseSucceeded
	case core.RollbackFailed:
		return phaseFailed
	}
	return phaseUsed
}

// liveOrUnknown tells a checkpoint that runs from one that was left behind: both are stored as running.
func liveOrUnknown(t core.Task) phase {
	switch t.State {
	case core.TaskRunning:
		return phaseRunning
	case core.TaskFailed:
		return phaseFailed
	}
	return phaseReview
}

func executionPhase(x core.Execution) phase {
	switch {
	case x.Live():
		return phaseRunning
	case x.Outcome == core.OutcomeSucceeded:
		return phaseSucceeded
	case x.Outcome == core.OutcomeFailed, x.Outcome == core.OutcomeTimedOut:
		return phaseFailed
	}
	return phaseReview
}

// progressOf gives the approval's own attempt in the task, if the task is still at it.
func progressOf(t core.Task, a core.Approval) (core.Progress, bool) {
	i := a.Subject.Index
	if i < 0 || i >= len(t.Checkpoints) || t.Round != a.Subject.Round || t.Checkpoints[i].Attempt != a.Subject.Attempt {
		return core.Progress{}, false
	}
	return t.Checkpoints[i], true
}
