package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strconv"
	"sync"
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

func (e *Engine) launchAndWait(ctx context.Context, x core.Execution) (Sighting, error) {
	if x.State == core.ExecClaimed {
		started, err := e.launchOrVoid(ctx, x)
		if err != nil {
			return Sighting{}, err
		}
		if started.State == SeenVoid {
			return started, nil
		}
		if err := hit("spawned"); err != nil {
			return Sighting{}, err
		}
		if _, err := e.step(ctx, func(r Reader) (core.Snapshot, error) { return load(r, x.TaskID) }, core.Started{ExecutionID: x.ID}); err != nil {
			return Sighting{}, err
		}
	}
	return e.Runtime.Wait(ctx, x.ID)
}

// launchTries is how often a launch is tried whose outcome is not known, over about half a minute. Then
// the door is closed for it: either it has started after all, or it never will.
const launchTries = 6

// launchOrVoid starts an execution, or makes sure that it never starts.
func (e *Engine) launchOrVoid(ctx context.Context, x core.Execution) (Sighting, error) {
	var failed error
	for try, wait := 0, time.Second; try < launchTries; try, wait = try+1, 2*wait {
		if failed = e.launch(ctx, x); failed == nil {
			return Sighting{State: SeenLive}, nil
		}
		if errors.Is(failed, ErrNeverRan) || errors.Is(failed, core.ErrSessionStateSuperseded) || ctx.Err() != nil {
			break
		}
		e.Logger.Warn("an execution could not be started and is tried again", slog.String("execution", x.ID), slog.Any("error", failed))
		sleep(ctx, wait, nil)
	}
	if ctx.Err() != nil {
		return Sighting{}, ctx.Err()
	}
	won, err := e.Runtime.Void(x.ID)
	if err != nil || !won {
		return Sighting{State: SeenLive}, err
	}
	return Sighting{State: SeenVoid, Message: "it could not be started: " + failed.Error()}, nil
}

// launch starts an execution from what its task says, unless it was stopped meanwhile. The claim has checked that this is what was
// approved; the plan of a running task is not edited.
func (e *Engine) launch(ctx context.Context, x core.Execution) error {
	var t core.Task
	err := e.view(ctx, func(r Reader) error {
		t, _ = r.Task(x.TaskID)
		x, _ = r.Execution(x.ID)
		return nil
	})
	if err != nil {
		return err
	}
	if !x.Live() || x.Teardown.State != core.TeardownNone || e.follows.disarmed(x.ID) {
		return core.ErrSessionStateSuperseded // a stop was first: nothing of it starts
	}
	c := t.Plan.Checkpoints[x.Checkpoint]
	l := Launch{
		ID: x.ID, Argv: c.Run.Argv(c.Shell), Dir: c.Workdir, MakeDir: c.Workdir == e.Workdir(t.ID),
		Env: c.Env, Vars: t.Plan.Vars, PassEnv: c.PassEnv, Timeout: c.Timeout.Std(), Grace: c.StopGrace.Std(),
		Own: map[string]string{
			"HOLDPOINT_TASK": t.ID, "HOLDPOINT_CHECKPOINT": c.Title,
			"HOLDPOINT_ATTEMPT": strconv.Itoa(x.Attempt), "HOLDPOINT_ROUND": strconv.Itoa(x.Round),
		},
	}
	switch x.Kind {
	case core.ExecRollback:
		l.Argv = c.RollbackRun.Argv(c.Shell)
	case core.ExecCheck:
		l.Argv, l.Dir = core.Exec{Line: t.Plan.DoneWhen}.Argv(t.Plan.Shell), t.Plan.Workdir
		l.MakeDir = l.Dir == e.Workdir(t.ID)
		l.Env, l.PassEnv, l.Timeout = t.Plan.Env, t.Plan.PassEnv, core.CheckTimeout
		delete(l.Own, "HOLDPOINT_CHECKPOINT")
	}
	l.Env = maps.Clone(l.Env)
	return e.Runtime.Launch(ctx, l)
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
