package engine

import (
	"context"
	"errors"
	"time"

	"holdpoint/core"
)

// Claim asks for the one use of an approval of outside work.
type Claim struct {
	Actor     core.Actor
	Approval  string // id, unique prefix or code
	RequestID string // the same one gets the same answer again
	Finish    bool   // where there is no command, the approval itself is the work
}

// Claimed is what a claim came to. Where the approval still waits, ExecutionID is "".
type Claimed struct {
	ExecutionID string
	Approval    ApprovalDetail
}

// Claim takes the one use of an approval. While it is pending, or its task is held (paused, an earlier
// execution still ends), the answer has no execution and no error; every other ending is a refusal:
// rejected, expired, cancelled, stale_approval with what took its place, already_claimed.
func (e *Engine) Claim(ctx context.Context, c Claim) (Claimed, error) {
	var out Claimed
	d, err := e.Approval(ctx, System(), c.Approval)
	if err != nil {
		return out, err
	}
	if err := e.may(ctx, c.Actor, core.ActClaim, d.Task); err != nil {
		return out, err
	}
	out.Approval = d
	if err := e.Store.StillMine(); err != nil {
		return out, e.storeFault(err)
	}
	_, err = e.step(ctx, func(r Reader) (core.Snapshot, error) {
		a, ok := r.Approval(d.Approval.ID)
		if !ok {
			return core.Snapshot{}, hidden(c.Approval)
		}
		t, _ := r.Task(a.TaskID)
		s := snapshot(r, t)
		if row, used := r.Claim(a.ID); used {
			s.Claim, s.Approval = &row, a // an answer that was given before stands, whatever the task does now
			return s, nil
		}
		return s, claimable(a, t, e.now())
	}, core.ClaimStep{Actor: c.Actor, RequestID: c.RequestID, Finish: c.Finish})
	if refusal, ok := errors.AsType[*core.Error](err); ok && refusal.Code == core.CodeConflict && waits[refusal.Cause] {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	if out.Approval, err = e.Approval(ctx, c.Actor, d.Approval.ID); err == nil && out.Approval.Claim != nil {
		out.ExecutionID = out.Approval.Claim.ExecutionID
	}
	return out, err
}

// waits are the causes of a conflict after which a claim may still be given.
var waits = map[string]bool{
	"pending": true, "teardown": true, string(core.TaskPaused): true, string(core.TaskAwaiting): true,
}

// claimable refuses an approval that ended without releasing anything.
func claimable(a core.Approval, t core.Task, now time.Time) error {
	if err := Ending(a, now); err != nil {
		return err
	}
	if a.StateAt(now) == core.ApprovalPending {
		err := core.Refuse(core.CodeConflict, a.ID, "this request still waits for a decision")
		err.Cause = "pending"
		return err
	}
	if a.Kind != core.ApproveStep || t.ApprovalID != a.ID {
		return core.Refuse(core.CodeConflict, a.ID, "this approval is not claimed over the API")
	}
	return nil
}

// Ending gives the refusal that the waiting verbs answer with for an approval that ended without
// releasing anything, nil for one that is pending or approved.
func Ending(a core.Approval, now time.Time) error {
	refusal := core.Refuse("", a.ID, "")
	refusal.ReplacedBy, refusal.At, refusal.Cause = a.ReplacedBy, a.ResolvedAt, a.Cause
	switch a.StateAt(now) {
	case core.ApprovalRejected:
		d := a.Decider()
		refusal.Code, refusal.By, refusal.Msg = core.CodeRejected, d.Person, "rejected by "+d.Person
		if d.Reason != "" {
			refusal.Msg += ": " + d.Reason
		}
	case core.ApprovalExpired:
		refusal.Code, refusal.Msg = core.CodeExpired, "nobody decided in time: nothing was released"
	case core.ApprovalCancelled:
		refusal.Code, refusal.Msg = core.CodeCancelled, "the request was withdrawn: nothing was released"
	case core.ApprovalSuperseded:
		refusal.Code, refusal.Msg = core.CodeStale, "this request changed: a fresh one stands in its place"
	default:
		return nil
	}
	return refusal
}

// Report tells how outside work ended, by its execution's id.
type Report struct {
	Actor       core.Actor
	Task        string
	Checkpoint  int
	ExecutionID string
	Succeeded   bool
	Detail      string
}

// Report records the end of outside work, once. A repeat answers alike, a contrary report is a conflict,
// one that comes after a stop is kept as evidence and answered as cancelled.
func (e *Engine) Report(ctx context.Context, c Report) (core.Task, error) {
	change, err := e.step(ctx, func(r Reader) (core.Snapshot, error) {
		s, err := load(r, c.Task)
		s.Named, _ = r.Execution(c.ExecutionID)
		return s, err
	}, core.Report{Actor: c.Actor, Checkpoint: c.Checkpoint, ExecutionID: c.ExecutionID, Succeeded: c.Succeeded, Detail: c.Detail})
	if err != nil {
		return core.Task{}, err
	}
	if change.Task != nil {
		return *change.Task, nil
	}
	d, err := e.Task(ctx, c.Actor, c.Task)
	return d.Task, err
}

// Rollback asks for the rollback command of a checkpoint that ran, behind an approval of its own;
// checkpoint -1 means the newest that has one.
func (e *Engine) Rollback(ctx context.Context, a core.Actor, task string, checkpoint int) (core.Task, error) {
	t, _, err := e.on(ctx, task, core.AskRollback{Actor: a, Checkpoint: checkpoint})
	return t, err
}

// EditPlan replaces what is left of a task's plan.
func (e *Engine) EditPlan(ctx context.Context, a core.Actor, task string, p core.Plan) (core.Task, error) {
	d, err := e.Task(ctx, System(), task)
	if err != nil {
		return core.Task{}, err
	}
	e.place(&p, d.Task.ID)
	t, _, err := e.on(ctx, d.Task.ID, core.EditPlan{Actor: a, Plan: p})
	return t, err
}
