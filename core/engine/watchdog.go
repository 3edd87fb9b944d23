package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"holdpoint/core"
)

// dueBatch bounds how many deadlines are taken in one look.
const dueBatch = 100

// watchdog closes the difference between a deadline that passed and what is written of it. One timer
// is armed for the nearest.
func (e *Engine) watchdog(ctx context.Context) {
	for ctx.Err() == nil {
		woken, leave := e.hub.watch(keyWatchdog)
		wait, err := e.watchOnce(ctx)
		if err != nil && ctx.Err() == nil {
			e.Logger.Warn("the watchdog could not go on and tries again", slog.Any("error", err))
			wait = time.Second
		}
		sleep(ctx, wait, woken)
		leave()
	}
}

// watchOnce takes what is due and says how long the next look may wait.
func (e *Engine) watchOnce(ctx context.Context) (time.Duration, error) {
	now := e.now()
	var due []string
	var next time.Time
	var some bool
	err := e.view(ctx, func(r Reader) error {
		due = r.Due(now, dueBatch)
		next, some = r.NextDeadline()
		return nil
	})
	if err != nil {
		return 0, err
	}
	moved := false
	var failed []error // one that can't be moved now does not hold up the others
	for _, subject := range due {
		change, err := e.passed(ctx, subject)
		if err != nil {
			failed = append(failed, fmt.Errorf("the deadline of %s: %w", subject, err))
		}
		moved = moved || !change.Empty()
	}
	switch {
	case failed != nil:
		return 0, errors.Join(failed...)
	case moved:
		return 0, nil // there may be more
	case len(due) > 0 || !some:
		return slowLook, nil // what is due can't be moved in its state: nothing to run after
	}
	return min(max(next.Sub(now), 0), slowLook), nil
}

// passed acts on one deadline that is over: an approval's, or that of outside work which nobody reported.
func (e *Engine) passed(ctx context.Context, subject string) (core.Change, error) {
	if !strings.HasPrefix(subject, core.PrefixExecution) {
		return e.step(ctx, func(r Reader) (core.Snapshot, error) {
			a, _ := r.Approval(subject)
			return load(r, a.TaskID)
		}, core.Expire{})
	}
	return e.step(ctx, func(r Reader) (core.Snapshot, error) {
		x, _ := r.Execution(subject)
		return load(r, x.TaskID)
	}, core.EndExecution{Actor: core.System(), ExecutionID: subject, Outcome: core.OutcomeTimedOut,
		Message: "nobody reported the end of this work in time: nobody knows whether it took effect"})
}
