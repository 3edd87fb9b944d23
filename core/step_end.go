package core

import (
	"fmt"
	"slices"
)

// Started records that an execution was seen to run.
type Started struct{ ExecutionID string }

func (Started) command() {}

func (d *draft) started(c Started) error {
	x, ok := d.execution(c.ExecutionID)
	if !ok || x.State != ExecClaimed {
		return nil
	}
	x.State, x.StartedAt = ExecStarted, d.now
	d.session(x, SessionRunning)
	d.ch.Executions = append(d.ch.Executions, x)
	d.event(EventExecutionStarted, System(), x.ID, map[string]any{"kind": x.Kind, "checkpoint": x.Checkpoint})
	if _, p := d.task.At(); p.Execution == x.ID {
		p.Ran = true
	}
	d.save()
	return nil
}

// EndExecution records how an execution ended, once; a repeat changes nothing.
type EndExecution struct {
	Actor       Actor
	ExecutionID string
	Outcome     Outcome
	NeverRan    bool // provably nothing of it ran and nothing will: there is nothing to undo
	ExitCode    int
	Message     string
	Summary     string
}

func (EndExecution) command() {}

func (d *draft) execution(id string) (Execution, bool) {
	i := slices.IndexFunc(d.s.Executions, func(x Execution) bool { return x.ID == id })
	if i < 0 {
		return Execution{}, false
	}
	return d.s.Executions[i], true
}

// session moves the session that an execution belongs to, unless it is terminal or has another
// execution by now.
func (d *draft) session(x Execution, to SessionState) {
	for _, s := range d.s.Sessions {
		if s.ID != x.SessionID || s.ExecutionID != x.ID || !s.State.Cancellable() {
			continue
		}
		s.State, s.UpdatedAt = to, d.now
		s.Revision++
		d.ch.Sessions = append(d.ch.Sessions, s)
	}
}

func (d *draft) end(c EndExecution) error {
	x, ok := d.execution(c.ExecutionID)
	if !ok || !x.Live() {
		return nil
	}
	if x.Teardown.State != TeardownNone {
		return d.endStopped(c, x)
	}
	x.State, x.Outcome, x.ExitCode, x.Message, x.Summary, x.EndedAt = ExecEnded, c.Outcome, c.ExitCode, c.Message, c.Summary, d.now
	d.ch.Executions = append(d.ch.Executions, x)
	state := SessionFailed
	if c.Outcome == OutcomeSucceeded {
		state = SessionCompleted
	}
	d.session(x, state)
	d.event(EventExecutionEnded, c.Actor, x.ID, map[string]any{"outcome": c.Outcome, "exit": c.ExitCode, "message": c.Message, "summary": c.Summary, "checkpoint": x.Checkpoint})
	if x.Kind == ExecRollback {
		return d.rolledBack(x)
	}
	if d.task.Execution != x.ID || d.task.State != TaskRunning {
		return d.afterOthers(c.Actor) // evidence: the record went on without it
	}
	d.task.Execution = ""
	if x.Kind == ExecCheck {
		return d.checked(x)
	}
	_, p := d.task.At()
	p.EndedAt, p.Summary, p.Ran = d.now, cmpOr(c.Summary, c.Message), p.Ran || !c.NeverRan
	switch {
	case c.Outcome == OutcomeSucceeded:
		p.State = CheckpointSucceeded
		return d.advance(c.Actor)
	case c.Outcome == OutcomeFailed, c.Outcome == OutcomeTimedOut && x.RunsHere(): // outside, nobody saw it end
		p.State = CheckpointFailed
		return d.fail(c.Actor, cmpOr(c.Message, string(c.Outcome)))
	}
	return d.review(c.Actor, cmpOr(c.Message, "the step was "+string(c.Outcome)+": nobody knows whether it took effect"))
}

// advance goes on behind a checkpoint that succeeded: to the next gate, to a goal's check, to the end.
func (d *draft) advance(actor Actor) error {
	if next := slices.IndexFunc(d.task.Checkpoints, func(p Progress) bool { return p.State != CheckpointSucceeded }); next >= 0 {
		d.task.Current = next
		if err := d.move(d.onward(EvNextGate, EvResolvedNext)); err != nil {
			return err
		}
		if err := d.gate(d.task.Checkpoints[next].Attempt + 1); err != nil {
			return err
		}
		d.save()
		return nil
	}
	if d.task.Plan.Kind == KindGoal {
		if err := d.move(d.onward(EvChecking, EvResolvedCheck)); err != nil {
			return err
		}
		d.check()
		return nil
	}
	return d.complete(actor)
}

// onward picks the event by where the task comes from: a step's end, or a person's word in review.
func (d *draft) onward(running, review TaskEvent) TaskEvent {
	if d.task.State == TaskReview {
		return review
	}
	return running
}

func (d *draft) complete(actor Actor) error {
	if err := d.move(d.onward(EvDone, EvResolvedDone)); err != nil {
		return err
	}
	d.task.Reason, d.task.Checking = "", false
	d.event(EventTaskCompleted, actor, d.task.ID, map[string]any{"round": d.task.Round})
	d.save()
	return nil
}

// check starts a goal's done_when. It needs no approval of its own: every approval of the round
// carries it in its fingerprint.
func (d *draft) check() {
	x := d.execute(ExecCheck, "done_when")
	d.ch.Executions = append(d.ch.Executions, x)
	d.task.Execution, d.task.Checking = x.ID, true
	d.save()
}

// checked takes a goal's check: 0 met, 1 not met, all else goes to review. A lost check is run again.
func (d *draft) checked(x Execution) error {
	d.task.Check = cmpOr(x.Summary, x.Message)
	switch {
	case x.Outcome == OutcomeSucceeded:
		return d.complete(System())
	case x.Outcome == OutcomeLost:
		d.check()
		return nil
	case x.Outcome == OutcomeFailed && x.ExitCode == 1:
		return d.round(EvRoundOver)
	}
	return d.review(System(), fmt.Sprintf("the check could not tell whether the goal is reached (%s)", cmpOr(x.Message, string(x.Outcome))))
}

// round begins a goal's next round with fresh approvals, or fails where the rounds are used up.
func (d *draft) round(ev TaskEvent) error {
	if most := d.task.Plan.MaxRounds; most > 0 && d.task.Round >= most {
		return d.fail(System(), fmt.Sprintf("the goal is not reached and its %d rounds are used up", most))
	}
	if err := d.move(ev); err != nil {
		return err
	}
	d.task.Round++
	d.task.Current, d.task.Checking, d.task.Reason = 0, false, ""
	for i, p := range d.task.Checkpoints {
		d.task.Checkpoints[i] = Progress{State: CheckpointPending, Ran: p.Ran, Execution: p.Execution, Summary: p.Summary}
	}
	d.event(EventTaskRound, System(), d.task.ID, map[string]any{"round": d.task.Round, "check": d.task.Check})
	if err := d.gate(1); err != nil {
		return err
	}
	d.save()
	return nil
}

func (d *draft) fail(actor Actor, reason string) error {
	if err := d.move(d.onward(EvStepFailed, EvResolvedFailed)); err != nil {
		return err
	}
	d.task.Reason = reason
	d.noted()
	d.event(EventTaskFailed, actor, d.task.ID, map[string]any{"reason": reason, "checkpoint": d.task.Current})
	d.save()
	return nil
}

func (d *draft) review(actor Actor, reason string) error {
	if err := d.move(EvUnknown); err != nil {
		return err
	}
	d.task.Reason = reason
	d.noted()
	d.event(EventTaskReview, actor, d.task.ID, map[string]any{"reason": reason, "checkpoint": d.task.Current})
	d.save()
	return nil
}
