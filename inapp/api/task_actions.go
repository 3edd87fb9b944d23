package api

import (
	"context"

	"holdpoint/core"
)

// CancelTask is the body of a cancel.
type CancelTask struct {
	Reason string `json:"reason,omitempty" maxLength:"4096"`
}

// Cancelled is the answer to a cancel: the task, and whether that changed it.
type Cancelled struct {
	Task
	Changed bool `json:"changed" doc:"false: it had ended before, and nothing was written"`
}

// ResolveTask is a person's word on a task in review.
type ResolveTask struct {
	Outcome string `json:"outcome" enum:"done,failed"`
	Reason  string `json:"reason" maxLength:"4096" doc:"how you know"`
}

func (s *Server) taskActionRoutes() {
	codes := []core.Code{core.CodeNotFound, core.CodeForbidden, core.CodeConflict}
	handleBody[CancelTask](s, post("cancel-task", "/tasks/{id}/cancel", "End a task that does nothing at the moment", "tasks"),
		bodyRule{limit: maxBody}, codes, s.cancelTask)
	handleBody[nothing](s, post("retry-task", "/tasks/{id}/retry", "Ask for another attempt behind a fresh approval", "tasks"),
		bodyRule{limit: maxBody}, codes, s.act(s.Engine.Retry))
	handleBody[nothing](s, post("pause-task", "/tasks/{id}/pause", "Hold a task that does nothing at the moment", "tasks"),
		bodyRule{limit: maxBody}, codes, s.act(s.Engine.Pause))
	handleBody[nothing](s, post("resume-task", "/tasks/{id}/resume", "Let a paused task go on where it was", "tasks"),
		bodyRule{limit: maxBody}, codes, s.act(s.Engine.Resume))
	handleBody[ResolveTask](s, post("resolve-task", "/tasks/{id}/resolve", "Say what a step in review came to", "tasks"),
		bodyRule{limit: maxBody, example: ResolveTask{Outcome: "done", Reason: "the new table is there"}}, codes, s.resolveTask)
}

// act makes the handler of a command that takes nothing but the task.
func (s *Server) act(do func(context.Context, core.Actor, string) (core.Task, error)) func(context.Context, *byID) (*answer[Task], error) {
	return func(ctx context.Context, in *byID) (*answer[Task], error) {
		if _, err := decodeMaybe[nothing](ctx); err != nil {
			return nil, err
		}
		t, err := do(ctx, actorOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		view, err := s.showTask(ctx, t.ID)
		return answered(view), err
	}
}

func (s *Server) cancelTask(ctx context.Context, in *byID) (*answer[Cancelled], error) {
	body, err := decodeMaybe[CancelTask](ctx)
	if err != nil {
		return nil, err
	}
	if len(body.Reason) > core.MaxReason {
		return nil, core.Invalid(core.FieldError{Path: "reason", Message: "4096 bytes at most"})
	}
	t, changed, err := s.Engine.Cancel(ctx, actorOf(ctx), in.ID, body.Reason)
	if err != nil {
		return nil, err
	}
	view, err := s.showTask(ctx, t.ID)
	return answered(Cancelled{Task: view, Changed: changed}), err
}

func (s *Server) resolveTask(ctx context.Context, in *byID) (*answer[Task], error) {
	body, err := decode[ResolveTask](ctx)
	if err != nil {
		return nil, err
	}
	if body.Outcome != "done" && body.Outcome != "failed" {
		return nil, core.Invalid(core.FieldError{Path: "outcome", Message: "done or failed"})
	}
	t, err := s.Engine.Resolve(ctx, actorOf(ctx), in.ID, body.Outcome == "done", body.Reason)
	if err != nil {
		return nil, err
	}
	view, err := s.showTask(ctx, t.ID)
	return answered(view), err
}
