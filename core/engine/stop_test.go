package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

// looks is a look-up that a test speaks for; by default what the session's row says.
type looks struct {
	say func(s core.Session) (string, error)
}

func (l *looks) ExecutionForSession(_ context.Context, s core.Session) (string, error) {
	if l.say != nil {
		return l.say(s)
	}
	return s.ExecutionID, nil
}

// faulty is a store that refuses to write while it is told to: known not to be written.
type faulty struct {
	engine.Store
	failing atomic.Bool
}

var errDisk = errors.New("input/output error")

func (f *faulty) Update(ctx context.Context, fn func(engine.Tx) error) error {
	if f.failing.Load() {
		return errDisk
	}
	return f.Store.Update(ctx, fn)
}

// stopping runs a test over a world whose look-ups and writes may fail.
func stopping(t *testing.T, fn func(t *testing.T, b bench, l *looks, f *faulty)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, l, f := world.Unstarted(t), &looks{}, &faulty{}
		w.Lookup = l
		w.Front = func(s engine.Store) engine.Store { f.Store = s; return f }
		w.Start()
		defer w.Stop()
		fn(t, bench{w, t}, l, f)
	})
}

// session gives the newest session of a task with its execution.
func (b bench) session(task string) (core.Session, core.Execution) {
	b.t.Helper()
	d := b.Task(task)
	if len(d.Sessions) == 0 {
		b.t.Fatalf("task %s has no session", task)
	}
	s := d.Sessions[len(d.Sessions)-1]
	i := slices.IndexFunc(d.Executions, func(x core.Execution) bool { return x.ID == s.ExecutionID })
	return s, d.Executions[i]
}

func (b bench) stopSession(session, reason string, force bool) (engine.StopResult, error) {
	return b.Engine.StopSession(b.t.Context(), world.Operator(), session, reason, force)
}

func (b bench) stopTask(task string, force bool) (engine.TaskStop, error) {
	return b.Engine.StopTask(b.t.Context(), engine.StopTask{Actor: world.Operator(), Task: task, Reason: "enough", Force: force})
}

var sentinels = []error{core.ErrNoExecutionForSession, core.ErrExecutionNotFound, core.ErrEmptyExecutionID,
	core.ErrSessionStateSuperseded, core.ErrSessionNotFound, core.ErrTaskNotFound}

// only says that an error matches one of the sentinels and no other; nil: none of them.
func only(err, want error) bool {
	for _, s := range sentinels {
		if errors.Is(err, s) != (s == want) { //nolint:errorlint // which of the sentinels, not whether it is wrapped
			return false
		}
	}
	return true
}

// TestEveryRowOfTheOutcomeTable where nothing is written and nothing torn down.
func TestEveryRowOfTheOutcomeTable(t *testing.T) {
	other := errors.New("the process table can't be read")
	for name, tc := range map[string]struct {
		session  func(id string) string
		say      func(s core.Session) (string, error)
		final    core.SessionState
		code     core.Code
		sentinel error
		cause    error
	}{
		"an empty id":              {session: func(string) string { return "" }, code: core.CodeValidation},
		"an unknown id":            {session: func(string) string { return "s_000000000000" }, code: core.CodeNotFound, sentinel: core.ErrSessionNotFound},
		"no execution":             {say: func(core.Session) (string, error) { return "", core.ErrNoExecutionForSession }},
		"no execution, wrapped":    {say: func(core.Session) (string, error) { return "", fmt.Errorf("looked: %w", core.ErrNoExecutionForSession) }},
		"the look-up fails":        {say: func(core.Session) (string, error) { return "", other }, code: core.CodeUnavailable, cause: other},
		"it fails and names one":   {say: func(s core.Session) (string, error) { return s.ExecutionID, other }, code: core.CodeUnavailable, cause: other},
		"an empty execution id":    {say: func(core.Session) (string, error) { return "", nil }, code: core.CodeUnavailable, sentinel: core.ErrEmptyExecutionID},
		"another execution by now": {say: func(core.Session) (string, error) { return "x_000000000000", nil }, final: core.SessionRunning},
	} {
		t.Run(name, func(t *testing.T) {
			stopping(t, func(t *testing.T, b bench, l *looks, _ *faulty) {
				task := b.StartTask(twoSteps).ID
				b.run(task)
				l.say = tc.say
				s, _ := b.session(task)
				id := s.ID
				if tc.session != nil {
					id = tc.session(id)
				}
				b.unchanged(name, func() {
					out, err := b.stopSession(id, "enough", true)
					if out.Changed || out.FinalState != tc.final || code(err) != tc.code {
						t.Errorf("%+v, %v", out, err)
					}
					if !only(err, tc.sentinel) || tc.cause != nil && !errors.Is(err, tc.cause) {
						t.Errorf("%v matches the wrong sentinels, want %v and %v", err, tc.sentinel, tc.cause)
					}
				})
				if n := len(b.Runtime.Stopped()); n != 0 {
					t.Errorf("%d teardowns", n)
				}
			})
		})
	}
}

func TestAStopOfATerminalSessionChangesNothing(t *testing.T) {
	for name, tc := range map[string]struct {
		seen engine.Sighting
		want core.SessionState
	}{
		"completed": {engine.Sighting{}, core.SessionCompleted},
		"failed":    {engine.Sighting{ExitCode: 2}, core.SessionFailed},
	} {
		t.Run(name, func(t *testing.T) {
			stopping(t, func(t *testing.T, b bench, _ *looks, _ *faulty) {
				task := b.StartTask(twoSteps).ID
				b.run(task)
				s, x := b.session(task)
				b.end(task, tc.seen)
				b.unchanged("a stop of a terminal session", func() {
					out, err := b.stopSession(s.ID, "enough", true) // the look-up still says that it lives
					if err != nil || out.Changed || out.FinalState != tc.want || out.ExecutionID != x.ID {
						t.Errorf("%+v, %v", out, err)
					}
				})
				if n := len(b.Runtime.Stopped()); n != 0 {
					t.Errorf("%d teardowns", n)
				}
			})
		})
	}
}

func TestAWriteThatIsKnownToHaveFailedTearsNothingDown(t *testing.T) {
	stopping(t, func(t *testing.T, b bench, _ *looks, f *faulty) {
		task := b.StartTask(twoSteps).ID
		b.run(task)
		s, x := b.session(task)
		b.unchanged("a stop that could not be written", func() {
			f.failing.Store(true)
			out, err := b.stopSession(s.ID, "enough", false)
			if out.Changed || out.FinalState != core.SessionRunning || !errors.Is(err, errDisk) || !only(err, nil) {
				t.Errorf("%+v, %v", out, err)
			}
			if one, err := b.stopTask(task, false); one.Stopped || code(err) != core.CodeUnavailable || !errors.Is(err, errDisk) || len(one.Sessions) != 1 {
				t.Errorf("the task's stop: %+v, %v", one, err)
			}
			f.failing.Store(false)
		})
		if n := len(b.Runtime.Stopped()); n != 0 {
			t.Fatalf("the runtime was asked %d times to end what is not cancelled", n)
		}
		out, err := b.stopSession(s.ID, "enough", false)
		if err != nil || !out.Changed || out.FinalState != core.SessionCancelled {
			t.Errorf("the stop tried again: %+v, %v", out, err)
		}
		synctest.Wait()
		if calls := b.Runtime.Stopped(); len(calls) != 1 || calls[0].ID != x.ID {
			t.Errorf("teardowns: %+v", calls)
		}
	})
}

func TestANaturalEndThatIsFirstStands(t *testing.T) {
	stopping(t, func(t *testing.T, b bench, l *looks, _ *faulty) {
		task := b.StartTask(twoSteps).ID
		b.run(task)
		s, x := b.session(task)
		l.say = func(core.Session) (string, error) {
			b.end(task, engine.Sighting{Summary: "all fine"})
			return x.ID, nil
		}
		out, err := b.stopSession(s.ID, "enough", false)
		if err != nil || out.Changed || out.FinalState != core.SessionCompleted || out.ExecutionID != x.ID {
			t.Errorf("%+v, %v", out, err)
		}
		b.state(task, core.TaskAwaiting)
		if n := len(b.Runtime.Stopped()); n != 0 {
			t.Errorf("%d teardowns", n)
		}
	})
}

func TestAStopThatWinsIsOnDiskBeforeItsTeardown(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		b.run(task)
		s, x := b.session(task)
		seen := make(chan engine.TaskDetail, 1)
		b.Runtime.OnStop(func(context.Context, string, bool) error { seen <- b.Task(task); return nil })
		out, err := b.stopSession(s.ID, "wrong database", true)
		if err != nil || !out.Changed || out.FinalState != core.SessionCancelled || out.ExecutionID != x.ID {
			t.Fatalf("%+v, %v", out, err)
		}
		then := <-seen
		if then.Sessions[0].State != core.SessionCancelled || then.Executions[0].Teardown.State != core.TeardownPending || then.Task.State != core.TaskReview {
			t.Errorf("at the teardown the disk says session %s, teardown %s, task %s", then.Sessions[0].State, then.Executions[0].Teardown.State, then.Task.State)
		}
		synctest.Wait()
		if calls := b.Runtime.Stopped(); len(calls) != 1 || calls[0] != (world.StopCall{ID: x.ID, Reason: "wrong database", Force: true}) {
			t.Errorf("teardowns: %+v", calls)
		}
		after := b.Task(task)
		if x := after.Executions[0]; x.Teardown.State != core.TeardownDone || x.Outcome != core.OutcomeStopped || x.Live() {
			t.Errorf("the execution ended as %s, teardown %s", x.Outcome, x.Teardown.State)
		}
		if after.Task.Reason != "wrong database" || after.Task.Rollback.State != core.RollbackNoted || !after.Task.Checkpoints[0].Ran {
			t.Errorf("the task: reason %q, rollback %s, ran %t", after.Task.Reason, after.Task.Rollback.State, after.Task.Checkpoints[0].Ran)
		}
	})
}

// TestTheCallersEndDoesNotEndATeardown: the response is given and the caller gone while the process is
// still on its way out.
func TestTheCallersEndDoesNotEndATeardown(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		b.run(task)
		s, _ := b.session(task)
		hold, cut := make(chan struct{}), make(chan error, 1)
		b.Runtime.OnStop(func(ctx context.Context, _ string, _ bool) error {
			select {
			case <-hold:
			case <-ctx.Done():
				cut <- ctx.Err()
			}
			return ctx.Err()
		})
		ctx, cancel := context.WithCancel(t.Context())
		out, err := b.Engine.StopSession(ctx, world.Operator(), s.ID, "", false)
		if err != nil || !out.Changed {
			t.Fatalf("the response: %+v, %v", out, err)
		}
		cancel()
		synctest.Wait()
		got, x := b.session(task)
		if got.State != core.SessionCancelled || x.Teardown.State != core.TeardownPending || len(b.Runtime.Live()) != 1 {
			t.Errorf("while the teardown is held: session %s, teardown %s", got.State, x.Teardown.State)
		}
		close(hold)
		synctest.Wait()
		if _, x := b.session(task); x.Teardown.State != core.TeardownDone || len(cut) != 0 || len(b.Runtime.Live()) != 0 {
			t.Errorf("the teardown is %s, it was cut off %d times", x.Teardown.State, len(cut))
		}
	})
}
