package engine

import (
	"context"
	"time"

	"holdpoint/core"
)

// Wait gives an approval as soon as it is no longer pending, or as it is when the time is up.
func (e *Engine) Wait(ctx context.Context, actor core.Actor, text string, timeout time.Duration) (ApprovalDetail, error) {
	up := time.NewTimer(timeout)
	defer up.Stop()
	d, err := e.Approval(ctx, actor, text)
	for err == nil && d.State() == core.ApprovalPending {
		changed, leave := e.hub.watch(d.Approval.ID)
		if d, err = e.Approval(ctx, actor, d.Approval.ID); err != nil || d.State() != core.ApprovalPending {
			leave()
			break
		}
		out, stop := overdue(d)
		select {
		case <-changed:
		case <-out:
		case <-up.C:
			stop()
			leave()
			return d, nil
		case <-ctx.Done():
			stop()
			leave()
			return d, ctx.Err()
		}
		stop()
		leave()
		d, err = e.Approval(ctx, actor, d.Approval.ID)
	}
	return d, err
}

// overdue fires when a pending approval runs out.
func overdue(d ApprovalDetail) (<-chan time.Time, func()) {
	at, ok := d.Approval.Deadline()
	if !ok {
		return nil, func() {}
	}
	t := time.NewTimer(at.Sub(d.Now))
	return t.C, func() { t.Stop() }
}
