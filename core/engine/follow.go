package engine

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"holdpoint/core"
)

// follows knows which executions are being followed by this process, so that none is twice.
type follows struct {
	mu  sync.Mutex
	ids map[string]bool // → whether its launch was disarmed
	wg  sync.WaitGroup
}

func (f *follows) take(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, twice := f.ids[id]; twice {
		return false
	}
	if f.ids == nil {
		f.ids = map[string]bool{}
	}
	f.ids[id] = false
	return true
}

// disarm makes sure that no further launch of an execution is tried, whatever becomes of the stop that
// asks for it.
func (f *follows) disarm(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, followed := f.ids[id]; followed {
		f.ids[id] = true
	}
}

func (f *follows) disarmed(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ids[id]
}

func (f *follows) drop(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.ids, id)
}

func (f *follows) wait() { f.wg.Wait() }

// follow launches an execution that was not started yet, waits for its end and records it.
func (e *Engine) follow(ctx context.Context, x core.Execution) {
	if !e.follows.take(x.ID) {
		return
	}
	e.follows.wg.Go(func() {
		e.followToEnd(ctx, x)
		e.follows.drop(x.ID)
		e.hub.wake(keyRunner) // behind the drop, so that the look finds what is still to be followed
	})
}

func (e *Engine) followToEnd(ctx context.Context, x core.Execution) {
	seen, err := e.launchAndWait(ctx, x)
	switch {
	case ctx.Err() != nil: // it runs on, and the next start finds it
	case err != nil:
		e.Logger.Error("the execution could not be followed and is looked at again",
			slog.String("task", x.TaskID), slog.String("execution", x.ID), slog.Any("error", err))
		sleep(ctx, time.Second, nil)
	default:
		e.recordEnd(ctx, x, seen)
	}
}

// recordEnd writes how an execution ended, until it is written: a store that can't take it now is asked
// again.
func (e *Engine) recordEnd(ctx context.Context, x core.Execution, seen Sighting) {
	cmd := core.EndExecution{Actor: core.System(), ExecutionID: x.ID, Outcome: outcome(seen), NeverRan: seen.State == SeenVoid,
		ExitCode: seen.ExitCode, Message: seen.Message, Summary: seen.Summary}
	for wait := time.Second; ctx.Err() == nil; wait = min(2*wait, time.Minute) {
		change, err := e.step(ctx, func(r Reader) (core.Snapshot, error) { return load(r, x.TaskID) }, cmd)
		if err == nil {
			e.Logger.Info("an execution ended", slog.String("task", x.TaskID), slog.String("execution", x.ID),
				slog.String("outcome", string(cmd.Outcome)), slog.Int("exit", cmd.ExitCode), slog.Bool("changed", !change.Empty()))
			if hit("outcomeCommitted") != nil {
				return
			}
			return
		}
		e.Logger.Warn("the end of an execution could not be recorded and is tried again", slog.String("execution", x.ID), slog.Any("error", err))
		sleep(ctx, wait, nil)
	}
}

// outcome is success only where an end with exit 0 was seen; what nobody can tell is lost.
func outcome(s Sighting) core.Outcome {
	switch {
	case s.State == SeenVoid:
		return core.OutcomeFailed
	case s.State != SeenEnded:
		return core.OutcomeLost
	case s.Stopped:
		return core.OutcomeStopped
	case s.TimedOut:
		return core.OutcomeTimedOut
	case s.ExitCode == 0:
		return core.OutcomeSucceeded
	}
	return core.OutcomeFailed
}
