//go:build linux || darwin

package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"holdpoint/failpoint"
)

// What a supervisor says on its standard output, one line: that it has the
// execution, that it was void, that another supervisor has it, or why it never
// will have it.
const (
	saysStarted = "started"
	saysVoid    = "void"
	saysTaken   = "taken"
	saysFailed  = "failed: "
)

// Launch starts the execution and returns nil once a supervisor has it for
// good, durably; whether the command itself could be run is then told by its
// status. An id that was launched before is not run again: nil. ErrVoid and
// ErrNotStarted mean that nothing ran; any other error, and the end of ctx,
// that the outcome is unknown: Look tells it.
func (r *Runtime) Launch(ctx context.Context, s Spec) error {
	if err := s.check(); err != nil {
		return notStarted(err)
	}
	f, err := r.folder(s.ID)
	if err != nil {
		return notStarted(err)
	}
	l := r.launch(s.ID)
	l.one.Lock()
	defer l.one.Unlock()

	sup, void, err := f.start()
	switch {
	case err != nil:
		return err
	case void:
		return ErrVoid
	case sup != nil:
		return nil
	}
	if err := errors.Join(ctx.Err(), f.prepare(s), failpoint.Hit("spawnBefore")); err != nil {
		return notStarted(err)
	}
	return r.spawn(ctx, f, s, l)
}

func notStarted(err error) error { return fmt.Errorf("%w: %w", ErrNotStarted, err) }

// prepare writes what the supervisor reads.
func (f folder) prepare(s Spec) error {
	if err := f.ensure(); err != nil {
		return err
	}
	if s.Stdin != nil {
		if err := f.replaceRaw(stdinFile, s.Stdin); err != nil {
			return err
		}
	}
	return f.replace(specFile, order{
		Argv: s.Argv, Dir: s.Dir, Timeout: s.Timeout, Grace: s.Grace, Stdin: s.Stdin != nil,
	})
}

// spawn starts a supervisor and waits for its one line.
func (r *Runtime) spawn(ctx context.Context, f folder, s Spec, l *launch) error {
	cmd, err := r.supervisor(f, s)
	if err != nil {
		return notStarted(err)
	}
	trouble, err := os.OpenFile(f.path(troubleFile), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return notStarted(err)
	}
	defer trouble.Close() //nolint:errcheck // the supervisor has its own descriptor
	says, tell, err := os.Pipe()
	if err != nil {
		return notStarted(err)
	}
	defer says.Close() //nolint:errcheck // opened for reading
	cmd.Stdout, cmd.Stderr = tell, trouble
	err = cmd.Start()
	closed := tell.Close()
	if err != nil {
		return notStarted(fmt.Errorf("start the supervisor: %w", err))
	}
	ended := make(chan struct{})
	r.mu.Lock()
	l.ended = ended
	r.mu.Unlock()
	// It ends with the supervisor, which may outlive this process.
	go r.reap(cmd, s.ID, ended)
	return errors.Join(closed, hear(ctx, f, says, ended))
}

// supervisor is the command line of a supervisor in a session of its own.
func (r *Runtime) supervisor(f folder, s Spec) (*exec.Cmd, error) {
	self := r.self
	if len(self) == 0 {
		binary, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find the own binary: %w", err)
		}
		self = []string{binary, "supervise"}
	}
	cmd := exec.Command(self[0], append(self[1:len(self):len(self)], string(f))...)
	cmd.Dir = "/" // it must not hold the daemon's directory
	cmd.Env = withFailpoints(append([]string{}, s.Env...))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd, nil
}

// reap waits for the supervisor, lest it stay a zombie. One that ended badly
// said why in its log; the execution's own fate is told by its folder.
func (r *Runtime) reap(cmd *exec.Cmd, id string, ended chan<- struct{}) {
	defer close(ended)
	if err := cmd.Wait(); err != nil {
		r.log.Warn("supervisor ended badly", "execution", id, "error", err)
	}
}

// hear reads the supervisor's line. Without one, its `start` decides, once it
// is certain that this supervisor can write it no more.
func hear(ctx context.Context, f folder, says *os.File, ended <-chan struct{}) error {
	stop := context.AfterFunc(ctx, func() { _ = says.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	line, err := bufio.NewReader(io.LimitReader(says, 4096)).ReadString('\n')
	if ctx.Err() != nil && err != nil {
		return fmt.Errorf("wait for the supervisor: %w", ctx.Err())
	}
	switch line = strings.TrimSuffix(line, "\n"); {
	case line == saysStarted, line == saysTaken:
		return nil
	case line == saysVoid:
		return ErrVoid
	}
	select {
	case <-ended:
	case <-ctx.Done():
		return fmt.Errorf("wait for the supervisor: %w", ctx.Err())
	}
	sup, void, err := f.start()
	switch {
	case err != nil:
		return err
	case void:
		return ErrVoid
	case sup != nil:
		return nil
	}
	if why, told := strings.CutPrefix(line, saysFailed); told {
		return notStarted(errors.New(why))
	}
	return notStarted(fmt.Errorf("the supervisor died, see %s", f.path(troubleFile)))
}
