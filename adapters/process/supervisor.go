//go:build linux || darwin

package process

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// supervisor runs one command to its end.
type supervisor struct {
	folder  folder
	order   order
	self    identity
	signals chan os.Signal   // USR1: look for a request to stop; TERM, INT: are one
	ending  *ending          // why the command is being ended; nil while it may run
	exit    *unix.WaitStatus // how the command's own process ended; nil while it lives
	trouble string           // what was complained about last
}

// ending is a decision to end the command.
type ending struct {
	timedOut bool
	reason   string
	force    bool
}

// supervise runs the command and returns how it ended.
func (s *supervisor) supervise() Status {
	status := Status{StartedAt: time.Now().UTC()}
	switch s.heed(); {
	case s.ending != nil:
		status.Stopped, status.Message = true, s.words()
	default:
		pid, refused := s.run()
		if refused != nil {
			status.ExitCode, status.Message = refused.code, refused.message
			break
		}
		s.describe(&status, s.watch(pid))
	}
	status.EndedAt = time.Now().UTC()
	status.Summary = s.folder.summary()
	if info, err := os.Stat(s.folder.path(outFile)); err == nil {
		status.OutputBytes = info.Size()
	}
	return status
}

// events is what a supervisor waits for.
type events struct {
	command <-chan unix.WaitStatus
	orphans <-chan struct{} // one was reaped
	timeout <-chan time.Time
	pace    *pace // the guarantee, where a signal was missed or nobody sends one
}

// watch returns the command's wait status once it ended by itself, or once all
// that belongs to it is gone after a timeout or a stop.
func (s *supervisor) watch(pid int) unix.WaitStatus {
	command, orphans := make(chan unix.WaitStatus, 1), make(chan struct{}, 1)
	go reapAll(pid, command, orphans) // ends with this process
	e := events{command: command, orphans: orphans, pace: newPace(slowLook, slowLook)}
	defer e.pace.stop()
	if s.order.Timeout > 0 {
		e.timeout = time.After(s.order.Timeout)
	}
	down := ladder{session: s.self, grace: s.order.Grace}
	for s.exit == nil {
		s.heed()
		if s.ending != nil && s.down(&down, e.pace) {
			break
		}
		s.await(e)
	}
	for s.ending != nil && !s.down(&down, e.pace) {
		s.await(e)
		s.heed()
	}
	if s.exit == nil {
		s.exit = new(<-command)
	}
	if !down.sent {
		s.ending = nil // the command was faster
	}
	return *s.exit
}

// await waits for one event and notes it.
func (s *supervisor) await(e events) {
	select {
	case w := <-e.command:
		s.exit = &w
	case <-e.timeout:
		if s.ending == nil {
			s.ending = &ending{timedOut: true}
		}
	case sig := <-s.signals:
		s.obey(sig)
	case <-e.orphans:
	case <-e.pace.next():
	}
}

// down takes the next step in ending the command, and reports whether nobody
// of it is left.
func (s *supervisor) down(l *ladder, p *pace) (gone bool) {
	if !l.sent {
		p.quicken(closeLook, slowClose)
	}
	gone, err := l.step(time.Now(), s.ending.force)
	if err != nil && err.Error() != s.trouble {
		s.trouble = err.Error()
		complain(err)
	}
	return gone
}

// heed looks for a request to stop, or one to hurry.
func (s *supervisor) heed() {
	var ask stopOrder
	found, err := s.folder.load(stopFile, &ask)
	switch {
	case err != nil:
		complain(err)
	case !found:
	case s.ending == nil:
		s.ending = &ending{reason: ask.Reason, force: ask.Force}
	case ask.Force:
		s.ending.force = true
	}
}

// obey takes TERM and INT, as a machine that shuts down sends them, for a
// request to stop.
func (s *supervisor) obey(sig os.Signal) {
	if sig != syscall.SIGUSR1 && s.ending == nil {
		s.ending = &ending{reason: fmt.Sprintf("the supervisor was told to end (%v)", sig)}
	}
}

// reapAll waits for every child, so that no member of the session stays a
// zombie. It returns when there is none left: then there are no descendants.
func reapAll(pid int, command chan<- unix.WaitStatus, orphans chan<- struct{}) {
	for {
		var w unix.WaitStatus
		got, err := unix.Wait4(-1, &w, 0, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return
		case got == pid:
			command <- w
		default:
			select {
			case orphans <- struct{}{}:
			default:
			}
		}
	}
}

// describe puts the end of the command into the status.
func (s *supervisor) describe(status *Status, w unix.WaitStatus) {
	status.ExitCode = w.ExitStatus()
	switch {
	case w.Signaled():
		status.ExitCode = 128 + int(w.Signal())
		status.Signal = unix.SignalName(w.Signal())
		status.Message = "ended by " + status.Signal
	case status.ExitCode != 0:
		status.Message = fmt.Sprintf("exit status %d", status.ExitCode)
	}
	if s.ending != nil {
		status.TimedOut, status.Stopped = s.ending.timedOut, !s.ending.timedOut
		status.Message = s.words()
	}
}

func (s *supervisor) words() string {
	switch {
	case s.ending.timedOut:
		return fmt.Sprintf("timed out after %v", s.order.Timeout)
	case s.ending.reason == "":
		return "stopped"
	}
	return "stopped: " + s.ending.reason
}
