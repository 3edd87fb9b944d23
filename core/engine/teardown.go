package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"holdpoint/core"
)

// teardowns knows which teardowns this process carries out, so that each has one owner; force may come
// to it.
type teardowns struct {
	mu    sync.Mutex
	owned map[attempt]bool
	wg    sync.WaitGroup
}

// attempt is one way of ending one execution.
type attempt struct {
	execution string
	force     bool
}

// take gives a teardown to its one owner. A second one with force, while the first is graceful, is let
// through: the runtime takes it as a raise of the same request.
func (t *teardowns) take(a attempt) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.owned == nil {
		t.owned = map[attempt]bool{}
	}
	if t.owned[a] || t.owned[attempt{a.execution, true}] {
		return false
	}
	t.owned[a] = true
	return true
}

func (t *teardowns) drop(a attempt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.owned, a)
}

// teardown closes the difference between CANCELLED and torn down.
func (e *Engine) teardown(ctx context.Context) {
	for ctx.Err() == nil {
		woken, leave := e.hub.watch(keyRunner)
		wait, err := e.teardownOnce(ctx)
		if err != nil && ctx.Err() == nil {
			e.Logger.Warn("the teardown loop could not go on and tries again", slog.Any("error", err))
			wait = time.Second
		}
		sleep(ctx, wait, woken)
		leave()
	}
}

func (e *Engine) teardownOnce(ctx context.Context) (time.Duration, error) {
	wait, now := slowLook, e.now()
	var due []core.Execution
	err := e.view(ctx, func(r Reader) error {
		for _, x := range r.OpenExecutions() {
			at, more := x.Teardown.Next()
			switch {
			case x.Teardown.State != core.TeardownPending:
			case more && at.After(now):
				wait = min(wait, at.Sub(now))
			default:
				due = append(due, x)
			}
		}
		return nil
	})
	for _, x := range due {
		e.tearDown(ctx, x)
	}
	return wait, err
}

// tearDown ends the processes of one execution and records what came of it. It outlives the call that
// asked for the stop; a daemon that ends leaves the rest to its next start.
func (e *Engine) tearDown(ctx context.Context, x core.Execution) {
	if x.Kind == core.ExecOutside {
		e.outsideTeardown(ctx, x)
		return
	}
	own := attempt{x.ID, x.Teardown.Force}
	if !e.teardowns.take(own) {
		return
	}
	e.teardowns.wg.Go(func() {
		defer e.teardowns.drop(own)
		due, err := e.stillDue(ctx, own)
		if err != nil || !due {
			return // an earlier owner has just ended it, or a later look finds it
		}
		err = e.Runtime.Stop(ctx, x.ID, x.Teardown.Reason, own.force)
		if ctx.Err() == nil {
			e.torn(ctx, x, err)
		}
	})
}

// stillDue looks again once the teardown is owned: what made it due may be over.
func (e *Engine) stillDue(ctx context.Context, own attempt) (due bool, err error) {
	err = e.view(ctx, func(r Reader) error {
		x, _ := r.Execution(own.execution)
		at, more := x.Teardown.Next()
		due = more && !at.After(e.now()) && x.Teardown.Force == own.force
		return nil
	})
	return due, err
}

// torn records one try, until it is written.
func (e *Engine) torn(ctx context.Context, x core.Execution, failed error) {
	cmd := core.TeardownEnded{ExecutionID: x.ID, Done: failed == nil, Force: x.Teardown.Force}
	if failed != nil {
		cmd.Reason = failed.Error()
	}
	for wait := time.Second; ctx.Err() == nil; wait = min(2*wait, time.Minute) {
		_, err := e.step(ctx, func(r Reader) (core.Snapshot, error) { return load(r, x.TaskID) }, cmd)
		if err == nil {
			e.Logger.Info("a teardown was tried", slog.String("execution", x.ID), slog.Bool("done", cmd.Done), slog.String("reason", cmd.Reason))
			return
		}
		e.Logger.Warn("a teardown could not be recorded and is tried again", slog.String("execution", x.ID), slog.Any("error", err))
		sleep(ctx, wait, nil)
	}
}

var errNotReported = errors.New("whoever claimed this work has not reported its end")

// outsideTeardown has nobody to send a signal to: whoever claimed the work has to report. It waits up to
// the ladder's end.
func (e *Engine) outsideTeardown(ctx context.Context, x core.Execution) {
	e.torn(ctx, x, errNotReported)
}
