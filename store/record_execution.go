package store

import "holdpoint/core"

// sessionRecord is a session as it is stored. The rule of compatibility stands in record.go.
type sessionRecord struct {
	header
	ID          string            `json:"id"`
	TaskID      string            `json:"task,omitempty"`
	Name        string            `json:"name,omitempty"`
	State       core.SessionState `json:"state"`
	ExecutionID string            `json:"execution,omitempty"`
	Revision    int64             `json:"revision"`
	CreatedAt   millis            `json:"created_at,omitempty"`
	UpdatedAt   millis            `json:"updated_at,omitempty"`
}

func toSession(s core.Session) sessionRecord {
	return sessionRecord{current, s.ID, s.TaskID, s.Name, s.State, s.ExecutionID, s.Revision, toMillis(s.CreatedAt), toMillis(s.UpdatedAt)}
}

func fromSession(r sessionRecord) core.Session {
	return core.Session{ID: r.ID, TaskID: r.TaskID, Name: r.Name, State: r.State, ExecutionID: r.ExecutionID,
		Revision: r.Revision, CreatedAt: r.CreatedAt.time(), UpdatedAt: r.UpdatedAt.time()}
}

// executionRecord is an execution as it is stored.
type executionRecord struct {
	header
	ID         string              `json:"id"`
	SessionID  string              `json:"session,omitempty"`
	TaskID     string              `json:"task,omitempty"`
	ApprovalID string              `json:"approval,omitempty"`
	Kind       core.ExecutionKind  `json:"kind"`
	Checkpoint int                 `json:"checkpoint,omitempty"`
	Attempt    int                 `json:"attempt,omitempty"`
	Round      int                 `json:"round,omitempty"`
	State      core.ExecutionState `json:"state"`
	Outcome    core.Outcome        `json:"outcome,omitempty"`
	ExitCode   int                 `json:"exit,omitempty"`
	Message    string              `json:"message,omitempty"`
	Summary    string              `json:"summary,omitempty"`
	Teardown   teardownRecord      `json:"teardown,omitzero"`
	Deadline   millis              `json:"deadline,omitempty"`
	ClaimedAt  millis              `json:"claimed_at,omitempty"`
	StartedAt  millis              `json:"started_at,omitempty"`
	EndedAt    millis              `json:"ended_at,omitempty"`
}

// teardownRecord is the intent to end an execution's processes, inside the execution.
type teardownRecord struct {
	State  core.TeardownState `json:"state,omitempty"`
	Reason string             `json:"reason,omitempty"`
	Force  bool               `json:"force,omitempty"`

	At      millis `json:"at,omitempty"`
	Tries   int    `json:"tries,omitempty"`
	TriedAt millis `json:"tried_at,omitempty"`
	Failure string `json:"failure,omitempty"`
}

func toTeardown(t core.Teardown) teardownRecord {
	return teardownRecord{State: t.State, Reason: t.Reason, Force: t.Force, At: toMillis(t.At), Tries: t.Tries, TriedAt: toMillis(t.TriedAt), Failure: t.Failure}
}

func (r teardownRecord) teardown() core.Teardown {
	return core.Teardown{State: r.State, Reason: r.Reason, Force: r.Force, At: r.At.time(), Tries: r.Tries, TriedAt: r.TriedAt.time(), Failure: r.Failure}
}

func toExecution(x core.Execution) executionRecord {
	return executionRecord{
		header: current, ID: x.ID, SessionID: x.SessionID, TaskID: x.TaskID, ApprovalID: x.ApprovalID, Kind: x.Kind,
		Checkpoint: x.Checkpoint, Attempt: x.Attempt, Round: x.Round, State: x.State, Outcome: x.Outcome, ExitCode: x.ExitCode,
		Message: x.Message, Summary: x.Summary, Teardown: toTeardown(x.Teardown), Deadline: toMillis(x.Deadline),
		ClaimedAt: toMillis(x.ClaimedAt), StartedAt: toMillis(x.StartedAt), EndedAt: toMillis(x.EndedAt),
	}
}

func fromExecution(r executionRecord) core.Execution {
	return core.Execution{
		ID: r.ID, SessionID: r.SessionID, TaskID: r.TaskID, ApprovalID: r.ApprovalID, Kind: r.Kind,
		Checkpoint: r.Checkpoint, Attempt: r.Attempt, Round: r.Round, State: r.State, Outcome: r.Outcome, ExitCode: r.ExitCode,
		Message: r.Message, Summary: r.Summary, Teardown: r.Teardown.teardown(), Deadline: r.Deadline.time(),
		ClaimedAt: r.ClaimedAt.time(), StartedAt: r.StartedAt.time(), EndedAt: r.EndedAt.time(),
	}
}
