package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"holdpoint/core"
)

// StopTask asks for everything of a task to stop.
type StopTask struct {
	Actor  core.Actor
	Task   string
	Reason string
	Force  bool
	Tree   bool // its children too, best-effort
}

// TaskStop is what stopping a task came to. Stopped means that CANCELLED is on disk, with the teardown
// under way, or that a record at a gate was cancelled.
type TaskStop struct {
	Stopped  bool
	Sessions []StopResult
	Children []string
}

// System is the actor of what the engine reads for itself.
func System() core.Actor { return core.System() }

// StopTask stops the sessions of a task in the order of their ids, all of them even after a failure. A
// failure is an error that joins them all; what was accepted stays cancelled and is torn down.
func (e *Engine) StopTask(ctx context.Context, c StopTask) (TaskStop, error) {
	out, err := e.stopTask(ctx, c)
	if c.Tree {
		if _, failed := e.stopChildren(ctx, c, out.Children); failed != nil {
			e.Logger.Warn("not everything under a stopped task could be stopped", slog.String("task", c.Task), slog.Any("error", failed))
		}
	}
	return out, err
}

// stopTask stops one task and leaves its children alone.
func (e *Engine) stopTask(ctx context.Context, c StopTask) (TaskStop, error) {
	out := TaskStop{Sessions: []StopResult{}, Children: []string{}}
	d, err := e.Task(ctx, System(), c.Task)
	if err != nil {
		if refusal, ok := errors.AsType[*core.Error](err); ok && refusal.Code == core.CodeNotFound {
			return out, notFound(c.Task, core.ErrTaskNotFound)
		}
		return out, err
	}
	if err := e.may(ctx, c.Actor, core.ActStop, d.Task); err != nil {
		return out, err
	}
	out.Children = append(out.Children, d.Children...)
	switch d.Task.State {
	case core.TaskAwaiting, core.TaskQueued, core.TaskPaused:
		_, changed, err := e.on(ctx, d.Task.ID, core.Cancel{Actor: c.Actor, Reason: c.Reason, Stop: true})
		if refusal, ok := errors.AsType[*core.Error](err); !ok || refusal.Code != core.CodeConflict {
			out.Stopped = changed && err == nil
			return out, err
		} // it was claimed meanwhile: its session is stopped like any other
	}
	err = e.stopSessions(ctx, c, d.Task.ID, &out)
	return out, err
}

// stopSessions stops what works, and again what began meanwhile, until nothing new is found.
func (e *Engine) stopSessions(ctx context.Context, c StopTask, task string, out *TaskStop) error {
	var failed []error
	tried := map[string]bool{}
	for {
		next, err := e.candidates(ctx, task, c.Force, tried)
		if err != nil {
			failed = append(failed, err)
		}
		if len(next) == 0 {
			break
		}
		for _, session := range next {
			tried[session] = true
			one, err := e.stopSession(ctx, c.Actor, session, c.Reason, c.Force)
			if err != nil {
				failed = append(failed, fmt.Errorf("session %s: %w", session, err))
			}
			out.Sessions = append(out.Sessions, one)
			out.Stopped = out.Stopped || one.Changed
		}
	}
	if len(failed) == 0 {
		return nil
	}
	out.Stopped = false
	refusal := core.Refuse(core.CodeUnavailable, task, "not everything could be stopped: try again")
	refusal.Err = errors.Join(failed...)
	return refusal
}

// candidates are the sessions that work, and with force those whose pending teardown may be raised, in
// the order of their ids.
func (e *Engine) candidates(ctx context.Context, task string, force bool, tried map[string]bool) (next []string, err error) {
	err = e.view(ctx, func(r Reader) error {
		for _, s := range r.SessionsOf(task) {
			x, _ := r.Execution(s.ExecutionID)
			raise := force && x.Teardown.State == core.TeardownPending && !x.Teardown.Force
			if !tried[s.ID] && (s.State.Cancellable() || raise) {
				next = append(next, s.ID)
			}
		}
		return nil
	})
	return next, err
}

// stopChildren stops all that stands under a task, as far as it can.
func (e *Engine) stopChildren(ctx context.Context, c StopTask, children []string) (some bool, err error) {
	var failed []error
	for _, child := range children {
		switch err := e.StopBestEffort(ctx, child, c.Reason, c.Force); {
		case err == nil:
			some = true
		case !errors.Is(err, core.ErrExecutionNotFound):
			failed = append(failed, err)
		}
	}
	return some, errors.Join(failed...)
}

// StopBestEffort stops what is left of a task and of all under it, for completion, hand-over and trees:
// it goes on after failures, and partial success is success. core.ErrExecutionNotFound: there was nothing
// to stop. It too tears nothing down whose CANCELLED is not on disk.
func (e *Engine) StopBestEffort(ctx context.Context, task, reason string, force bool) error {
	c := StopTask{Actor: System(), Task: task, Reason: reason, Force: force}
	out, err := e.stopTask(ctx, c)
	some := out.Stopped
	for _, s := range out.Sessions {
		some = some || s.Changed
	}
	below, failed := e.stopChildren(ctx, c, out.Children)
	err = errors.Join(err, failed)
	switch {
	case (some || below) && err != nil:
		e.Logger.Warn("not everything of a task could be stopped", slog.String("task", task), slog.Any("error", err))
		return nil
	case some || below:
		return nil
	case err != nil:
		return fmt.Errorf("stopping task %s: %w", task, err)
	}
	return fmt.Errorf("task %s: %w", task, core.ErrExecutionNotFound)
}
