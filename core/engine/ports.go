package engine

import (
	"context"
	"errors"
	"time"

	"holdpoint/core"
)

// Store is where the records live. Its errors: what a closure returned comes back as it is; anything
// that the store says to be of unknown outcome matches ErrUnknownOutcome, and the engine then tells
// nobody yes or no.
type Store interface {
	// Update runs fn in one transaction that is on disk when nil is returned. fn runs once, does no
	// I/O and keeps nothing of what it was given.
	Update(ctx context.Context, fn func(Tx) error) error
	// UpdateNew is Update for new work, which is refused with a core.Error of code disk_full while
	// there is still room for decisions and stops.
	UpdateNew(ctx context.Context, fn func(Tx) error) error
	// View shows what is synced, and waits for no writer.
	View(ctx context.Context, fn func(Reader) error) error
	// StillMine is an error once the file was replaced, removed or the store stopped itself.
	StillMine() error
}

// ErrUnknownOutcome is matched by an error of a commit that may or may not be on disk. The daemon ends
// itself on it, and the disk decides at the next start.
var ErrUnknownOutcome = errors.New("the commit's outcome is unknown")

// Tx reads its own writes.
type Tx interface {
	Reader
	// Apply writes everything of a change: records, secondary indexes, deadlines and the audit's rows.
	Apply(core.Change)
}

// Reader looks records up. A record that can't be read (damaged, changed from outside) is not absent:
// the store stops itself.
type Reader interface {
	TaskReader
	ApprovalReader
	ExecutionReader
	CardReader
	AccessReader
	EventReader
	// Match gives the ids that begin with a prefix, at most limit of them.
	Match(prefix string, limit int) []string
	// Epoch is raised by every restore.
	Epoch() int64
}

// TaskReader looks tasks up.
type TaskReader interface {
	Task(id string) (core.Task, bool)
	Tasks(q TaskQuery) []core.Task         // newest first
	TasksIn(state core.TaskState) []string // ids, oldest first
	RollingBack() []string                 // ids of the tasks whose rollback waits or runs, oldest first
	Children(task string) []string         // ids, oldest first
	Request(requester, id string) (core.Request, bool)
}

// TaskQuery pages through tasks, newest first.
type TaskQuery struct {
	State  core.TaskState // "": all
	Before string         // an id: only older ones; "" from the newest
	Limit  int            // at most this many; the caller bounds it
}

// ApprovalReader looks approvals, their claims and their deadlines up.
type ApprovalReader interface {
	Approval(id string) (core.Approval, bool)
	ApprovalByCode(code string) (core.Approval, bool)
	Approvals(q ApprovalQuery) []core.Approval // newest first
	ApprovalsOf(task string) []core.Approval   // oldest first
	Claim(approval string) (core.Claim, bool)
	// Due gives the approvals and executions whose deadline is not after now, the oldest deadline first.
	Due(now time.Time, limit int) []string
	// NextDeadline is the nearest of all deadlines.
	NextDeadline() (time.Time, bool)
}

// ApprovalQuery pages through approvals, newest first, by their stored state.
type ApprovalQuery struct {
	State  core.ApprovalState // "": all
	Before string
	Limit  int
}

// ExecutionReader looks sessions and executions up.
type ExecutionReader interface {
	Session(id string) (core.Session, bool)
	SessionsOf(task string) []core.Session // oldest first
	Execution(id string) (core.Execution, bool)
	ExecutionsOf(task string) []core.Execution // oldest first
	OpenExecutions() []core.Execution          // every one whose end is not recorded or whose teardown is pending, oldest first
}

// CardReader looks the cards' rows up.
type CardReader interface {
	Card(surface, subject string) (core.Card, bool)
	CardsOf(subject string) []core.Card
	// CardsWaiting gives the cards of a surface whose newest revision was not shown, at most limit.
	CardsWaiting(surface string, limit int) []core.Card
}

// AccessReader looks tokens, sign-in links and web sessions up, by the hash of their secret.
type AccessReader interface {
	Token(hash string) (core.Token, bool)
	Tokens() []core.Token
	SignIn(hash string) (core.SignIn, bool)
	WebSession(hash string) (core.WebSession, bool)
	WebSessions(person string) []core.WebSession
}

// EventReader reads the audit.
type EventReader interface {
	Events(after int64, limit int) []core.Event                // oldest first
	EventsBefore(before int64, limit int) []core.Event         // newest first; 0: from the newest
	EventsOf(task string, after int64, limit int) []core.Event // of one task, oldest first
	EventHead() int64                                          // the number of the newest, 0 if there is none
}

// Launch is everything that a runtime needs to start one execution. The values of PassEnv are taken
// from the daemon's own environment at this moment and are written nowhere.
type Launch struct {
	ID      string // the execution's
	Argv    []string
	Dir     string
	MakeDir bool // the directory is the daemon's own and is made where it is absent
	Env     map[string]string
	Vars    map[string]string
	PassEnv []string
	Own     map[string]string // HOLDPOINT_TASK and the like
	Timeout time.Duration     // 0: none
	Grace   time.Duration
}

// SightingState is what a runtime sees of an execution.
type SightingState string

// What may be seen. Only what is provably so is told; anything else is an error, never Lost.
const (
	SeenNever SightingState = "never" // neither started nor void yet
	SeenVoid  SightingState = "void"  // it will never start
	SeenLive  SightingState = "live"
	SeenEnded SightingState = "ended"
	SeenLost  SightingState = "lost" // it started, no status was recorded, and nothing of it lives
)

// Sighting is what a runtime sees of an execution now. The rest is set where State is SeenEnded.
type Sighting struct {
	State    SightingState
	ExitCode int
	TimedOut bool
	Stopped  bool
	Message  string // why it ended as it did
	Summary  string // the line written to $HOLDPOINT_SUMMARY
}

// Runtime runs executions. Every method is safe to repeat.
type Runtime interface {
	// Launch starts an execution unless it was started or voided before; nil once it is durable that
	// it started. An error that matches ErrNeverRan says that nothing ran and nothing will.
	Launch(ctx context.Context, l Launch) error
	// Void makes sure that an execution that has not started never will; false: it had started.
	Void(id string) (bool, error)
	// Stop ends every process of an execution and returns nil only once none lives: gracefully first, or
	// at once with force. One that has not started is made void. It may be called again, also to raise a
	// graceful stop by force while that is under way.
	Stop(ctx context.Context, id, reason string, force bool) error
	// Look sees an execution now.
	Look(id string) (Sighting, error)
	// Wait returns once the execution is no longer live.
	Wait(ctx context.Context, id string) (Sighting, error)
}

// ErrNeverRan is matched by a launch that provably ran nothing and never will.
var ErrNeverRan = errors.New("the execution never ran")

// Files digests files inside a directory: of the names given, those that are regular files inside it,
// by the name that was given. A name that is no such file is left out.
type Files interface {
	Digests(ctx context.Context, dir string, names []string) (map[string]string, error)
}

// Surface shows cards to people.
type Surface interface {
	// Name is the surface's name in cards and decisions.
	Name() string
	// Show posts a card, or edits the one that ref names, and returns where it is kept. An error is a
	// *Failure, or counts as unavailable.
	Show(ctx context.Context, s Showing) (ref string, err error)
}

// Showing is what a surface is to show: the approval with its task, read in one view.
type Showing struct {
	Card     core.Card
	Approval core.Approval
	Task     core.Task
	Claim    *core.Claim
}

// FailureKind is a surface's classification of what went wrong; the card loop alone decides what
// follows from it.
type FailureKind string

// The kinds of failures.
const (
	FailureRateLimited FailureKind = "rate limited" // try again after RetryAfter
	FailureUnavailable FailureKind = "unavailable"  // try again, with back-off
	FailureUnknown     FailureKind = "unknown outcome"
	FailureGone        FailureKind = "gone" // the place is no longer there
	FailureForbidden   FailureKind = "forbidden"
	FailureMalformed   FailureKind = "malformed" // it will never be taken like this
)

// Failure is a classified error of a surface.
type Failure struct {
	Kind       FailureKind
	RetryAfter time.Duration
	Err        error
}

// Error tells kind and cause.
func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Err.Error() }

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }
