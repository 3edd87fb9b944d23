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

// AskMay asks whether an actor may act on the task, and nothing else. A refusal goes into the audit.
type AskMay struct {
	Actor  Actor
	Action Action
}

func (AskMay) command() {}

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
	d.touch(d.task.ApprovalID)
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
	if x.RunsHere() { // the raise is carried out now, not at the next rung
		x.Teardown.At, x.Teardown.Tries = d.now, 0
	}
	d.ch.Executions = append(d.ch.Executions, x)
	d.event(EventTeardownRaised, c.Actor, x.ID, nil)
	d.touch(d.task.ApprovalID)
	return nil
}

// TeardownEnded records what became of one try of a teardown: done once nothing of the execution lives.
// A failed try is recorded too, so that a restart goes on where it was; behind the last rung of the ladder
// the teardown has failed.
type TeardownEnded struct {
	ExecutionID string
	Done        bool
	Force       bool   // it was tried with force
	Reason      string // why the try failed
}

func (TeardownEnded) command() {}

func (d *draft) teardownEnded(c TeardownEnded) error {
	x, ok := d.execution(c.ExecutionID)
	if !ok || x.Teardown.State != TeardownPending {
		return nil
	}
	if c.Done {
		return d.torn(x, TeardownDone, cmpOr(x.Teardown.Reason, "stopped"))
	}
	if x.Teardown.Force && !c.Force {
		return nil // it was raised meanwhile: the graceful try says nothing any more
	}
	x.Teardown.Tries++
	x.Teardown.TriedAt, x.Teardown.Failure = d.now, c.Reason
	if _, more := x.Teardown.Next(); !more {
		return d.torn(x, TeardownFailed, "its processes could not be ended: "+c.Reason)
	}
	d.ch.Executions = append(d.ch.Executions, x)
	d.touch(d.task.ApprovalID)
	return nil
}

// torn ends a teardown, and the execution with it where nothing has told of its end.
func (d *draft) torn(x Execution, state TeardownState, message string) error {
	x.Teardown.State = state
	if x.Live() {
		x = d.ended(x, message)
	}
	d.ch.Executions = append(d.ch.Executions, x)
	d.event(EventTeardownEnded, System(), x.ID, map[string]any{"state": state, "reason": x.Teardown.Failure})
	d.touch(d.task.ApprovalID)
	return d.afterOthers(System())
}

// ended is the one end that a stopped execution has, whatever is reported of it later.
func (d *draft) ended(x Execution, message string) Execution {
	x.State, x.Outcome, x.Message, x.EndedAt = ExecEnded, OutcomeStopped, message, d.now
	d.event(EventExecutionEnded, System(), x.ID, map[string]any{"outcome": x.Outcome, "exit": x.ExitCode, "message": message, "checkpoint": x.Checkpoint})
	return x
}

// endStopped records how a stopped execution ended: as stopped. What it did with its last breath is
// dropped, and whether its whole group is gone is the teardown's to say; one that never started has
// nothing to tear down.
func (d *draft) endStopped(c EndExecution, x Execution) error {
	x.ExitCode = c.ExitCode
	if c.NeverRan && x.Teardown.State == TeardownPending {
		return d.torn(x, TeardownDone, "stopped before it was started")
	}
	d.ch.Executions = append(d.ch.Executions, d.ended(x, cmpOr(x.Teardown.Reason, "stopped")))
	d.touch(d.task.ApprovalID)
	return d.afterOthers(c.Actor)
}

// afterOthers moves a task on whose own execution was stopped while other sessions of it still worked:
// the last one's end does what the stop could not.
func (d *draft) afterOthers(actor Actor) error {
	own, ok := d.execution(d.task.Execution)
	if !ok || own.Teardown.State == TeardownNone {
		return nil
	}
	return d.stopped(actor, own.SessionID, own.Teardown.Reason)
}
