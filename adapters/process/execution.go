package process

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// The errors of this package that a caller tells apart with errors.Is. Every
// other error means that the outcome is unknown: look again.
var (
	// ErrVoid means that the execution was voided before it could start. It
	// never ran and never will.
	ErrVoid = errors.New("execution is void: it was stopped before it started")
	// ErrNotStarted means that nothing ran so far, for certain. The same id may
	// be launched again.
	ErrNotStarted = errors.New("execution was not started")
	// ErrLive means that an execution cannot be removed since it still runs.
	ErrLive = errors.New("execution is still running: stop it first")
	// ErrUnsupported means that this operating system has no runtime.
	ErrUnsupported = errors.New("running steps needs linux or macOS")
)

// Spec says what one execution runs.
type Spec struct {
	// ID names the execution and its folder: letters, digits, `_` and `-`.
	ID string
	// Argv is the command and its arguments. A command without a slash is
	// looked up in the PATH of Env; a relative one with a slash counts from Dir.
	Argv []string
	// Dir is the absolute path of the working directory.
	Dir string
	// Env is the whole environment as NAME=value. It is handed over in memory
	// and never written to disk. HOLDPOINT_SUMMARY is added to it.
	Env []string
	// Timeout is how long the command may run; zero means without limit.
	Timeout time.Duration
	// Grace is the time between TERM and KILL; zero means KILL at once.
	Grace time.Duration
	// Stdin is what the command reads; nil means nothing. It is kept in the
	// execution's folder, so it is no place for secrets.
	Stdin []byte
}

// State is what a look at an execution found.
type State string

// The states of an execution, as [Runtime.Look] finds them.
const (
	Never State = "never" // no supervisor has taken it up so far
	Void  State = "void"  // it will never run
	Live  State = "live"  // its supervisor or a process of the command lives
	Ended State = "ended" // its status is on disk
	Lost  State = "lost"  // it was started, nobody is alive, and there is no status
)

// Sighting is the result of one look.
type Sighting struct {
	State State
	// Status is set in state Ended alone.
	Status *Status
	// Pid is the supervisor's, in every state that had one. It is for people to
	// read; signals go through [Runtime.Stop].
	Pid int
	// Members counts processes of the command that live without a supervisor:
	// in state Live since it died, in state Ended since the command left them
	// behind. Stop ends them.
	Members int
}

// Status is how an execution ended.
type Status struct {
	// ExitCode is the command's own; 127 when it was not found, 126 when it
	// could not be run, 128 and the signal's number when a signal ended it.
	ExitCode int `json:"exit_code"`
	// Signal is the name of the signal that ended the command, as SIGKILL.
	Signal string `json:"signal,omitempty"`
	// TimedOut and Stopped say that the supervisor ended it, and why; the exit
	// code is then whatever came of it, also 0.
	TimedOut bool `json:"timed_out,omitempty"`
	Stopped  bool `json:"stopped,omitempty"`
	// StartedAt and EndedAt are in UTC, by the clock of this machine.
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at"`
	// Summary is the first line that the command wrote to $HOLDPOINT_SUMMARY:
	// valid UTF-8, at most 500 bytes, and otherwise what a program wrote.
	Summary string `json:"summary,omitempty"`
	// Message says in words what happened; empty after a success.
	Message string `json:"message,omitempty"`
	// OutputBytes is the size of the output when the command ended.
	OutputBytes int64 `json:"output_bytes"`
}

// Succeeded reports whether the command ran to its own end and said 0.
func (s Status) Succeeded() bool {
	return s.ExitCode == 0 && s.Signal == "" && !s.TimedOut && !s.Stopped
}

// maxID bounds a name that becomes a folder; an id of holdpoint has 28 bytes.
const maxID = 100

func checkID(id string) error {
	if id == "" || len(id) > maxID {
		return fmt.Errorf("execution id %.20q: want 1 to %d characters", id, maxID)
	}
	for _, c := range id {
		if !strings.ContainsRune("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-", c) {
			return fmt.Errorf("execution id %.20q: want letters, digits, _ and - only", id)
		}
	}
	return nil
}

func (s Spec) check() error {
	switch {
	case len(s.Argv) == 0 || s.Argv[0] == "":
		return errors.New("no command is given")
	case !filepath.IsAbs(s.Dir):
		return fmt.Errorf("workdir %q must be an absolute path", s.Dir)
	case s.Timeout < 0 || s.Grace < 0:
		return errors.New("timeout and stop grace must not be negative")
	}
	return checkID(s.ID)
}
