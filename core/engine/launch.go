package engine

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"strconv"
	"time"

	"holdpoint/core"
)

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
