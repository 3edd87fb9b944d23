package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"holdpoint/core"
)

// WaiterGrace is how long whoever waits may be away before the card says so: long enough for a poll to
// come again, for a daemon's restart, for a short cut of the network.
const WaiterGrace = 45 * time.Second

// presence knows who waits for which approval at this moment. Only those who left are remembered.
type presence struct {
	mu   sync.Mutex
	here map[string]int
	left map[string]time.Time
}

// enter counts one more who waits; the returned function has to be called when it no longer does.
func (p *presence) enter(approval string, now func() time.Time) (leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.here == nil {
		p.here, p.left = map[string]int{}, map[string]time.Time{}
	}
	p.here[approval]++
	delete(p.left, approval)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.here[approval]--; p.here[approval] == 0 {
			delete(p.here, approval)
			p.left[approval] = now()
		}
	}
}

func (p *presence) waiting(approval string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.here[approval] > 0
}

// gone takes those who left longer than the grace ago.
func (p *presence) gone(now time.Time) map[string]time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := map[string]time.Time{}
	for approval, at := range p.left {
		if now.Sub(at) >= WaiterGrace {
			out[approval] = at
			delete(p.left, approval)
		}
	}
	return out
}

// Attend waits like Wait does, and counts as the presence of whoever asked for the work: the requester,
// or a program. A person who merely looks is no waiter.
func (e *Engine) Attend(ctx context.Context, actor core.Actor, approval string, timeout time.Duration) (ApprovalDetail, error) {
	d, err := e.Approval(ctx, actor, approval)
	if err != nil || d.Approval.Waiter.State == core.WaiterNone || actor.String() != d.Task.RequestedBy.String() {
		return e.Wait(ctx, actor, approval, timeout)
	}
	defer e.presence.enter(d.Approval.ID, e.now)()
	if d.Approval.Waiter.State == core.WaiterGone && d.State() == core.ApprovalPending {
		e.seen(ctx, d.Approval.ID, core.SeeWaiter{LastSeen: e.now()})
	}
	return e.Wait(ctx, actor, approval, timeout)
}

// Waiter tells who waits for an approval, as it is at this moment.
func (e *Engine) Waiter(a core.Approval) core.Waiter {
	if a.Waiter.State != core.WaiterNone && e.presence.waiting(a.ID) {
		return core.Waiter{State: core.WaiterWaiting, LastSeen: e.now()}
	}
	return a.Waiter
}

// attendance writes that those who left are gone, so that cards say so. Once after a start it also looks
// at those who waited before and did not come back.
func (e *Engine) attendance(ctx context.Context) {
	begin := e.now()
	sleep(ctx, WaiterGrace, nil)
	e.missing(ctx, begin)
	for ctx.Err() == nil {
		for approval, at := range e.presence.gone(e.now()) {
			e.seen(ctx, approval, core.SeeWaiter{Gone: true, LastSeen: at})
		}
		sleep(ctx, WaiterGrace/9, nil)
	}
}

// missing pages through what is pending, in the background.
func (e *Engine) missing(ctx context.Context, begin time.Time) {
	const page = 200
	for before := ""; ctx.Err() == nil; {
		var list []core.Approval
		err := e.view(ctx, func(r Reader) error {
			list = r.Approvals(ApprovalQuery{State: core.ApprovalPending, Before: before, Limit: page})
			return nil
		})
		if err != nil || len(list) == 0 {
			return
		}
		for _, a := range list {
			if a.Waiter.State == core.WaiterWaiting && a.RequestedAt.Before(begin) && !e.presence.waiting(a.ID) {
				e.seen(ctx, a.ID, core.SeeWaiter{Gone: true, LastSeen: begin})
			}
		}
		before = list[len(list)-1].ID
	}
}

func (e *Engine) seen(ctx context.Context, approval string, cmd core.SeeWaiter) {
	_, err := e.step(ctx, func(r Reader) (core.Snapshot, error) {
		a, ok := r.Approval(approval)
		if !ok {
			return core.Snapshot{}, hidden(approval)
		}
		s, err := load(r, a.TaskID)
		s.Addressed = a
		return s, err
	}, cmd)
	if refusal, ok := errors.AsType[*core.Error](err); err != nil && (!ok || refusal.Code != core.CodeNotFound) && ctx.Err() == nil {
		e.Logger.Warn("a waiter's coming or going could not be recorded", slog.String("approval", approval), slog.Any("error", err))
	}
}
