package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

// more gives a running task further sessions that work, as agents and background work will.
func (b bench) more(task string, n int) {
	b.t.Helper()
	now := b.Now().UTC().Truncate(time.Millisecond)
	var change core.Change
	for i := range n {
		s := core.Session{ID: fmt.Sprintf("s_ZZ%010d", i), TaskID: task, State: core.SessionRunning, Revision: 1, CreatedAt: now, UpdatedAt: now,
			ExecutionID: fmt.Sprintf("x_ZZ%010d", i)}
		x := core.Execution{ID: s.ExecutionID, SessionID: s.ID, TaskID: task, Kind: core.ExecStep, State: core.ExecStarted, ClaimedAt: now, StartedAt: now}
		change.Sessions, change.Executions = append(change.Sessions, s), append(change.Executions, x)
		if err := b.Runtime.Launch(b.t.Context(), engine.Launch{ID: x.ID}); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := b.Store.Update(b.t.Context(), func(tx engine.Tx) error { tx.Apply(change); return nil }); err != nil {
		b.t.Fatal(err)
	}
}

func ids(sessions []core.Session) (out []string) {
	for _, s := range sessions {
		out = append(out, s.ID)
	}
	return out
}

func answered(out engine.TaskStop) (ids []string, changed []bool) {
	for _, s := range out.Sessions {
		ids, changed = append(ids, s.SessionID), append(changed, s.Changed)
	}
	return ids, changed
}

// TestAcceptedAndFailedIsAnErrorThatJoinsThemAll: every session is tried in the order of ids, the accepted
// ones stay cancelled and are torn down, and the task goes to review once no other session works.
func TestAcceptedAndFailedIsAnErrorThatJoinsThemAll(t *testing.T) {
	stopping(t, func(t *testing.T, b bench, l *looks, _ *faulty) {
		task := b.StartTask(twoSteps).ID
		b.run(task)
		b.more(task, 3)
		want := ids(b.Task(task).Sessions)
		first, second := errors.New("first"), errors.New("second")
		l.say = func(s core.Session) (string, error) {
			switch s.ID {
			case want[1]:
				return "", first
			case want[2]:
				return "", fmt.Errorf("odd: %w", second)
			}
			return s.ExecutionID, nil
		}
		out, err := b.stopTask(task, false)
		synctest.Wait()
		got, changed := answered(out)
		if !slices.IsSorted(want) || !slices.Equal(got, want) || !slices.Equal(changed, []bool{true, false, false, true}) || out.Stopped {
			t.Errorf("tried %v, changed %v, stopped %t", got, changed, out.Stopped)
		}
		if code(err) != core.CodeUnavailable || !errors.Is(err, first) || !errors.Is(err, second) || !only(err, nil) {
			t.Errorf("the error is %v", err)
		}
		if calls := b.Runtime.Stopped(); len(calls) != 2 || len(b.Runtime.Live()) != 2 {
			t.Errorf("torn down: %+v, live: %v", calls, b.Runtime.Live())
		}
		b.state(task, core.TaskRunning) // two sessions work on

		l.say = nil
		out, err = b.stopTask(task, false)
		if got, changed := answered(out); err != nil || !out.Stopped || !slices.Equal(got, want[1:3]) || !slices.Equal(changed, []bool{true, true}) {
			t.Errorf("again: %v %v stopped %t, %v", got, changed, out.Stopped, err)
		}
		b.state(task, core.TaskReview)
		if n := len(b.Runtime.Live()); n != 0 {
			t.Errorf("%d executions live on", n)
		}
	})
}

// TestTheLastOtherSessionsEndMovesTheTask where the task's own was stopped before, also over a restart.
func TestTheLastOtherSessionsEndMovesTheTask(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		b.run(task)
		b.more(task, 1)
		own := b.Task(task).Sessions[0]
		if out, err := b.stopSession(own.ID, "enough", false); err != nil || !out.Changed {
			t.Fatalf("%+v, %v", out, err)
		}
		b.state(task, core.TaskRunning)
		b.Kill() // the store's check wants every live execution to be its task's own
		b.Start()
		b.state(task, core.TaskRunning)
		_, x := b.session(task)
		b.Runtime.End(x.ID, engine.Sighting{})
		b.state(task, core.TaskReview)
		if got := b.Task(task).Task; got.Reason != "enough" || got.Execution != "" {
			t.Errorf("reason %q, execution %q", got.Reason, got.Execution)
		}
	})
}

func TestAStopAtAGateCancelsTheRecord(t *testing.T) {
	for _, place := range []string{"awaiting_approval", "queued", "paused at a gate", "paused in the queue"} {
		t.Run(place, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(twoSteps).ID
				places[place](b, task)
				gate := b.Task(task).Approval
				out, err := b.stopTask(task, false)
				if err != nil || !out.Stopped || len(out.Sessions) != 0 {
					t.Fatalf("%+v, %v", out, err)
				}
				b.state(task, core.TaskCancelled)
				if got := b.approval(gate.ID); got.State != core.ApprovalCancelled {
					t.Errorf("the approval is %s", got.State)
				}
				if _, err := b.Decide("bo", gate.ID, core.Approve); code(err) != core.CodeStale {
					t.Errorf("a late tap: %v", err)
				}
				b.unchanged("a stop that is repeated", func() {
					if out, err := b.stopTask(task, true); err != nil || out.Stopped || len(out.Sessions) != 0 {
						t.Errorf("%+v, %v", out, err)
					}
				})
			})
		})
	}
}

func TestNothingRunsWhereNothingRan(t *testing.T) {
	for _, place := range []string{"review", "completed", "failed", "rejected", "cancelled"} {
		t.Run(place, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(twoSteps).ID
				places[place](b, task)
				b.unchanged("a stop", func() {
					out, err := b.stopTask(task, true)
					if err != nil || out.Stopped || out.Sessions == nil || len(out.Sessions) != 0 || out.Children == nil {
						t.Errorf("%+v, %v", out, err)
					}
				})
			})
		})
	}
}

// TestAStopThatIsRepeatedIsInert down to updated_at; a repeated force raises a teardown that is pending,
// and nothing else.
func TestAStopThatIsRepeatedIsInert(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		b.run(task)
		hold := make(chan struct{})
		b.Runtime.OnStop(func(_ context.Context, _ string, force bool) error {
			if !force {
				<-hold
			}
			return nil
		})
		if out, err := b.stopTask(task, false); err != nil || !out.Stopped {
			t.Fatalf("%+v, %v", out, err)
		}
		s, x := b.session(task)
		time.Sleep(time.Minute)
		for range 2 {
			b.unchanged("a repeated stop", func() {
				if out, err := b.stopTask(task, false); err != nil || out.Stopped {
					t.Errorf("the task again: %+v, %v", out, err)
				}
				if out, err := b.stopSession(s.ID, "another reason", false); err != nil || out.Changed || out.FinalState != core.SessionCancelled || out.ExecutionID != x.ID {
					t.Errorf("the session again: %+v, %v", out, err)
				}
			})
		}
		was := b.Task(task).Task
		if out, err := b.stopTask(task, true); err != nil || out.Stopped {
			t.Errorf("with force: %+v, %v", out, err)
		}
		synctest.Wait()
		now := b.Task(task)
		if now.Task.Revision != was.Revision || !now.Task.UpdatedAt.Equal(was.UpdatedAt) || !now.Sessions[0].UpdatedAt.Equal(s.UpdatedAt) {
			t.Error("the raise changed task or session")
		}
		if x := now.Executions[0]; !x.Teardown.Force || x.Teardown.Reason != "enough" || x.Teardown.State != core.TeardownDone {
			t.Errorf("the teardown is %+v: the raise has to be carried out while the graceful one is under way", x.Teardown)
		}
		if calls := b.Runtime.Stopped(); len(calls) != 2 || calls[0].Force || !calls[1].Force {
			t.Errorf("teardowns: %+v", calls)
		}
		close(hold)
		b.unchanged("the graceful one's late return, and force again", func() {
			if out, err := b.stopTask(task, true); err != nil || out.Stopped {
				t.Errorf("%+v, %v", out, err)
			}
		})
	})
}

func (b bench) child(parent, plan string) string {
	b.t.Helper()
	t, _, err := b.Engine.StartTask(b.t.Context(), engine.StartTask{Actor: world.Operator(), Plan: b.Plan(plan), ParentID: parent})
	if err != nil {
		b.t.Fatal(err)
	}
	return t.ID
}

func TestChildrenAreListedAndLeftAlone(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		top := b.StartTask(twoSteps).ID
		b.run(top)
		runs, waits := b.child(top, twoSteps), b.child(top, twoSteps)
		b.run(runs)
		before := []engine.TaskDetail{b.Task(runs), b.Task(waits)}
		out, err := b.stopTask(top, false)
		if err != nil || !out.Stopped || !slices.Equal(out.Children, []string{runs, waits}) {
			t.Errorf("%+v, %v", out, err)
		}
		b.state(top, core.TaskReview)
		for i, id := range []string{runs, waits} {
			if got := b.Task(id).Task; got.Revision != before[i].Task.Revision {
				t.Errorf("child %d was touched: %s", i, got.State)
			}
		}
	})
}

func TestATreeIsStoppedAsFarAsItCanBe(t *testing.T) {
	stopping(t, func(t *testing.T, b bench, l *looks, _ *faulty) {
		top := b.StartTask(twoSteps).ID
		child, stubborn := b.child(top, twoSteps), b.child(top, twoSteps)
		grandchild := b.child(stubborn, twoSteps)
		for _, id := range []string{top, child, stubborn, grandchild} {
			b.run(id)
		}
		odd, _ := b.session(stubborn)
		l.say = func(s core.Session) (string, error) {
			if s.ID == odd.ID {
				return "", errors.New("nobody knows")
			}
			return s.ExecutionID, nil
		}
		out, err := b.Engine.StopTask(t.Context(), engine.StopTask{Actor: world.Operator(), Task: top, Reason: "all of it", Force: true, Tree: true})
		if err != nil || !out.Stopped {
			t.Errorf("%+v, %v", out, err)
		}
		for id, want := range map[string]core.TaskState{top: core.TaskReview, child: core.TaskReview, stubborn: core.TaskRunning, grandchild: core.TaskReview} {
			b.state(id, want)
		}
		for _, c := range b.Runtime.Stopped() {
			if c.Reason != "all of it" || !c.Force {
				t.Errorf("reason and force did not reach %+v", c)
			}
		}
	})
}

func TestTheBestEffortStop(t *testing.T) {
	stopping(t, func(t *testing.T, b bench, l *looks, f *faulty) {
		best := func(id string) error { return b.Engine.StopBestEffort(t.Context(), id, "handed over", true) }
		task := b.StartTask(twoSteps).ID
		b.run(task)
		b.more(task, 1)
		_, x := b.session(task)
		l.say = func(s core.Session) (string, error) {
			if s.ID == "s_ZZ0000000000" {
				return "", errors.New("nobody knows")
			}
			return s.ExecutionID, nil
		}
		if err := best(task); err != nil {
			t.Errorf("partial success: %v", err)
		}
		if err := best(task); err == nil || errors.Is(err, core.ErrExecutionNotFound) {
			t.Errorf("what could not be looked up is not absent: %v", err)
		}
		l.say = nil
		f.failing.Store(true)
		if err := best(task); !errors.Is(err, errDisk) || errors.Is(err, core.ErrExecutionNotFound) {
			t.Errorf("what could not be written: %v", err)
		}
		f.failing.Store(false)
		synctest.Wait()
		if slices.ContainsFunc(b.Runtime.Stopped(), func(c world.StopCall) bool { return c.ID == x.ID }) {
			t.Error("torn down without CANCELLED on disk")
		}
		if err := best(task); err != nil {
			t.Errorf("the rest: %v", err)
		}
		synctest.Wait()
		if err := best(task); !errors.Is(err, core.ErrExecutionNotFound) || !only(err, core.ErrExecutionNotFound) {
			t.Errorf("nothing to stop: %v", err)
		}
		if err := best("t_000000000000"); !errors.Is(err, core.ErrTaskNotFound) || errors.Is(err, core.ErrExecutionNotFound) {
			t.Errorf("no such task: %v", err)
		}
		below := b.child(task, twoSteps)
		b.run(b.child(below, twoSteps))
		if _, _, err := b.Engine.Cancel(t.Context(), world.Operator(), below, ""); err != nil {
			t.Fatal(err)
		}
		if err := best(task); err != nil || len(b.Runtime.Live()) != 0 && !waited(b) {
			t.Errorf("a grandchild alone runs: %v", err)
		}
	})
}

func waited(b bench) bool {
	synctest.Wait()
	return len(b.Runtime.Live()) == 0
}

// TestAFailedTaskWhoseRollbackRunsIsStoppedAndStaysFailed: a record that is over keeps its state.
func TestAFailedTaskWhoseRollbackRunsIsStoppedAndStaysFailed(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(undoable).ID
		places["failed"](b, task)
		b.rollback(task, -1)
		b.approveID("ana", b.Task(task).Task.Rollback.ApprovalID)
		synctest.Wait()
		_, x := b.session(task)
		if x.Kind != core.ExecRollback || !slices.Contains(b.Runtime.Live(), x.ID) {
			t.Fatalf("the rollback does not run: %+v", x)
		}
		out, err := b.stopTask(task, false)
		if err != nil || !out.Stopped || len(out.Sessions) != 1 {
			t.Errorf("%+v, %v", out, err)
		}
		b.state(task, core.TaskFailed)
		got := b.Task(task)
		if got.Task.Rollback.State != core.RollbackFailed || got.Task.Checkpoints[0].State != core.CheckpointFailed {
			t.Errorf("rollback %s, checkpoint %s", got.Task.Rollback.State, got.Task.Checkpoints[0].State)
		}
		if _, x := b.session(task); x.Teardown.State != core.TeardownDone || len(b.Runtime.Live()) != 0 {
			t.Errorf("teardown %s", x.Teardown.State)
		}
		b.retry(task)
	})
}
