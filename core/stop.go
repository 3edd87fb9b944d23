package core

import (
	"errors"
	"slices"
)

// The sentinels of stopping, told apart with errors.Is. Only ErrNoExecutionForSession is a natural
// absence; a look-up that failed matches none of them.
var (
	// ErrNoExecutionForSession: the session has no live execution, and that is known.
	ErrNoExecutionForSession = errors.New("the session has no live execution")
	// ErrExecutionNotFound: there was nothing to stop.
	ErrExecutionNotFound = errors.New("no such execution is live")
	// ErrEmptyExecutionID: a look-up answered without an id and without an error; nobody knows what it means.
	ErrEmptyExecutionID = errors.New("the look-up answered with an empty execution id")
	// ErrSessionStateSuperseded: the session went on meanwhile, so what was prepared for it is void.
	ErrSessionStateSuperseded = errors.New("the session's state was superseded")
	// ErrSessionNotFound: no session has this id.
	ErrSessionNotFound = errors.New("no such session")
	// ErrTaskNotFound: no task has this id.
	ErrTaskNotFound = errors.New("no such task")
)

// MayStop asks whether an actor may stop the task, and nothing else. A refusal goes into the audit.
type MayStop struct{ Actor Actor }

func (MayStop) command() {}

// StopSession writes CANCELLED over a session that works, and with it the intent to tear its execution
// down. The execution is the one that was looked up: if the session has another by now, nothing is
// written.
type StopSession struct {
	Actor       Actor
	SessionID   string
	ExecutionID string
	Reason      string
	Force       bool
}

func (StopSession) command() {}

func (d *draft) stopSession(c StopSession) error {
	i := slices.IndexFunc(d.s.Sessions, func(s Session) bool { return s.ID == c.SessionID })
	if i < 0 {
		return nil // ended meanwhile: a natural end won
	}
	s := d.s.Sessions[i]
	x, ok := d.execution(c.ExecutionID)
	if !ok || s.ExecutionID != c.ExecutionID || !s.State.Cancellable() || !x.Live() {
		return nil
	}
	s.State, s.UpdatedAt = SessionCancelled, d.now
	s.Revision++
	x.Teardown = Teardown{State: TeardownPending, Reason: c.Reason, Force: c.Force, At: d.now}
	d.ch.Sessions = append(d.ch.Sessions, s)
	d.ch.Executions = append(d.ch.Executions, x)
	d.event(EventSessionCancelled, c.Actor, s.ID, map[string]any{"execution": x.ID, "reason": c.Reason, "force": c.Force})
	if x.Kind == ExecRollback {
		return d.rollbackStopped(x)
	}
	return d.stopped(c.Actor, s.ID, c.Reason)
}

// stopped takes the task along once no session of it works any more: whether the step took effect nobody
// knows.
func (d *draft) stopped(actor Actor, session, reason string) error {
	if d.task.State != TaskRunning || d.works(session) {
		return nil
	}
	d.task.Execution = ""
	if reason == "" {
		reason = "stopped"
	}
	return d.review(actor, reason)
}

// works says that a session of the task other than one still works.
func (d *draft) works(but string) bool {
	return slices.ContainsFunc(d.s.Sessions, func(s Session) bool {
		newest := s
		if i := slices.IndexFunc(d.ch.Sessions, func(n Session) bool { return n.ID == s.ID }); i >= 0 {
			newest = d.ch.Sessions[i]
		}
		return s.ID != but && newest.State.Cancellable()
	})
}

func (d *draft) rollbackStopped(x Execution) error {
	if d.task.Rollback.Execution != x.ID || d.task.Rollback.State != RollbackRunning {
		return nil
	}
	d.task.Rollback.State, d.task.Rollback.Reason = RollbackFailed, "stopped"
	d.event(EventRollbackFailed, System(), d.task.ID, map[string]any{"checkpoint": x.Checkpoint, "reason": "stopped"})
	d.save()
	return nil
}

// RaiseTeardown makes a graceful teardown that is pending a forceful one. Nothing else is changed by a
// stop that is repeated.
type RaiseTeardown struct {
	Actor       Actor
	ExecutionID string
}

func (RaiseTeardown) command() {}

func (d *draft) raiseTeardown(c RaiseTeardown) error {
	x, ok := d.execution(c.ExecutionID)
	if !ok || x.Teardown.State != TeardownPending || x.Teardown.Force {
		return nil
	}
	x.Teardown.Force = true
	d.ch.Executions = append(d.ch.Executions, x)
	d.event(EventTeardownRaised, c.Actor, x.ID, nil)
	d.touch(d.task.ApprovalID)
	return nil
}

// TeardownEnded records what became of a teardown: done once nothing of the execution lives, or failed
// after the last try. A failed try is recorded too, so that a restart goes on where it was.
type TeardownEnded struct {
	ExecutionID string
	Done        bool
	GiveUp      bool
	Reason      string // of a try that failed
}

func (TeardownEnded) command() {}

func (d *draft) teardownEnded(c TeardownEnded) error {
	x, ok := d.execution(c.ExecutionID)
	if !ok || x.Teardown.State != TeardownPending {
		return nil
	}
	switch {
	case c.Done:
		x.Teardown.State = TeardownDone
		if x.Live() {
			x.State, x.Outcome, x.EndedAt = ExecEnded, OutcomeStopped, d.now
			x.Message = cmpOr(x.Teardown.Reason, "stopped")
			d.event(EventExecutionEnded, System(), x.ID, map[string]any{"outcome": x.Outcome, "checkpoint": x.Checkpoint})
		}
	case c.GiveUp:
		x.Teardown.State, x.Teardown.Failure = TeardownFailed, c.Reason
		if x.Live() {
			x.State, x.Outcome, x.EndedAt = ExecEnded, OutcomeStopped, d.now
			x.Message = "its processes could not be ended: " + c.Reason
		}
	default:
		x.Teardown.Tries++
		x.Teardown.TriedAt, x.Teardown.Failure = d.now, c.Reason
	}
	d.ch.Executions = append(d.ch.Executions, x)
	if x.Teardown.State != TeardownPending {
		d.event(EventTeardownEnded, System(), x.ID, map[string]any{"state": x.Teardown.State, "reason": x.Teardown.Failure})
	}
	d.touch(d.task.ApprovalID)
	return nil
}
