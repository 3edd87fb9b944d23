package engine

import (
	"context"
	"errors"
	"time"

	"holdpoint/core"
)

// Gate asks for one approval, waits for it, and takes its use.
type Gate struct {
	Actor     core.Actor
	Plan      core.Plan // of core.NewGatePlan
	RequestID string    // attaches to the request that was made with it before
	ClaimID   string    // the same one gets the same answer again, also when the answer was lost
	Timeout   time.Duration
}

// Gate answers with an execution once the approval was given and claimed, without one while it waits,
// and with the endings of Claim.
func (e *Engine) Gate(ctx context.Context, g Gate) (Claimed, error) {
	t, _, err := e.StartTask(ctx, StartTask{Actor: g.Actor, Plan: g.Plan, RequestID: g.RequestID, Waited: true})
	if err != nil {
		return Claimed{}, err
	}
	return e.WaitAndClaim(ctx, Claim{Actor: g.Actor, Approval: t.ApprovalID, RequestID: g.ClaimID, Finish: true}, g.Timeout)
}

// WaitAndClaim waits for an approval, following what replaces it, and claims it.
func (e *Engine) WaitAndClaim(ctx context.Context, c Claim, timeout time.Duration) (Claimed, error) {
	end := e.Now().Add(timeout)
	for {
		d, err := e.Attend(ctx, c.Actor, c.Approval, max(end.Sub(e.Now()), 0))
		if err != nil {
			return Claimed{Approval: d}, err
		}
		if next := d.Approval.ReplacedBy; next != "" && d.Claim == nil {
			c.Approval = next
			continue
		}
		out, err := e.Claim(ctx, c)
		if refusal, ok := errors.AsType[*core.Error](err); ok && refusal.Code == core.CodeStale && refusal.ReplacedBy != "" {
			c.Approval = refusal.ReplacedBy // what would run is not what was approved
			continue
		}
		if err != nil || out.ExecutionID != "" || !e.Now().Before(end) {
			return out, err
		}
		e.idle(ctx, out.Approval.Task.ID, end)
	}
}

// idle waits until the task that holds a claim back changes, or the time is up.
func (e *Engine) idle(ctx context.Context, task string, end time.Time) {
	woken, leave := e.hub.watch(task)
	defer leave()
	sleep(ctx, min(max(end.Sub(e.Now()), 0), time.Second), woken)
}
