package engine_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

const outsideSteps = `
title: Done by hand
checkpoints:
  - {title: move the cable, timeout: 1h, rollback_notes: move it back}
  - {title: switch over, rollback_notes: switch back}
`

// claim takes the use of the current approval of outside work, as the operator.
func (b bench) claim(task string) string {
	b.t.Helper()
	out, err := b.claimAs("claim", b.Task(task).Approval.ID)
	if err != nil || out.ExecutionID == "" {
		b.t.Fatalf("claiming %s: %q, %v", task, out.ExecutionID, err)
	}
	return out.ExecutionID
}

func (b bench) claimAs(request, approval string) (engine.Claimed, error) {
	return b.Engine.Claim(b.t.Context(), engine.Claim{Actor: world.Operator(), Approval: approval, RequestID: request})
}

func (b bench) report(task, execution string, checkpoint int, succeeded bool) error {
	_, err := b.Engine.Report(b.t.Context(), engine.Report{Actor: world.Operator(), Task: task, Checkpoint: checkpoint,
		ExecutionID: execution, Succeeded: succeeded, Detail: "by hand"})
	return err
}

// claimed brings a task of outside work to where its first step is at work.
func (b bench) claimed() (task, execution string) {
	b.t.Helper()
	task = b.StartTask(outsideSteps).ID
	b.Approve("ana", task)
	return task, b.claim(task)
}

func TestOutsideWorkIsClaimedOnceAndNeverLaunched(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(outsideSteps).ID
		a := b.Task(task).Approval.ID
		b.unchanged("a claim before the decision", func() {
			if out, err := b.claimAs("one", a); err != nil || out.ExecutionID != "" || out.Approval.State() != core.ApprovalPending {
				t.Errorf("%q, %v", out.ExecutionID, err)
			}
		})
		b.Approve("ana", task)
		time.Sleep(5 * time.Minute)
		b.state(task, core.TaskQueued) // the daemon leaves it alone
		out, err := b.claimAs("one", a)
		if err != nil || out.ExecutionID == "" {
			t.Fatalf("%q, %v", out.ExecutionID, err)
		}
		b.state(task, core.TaskRunning)
		again := func() {
			if twice, err := b.claimAs("one", a); err != nil || twice.ExecutionID != out.ExecutionID {
				t.Errorf("the same request: %q, %v", twice.ExecutionID, err)
			}
			for _, request := range []string{"", "two"} {
				if _, err := b.claimAs(request, a); code(err) != core.CodeAlreadyClaimed {
					t.Errorf("request %q: %v", request, err)
				}
			}
		}
		b.unchanged("a claim that is repeated", again)
		if err := b.report(task, out.ExecutionID, 0, true); err != nil {
			t.Fatal(err)
		}
		b.unchanged("a claim that is repeated after the end", again)
		if n := len(b.Runtime.Launched()); n != 0 {
			t.Errorf("%d launches of outside work", n)
		}
	})
}

func TestTheEndingsOfAClaim(t *testing.T) {
	for name, tc := range map[string]struct {
		do   func(b bench, task string)
		code core.Code
	}{
		"rejected": {func(b bench, task string) {
			if _, err := b.Decide("bo", b.Task(task).Approval.ID, core.Reject); err != nil {
				b.t.Fatal(err)
			}
		}, core.CodeRejected},
		"expired":   {func(b bench, _ string) { time.Sleep(24*time.Hour + time.Millisecond) }, core.CodeExpired},
		"cancelled": {places["cancelled"], core.CodeCancelled},
		"stopped":   {func(b bench, task string) { b.mustStop(task) }, core.CodeCancelled},
		"superseded": {func(b bench, task string) {
			p := b.Task(task).Task.Plan
			p.Checkpoints = slices.Clone(p.Checkpoints)
			p.Checkpoints[0].Title = "move another cable"
			if _, err := b.Engine.EditPlan(b.t.Context(), world.Operator(), task, p); err != nil {
				b.t.Fatal(err)
			}
		}, core.CodeStale},
		"paused": {func(b bench, task string) { b.Approve("ana", task); b.pause(task) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(outsideSteps).ID
				a := b.Task(task).Approval.ID
				tc.do(b, task)
				synctest.Wait()
				b.unchanged(name, func() {
					out, err := b.claimAs("one", a)
					if code(err) != tc.code || out.ExecutionID != "" {
						t.Errorf("%q, %v", out.ExecutionID, err)
					}
					if r := refusal(err); tc.code == core.CodeStale && r.ReplacedBy != b.Task(task).Approval.ID {
						t.Errorf("replaced by %q", r.ReplacedBy)
					}
				})
			})
		})
	}
}

func TestAReportIsTakenOnce(t *testing.T) {
	for name, tc := range map[string]struct {
		succeeded bool
		want      core.TaskState
	}{"succeeded": {true, core.TaskAwaiting}, "failed": {false, core.TaskFailed}} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task, x := b.claimed()
				b.unchanged("reports of something else", func() {
					for i, err := range []error{b.report(task, "x_000000000000", 0, true), b.report(task, x, 1, true), b.report(task, "", 0, true)} {
						if code(err) != core.CodeNotFound {
							t.Errorf("report %d: %v", i, err)
						}
					}
				})
				if err := b.report(task, x, 0, tc.succeeded); err != nil {
					t.Fatal(err)
				}
				b.state(task, tc.want)
				b.unchanged("a report that is repeated", func() {
					if err := b.report(task, x, 0, tc.succeeded); err != nil {
						t.Errorf("alike: %v", err)
					}
					if err := b.report(task, x, 0, !tc.succeeded); code(err) != core.CodeConflict {
						t.Errorf("contrary: %v", err)
					}
				})
			})
		})
	}
}

// TestAReportAfterAStop is kept as evidence, refused, and ends the teardown: nobody is at work any more.
func TestAReportAfterAStop(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task, x := b.claimed()
		b.mustStop(task)
		b.state(task, core.TaskReview)
		time.Sleep(30 * time.Minute)
		b.state(task, core.TaskReview)
		if _, got := b.session(task); got.Teardown.State != core.TeardownPending || !got.Live() {
			t.Errorf("before the report: %s, %+v", got.State, got.Teardown)
		}
		was := b.Task(task).Task
		for i := range 2 {
			head := b.Head()
			if err := b.report(task, x, 0, true); code(err) != core.CodeCancelled {
				t.Errorf("report %d: %v", i, err)
			}
			late := slices.DeleteFunc(b.Events(head), func(e core.Event) bool { return e.Type != core.EventLateReport })
			if len(late) != 1 || late[0].Data["detail"] != "by hand" || late[0].Data["outcome"] != string(core.OutcomeSucceeded) {
				t.Errorf("the evidence: %+v", late)
			}
		}
		d := b.Task(task)
		if got := d.Executions[0]; got.Teardown.State != core.TeardownDone || got.Outcome != core.OutcomeStopped {
			t.Errorf("after the report: %s, %+v", got.Outcome, got.Teardown)
		}
		if d.Task.Revision != was.Revision || d.Task.State != core.TaskReview || d.Sessions[0].State != core.SessionCancelled || len(b.Runtime.Stopped()) != 0 {
			t.Errorf("the record was changed, or the runtime asked: %+v", b.Runtime.Stopped())
		}
		b.retry(task)
		b.Approve("bo", task)
		b.claim(task)
	})
}

// TestOutsideWorkThatNobodyReportsAfterAStop holds the task up to the end of the ladder.
func TestOutsideWorkThatNobodyReportsAfterAStop(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task, _ := b.claimed()
		b.mustStop(task)
		b.retry(task)
		b.Approve("bo", task)
		var ladder time.Duration
		for _, rung := range rungs {
			ladder += rung
		}
		a := b.Task(task).Approval.ID
		time.Sleep(ladder - time.Second)
		if out, err := b.claimAs("again", a); err != nil || out.ExecutionID != "" {
			t.Errorf("while the teardown is pending: %q, %v", out.ExecutionID, err)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if x := b.Task(task).Executions[0]; x.Teardown.State != core.TeardownFailed {
			t.Errorf("the teardown is %s", x.Teardown.State)
		}
		if out, err := b.claimAs("again", a); err != nil || out.ExecutionID == "" {
			t.Errorf("behind the ladder: %q, %v", out.ExecutionID, err)
		}
	})
}

// TestOutsideWorkGoesToReviewAtItsTimeout, also where no daemon ran then; one that was stopped or has no
// timeout does not.
func TestOutsideWorkGoesToReviewAtItsTimeout(t *testing.T) {
	for name, down := range map[string]bool{"watched": false, "in a downtime": true} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task, x := b.claimed()
				stopped, _ := b.claimed()
				b.mustStop(stopped)
				forever, y := b.claimed()
				if err := b.report(forever, y, 0, true); err != nil {
					t.Fatal(err)
				}
				b.Approve("ana", forever)
				b.claim(forever)
				time.Sleep(time.Hour - time.Millisecond)
				b.state(task, core.TaskRunning)
				if down {
					b.Stop()
				}
				time.Sleep(time.Millisecond)
				if down {
					b.Start()
				}
				b.state(task, core.TaskReview)
				d := b.Task(task)
				if d.Executions[0].Outcome != core.OutcomeTimedOut || d.Sessions[0].State != core.SessionFailed || d.Task.Checkpoints[0].State != core.CheckpointRunning {
					t.Errorf("%s, session %s, checkpoint %s", d.Executions[0].Outcome, d.Sessions[0].State, d.Task.Checkpoints[0].State)
				}
				if err := b.report(task, x, 0, true); code(err) != core.CodeCancelled {
					t.Errorf("a report after the timeout: %v", err)
				}
				time.Sleep(24 * 7 * time.Hour)
				b.state(forever, core.TaskRunning)
				if x := b.Task(stopped).Executions[0]; x.Outcome != core.OutcomeStopped {
					t.Errorf("the stopped one ended as %s", x.Outcome)
				}
			})
		})
	}
}

// TestFiftyClaimsAtOnceAreOne, and fifty reports.
func TestFiftyClaimsAtOnceAreOne(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(outsideSteps).ID
		b.Approve("ana", task)
		a := b.Task(task).Approval.ID
		got := make([]string, 50)
		each(len(got), func(i int) {
			out, err := b.claimAs(fmt.Sprint(i), a)
			if err == nil {
				got[i] = out.ExecutionID
			} else if code(err) != core.CodeAlreadyClaimed {
				t.Errorf("claim %d: %v", i, err)
			}
		})
		won := slices.DeleteFunc(got, func(id string) bool { return id == "" })
		if len(won) != 1 {
			t.Fatalf("%d claims of one approval", len(won))
		}
		oks := make([]bool, 50)
		each(len(oks), func(i int) {
			err := b.report(task, won[0], 0, i%2 == 0)
			if oks[i] = err == nil; err != nil && code(err) != core.CodeConflict {
				t.Errorf("report %d: %v", i, err)
			}
		})
		succeeded := b.Task(task).Task.State == core.TaskAwaiting
		for i, ok := range oks {
			if ok != ((i%2 == 0) == succeeded) {
				t.Errorf("report %d was taken: %t, the task says succeeded: %t", i, ok, succeeded)
			}
		}
	})
}
