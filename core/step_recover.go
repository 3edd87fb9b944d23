package core

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Retry asks for another attempt of the checkpoint that ended badly, behind a fresh approval, or for a
// fresh approval of a gate that ran out.
type Retry struct{ Actor Actor }

func (Retry) command() {}

func (d *draft) retry(c Retry) error {
	if err := d.may(c.Actor, ActRetry, d.task.ID, d.relation(c.Actor)); err != nil {
		return err
	}
	if d.task.State == TaskAwaiting {
		if d.cur.StateAt(d.now) != ApprovalExpired {
			return conflict(d.task.ID, "the request still waits for a decision: there is nothing to retry")
		}
		if d.task.Plan.OnExpiry != ExpiryCancel {
			d.event(EventTaskRetried, c.Actor, d.task.ID, map[string]any{"checkpoint": d.task.Current, "cause": "expired"})
			return d.expired(false)
		}
		if err := d.expired(true); err != nil {
			return err
		}
		return conflict(d.task.ID, "nobody decided in time, and the plan ends the record then: start it again")
	}
	if err := d.rollbackOpen(); err != nil {
		return err
	}
	if _, err := Next(d.task.State, EvRetried); err != nil {
		return conflict(d.task.ID, "retry is not possible while %s", d.task.State)
	}
	if d.task.Checking {
		return d.retryRound(c)
	}
	if i := slices.IndexFunc(d.task.Checkpoints, func(p Progress) bool { return p.State != CheckpointSucceeded }); i >= 0 {
		d.task.Current = i
	}
	d.event(EventTaskRetried, c.Actor, d.task.ID, map[string]any{"checkpoint": d.task.Current, "from": d.task.State})
	if err := d.move(EvRetried); err != nil {
		return err
	}
	d.task.Reason, d.task.Execution, d.task.Rollback = "", "", Rollback{State: RollbackNone}
	_, p := d.task.At()
	if err := d.gate(p.Attempt + 1); err != nil {
		return err
	}
	d.save()
	return nil
}

// retryRound goes on with a goal whose check said no with all rounds used, or could not run.
func (d *draft) retryRound(c Retry) error {
	if most := d.task.Plan.MaxRounds; most > 0 && d.task.Round >= most {
		return conflict(d.task.ID, "the %d rounds are used up: raise max_rounds by an edit, then retry", most)
	}
	d.event(EventTaskRetried, c.Actor, d.task.ID, map[string]any{"round": d.task.Round + 1, "from": d.task.State})
	d.task.Rollback = Rollback{State: RollbackNone}
	return d.round(EvRetried)
}

func (d *draft) rollbackOpen() error {
	if s := d.task.Rollback.State; s == RollbackAwaiting || s == RollbackRunning {
		return conflict(d.task.ID, "a rollback is %s: wait for its end", s)
	}
	return nil
}

// Resolve is a person's word on a record in review: the step took effect, or it did not.
type Resolve struct {
	Actor  Actor
	Done   bool
	Reason string
}

func (Resolve) command() {}

func (d *draft) resolve(c Resolve) error {
	if err := d.may(c.Actor, ActResolve, d.task.ID, d.relation(c.Actor)); err != nil {
		return err
	}
	if d.task.State != TaskReview {
		return conflict(d.task.ID, "only a record in review is resolved, this one is %s", d.task.State)
	}
	if err := d.rollbackOpen(); err != nil {
		return err
	}
	if strings.TrimSpace(c.Reason) == "" || len(c.Reason) > MaxReason || !utf8.ValidString(c.Reason) {
		return Invalid(FieldError{Path: "reason", Message: "say how you know, in UTF-8 of 4096 bytes at most"})
	}
	d.task.Execution = ""
	d.event(EventTaskResolved, c.Actor, d.task.ID, map[string]any{"done": c.Done, "reason": c.Reason, "checkpoint": d.task.Current})
	switch {
	case d.task.Checking && c.Done:
		return d.complete(c.Actor)
	case d.task.Checking: // the word is about the check: the last step succeeded all the same
		return d.fail(c.Actor, c.Reason)
	}
	_, p := d.task.At()
	p.EndedAt, p.Summary = d.now, c.Reason
	if !c.Done {
		p.State = CheckpointFailed
		return d.fail(c.Actor, c.Reason)
	}
	p.State, d.task.Reason, d.task.Rollback = CheckpointSucceeded, "", Rollback{State: RollbackNone}
	return d.advance(c.Actor)
}
