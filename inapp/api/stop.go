package api

import (
	"context"
	"errors"
	"time"

	"github.com/oklog/ulid/v2"

	"holdpoint/core"
	"holdpoint/core/engine"
)

// StopTask is the body of a task's stop.
type StopTask struct {
	Reason string `json:"reason,omitempty" maxLength:"4096"`
	Force  bool   `json:"force,omitempty" doc:"without a grace; repeated, it raises a teardown that is pending"`
	Tree   bool   `json:"tree,omitempty" doc:"its children too, as far as possible"`
}

// StopSession is the body of a session's stop.
type StopSession struct {
	Reason string `json:"reason,omitempty" maxLength:"4096"`
	Force  bool   `json:"force,omitempty"`
}

// TaskStop is what stopping a task came to. Stopped means cancelled on disk, with the teardown under way.
type TaskStop struct {
	Status   string        `json:"status" enum:"stopped,not_running"`
	Sessions []SessionStop `json:"sessions" doc:"in the order of their ids"`
	Children []string      `json:"children" doc:"which run on unless tree was asked for"`
}

// SessionStop is what stopping one session came to. Changed is true only once CANCELLED is on disk.
type SessionStop struct {
	SessionID string `json:"session_id"`
	StoppedSession
}

// StoppedSession is the answer to a session's stop.
type StoppedSession struct {
	Changed     bool              `json:"changed"`
	FinalState  core.SessionState `json:"final_state" doc:"empty: nothing of it is live"`
	ExecutionID string            `json:"execution_id" doc:"empty: nothing of it is live"`
}

// SessionDetail is a session with the task that it belongs to.
type SessionDetail struct {
	Session
	TaskID    string    `json:"task_id"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

func (s *Server) stopRoutes() {
	codes := []core.Code{core.CodeNotFound, core.CodeForbidden, core.CodeConflict, core.CodeDiskFull}
	handleBody[StopTask](s, post("stop-task", "/tasks/{id}/stop", "Stop a task: cancel it at its gate, or end all that works for it", "tasks"),
		bodyRule{limit: maxBody}, codes, s.stopTask)
	handleBody[StopSession](s, post("stop-session", "/sessions/{id}/stop", "Stop one session", "sessions"), bodyRule{limit: maxBody}, codes, s.stopSession)
	handle(s, get("get-session", "/sessions/{id}", "Show a session", "sessions"), []core.Code{core.CodeNotFound}, s.getSession)
}

// reasonFits bounds a reason in bytes; the description bounds it in characters.
func reasonFits(reason string) error {
	if len(reason) > core.MaxReason {
		return core.Invalid(core.FieldError{Path: "reason", Message: "4096 bytes at most"})
	}
	return nil
}

func (s *Server) stopTask(ctx context.Context, in *byID) (*answer[TaskStop], error) {
	body, err := decodeMaybe[StopTask](ctx)
	if err == nil {
		err = reasonFits(body.Reason)
	}
	if err != nil {
		return nil, err
	}
	found, err := s.Engine.StopTask(ctx, engine.StopTask{Actor: actorOf(ctx), Task: in.ID, Reason: body.Reason, Force: body.Force, Tree: body.Tree})
	out := TaskStop{Status: "not_running", Sessions: []SessionStop{}, Children: list(found.Children)}
	if found.Stopped {
		out.Status = "stopped"
	}
	for _, one := range found.Sessions {
		out.Sessions = append(out.Sessions, SessionStop{SessionID: one.SessionID, StoppedSession: stopped(one)})
	}
	if err != nil {
		p := problem(ctx, retryable(in.ID, err))
		p.Sessions = out.Sessions
		return nil, p
	}
	return answered(out), nil
}

func stopped(r engine.StopResult) StoppedSession {
	return StoppedSession{Changed: r.Changed, FinalState: r.FinalState, ExecutionID: r.ExecutionID}
}

// retryable makes a failure that is no refusal one that says that it may be tried again: nothing was torn
// down whose CANCELLED is not on disk.
func retryable(id string, err error) error {
	if _, ok := errors.AsType[*core.Error](err); ok {
		return err
	}
	refusal := core.Refuse(core.CodeUnavailable, id, "it could not be stopped: try again")
	refusal.Err = err
	return refusal
}

func (s *Server) stopSession(ctx context.Context, in *byID) (*answer[StoppedSession], error) {
	body, err := decodeMaybe[StopSession](ctx)
	if err == nil {
		err = reasonFits(body.Reason)
	}
	if err != nil {
		return nil, err
	}
	found, err := s.Engine.StopSession(ctx, actorOf(ctx), in.ID, body.Reason, body.Force)
	if err != nil {
		return nil, retryable(in.ID, err)
	}
	return answered(stopped(found)), nil
}

// getSession looks among the tasks that lived when the session began: its id tells when that was.
func (s *Server) getSession(ctx context.Context, in *byID) (*answer[SessionDetail], error) {
	unknown := core.Refuse(core.CodeNotFound, in.ID, "nothing is known under this id")
	if len(in.ID) <= len(core.PrefixSession) || in.ID[:len(core.PrefixSession)] != core.PrefixSession {
		return nil, unknown
	}
	mark, err := ulid.Parse(in.ID[len(core.PrefixSession):])
	if err != nil {
		return nil, unknown
	}
	began, actor := mark.Timestamp(), actorOf(ctx)
	const page = 200
	for before := ""; ; {
		tasks, err := s.Engine.Tasks(ctx, actor, engine.TaskQuery{Before: before, Limit: page})
		if err != nil {
			return nil, err
		}
		for _, t := range tasks {
			if t.CreatedAt.After(began.Add(time.Second)) || t.UpdatedAt.Before(began.Add(-time.Second)) {
				continue
			}
			d, err := s.Engine.Task(ctx, actor, t.ID)
			if err != nil {
				return nil, err
			}
			if out, ok := sessionOf(d, in.ID); ok {
				return answered(out), nil
			}
		}
		if len(tasks) < page {
			return nil, unknown
		}
		before = tasks[len(tasks)-1].ID
	}
}

func sessionOf(d engine.TaskDetail, id string) (SessionDetail, bool) {
	for i, one := range d.Sessions {
		if one.ID == id {
			return SessionDetail{Session: sessions(d)[i], TaskID: d.Task.ID, CreatedAt: one.CreatedAt.UTC(), UpdatedAt: one.UpdatedAt.UTC()}, true
		}
	}
	return SessionDetail{}, false
}
