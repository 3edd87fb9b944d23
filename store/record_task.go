package store

import "holdpoint/core"

// taskRecord is a task as it is stored. The rule of compatibility stands in record.go.
type taskRecord struct {
	header
	ID          string           `json:"id"`
	Plan        core.Plan        `json:"plan"`
	State       core.TaskState   `json:"state"`
	PausedFrom  core.TaskState   `json:"paused_from,omitempty"`
	Revision    int64            `json:"revision"`
	Current     int              `json:"current,omitempty"`
	Round       int              `json:"round"`
	Checkpoints []progressRecord `json:"checkpoints"`
	ApprovalID  string           `json:"approval,omitempty"`
	Execution   string           `json:"execution,omitempty"`
	Rollback    rollbackRecord   `json:"rollback"`
	Reason      string           `json:"reason,omitempty"`
	Check       string           `json:"check,omitempty"`
	Checking    bool             `json:"checking,omitempty"`
	RequestedBy actorRecord      `json:"requested_by"`
	RequestID   string           `json:"request_id,omitempty"`
	ParentID    string           `json:"parent,omitempty"`
	Waited      bool             `json:"waited,omitempty"`
	CreatedAt   millis           `json:"created_at,omitempty"`
	UpdatedAt   millis           `json:"updated_at,omitempty"`
}

// progressRecord is one checkpoint's progress inside a task.
type progressRecord struct {
	State     core.CheckpointState `json:"state"`
	Attempt   int                  `json:"attempt,omitempty"`
	Ran       bool                 `json:"ran,omitempty"`
	Execution string               `json:"execution,omitempty"`
	Summary   string               `json:"summary,omitempty"`
	StartedAt millis               `json:"started_at,omitempty"`
	EndedAt   millis               `json:"ended_at,omitempty"`
}

// rollbackRecord is the rollback inside a task.
type rollbackRecord struct {
	State      core.RollbackState `json:"state,omitempty"`
	Checkpoint int                `json:"checkpoint,omitempty"`
	ApprovalID string             `json:"approval,omitempty"`
	Execution  string             `json:"execution,omitempty"`
	Reason     string             `json:"reason,omitempty"`
}

func toTask(t core.Task) taskRecord {
	r := taskRecord{
		header: current, ID: t.ID, Plan: t.Plan, State: t.State, PausedFrom: t.PausedFrom, Revision: t.Revision,
		Current: t.Current, Round: t.Round, ApprovalID: t.ApprovalID, Execution: t.Execution,
		Rollback: rollbackRecord(t.Rollback), Reason: t.Reason, Check: t.Check, Checking: t.Checking,
		RequestedBy: toActor(t.RequestedBy), RequestID: t.RequestID, ParentID: t.ParentID, Waited: t.Waited,
		CreatedAt: toMillis(t.CreatedAt), UpdatedAt: toMillis(t.UpdatedAt),
	}
	for _, p := range t.Checkpoints {
		r.Checkpoints = append(r.Checkpoints, progressRecord{
			State: p.State, Attempt: p.Attempt, Ran: p.Ran, Execution: p.Execution, Summary: p.Summary,
			StartedAt: toMillis(p.StartedAt), EndedAt: toMillis(p.EndedAt),
		})
	}
	return r
}

func fromTask(r taskRecord) core.Task {
	t := core.Task{
		ID: r.ID, Plan: r.Plan, State: r.State, PausedFrom: r.PausedFrom, Revision: r.Revision,
		Current: r.Current, Round: r.Round, ApprovalID: r.ApprovalID, Execution: r.Execution,
		Rollback: core.Rollback(r.Rollback), Reason: r.Reason, Check: r.Check, Checking: r.Checking,
		RequestedBy: r.RequestedBy.actor(), RequestID: r.RequestID, ParentID: r.ParentID, Waited: r.Waited,
		CreatedAt: r.CreatedAt.time(), UpdatedAt: r.UpdatedAt.time(),
	}
	for _, p := range r.Checkpoints {
		t.Checkpoints = append(t.Checkpoints, core.Progress{
			State: p.State, Attempt: p.Attempt, Ran: p.Ran, Execution: p.Execution, Summary: p.Summary,
			StartedAt: p.StartedAt.time(), EndedAt: p.EndedAt.time(),
		})
	}
	return t
}
