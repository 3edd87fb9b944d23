package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"holdpoint/core"
)

// slowLook is how often a loop looks by itself, without having been woken.
const slowLook = 30 * time.Second

// runner closes two differences: approved, but without an execution; and an execution of this daemon's,
// but no recorded end.
func (e *Engine) runner(ctx context.Context) {
	for ctx.Err() == nil {
		woken, leave := e.hub.watch(keyRunner)
		again := slowLook
		if err := e.runOnce(ctx); err != nil && ctx.Err() == nil {
			e.Logger.Warn("the runner could not go on and tries again", slog.Any("error", err))
			again = time.Second
		}
		sleep(ctx, again, woken)
		leave()
	}
}

// sleep waits for a time, a wake or the end.
func sleep(ctx context.Context, d time.Duration, woken <-chan struct{}) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-woken:
	case <-ctx.Done():
	}
}

func (e *Engine) runOnce(ctx context.Context) error {
	live, queued, err := e.work(ctx)
	if err != nil {
		return err
	}
	used := 0
	for _, x := range live {
		e.follow(ctx, x)
		if x.Kind != core.ExecCheck {
			used++
		}
	}
	var failed []error // one task that can't be claimed now does not hold up the others
	for _, one := range queued {
		if used >= e.Policy().Limits.Running || ctx.Err() != nil {
			break
		}
		claimed, err := e.claimForRunner(ctx, one)
		if err != nil {
			failed = append(failed, fmt.Errorf("claiming for %s: %w", one.task, err))
		}
		if claimed {
			used++
		}
	}
	return errors.Join(failed...)
}

// ready is a task whose step, or whose rollback, was approved and has no execution.
type ready struct {
	task     string
	rollback bool
}

// work reads what the runner has to look at: live executions of this daemon's, and the queued tasks
// whose step it runs itself.
func (e *Engine) work(ctx context.Context) (live []core.Execution, queued []ready, err error) {
	err = e.view(ctx, func(r Reader) error {
		for _, x := range r.OpenExecutions() {
			if x.RunsHere() && x.Live() {
				live = append(live, x)
			}
		}
		for _, one := range r.TasksIn(core.TaskQueued) {
			if t, ok := r.Task(one); ok && t.Plan.Checkpoints[t.Current].RunsHere() {
				queued = append(queued, ready{task: one})
			}
		}
		for _, one := range r.RollingBack() {
			t, _ := r.Task(one)
			if a, ok := r.Approval(t.Rollback.ApprovalID); ok && t.Rollback.State == core.RollbackAwaiting && a.State == core.ApprovalApproved {
				queued = append(queued, ready{task: one, rollback: true})
			}
		}
		return nil
	})
	return live, queued, err
}

// claimForRunner claims one queued task for the daemon. What differs from what was approved is asked for
// afresh by the rules; that is no fault of the loop.
func (e *Engine) claimForRunner(ctx context.Context, one ready) (bool, error) {
	if err := e.Store.StillMine(); err != nil {
		return false, err
	}
	change, err := e.step(ctx, func(r Reader) (core.Snapshot, error) {
		s, err := load(r, one.task)
		if err == nil {
			err = hit("claimInTx")
		}
		return s, err
	}, core.ClaimStep{Actor: core.System(), Rollback: one.rollback})
	if refusal, ok := errors.AsType[*core.Error](err); ok && refusal.Code != core.CodeUnavailable {
		e.Logger.Info("a claim was refused", slog.String("task", one.task), slog.String("cause", refusal.Cause), slog.String("why", refusal.Msg))
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := hit("claimCommitted"); err != nil {
		return false, err
	}
	for _, x := range change.Executions {
		e.follow(ctx, x)
	}
	return true, nil
}
