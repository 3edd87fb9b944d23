package engine

import (
	"context"

	"holdpoint/core"
)

// Decide asks for one person's verdict on one approval.
type Decide struct {
	Actor    core.Actor
	Approval string // id, unique prefix or code
	Verdict  core.Verdict
	Reason   string
	Confirm  bool
}

// Decide takes a verdict. When it returns nil the decision is on disk; a repeat of one's own is a
// success with the first answer. A refusal of code stale_approval names the fresh approval that took
// the place of the one that was tapped, if there is one.
func (e *Engine) Decide(ctx context.Context, c Decide) (ApprovalDetail, error) {
	if err := hit("tapVerified"); err != nil {
		return ApprovalDetail{}, err
	}
	var addressed string
	_, err := e.step(ctx, func(r Reader) (core.Snapshot, error) {
		a, err := findApproval(r, c.Approval)
		if err != nil {
			return core.Snapshot{}, err
		}
		t, ok := r.Task(a.TaskID)
		if !ok {
			return core.Snapshot{}, hidden(c.Approval)
		}
		addressed = a.ID
		s := snapshot(r, t)
		s.Addressed = a
		return s, hit("tapInTx")
	}, core.Decide{Actor: c.Actor, Verdict: c.Verdict, Reason: c.Reason, Confirm: c.Confirm})
	if err != nil {
		return ApprovalDetail{}, err
	}
	if err := hit("tapCommitted"); err != nil {
		return ApprovalDetail{}, err
	}
	return e.Approval(ctx, c.Actor, addressed)
}
