package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
)

func TestNoMoreStepsThanTheLimitRunAtOnce(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		b.policy(func(p *core.Policy) { p.Limits.Running = 2 })
		var tasks []string
		for range 5 {
			id := b.StartTask(twoSteps).ID
			b.Approve("ana", id)
			tasks = append(tasks, id)
		}
		for i := range tasks {
			synctest.Wait()
			if n := len(b.Runtime.Live()); n > 2 || n < min(2, len(tasks)-i) {
				t.Fatalf("%d steps live, the limit is 2 and %d tasks wait", n, len(tasks)-i)
			}
			b.end(tasks[i], engine.Sighting{}) // the queue is served in order
		}
		if n := len(b.Runtime.Launched()); n != 5 {
			t.Errorf("%d launches for 5 tasks", n)
		}
	})
}

func TestALaunchThatNeverRanFailsTheStepAndLeavesNothingToUndo(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		b.Runtime.Refuse = func(engine.Launch) error { return fmt.Errorf("no such shell: %w", engine.ErrNeverRan) }
		task := b.StartTask(twoSteps).ID
		b.Approve("ana", task)
		b.state(task, core.TaskFailed)
		d := b.Task(task)
		if notes := d.Task.RollbackNotes(); len(notes) != 1 || notes[0].Ran {
			t.Errorf("the notes are %+v: the step never ran", notes)
		}
		if n := len(b.Runtime.Launched()); n != 0 {
			t.Errorf("%d launches", n)
		}
	})
}

func TestALaunchThatFailsForAWhileRunsOnce(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		fails := 2
		b.Runtime.Refuse = func(engine.Launch) error {
			if fails--; fails >= 0 {
				return errors.New("too many processes")
			}
			return nil
		}
		task := b.StartTask(twoSteps).ID
		b.Approve("ana", task)
		time.Sleep(10 * time.Second)
		b.end(task, engine.Sighting{})
		if n := len(b.Runtime.Launched()); n != 1 {
			t.Errorf("%d launches, want 1", n)
		}
	})
}

func TestALaunchWhoseAnswerWasLostRunsOnce(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		b.Runtime.Doubt = func(engine.Launch) error { return errors.New("the pipe broke") }
		task := b.StartTask(twoSteps).ID
		b.Approve("ana", task)
		time.Sleep(5 * time.Minute)
		b.state(task, core.TaskRunning)
		b.end(task, engine.Sighting{})
		if n := len(b.Runtime.Launched()); n != 1 {
			t.Errorf("%d launches, want 1", n)
		}
		if got := b.Task(task).Task.Completed(); len(got) != 1 {
			t.Errorf("completed are %v, want the first step", got)
		}
	})
}

func TestAStepThatRunsOverARestartIsFoundAgain(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		b.run(task)
		x := b.live(task)
		b.Restart()
		b.state(task, core.TaskRunning)
		if got := b.live(task); got != x || len(b.Runtime.Launched()) != 1 {
			t.Fatalf("after the restart %s lives after %d launches, want %s after one", got, len(b.Runtime.Launched()), x)
		}
		b.end(task, engine.Sighting{})
		b.state(task, core.TaskAwaiting)
	})
}

func TestAStepThatEndedWhileNobodyLookedIsRecordedAtTheStart(t *testing.T) {
	for name, tc := range map[string]struct {
		seen engine.Sighting
		want core.TaskState
	}{
		"succeeded":                          {engine.Sighting{}, core.TaskAwaiting},
		"failed":                             {engine.Sighting{ExitCode: 1}, core.TaskFailed},
		"timed out":                          {engine.Sighting{TimedOut: true, ExitCode: 124}, core.TaskFailed},
		"lost":                               {engine.Sighting{State: engine.SeenLost}, core.TaskReview},
		"stopped":                            {engine.Sighting{Stopped: true, ExitCode: 143}, core.TaskReview},
		"a status that says neither is lost": {engine.Sighting{State: engine.SeenNever}, core.TaskReview},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(twoSteps).ID
				b.run(task)
				x := b.live(task)
				b.Stop()
				b.Runtime.End(x, tc.seen)
				b.Start()
				b.state(task, tc.want)
				if n := len(b.Runtime.Launched()); n != 1 {
					t.Errorf("%d launches, want 1", n)
				}
			})
		})
	}
}

// TestAClaimThatWasNeverLaunchedIsVoidAfterARestart: the daemon died between the claim's commit and the
// launch. Nothing ran, nothing will, and a person decides.
func TestAClaimThatWasNeverLaunchedIsVoidAfterARestart(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		b.Runtime.Refuse = func(engine.Launch) error { return errors.New("the machine goes down") }
		task := b.StartTask(twoSteps).ID
		b.Approve("ana", task)
		b.state(task, core.TaskRunning)
		x := b.Task(task).Task.Execution
		b.Stop()
		b.Runtime.Refuse = nil
		b.Start()
		b.state(task, core.TaskReview)
		time.Sleep(10 * time.Minute)
		if n := len(b.Runtime.Launched()); n != 0 {
			t.Errorf("%d launches of a claim that a dead daemon made", n)
		}
		if err := b.Runtime.Launch(t.Context(), engine.Launch{ID: x}); !errors.Is(err, engine.ErrNeverRan) {
			t.Errorf("a late launch: %v, want ErrNeverRan", err)
		}
		if notes := b.Task(task).Task.RollbackNotes(); notes[0].Ran {
			t.Errorf("the notes are %+v: the step never ran", notes)
		}
	})
}

func TestADecisionRightBeforeARestartIsUsedOnceAfterIt(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		queue(b, task)
		b.Stop()
		b.Policy.Limits.Running = 4
		b.Start()
		b.state(task, core.TaskRunning)
		b.Restart()
		b.state(task, core.TaskRunning)
		n := 0
		for _, l := range b.Runtime.Launched() {
			if l.Own["HOLDPOINT_TASK"] == task {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d launches, want 1", n)
		}
	})
}

func TestAScriptEditedBetweenApprovalAndClaimDoesNotRun(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		b.Files.Set("./first.sh", "sha256:old")
		task := b.StartTask(twoSteps).ID
		queue(b, task)
		approved := b.Task(task).Approval
		b.Files.Set("./first.sh", "sha256:new")
		b.policy(func(p *core.Policy) { p.Limits.Running = 4 })
		time.Sleep(time.Minute)
		d := b.Task(task)
		if d.Task.State != core.TaskAwaiting || d.Approval.ID == approved.ID || d.Approval.State != core.ApprovalPending {
			t.Fatalf("the task is %s under %s, want a fresh gate", d.Task.State, d.Approval.ID)
		}
		if i := slices.IndexFunc(d.Approval.Changes, func(c core.FieldChange) bool { return c.Field == "files" }); i < 0 {
			t.Errorf("the fresh request tells of %v, not of the file", d.Approval.Changes)
		}
		old := b.approval(approved.ID)
		if old.State != core.ApprovalSuperseded || old.Cause != "changed" || old.ReplacedBy != d.Approval.ID {
			t.Errorf("the old approval is %s (%s), replaced by %s", old.State, old.Cause, old.ReplacedBy)
		}
		if n := len(b.Runtime.Launched()); n != 1 { // the one that held the slot
			t.Errorf("%d launches", n)
		}
	})
}

// TestOneTaskWhoseFilesCannotBeReadHoldsUpNoOther: the oldest in the queue can't be judged; those behind
// it run, and it runs once its directory is back.
func TestOneTaskWhoseFilesCannotBeReadHoldsUpNoOther(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		bad, good := b.StartTask(twoSteps).ID, b.StartTask(twoSteps).ID
		dir := b.Task(bad).Task.Plan.Workdir
		b.Files.Break(dir, errors.New("stale file handle"))
		b.Approve("ana", bad)
		b.Approve("ana", good)
		b.state(bad, core.TaskQueued)
		b.state(good, core.TaskRunning)
		b.Files.Break(dir, nil)
		time.Sleep(2 * time.Second)
		b.state(bad, core.TaskRunning)
	})
}

func TestADeadlineThatCannotBeActedOnHoldsUpNoOther(t *testing.T) {
	const renews = "on_expiry: renew\nexpires_in: 1h\n" + twoSteps
	in(t, func(t *testing.T, b bench) {
		bad, good := b.StartTask(renews).ID, b.StartTask(renews).ID
		first := b.Task(good).Approval.ID
		b.Files.Break(b.Task(bad).Task.Plan.Workdir, errors.New("stale file handle"))
		time.Sleep(time.Hour + 2*time.Second)
		if got := b.Task(good).Approval; got.ID == first || got.State != core.ApprovalPending {
			t.Errorf("the other gate stands under %s, %s", got.ID, got.State)
		}
		b.Files.Break(b.Task(bad).Task.Plan.Workdir, nil)
		time.Sleep(2 * time.Second)
		if got := b.Task(bad).Approval; got.State != core.ApprovalPending || got.StateAt(b.Now()) != core.ApprovalPending {
			t.Errorf("the gate whose files are back stands under %s", got.State)
		}
	})
}

// TestNoClaimWhileAnEarlierExecutionIsTornDown asks the rules: a stop, which makes a teardown, is an
// issue of its own.
func TestNoClaimWhileAnEarlierExecutionIsTornDown(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		queue(b, task)
		d := b.Task(task)
		s := core.Snapshot{Task: d.Task, Approval: d.Approval, Policy: b.Engine.Policy(), Epoch: d.Approval.Epoch,
			Files:      &core.Files{Workdir: d.Task.Plan.Workdir, Names: d.Task.FileNames(0)},
			Executions: []core.Execution{{ID: "x_old", TaskID: task, State: core.ExecEnded, Teardown: core.Teardown{State: core.TeardownPending}}}}
		mint := core.Mint{ID: func(p string) string { return p + "new" }, Code: func() string { return "AAAAAA" }}
		change, err := core.Step(s, core.ClaimStep{Actor: core.System()}, b.Now(), mint)
		if r := refusal(err); r == nil || r.Code != core.CodeConflict || r.Cause != "teardown" || !change.Empty() {
			t.Errorf("the claim gives %v and %d events, want a conflict that says why", err, len(change.Events))
		}
		s.Executions[0].Teardown.State = core.TeardownFailed
		if change, err = core.Step(s, core.ClaimStep{Actor: core.System()}, b.Now(), mint); err != nil || change.Claim == nil {
			t.Errorf("after a failed teardown the claim gives %v", err)
		}
		s.Task.State = core.TaskFailed
		if change, err = core.Step(s, core.Retry{Actor: b.Person("lea")}, b.Now(), mint); err != nil || len(change.Approvals) != 1 || change.Approvals[0].Warning == "" {
			t.Errorf("the new card does not warn that the old process may live: %v", err)
		}
	})
}

func TestTheStepGetsWhatThePlanSaysAndNoMore(t *testing.T) {
	const plan = `
env: {PGHOST: db1}
pass_env: [PGPASSWORD]
vars: {version: "4.20"}
checkpoints:
  - {title: deploy, run: [./deploy.sh, "a b", "$X"], timeout: 30m, stop_grace: 5s, env: {PGPORT: "5432"}}
`
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(plan).ID
		b.run(task)
		l := b.Runtime.Launched()[0]
		if !slices.Equal(l.Argv, []string{"./deploy.sh", "a b", "$X"}) || l.Timeout != 30*time.Minute || l.Grace != 5*time.Second {
			t.Errorf("launched %q, timeout %s, grace %s", l.Argv, l.Timeout, l.Grace)
		}
		if l.Env["PGHOST"] != "db1" || l.Env["PGPORT"] != "5432" || l.Vars["version"] != "4.20" || !slices.Equal(l.PassEnv, []string{"PGPASSWORD"}) {
			t.Errorf("environment %v, vars %v, passed %v", l.Env, l.Vars, l.PassEnv)
		}
		if l.Own["HOLDPOINT_TASK"] != task || l.Own["HOLDPOINT_CHECKPOINT"] == "" || l.Own["HOLDPOINT_ATTEMPT"] != "1" || l.Own["HOLDPOINT_ROUND"] != "1" {
			t.Errorf("its own variables are %v", l.Own)
		}
	})
}
