package core

import (
	"slices"
	"time"
)

// Claim is the one use of an approval: a row of its own, written once, before anything runs.
type Claim struct {
	ApprovalID  string
	TaskID      string
	By          Actor
	At          time.Time
	ExecutionID string
	RequestID   string
	Fingerprint string // as it was found at the claim: equal to the approval's
}

// ClaimStep takes the one use of the task's approval: by the daemon's runner for what it runs itself,
// by whoever works outside for the rest.
type ClaimStep struct {
	Actor     Actor
	RequestID string
	Rollback  bool // of the rollback's approval
	Finish    bool // outside work without a command is over with its claim
}

func (ClaimStep) command() {}

// claim checks again what the approval stands for (who approved, what will run, within which time)
// and writes the use before anything starts. Where something differs nothing runs: the approval is
// superseded by a fresh one, which the refusal names.
func (d *draft) claim(c ClaimStep) error {
	a := d.cur
	if err := d.may(c.Actor, ActClaim, cmpOr(a.ID, d.task.ID), d.relation(c.Actor)); err != nil {
		return err
	}
	if c.Rollback {
		return d.claimRollback(c)
	}
	if d.s.Claim != nil {
		return d.claimedBefore(c)
	}
	if cp, _ := d.task.At(); (c.Actor.Kind == ActorSystem) != !cp.Outside() {
		return conflict(cmpOr(a.ID, d.task.ID), "this step is not yours to claim: the daemon runs what has run or agent, outside work is claimed by who does it")
	}
	if a.ID == "" || d.task.State != TaskQueued || a.State != ApprovalApproved {
		err := conflict(cmpOr(a.ID, d.task.ID), "there is nothing to claim: the task is %s", d.task.State)
		err.Cause = string(d.task.State)
		return err
	}
	if err := d.nothingLives(a.ID); err != nil {
		return err
	}
	if cause, why, err := d.differs(a, d.task.Current); err != nil {
		return err
	} else if cause != "" {
		if err := d.supersede(cause, why); err != nil {
			return err
		}
		return &Error{Code: CodeStale, Subject: a.ID, Cause: cause, ReplacedBy: d.cur.ID, Msg: why + ": nothing ran, a fresh request stands in its place"}
	}
	return d.use(c, a)
}

// nothingLives refuses a claim while an earlier execution of the task still runs or is torn down.
func (d *draft) nothingLives(approval string) error {
	for _, x := range d.s.Executions {
		if x.Teardown.State == TeardownPending || x.Live() {
			err := conflict(approval, "an earlier execution (%s) still ends: the claim waits for it", x.ID)
			err.Cause = "teardown"
			return err
		}
	}
	return nil
}

func (d *draft) claimedBefore(c ClaimStep) error {
	was := d.s.Claim
	if c.RequestID != "" && was.RequestID == c.RequestID && was.By.String() == c.Actor.String() {
		return nil // alike
	}
	return &Error{Code: CodeAlreadyClaimed, Subject: was.ApprovalID, By: was.By.Name, At: was.At, Msg: "this approval was used already, and each is used once"}
}

// differs says what no longer fits between an approval and what would run now, "" if all does.
func (d *draft) differs(a Approval, checkpoint int) (cause, why string, err error) {
	if a.Epoch != d.s.Epoch {
		return "restored", "the store was restored from a backup", nil
	}
	if a.UnusedAt(d.now) {
		return "unused", "it was not used within " + a.UseWithin.String(), nil
	}
	able, still := d.s.Policy.Eligible(a.Subject.Approvers, a.Subject.AllowSelf, a.Requesters()...), 0
	for _, dec := range a.Decisions {
		if dec.Verdict == Approve && slices.Contains(able, dec.Person) {
			still++
		}
	}
	if still < a.Subject.Required {
		return "approvers", "who approved may no longer do so", nil
	}
	now, err := d.subjectNow(a.Kind, checkpoint)
	if err != nil {
		return "", "", err
	}
	if now.Fingerprint() != a.Fingerprint {
		return "changed", "what would run is not what was approved", nil
	}
	return "", "", nil
}

func (d *draft) use(c ClaimStep, a Approval) error {
	if err := d.move(EvClaimed); err != nil {
		return err
	}
	cp, p := d.task.At()
	kind := ExecStep
	if cp.Outside() {
		kind = ExecOutside
	}
	x := d.execute(kind, cp.Title)
	x.ApprovalID, x.Checkpoint, x.Attempt = a.ID, d.task.Current, p.Attempt
	if kind == ExecOutside && cp.Timeout > 0 { // what the daemon runs is timed by its supervisor
		x.Deadline = d.now.Add(cp.Timeout.Std())
	}
	d.ch.Executions = append(d.ch.Executions, x)
	d.ch.Claim = d.claimRow(c, a, x)
	p.State, p.Execution, p.StartedAt = CheckpointRunning, x.ID, d.now
	p.Ran = p.Ran || kind == ExecOutside // what the daemon runs has run once it was started
	d.task.Execution, d.task.Reason = x.ID, ""
	a.Used = true
	d.write(a)
	d.save()
	if c.Finish && kind == ExecOutside && cp.Command.IsZero() {
		return d.finish(c, x)
	}
	return nil
}

// finish ends outside work that is nothing but the approval itself, in the claim's own transaction.
func (d *draft) finish(c ClaimStep, x Execution) error {
	d.s.Executions, d.s.Sessions = append(slices.Clone(d.s.Executions), x), append(slices.Clone(d.s.Sessions), d.ch.Sessions...)
	d.ch.Executions, d.ch.Sessions = nil, nil
	return d.end(EndExecution{Actor: c.Actor, ExecutionID: x.ID, Outcome: OutcomeSucceeded})
}

func (d *draft) claimRow(c ClaimStep, a Approval, x Execution) *Claim {
	d.event(EventApprovalClaimed, c.Actor, a.ID, map[string]any{"execution": x.ID, "checkpoint": a.Subject.Title, "fingerprint": a.Fingerprint})
	return &Claim{ApprovalID: a.ID, TaskID: d.task.ID, By: Actor{Kind: c.Actor.Kind, Name: c.Actor.Name}, At: d.now,
		ExecutionID: x.ID, RequestID: c.RequestID, Fingerprint: a.Fingerprint}
}

// execute makes a session and the execution that it starts with.
func (d *draft) execute(kind ExecutionKind, name string) Execution {
	s := Session{ID: d.mint.ID(PrefixSession), TaskID: d.task.ID, Name: name, State: SessionStarting, CreatedAt: d.now, UpdatedAt: d.now, Revision: 1}
	x := Execution{ID: d.mint.ID(PrefixExecution), SessionID: s.ID, TaskID: d.task.ID, Kind: kind, State: ExecClaimed,
		Checkpoint: d.task.Current, Round: d.task.Round, ClaimedAt: d.now}
	s.ExecutionID = x.ID
	if kind == ExecOutside { // whoever claimed it is at work
		s.State, x.State, x.StartedAt = SessionRunning, ExecStarted, d.now
	}
	d.ch.Sessions = append(d.ch.Sessions, s)
	return x
}
