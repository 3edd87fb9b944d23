package core

import "time"

// SessionState is the state of a session.
type SessionState string

// The states of section 6 of the contract.
const (
	SessionCreated   SessionState = "created"
	SessionStarting  SessionState = "starting"
	SessionRunning   SessionState = "running"
	SessionWaiting   SessionState = "waiting_for_input"
	SessionIdle      SessionState = "idle" // an agent between executions
	SessionCompleted SessionState = "completed"
	SessionFailed    SessionState = "failed"
	SessionCancelled SessionState = "cancelled"
)

// Cancellable says that a stop may write CANCELLED over the state.
func (s SessionState) Cancellable() bool {
	switch s {
	case SessionCreated, SessionStarting, SessionRunning, SessionWaiting:
		return true
	}
	return false
}

// Session is one line of work of a task: a step's process, an agent's conversation. Every claim of a
// step makes a new one.
type Session struct {
	ID          string
	TaskID      string
	Name        string
	State       SessionState
	ExecutionID string // the live or last one
	Revision    int64
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// ExecutionKind says what an execution does for its task.
type ExecutionKind string

// The kinds of executions.
const (
	ExecStep     ExecutionKind = "step"     // a checkpoint's run, by the daemon
	ExecOutside  ExecutionKind = "outside"  // a checkpoint done by whoever claimed it
	ExecRollback ExecutionKind = "rollback" // a checkpoint's rollback_run, by the daemon
	ExecCheck    ExecutionKind = "check"    // a goal's done_when
)

// ExecutionState is how far an execution is.
type ExecutionState string

// The states of an execution: it exists from its claim's commit until its end is recorded.
const (
	ExecClaimed ExecutionState = "claimed" // on disk, perhaps not started
	ExecStarted ExecutionState = "started" // seen to be running
	ExecEnded   ExecutionState = "ended"
)

// Outcome is how an execution ended.
type Outcome string

// The outcomes of an execution.
const (
	OutcomeSucceeded Outcome = "succeeded"
	OutcomeFailed    Outcome = "failed"
	OutcomeTimedOut  Outcome = "timed_out"
	OutcomeLost      Outcome = "lost"    // neither process nor status: nobody knows
	OutcomeStopped   Outcome = "stopped" // by a stop
)

// TeardownState is how far the ending of an execution's processes is.
type TeardownState string

// The states of a teardown.
const (
	TeardownNone    TeardownState = ""
	TeardownPending TeardownState = "pending"
	TeardownDone    TeardownState = "done"
	TeardownFailed  TeardownState = "failed"
)

// Teardown is the durable intent to end an execution's processes, and what became of it.
type Teardown struct {
	State   TeardownState
	Reason  string // of the stop
	Force   bool
	At      time.Time // of the intent
	Tries   int       // that failed
	TriedAt time.Time // the last of them
	Failure string    // why it failed
}

// teardownLadder is how long after each failed try a teardown is tried again, from issue and contract:
// after the last one it counts as failed.
var teardownLadder = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour}

// Next says when a pending teardown is tried next, and whether there is a next try at all.
func (t Teardown) Next() (time.Time, bool) {
	switch {
	case t.State != TeardownPending || t.Tries > len(teardownLadder):
		return time.Time{}, false
	case t.Tries == 0:
		return t.At, true
	}
	return t.TriedAt.Add(teardownLadder[t.Tries-1]), true
}

// Execution is one concrete run of a session with its own id: what gets torn down.
type Execution struct {
	ID         string
	SessionID  string
	TaskID     string
	ApprovalID string // "" for a goal's check, which the approvals of its round cover
	Kind       ExecutionKind
	Checkpoint int
	Attempt    int
	Round      int
	State      ExecutionState
	Outcome    Outcome
	ExitCode   int
	Message    string // why it ended as it did, for people
	Summary    string // what the step wrote to $HOLDPOINT_SUMMARY
	Teardown   Teardown
	Deadline   time.Time // outside work: when it goes to review unreported; zero: never
	ClaimedAt  time.Time
	StartedAt  time.Time
	EndedAt    time.Time
}

// RunsHere says that a process of this daemon's does it.
func (x Execution) RunsHere() bool { return x.Kind != ExecOutside }

// DueAt gives the moment at which the watchdog has to look at it: at its deadline while nobody has
// reported or stopped it.
func (x Execution) DueAt() (time.Time, bool) {
	return x.Deadline, !x.Deadline.IsZero() && x.Live() && x.Teardown.State == TeardownNone
}

// Live says that its end is not recorded yet.
func (x Execution) Live() bool { return x.State != ExecEnded }

// Open says that something is still to be done about it: its end is not recorded, or its teardown is
// pending.
func (x Execution) Open() bool { return x.Live() || x.Teardown.State == TeardownPending }
