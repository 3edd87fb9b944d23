package core

import (
	"cmp"
	"slices"
	"time"
)

// TaskState is the state of a task or a goal.
type TaskState string

// The states of section 3 of the contract; those after review are terminal.
const (
	TaskQueued    TaskState = "queued"
	TaskRunning   TaskState = "running"
	TaskAwaiting  TaskState = "awaiting_approval"
	TaskPaused    TaskState = "paused"
	TaskReview    TaskState = "review" // nobody knows whether the step took effect: a person looks
	TaskCompleted TaskState = "completed"
	TaskFailed    TaskState = "failed"
	TaskRejected  TaskState = "rejected"
	TaskCancelled TaskState = "cancelled"
)

// TaskStates lists every state, live ones first.
func TaskStates() []TaskState {
	return []TaskState{TaskQueued, TaskRunning, TaskAwaiting, TaskPaused, TaskReview, TaskCompleted, TaskFailed, TaskRejected, TaskCancelled}
}

// Terminal says that nothing goes on by itself any more.
func (s TaskState) Terminal() bool {
	switch s {
	case TaskCompleted, TaskFailed, TaskRejected, TaskCancelled:
		return true
	}
	return false
}

// CheckpointState is the state of one checkpoint of a task.
type CheckpointState string

// The states of a checkpoint.
const (
	CheckpointPending   CheckpointState = "pending"
	CheckpointAwaiting  CheckpointState = "awaiting_approval"
	CheckpointApproved  CheckpointState = "approved"
	CheckpointRunning   CheckpointState = "running" // also while in review: nobody knows more
	CheckpointSucceeded CheckpointState = "succeeded"
	CheckpointFailed    CheckpointState = "failed"
	CheckpointRejected  CheckpointState = "rejected"
)

// Progress is where one checkpoint of a task stands in its newest attempt.
type Progress struct {
	State     CheckpointState
	Attempt   int    // 1 for the first; 0 while it was never gated
	Ran       bool   // in any attempt or round: there is something to undo
	Execution string // its newest one, of whatever attempt or round; ids sort by time
	Summary   string // one line that the step wrote, or why it ended; text of a program
	StartedAt time.Time
	EndedAt   time.Time
}

// Rollback is the rollback of a task as far as it was asked for.
type Rollback struct {
	State      RollbackState
	Checkpoint int    // whose rollback_run, while State is awaiting_approval and after
	ApprovalID string // the newest approval that was asked for it
	Execution  string // its run
	Reason     string
}

// RollbackState is the state of a task's rollback.
type RollbackState string

// The states of a rollback.
const (
	RollbackNone     RollbackState = "none"
	RollbackNoted    RollbackState = "noted" // the notes are in the journal
	RollbackAwaiting RollbackState = "awaiting_approval"
	RollbackRunning  RollbackState = "running"
	RollbackDone     RollbackState = "done"
	RollbackFailed   RollbackState = "failed"
)

// Task is the durable record that a plan becomes, task and goal alike. It changes through Step only.
type Task struct {
	ID          string
	Plan        Plan
	State       TaskState
	PausedFrom  TaskState // while paused: where it goes back to
	Revision    int64     // raised by every change
	Current     int       // index of the checkpoint at hand
	Round       int       // 1 for the first
	Checkpoints []Progress
	ApprovalID  string // the current approval, or the last one
	Execution   string // the live execution, "" if there is none
	Rollback    Rollback
	Reason      string // why it is where it is: a person's words, or the daemon's
	Check       string // goals: the last line of the last done_when
	Checking    bool   // goals: the check runs, or its answer is what the record waits on
	RequestedBy Actor
	RequestID   string
	ParentID    string
	Waited      bool // whoever asked waits for the answer: a gate
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Requesters gives the people who asked for the work: the starter, if a person, and whom it is for.
func (t Task) Requesters() []string {
	var out []string
	for _, name := range []string{t.RequestedBy.Person(), t.Plan.OnBehalfOf} {
		if name != "" {
			out = append(out, name)
		}
	}
	return out
}

// At gives the checkpoint at hand and its progress.
func (t *Task) At() (Checkpoint, *Progress) {
	return t.Plan.Checkpoints[t.Current], &t.Checkpoints[t.Current]
}

// Last says that no checkpoint follows the one at hand.
func (t Task) Last() bool { return t.Current == len(t.Plan.Checkpoints)-1 }

// Completed gives the titles of the checkpoints that succeeded in this round, in order.
func (t Task) Completed() []string {
	out := []string{}
	for i, p := range t.Checkpoints {
		if p.State == CheckpointSucceeded {
			out = append(out, t.Plan.Checkpoints[i].Title)
		}
	}
	return out
}

// Note is one rollback note as a surface lists it.
type Note struct {
	Checkpoint int    `json:"checkpoint"`
	Title      string `json:"title"`
	Text       string `json:"text"` // "": there is no note
	Ran        bool   `json:"ran"`
}

// RollbackNotes lists what there is to undo: the checkpoints that ran, newest first, and behind them
// the one at hand if it did not run.
func (t Task) RollbackNotes() []Note {
	out := []Note{}
	for i := range t.Checkpoints {
		if t.Checkpoints[i].Ran {
			out = append(out, t.note(i))
		}
	}
	slices.SortStableFunc(out, func(a, b Note) int { // a goal's later round is newer than what followed in an earlier one
		return cmp.Or(cmp.Compare(t.Checkpoints[b.Checkpoint].Execution, t.Checkpoints[a.Checkpoint].Execution), b.Checkpoint-a.Checkpoint)
	})
	if t.Current < len(t.Checkpoints) && !t.Checkpoints[t.Current].Ran && t.State != TaskCompleted {
		out = append(out, t.note(t.Current))
	}
	return out
}

func (t Task) note(i int) Note {
	c := t.Plan.Checkpoints[i]
	return Note{Checkpoint: i, Title: c.Title, Text: c.Note, Ran: t.Checkpoints[i].Ran}
}
