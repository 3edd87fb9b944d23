package api

import (
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/summaries"
)

// Task is a task or a goal as the API shows it. Nothing is left out when it is empty.
type Task struct {
	ID          string         `json:"id"`
	Kind        core.Kind      `json:"kind" enum:"task,goal"`
	Title       string         `json:"title"`
	Objective   string         `json:"objective" doc:"of a goal"`
	State       core.TaskState `json:"state" enum:"queued,running,awaiting_approval,paused,review,completed,failed,rejected,cancelled"`
	Reason      string         `json:"reason" doc:"why it is where it is: a person's words, or the daemon's"`
	Revision    int64          `json:"revision" doc:"raised by every change"`
	Current     Current        `json:"current_checkpoint"`
	Completed   []string       `json:"completed_checkpoints" doc:"titles"`
	NextAction  string         `json:"next_action"`
	Rollback    Rollback       `json:"rollback"`
	Approval    *TaskApproval  `json:"approval" doc:"the current one, or the last"`
	Checkpoints []Checkpoint   `json:"checkpoints"`
	Sessions    []Session      `json:"sessions"`
	ParentID    string         `json:"parent_task_id"`
	Children    []string       `json:"children"`
	RequestedBy string         `json:"requested_by" doc:"person:NAME, operator:NAME or agent:NAME"`
	OnBehalfOf  string         `json:"on_behalf_of"`
	Workdir     string         `json:"workdir"`
	CreatedAt   time.Time      `json:"created_at"`
	UpdatedAt   time.Time      `json:"updated_at"`
}

// Current is the checkpoint at hand.
type Current struct {
	Index   int    `json:"index" doc:"from 0"`
	Title   string `json:"title"`
	Attempt int    `json:"attempt" doc:"from 1"`
	Round   int    `json:"round" doc:"from 1; of a goal"`
}

// Rollback is what there is to undo, newest first, and how far that is.
type Rollback struct {
	Notes      []core.Note        `json:"notes"`
	State      core.RollbackState `json:"state" enum:"none,noted,awaiting_approval,running,done,failed"`
	Checkpoint *CheckpointRef     `json:"checkpoint" doc:"that is undone, or was; null while nobody asked"`
	ApprovalID string             `json:"approval_id" doc:"of the rollback, if it was asked for"`
	Reason     string             `json:"reason" doc:"noted and failed: why"`
}

// TaskApproval is a task's approval in short.
type TaskApproval struct {
	ID       string             `json:"id"`
	Code     string             `json:"code"`
	State    core.ApprovalState `json:"state"`
	Guidance string             `json:"guidance" doc:"what to do about it, in a sentence"`
}

// Checkpoint is one checkpoint of a task in its newest attempt.
type Checkpoint struct {
	Index         int                  `json:"index"`
	Title         string               `json:"title"`
	Detail        string               `json:"detail"`
	Risk          core.Risk            `json:"risk"`
	State         core.CheckpointState `json:"state" enum:"pending,awaiting_approval,approved,running,succeeded,failed,rejected"`
	Attempt       int                  `json:"attempt" doc:"0 while it was never gated"`
	Ran           bool                 `json:"ran"`
	RollbackNotes string               `json:"rollback_notes" doc:"empty: there is no note"`
	Undoable      bool                 `json:"undoable" doc:"it ran, and has a rollback_run that may be asked for"`
	Summary       string               `json:"summary" doc:"a line that the step wrote, or why it ended"`
	StartedAt     *time.Time           `json:"started_at"`
	EndedAt       *time.Time           `json:"ended_at"`
}

// Session is one line of work of a task.
type Session struct {
	ID        string            `json:"id"`
	Name      string            `json:"name"`
	State     core.SessionState `json:"state"`
	Execution *Execution        `json:"execution" doc:"the live one, or the last"`
}

// Execution is one concrete run of a session.
type Execution struct {
	ID         string              `json:"id"`
	Kind       core.ExecutionKind  `json:"kind"`
	State      core.ExecutionState `json:"state" enum:"claimed,started,ended"`
	Checkpoint int                 `json:"checkpoint"`
	Attempt    int                 `json:"attempt"`
	Round      int                 `json:"round"`
	Outcome    core.Outcome        `json:"outcome" doc:"empty while it is live"`
	ExitCode   int                 `json:"exit_code"`
	Message    string              `json:"message"`
	Teardown   Teardown            `json:"teardown"`
	StartedAt  *time.Time          `json:"started_at"`
	EndedAt    *time.Time          `json:"ended_at"`
}

// Teardown is how far the ending of an execution's processes is.
type Teardown struct {
	State  string `json:"state" enum:"none,pending,done,failed"`
	Reason string `json:"reason" doc:"failed: why; else why it was stopped"`
	Force  bool   `json:"force"`
}

func (s *Server) task(d engine.TaskDetail, lang summaries.Lang) Task {
	t := d.Task
	at, progress := t.At()
	out := Task{
		ID: t.ID, Kind: t.Plan.Kind, Title: t.Plan.Title, Objective: t.Plan.Objective, State: t.State, Reason: t.Reason, Revision: t.Revision,
		Current:    Current{Index: t.Current, Title: at.Title, Attempt: progress.Attempt, Round: t.Round},
		Completed:  t.Completed(),
		NextAction: summaries.NextAction(t, d.Approval, d.Now, lang),
		Rollback:   rollback(t),
		Sessions:   sessions(d), ParentID: t.ParentID, Children: list(d.Children), RequestedBy: t.RequestedBy.String(),
		OnBehalfOf: t.Plan.OnBehalfOf, Workdir: t.Plan.Workdir, CreatedAt: t.CreatedAt.UTC(), UpdatedAt: t.UpdatedAt.UTC(),
	}
	if a := d.Approval; a.ID != "" {
		out.Approval = &TaskApproval{ID: a.ID, Code: a.Code, State: a.StateAt(d.Now), Guidance: summaries.Guidance(t, a, d.Now, lang)}
	}
	for i, p := range t.Checkpoints {
		c := t.Plan.Checkpoints[i]
		out.Checkpoints = append(out.Checkpoints, Checkpoint{Index: i, Title: c.Title, Detail: c.Detail, Risk: c.Risk, State: p.State,
			Attempt: p.Attempt, Ran: p.Ran, RollbackNotes: c.Note, Undoable: p.Ran && !c.RollbackRun.IsZero(), Summary: p.Summary, StartedAt: moment(p.StartedAt), EndedAt: moment(p.EndedAt)})
	}
	return out
}

func rollback(t core.Task) Rollback {
	out := Rollback{Notes: t.RollbackNotes(), State: t.Rollback.State, ApprovalID: t.Rollback.ApprovalID, Reason: t.Rollback.Reason}
	if i := t.Rollback.Checkpoint; out.ApprovalID != "" && i >= 0 && i < len(t.Plan.Checkpoints) {
		out.Checkpoint = &CheckpointRef{Index: i, Title: t.Plan.Checkpoints[i].Title}
	}
	return out
}

// teardown tells why it failed, else why it was asked for.
func teardown(t core.Teardown) Teardown {
	out := Teardown{State: orElse(string(t.State), "none"), Reason: t.Reason, Force: t.Force}
	if t.State == core.TeardownFailed {
		out.Reason = t.Failure
	}
	return out
}

func sessions(d engine.TaskDetail) []Session {
	byID := map[string]core.Execution{}
	for _, x := range d.Executions {
		byID[x.ID] = x
	}
	out := []Session{}
	for _, one := range d.Sessions {
		v := Session{ID: one.ID, Name: one.Name, State: one.State}
		if x, ok := byID[one.ExecutionID]; ok {
			v.Execution = execution(x)
		}
		out = append(out, v)
	}
	return out
}

func execution(x core.Execution) *Execution {
	return &Execution{ID: x.ID, Kind: x.Kind, State: x.State, Checkpoint: x.Checkpoint, Attempt: x.Attempt, Round: x.Round,
		Outcome: x.Outcome, ExitCode: x.ExitCode, Message: x.Message,
		Teardown:  teardown(x.Teardown),
		StartedAt: moment(x.StartedAt), EndedAt: moment(x.EndedAt)}
}

// list gives a list that is never null.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}
