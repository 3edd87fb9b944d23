package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"holdpoint/core"
)

// Startup notices what happened while no daemon ran: executions that were claimed and never started
// are made void, so that no launch of an earlier daemon can come late; and records whose approval does
// not fit them are asked for afresh. It runs once, before Run and before any surface is opened.
func (e *Engine) Startup(ctx context.Context) error {
	var claimed []core.Execution
	var waiting []string
	err := e.view(ctx, func(r Reader) error {
		for _, x := range r.OpenExecutions() {
			if x.State == core.ExecClaimed && x.RunsHere() {
				claimed = append(claimed, x)
			}
		}
		for _, state := range []core.TaskState{core.TaskAwaiting, core.TaskQueued, core.TaskPaused} {
			waiting = append(waiting, unfit(r, state)...)
		}
		for _, id := range r.RollingBack() {
			t, _ := r.Task(id)
			if a, ok := r.Approval(t.Rollback.ApprovalID); ok && a.Epoch != r.Epoch() {
				waiting = append(waiting, id)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, x := range claimed {
		if err := e.void(ctx, x); err != nil {
			return fmt.Errorf("looking at execution %s: %w", x.ID, err)
		}
	}
	for _, task := range waiting {
		if _, err := e.step(ctx, func(r Reader) (core.Snapshot, error) { return load(r, task) }, core.Reissue{Cause: "restored"}); err != nil {
			return fmt.Errorf("asking afresh for %s: %w", task, err)
		}
	}
	return nil
}

// unfit gives the tasks of a state whose approval is missing or of an older epoch.
func unfit(r Reader, state core.TaskState) []string {
	var out []string
	for _, id := range r.TasksIn(state) {
		t, _ := r.Task(id)
		if a, ok := r.Approval(t.ApprovalID); !ok || a.Epoch != r.Epoch() {
			out = append(out, id)
		}
	}
	return out
}

// void closes the door for a launch that an earlier daemon did not come to. If it had started after
// all, the runner follows it as usual.
func (e *Engine) void(ctx context.Context, x core.Execution) error {
	won, err := e.Runtime.Void(x.ID)
	if err != nil {
		return err
	}
	if !won {
		_, err := e.step(ctx, func(r Reader) (core.Snapshot, error) { return load(r, x.TaskID) }, core.Started{ExecutionID: x.ID})
		return err
	}
	e.Logger.Warn("an execution was claimed and never started", slog.String("execution", x.ID), slog.String("task", x.TaskID))
	_, err = e.step(ctx, func(r Reader) (core.Snapshot, error) { return load(r, x.TaskID) }, core.EndExecution{
		Actor: core.System(), ExecutionID: x.ID, Outcome: core.OutcomeLost, NeverRan: true,
		Message: "the daemon ended before the step was started: nothing of it ran",
	})
	if refusal, ok := errors.AsType[*core.Error](err); ok && refusal.Code == core.CodeConflict {
		return nil
	}
	return err
}
