package core

import (
	"slices"
	"unicode/utf8"
)

// MaxReason bounds the reason that a person gives, in bytes.
const MaxReason = 4 << 10

// Decide is one person's verdict on one approval, named by Snapshot.Addressed.
type Decide struct {
	Actor   Actor
	Verdict Verdict
	Reason  string
	Confirm bool // the second confirmation that high risk asks for
}

func (Decide) command() {}

// decide follows the order of answers in section 4 of the contract: forbidden, one's own repeat,
// already decided, stale; not_found is the caller's, who found the approval.
func (d *draft) decide(c Decide) error {
	a := d.s.Addressed
	if err := d.mayDecide(c, a); err != nil {
		return err
	}
	if prior, ok := a.By(c.Actor.Name); ok && prior.Verdict == c.Verdict {
		return nil // the first answer stands
	}
	if a.State == ApprovalApproved || a.State == ApprovalRejected {
		return d.alreadyDecided(c, a)
	}
	if a.StateAt(d.now) != ApprovalPending || !d.current(a) || a.Epoch != d.s.Epoch {
		return d.stale(c.Actor, a)
	}
	if a.Kind == ApproveStep && d.task.State != TaskAwaiting {
		err := conflict(a.ID, "the task is %s: nothing was decided, and the request waits on", d.task.State)
		err.Cause = string(d.task.State)
		d.event(EventRefused, c.Actor, a.ID, map[string]any{"code": CodeConflict, "cause": d.task.State, "decision": c.Verdict, "surface": c.Actor.Surface})
		return err
	}
	if err := checkDecide(c, a); err != nil {
		return err
	}
	return d.record(c, a)
}

// current says that the record waits on this very approval.
func (d *draft) current(a Approval) bool {
	if a.Kind == ApproveRollback {
		return a.ID == d.task.Rollback.ApprovalID && d.task.Rollback.State == RollbackAwaiting
	}
	return a.ID == d.task.ApprovalID
}

func (d *draft) mayDecide(c Decide, a Approval) error {
	name := c.Actor.Person()
	able := d.s.Policy.Eligible(a.Subject.Approvers, a.Subject.AllowSelf, a.Requesters()...)
	r := Relation{Approver: name != "" && slices.Contains(able, name)}
	if !May(c.Actor, ActDecide, r) {
		why := "you are not among those who may decide this"
		if name == "" {
			why = "only a person decides: a program's token never does"
		} else if slices.Contains(a.Requesters(), name) {
			why = "you asked for this work, so somebody else has to decide it"
		}
		return d.forbid(c.Actor, ActDecide, a.ID, why)
	}
	if !d.s.Policy.DecidableOn(a.Subject.Risk, c.Actor.Surface) {
		return d.forbid(c.Actor, ActDecide, a.ID, "a request of "+string(a.Subject.Risk)+" risk is not decided here: open it in the app")
	}
	return nil
}

func checkDecide(c Decide, a Approval) error {
	switch {
	case c.Verdict != Approve && c.Verdict != Reject:
		return Invalid(FieldError{Path: "decision", Message: "approve or reject"})
	case len(c.Reason) > MaxReason || !utf8.ValidString(c.Reason):
		return Invalid(FieldError{Path: "reason", Message: "UTF-8 of 4096 bytes at most"})
	case c.Verdict == Approve && a.Subject.Risk == RiskHigh && !c.Confirm:
		return Invalid(FieldError{Path: "confirm", Message: "high risk asks for a second confirmation: say confirm: true"})
	}
	return nil
}

func (d *draft) alreadyDecided(c Decide, a Approval) error {
	who := a.Decider()
	d.event(EventRefused, c.Actor, a.ID, map[string]any{"code": CodeAlreadyDecided, "decision": c.Verdict, "surface": c.Actor.Surface})
	return &Error{Code: CodeAlreadyDecided, Subject: a.ID, By: who.Person, At: who.At, Cause: string(a.State),
		Msg: "this was decided already: " + string(a.State) + " by " + who.Person}
}

// stale decides nothing and says why. On the current checkpoint's expired approval it makes a fresh
// one; else the pending one that took its place is named, if there is one.
func (d *draft) stale(actor Actor, a Approval) error {
	state := a.StateAt(d.now)
	if a.Epoch != d.s.Epoch && state == ApprovalPending {
		state = ApprovalSuperseded
	}
	refusal := &Error{Code: CodeStale, Subject: a.ID, Cause: string(state)}
	if a.ID == d.task.ApprovalID && state == ApprovalExpired && (d.task.State == TaskAwaiting || d.task.State == TaskPaused) {
		if err := d.expired(d.task.Plan.OnExpiry == ExpiryCancel); err != nil {
			return err
		}
	}
	if a.Kind == ApproveRollback {
		if err := d.rollbackExpired(); err != nil {
			return err
		}
		if r := d.s.Rollback; r.ID != a.ID && r.StateAt(d.now) == ApprovalPending {
			refusal.ReplacedBy = r.ID
		}
	} else if d.cur.ID != a.ID && d.cur.StateAt(d.now) == ApprovalPending && d.cur.TaskID == a.TaskID {
		refusal.ReplacedBy = d.cur.ID
	}
	refusal.Msg = staleText(state, refusal.ReplacedBy != "")
	d.event(EventRefused, actor, a.ID, map[string]any{"code": CodeStale, "cause": state, "replaced_by": refusal.ReplacedBy, "surface": actor.Surface})
	return refusal
}

func staleText(state ApprovalState, replaced bool) string {
	why := map[ApprovalState]string{
		ApprovalExpired: "this request ran out", ApprovalCancelled: "this request was withdrawn", ApprovalSuperseded: "this request changed",
	}[state]
	if why == "" {
		why = "this request is not the current one"
	}
	if replaced {
		return why + ": nothing was decided, a fresh request stands in its place"
	}
	return why + ": nothing was decided"
}

// record takes the verdict into the approval, and the task along where that settles it.
func (d *draft) record(c Decide, a Approval) error {
	dec := Decision{Person: c.Actor.Name, Surface: c.Actor.Surface, Verdict: c.Verdict, Reason: c.Reason, At: d.now,
		Self: slices.Contains(a.Requesters(), c.Actor.Name)}
	a.Decisions = slices.Clone(a.Decisions)
	if i := slices.IndexFunc(a.Decisions, func(x Decision) bool { return x.Person == dec.Person }); i >= 0 {
		a.Decisions[i] = dec // taken back: one's own reject in the place of one's approve
	} else {
		a.Decisions = append(a.Decisions, dec)
	}
	d.event(EventApprovalDecided, c.Actor, a.ID, map[string]any{"decision": c.Verdict, "reason": c.Reason, "surface": c.Actor.Surface, "self": dec.Self})
	switch {
	case c.Verdict == Reject:
		a.State, a.ResolvedAt, a.Reason = ApprovalRejected, d.now, c.Reason
	case a.Approvals() >= a.Subject.Required:
		a.State, a.ResolvedAt = ApprovalApproved, d.now
	}
	if a.Kind == ApproveRollback && a.State != ApprovalPending {
		d.rollbackDecided(a, c.Actor)
	} else if err := d.released(c, a); err != nil {
		return err
	}
	d.write(a)
	d.save()
	return nil
}

// released takes the task along where a step's approval is settled.
func (d *draft) released(c Decide, a Approval) error {
	_, p := d.task.At()
	switch a.State {
	case ApprovalRejected:
		p.State, p.EndedAt, d.task.Reason = CheckpointRejected, d.now, c.Reason
		if err := d.move(EvRejected); err != nil {
			return err
		}
		d.event(EventApprovalRejected, c.Actor, a.ID, map[string]any{"reason": c.Reason})
		d.noted()
		d.event(EventTaskRejected, c.Actor, d.task.ID, map[string]any{"checkpoint": a.Subject.Title, "reason": c.Reason})
	case ApprovalApproved:
		p.State = CheckpointApproved
		if err := d.move(EvApproved); err != nil {
			return err
		}
		d.event(EventApprovalApproved, c.Actor, a.ID, map[string]any{"approvals": a.Approvals()})
	}
	return nil
}

// noted puts the rollback notes into the journal, before anything else can happen.
func (d *draft) noted() {
	notes := d.task.RollbackNotes()
	if d.task.Rollback.State == RollbackNone {
		d.task.Rollback.State = RollbackNoted
	}
	d.event(EventRollbackNoted, System(), d.task.ID, map[string]any{"notes": notes})
}
