package core

import "slices"

// AskRollback asks for the rollback command of a checkpoint that ran, behind an approval of its own.
type AskRollback struct {
	Actor      Actor
	Checkpoint int // -1: the newest that ran and has a command to undo it
}

func (AskRollback) command() {}

// rollback makes the approval of a rollback. The record keeps its state; its rollback waits.
func (d *draft) rollback(c AskRollback) error {
	i, err := d.rollbackTarget(c.Checkpoint)
	subject := max(i, 0)
	if denied := d.may(c.Actor, ActRollback, d.task.ID, d.relationAt(c.Actor, subject)); denied != nil {
		return denied
	}
	switch d.task.State {
	case TaskFailed, TaskRejected, TaskReview, TaskCancelled, TaskCompleted:
	default:
		return conflict(d.task.ID, "a rollback is not asked for while %s", d.task.State)
	}
	if open := d.rollbackOpen(); open != nil {
		return open
	}
	if err != nil {
		return err
	}
	return d.askRollback(i, c.Actor)
}

// rollbackTarget finds the checkpoint to undo.
func (d *draft) rollbackTarget(want int) (int, error) {
	able := func(i int) bool { return d.task.Checkpoints[i].Ran && !d.task.Plan.Checkpoints[i].RollbackRun.IsZero() }
	if want >= len(d.task.Checkpoints) || want < -1 {
		return -1, Invalid(FieldError{Path: "checkpoint", Message: "there is no such checkpoint"})
	}
	if want >= 0 {
		if !able(want) {
			return want, conflict(d.task.ID, "there is nothing to run for it: the checkpoint did not run, or has no rollback_run")
		}
		return want, nil
	}
	for i := range slices.Backward(d.task.Checkpoints) {
		if able(i) {
			return i, nil
		}
	}
	return -1, conflict(d.task.ID, "no checkpoint that ran has a rollback_run")
}

func (d *draft) askRollback(i int, actor Actor) error {
	a, err := d.request(ApproveRollback, i)
	if err != nil {
		return err
	}
	if old := d.s.Rollback; old.ID != "" && old.State == ApprovalSuperseded {
		a.Changes = Differences(old.Subject, a.Subject)
	}
	d.task.Rollback = Rollback{State: RollbackAwaiting, Checkpoint: i, ApprovalID: a.ID}
	d.write(a)
	d.event(EventRollbackRequested, actor, a.ID, map[string]any{"checkpoint": a.Subject.Title, "fingerprint": a.Fingerprint})
	d.save()
	return nil
}

// rollbackDecided takes a verdict that settles a rollback's approval.
func (d *draft) rollbackDecided(a Approval, actor Actor) {
	if a.State == ApprovalRejected {
		d.task.Rollback.State, d.task.Rollback.Reason = RollbackNoted, a.Reason
		d.event(EventApprovalRejected, actor, a.ID, map[string]any{"reason": a.Reason})
		return
	}
	d.event(EventApprovalApproved, actor, a.ID, map[string]any{"approvals": a.Approvals()})
}

// rollbackExpired ends a rollback that nobody decided, or that was not used in time.
func (d *draft) rollbackExpired() error {
	a := d.s.Rollback
	if d.task.Rollback.State != RollbackAwaiting || a.ID != d.task.Rollback.ApprovalID {
		return nil
	}
	switch {
	case a.Overdue(d.now):
		a.State, a.ResolvedAt = ApprovalExpired, d.now
		d.event(EventApprovalExpired, System(), a.ID, map[string]any{"kind": a.Kind})
	case a.UnusedAt(d.now) || a.Epoch != d.s.Epoch:
		a.State, a.Cause = ApprovalSuperseded, "unused"
		d.event(EventApprovalSuperseded, System(), a.ID, map[string]any{"cause": a.Cause})
	default:
		return nil
	}
	d.write(a)
	d.task.Rollback.State, d.task.Rollback.Reason = RollbackNoted, "nobody decided in time"
	d.save()
	return nil
}

// claimRollback takes the one use of a rollback's approval.
func (d *draft) claimRollback(c ClaimStep) error {
	a := d.s.Rollback
	if d.task.Rollback.State != RollbackAwaiting || a.ID != d.task.Rollback.ApprovalID || a.State != ApprovalApproved || a.Used {
		return conflict(d.task.ID, "there is no rollback to claim")
	}
	if err := d.nothingLives(a.ID); err != nil {
		return err
	}
	i := d.task.Rollback.Checkpoint
	cause, why, err := d.differs(a, i)
	if err != nil {
		return err
	}
	if cause != "" {
		a.State, a.Cause, a.Reason = ApprovalSuperseded, cause, why
		d.s.Rollback = a
		if err := d.askRollback(i, System()); err != nil {
			return err
		}
		a.ReplacedBy = d.task.Rollback.ApprovalID
		d.write(a)
		d.event(EventApprovalSuperseded, System(), a.ID, map[string]any{"cause": cause, "reason": why})
		return &Error{Code: CodeStale, Subject: a.ID, Cause: cause, ReplacedBy: a.ReplacedBy, Msg: why + ": nothing ran, a fresh request stands in its place"}
	}
	x := d.execute(ExecRollback, "rollback of "+a.Subject.Title)
	x.ApprovalID, x.Checkpoint, x.Attempt = a.ID, i, d.task.Checkpoints[i].Attempt
	a.Used = true
	d.write(a)
	d.ch.Executions = append(d.ch.Executions, x)
	d.ch.Claim = d.claimRow(c, a, x)
	d.task.Rollback.State, d.task.Rollback.Execution = RollbackRunning, x.ID
	d.save()
	return nil
}

// rolledBack takes the end of a rollback's execution.
func (d *draft) rolledBack(x Execution) error {
	if d.task.Rollback.Execution != x.ID || d.task.Rollback.State != RollbackRunning {
		return nil
	}
	if x.Outcome != OutcomeSucceeded {
		d.task.Rollback.State, d.task.Rollback.Reason = RollbackFailed, cmpOr(x.Message, string(x.Outcome))
		d.event(EventRollbackFailed, System(), d.task.ID, map[string]any{"checkpoint": x.Checkpoint, "reason": d.task.Rollback.Reason})
		d.save()
		return nil
	}
	p := &d.task.Checkpoints[x.Checkpoint]
	p.State, p.Ran, p.Summary = CheckpointPending, false, cmpOr(x.Summary, "rolled back")
	d.task.Rollback.State, d.task.Rollback.Reason = RollbackDone, ""
	d.event(EventRollbackDone, System(), d.task.ID, map[string]any{"checkpoint": x.Checkpoint})
	d.save()
	return nil
}
