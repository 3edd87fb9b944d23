//go:build linux || darwin

package process

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"holdpoint/failpoint"
)

// slowLook is how often a supervisor looks for a request to stop whose signal
// it did not get.
const slowLook = time.Second

// Supervise is the whole life of a supervisor: it takes the execution in dir
// up, runs its command in the environment of this process, and writes how it
// ended. It returns the exit status of the process: 0 when the execution has a
// durable status or is not this supervisor's, else 1. It must be called before
// the program does anything else, and in a process that does nothing else: it
// reaps every child.
func Supervise(dir string) int {
	// Caught, not ignored: an ignored signal would be inherited by the command.
	// A broken pipe to a daemon that died must not end the supervisor, nor a
	// terminal that goes away.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE, syscall.SIGHUP)
	s := &supervisor{folder: folder(dir), signals: make(chan os.Signal, 8)}
	signal.Notify(s.signals, syscall.SIGUSR1, syscall.SIGTERM, syscall.SIGINT)

	said, err := s.take()
	if err != nil {
		fmt.Println(saysFailed + firstLine(err.Error(), maxReason))
		return complain(err)
	}
	fmt.Println(said)
	if said != saysStarted {
		return 0
	}
	if err := failpoint.Hit("superviseStarted"); err != nil {
		return complain(err)
	}
	status := s.supervise()
	if err := failpoint.Hit("superviseBeforeStatus"); err != nil {
		return complain(err)
	}
	if err := s.record(status); err != nil {
		return complain(err)
	}
	if err := failpoint.Hit("superviseStatusWritten"); err != nil {
		return complain(err)
	}
	return 0
}

// complain leaves an error in the supervisor's log.
func complain(err error) int {
	fmt.Fprintln(os.Stderr, "supervisor:", err)
	return 1
}

// take makes the execution this supervisor's own, and returns what to say.
// After an error the command must not run; if `start` was made nevertheless,
// the execution is lost.
func (s *supervisor) take() (said string, err error) {
	if found, err := s.folder.load(specFile, &s.order); err != nil || !found {
		return "", fmt.Errorf("read what to run: found %v: %w", found, err)
	}
	if err := failpoint.Hit("superviseBeforeStart"); err != nil {
		return "", err
	}
	if err := adoptOrphans(); err != nil {
		return "", err
	}
	if s.self, err = ownIdentity(); err != nil {
		return "", err
	}
	raw, err := json.Marshal(s.self)
	if err != nil {
		return "", fmt.Errorf("encode start: %w", err)
	}
	won, err := s.folder.create(startFile, raw)
	if err != nil {
		return "", err
	}
	if won {
		return saysStarted, nil
	}
	if _, void, err := s.folder.start(); err != nil || void {
		return saysVoid, err
	}
	return saysTaken, nil
}

// How long a supervisor tries to write the status: a full disk may be emptied,
// and a status that is not written sends the task to review.
const (
	firstRetry   = 100 * time.Millisecond
	slowestRetry = 30 * time.Second
	giveUp       = time.Hour
)

// record writes the status, and tries again while it cannot.
func (s *supervisor) record(status Status) error {
	deadline := time.After(giveUp)
	p := newPace(firstRetry, slowestRetry)
	defer p.stop()
	for {
		err := s.folder.replace(statusFile, status)
		if err == nil {
			return nil
		}
		select {
		case <-deadline:
			return fmt.Errorf("write the status, for %v in vain: %w", giveUp, err)
		case <-p.next():
		}
	}
}
