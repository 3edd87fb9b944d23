package core

import (
	"fmt"
	"slices"
	"time"
)

// Command is what somebody wants of a task. The set is closed: Step knows every one.
type Command interface{ command() }

// Step is the one way in which a task and its approvals change: what a command makes of what there
// is, at a time, with everything that is to be written, or a refusal (*Error), or *NeedFiles. A Change
// that comes with a refusal is to be written too. Nothing that was passed in is changed.
func Step(s Snapshot, cmd Command, now time.Time, mint Mint) (Change, error) {
	d := &draft{s: s, task: s.Task, cur: s.Approval, now: now.UTC().Truncate(time.Millisecond), mint: mint}
	d.task.Checkpoints = slices.Clone(s.Task.Checkpoints)
	err := d.step(cmd)
	if need, ok := err.(*NeedFiles); ok { //nolint:errorlint // never wrapped
		return Change{}, need
	}
	return d.ch, err
}

func (d *draft) step(cmd Command) error {
	switch c := cmd.(type) {
	case StartTask:
		return d.start(c)
	case Decide:
		return d.decide(c)
	case Expire:
		return d.expire()
	case ClaimStep:
		return d.claim(c)
	case Started:
		return d.started(c)
	case EndExecution:
		return d.end(c)
	case Retry:
		return d.retry(c)
	case Resolve:
		return d.resolve(c)
	case Pause:
		return d.pause(c)
	case Resume:
		return d.resume(c)
	case Cancel:
		return d.cancel(c)
	case Reissue:
		return d.reissue(c)
	case AskRollback:
		return d.rollback(c)
	case EditPlan:
		return d.edit(c)
	case Report:
		return d.report(c)
	case AskMay:
		return d.may(c.Actor, c.Action, d.task.ID, d.relation(c.Actor))
	case StopSession:
		return d.stopSession(c)
	case RaiseTeardown:
		return d.raiseTeardown(c)
	case TeardownEnded:
		return d.teardownEnded(c)
	case SeeWaiter:
		return d.seeWaiter(c)
	}
	panic(fmt.Sprintf("core: a command that Step does not know: %T", cmd))
}

// may refuses with forbidden, and puts the refusal into the audit, where the table says no.
func (d *draft) may(a Actor, act Action, subject string, r Relation) error {
	if May(a, act, r) {
		return nil
	}
	return d.forbid(a, act, subject, "you may not "+string(act)+" this")
}

func (d *draft) forbid(a Actor, act Action, subject, why string) error {
	d.event(EventRefused, a, subject, map[string]any{"code": CodeForbidden, "action": act, "surface": a.Surface})
	return &Error{Code: CodeForbidden, Subject: subject, Msg: why, Cause: string(act)}
}

// relation says how an actor stands to the task at hand.
func (d *draft) relation(a Actor) Relation { return d.relationAt(a, d.task.Current) }

func (d *draft) relationAt(a Actor, checkpoint int) Relation {
	r := Relation{Requester: d.task.RequestedBy.String() == a.String()}
	if name := a.Person(); name != "" {
		r.Requester = slices.Contains(d.task.Requesters(), name)
		r.Approver = slices.Contains(d.eligible(checkpoint), name)
	}
	if a.Kind == ActorAgent {
		r.Own, r.Direct = r.Requester, d.s.Parent.String() == a.String()
	}
	return r
}

// eligible gives the people who may decide a checkpoint now.
func (d *draft) eligible(checkpoint int) []string {
	if len(d.task.Checkpoints) == 0 {
		return nil
	}
	c := d.task.Plan.Checkpoints[checkpoint]
	return d.s.Policy.Eligible(c.Approvers, d.task.Plan.AllowSelf, d.task.Requesters()...)
}

// StartTask makes the record of a plan. The id and the absolute working directory come from the
// caller, since the files are looked at before.
type StartTask struct {
	Actor     Actor
	ID        string
	Plan      Plan
	RequestID string
	ParentID  string
	Waited    bool // whoever asks waits for the answer
}

func (StartTask) command() {}

func (d *draft) start(c StartTask) error {
	d.task = Task{ID: c.ID, Plan: c.Plan, State: taskNew, RequestedBy: Actor{Kind: c.Actor.Kind, Name: c.Actor.Name},
		RequestID: c.RequestID, ParentID: c.ParentID, Waited: c.Waited, Round: 1, Rollback: Rollback{State: RollbackNone}, CreatedAt: d.now,
		Checkpoints: make([]Progress, len(c.Plan.Checkpoints))}
	for i := range d.task.Checkpoints {
		d.task.Checkpoints[i].State = CheckpointPending
	}
	if err := d.may(c.Actor, ActStart, c.ID, Relation{}); err != nil {
		return err
	}
	if err := c.Plan.CheckPeople(d.s.Policy, c.Actor.Person()); err != nil {
		return err
	}
	if err := d.move(EvStarted); err != nil {
		return err
	}
	d.event(EventTaskStarted, c.Actor, c.ID, map[string]any{"title": c.Plan.Title, "kind": c.Plan.Kind, "checkpoints": len(c.Plan.Checkpoints)})
	if err := d.gate(1); err != nil {
		return err
	}
	d.save()
	return nil
}

// gate puts the checkpoint at hand under a fresh approval. The state is the caller's.
func (d *draft) gate(attempt int) error {
	c, p := d.task.At()
	// What an earlier attempt did is still to be undone.
	*p = Progress{State: CheckpointAwaiting, Attempt: attempt, Ran: p.Ran, Execution: p.Execution}
	a, err := d.request(ApproveStep, d.task.Current)
	if err != nil {
		return err
	}
	if old := d.cur; old.ID != "" && old.Subject.Index == a.Subject.Index {
		a.Changes = Differences(old.Subject, a.Subject)
		if unused(old.State) {
			old.ReplacedBy = a.ID
			d.write(old)
		}
	}
	d.cur, d.task.ApprovalID = a, a.ID
	d.write(a)
	d.event(EventApprovalRequested, System(), a.ID, map[string]any{
		"checkpoint": c.Title, "attempt": attempt, "round": d.task.Round, "fingerprint": a.Fingerprint, "risk": c.Risk,
	})
	return nil
}

// request makes a fresh approval of a checkpoint's step or rollback, as everything is now.
func (d *draft) request(kind ApprovalKind, checkpoint int) (Approval, error) {
	subject, err := d.subjectNow(kind, checkpoint)
	if err != nil {
		return Approval{}, err
	}
	a := Approval{
		ID: d.mint.ID(PrefixApproval), Kind: kind, Code: d.mint.Code(), State: ApprovalPending, TaskID: d.task.ID,
		Subject: subject, Fingerprint: subject.Fingerprint(), RequestedBy: d.task.RequestedBy, OnBehalfOf: d.task.Plan.OnBehalfOf,
		RequestedAt: d.now, UseWithin: d.task.Plan.UseWithin, Epoch: d.s.Epoch, Waiter: Waiter{State: WaiterNone},
	}
	if d.task.Waited && kind == ApproveStep {
		a.Waiter = Waiter{State: WaiterWaiting, LastSeen: d.now}
	}
	if c := d.task.Plan.Checkpoints[checkpoint]; c.ExpiresIn != Never {
		a.ExpiresAt = d.now.Add(c.ExpiresIn.Std())
	}
	for _, x := range d.s.Executions {
		if x.Teardown.State == TeardownFailed {
			a.Warning = "the process of an earlier execution may still live: " + x.ID
		}
	}
	return a, nil
}

// subjectNow gives what an approval of a checkpoint would show now, or asks for the digests it needs.
func (d *draft) subjectNow(kind ApprovalKind, checkpoint int) (Subject, error) {
	c, names := d.task.Plan.Checkpoints[checkpoint], d.task.FileNames(checkpoint)
	if d.s.Files == nil || d.s.Files.Workdir != c.Workdir || !slices.Equal(d.s.Files.Names, names) {
		return Subject{}, &NeedFiles{Workdir: c.Workdir, Names: names}
	}
	return d.task.subject(kind, checkpoint, d.s.Files.Digests), nil
}

// unused says that an approval ended without releasing anything or being refused.
func unused(s ApprovalState) bool {
	return s == ApprovalExpired || s == ApprovalSuperseded || s == ApprovalCancelled
}
