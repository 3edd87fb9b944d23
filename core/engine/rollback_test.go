package engine_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

const undoable = `
title: With a way back
checkpoints:
  - {title: first, run: ./first.sh, rollback_notes: undo the first, rollback_run: ./undo-first.sh}
  - {title: second, run: ./second.sh, rollback_notes: undo the second, rollback_run: ./undo-second.sh}
`

// each does something so many times at once.
func each(n int, do func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}

func (b bench) rollback(task string, checkpoint int) core.Task {
	b.t.Helper()
	t, err := b.Engine.Rollback(b.t.Context(), b.Person("bo"), task, checkpoint)
	if err != nil {
		b.t.Fatalf("asking for a rollback: %v", err)
	}
	return t
}

// approveID approves an approval by its id.
func (b bench) approveID(person, approval string) {
	b.t.Helper()
	if _, err := b.Decide(person, approval, core.Approve); err != nil {
		b.t.Fatalf("%s approves %s: %v", person, approval, err)
	}
}

// TestARollbackInEachState: it is asked for where a record stands still with something that ran.
func TestARollbackInEachState(t *testing.T) {
	for place, want := range map[string]core.Code{
		"awaiting_approval": core.CodeConflict, "queued": core.CodeConflict, "running": core.CodeConflict,
		"paused at a gate": core.CodeConflict, "paused in the queue": core.CodeConflict,
		"rejected": core.CodeConflict, "cancelled": core.CodeConflict, // nothing ran
		"review": "", "completed": "", "failed": "",
	} {
		t.Run(place, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(undoable).ID
				places[place](b, task)
				synctest.Wait()
				was := b.Task(task).Task.State
				_, err := b.Engine.Rollback(t.Context(), b.Person("bo"), task, -1)
				if code(err) != want {
					t.Fatalf("%v, want %q", err, want)
				}
				b.state(task, was)
				if want != "" {
					return
				}
				got := b.Task(task).Task.Rollback
				a := b.approval(got.ApprovalID)
				if got.State != core.RollbackAwaiting || a.Kind != core.ApproveRollback || a.State != core.ApprovalPending {
					t.Errorf("%+v, approval %s %s", got, a.Kind, a.State)
				}
				_, err = b.Engine.Rollback(t.Context(), b.Person("bo"), task, -1)
				if code(err) != core.CodeConflict {
					t.Errorf("a second one: %v", err)
				}
				if place != "completed" {
					if _, err = b.Engine.Retry(t.Context(), b.Person("bo"), task); code(err) != core.CodeConflict {
						t.Errorf("a retry while it is open: %v", err)
					}
				}
			})
		})
	}
}

// TestTheEndOfARollback: what its command comes to, and what its record says then.
func TestTheEndOfARollback(t *testing.T) {
	for name, tc := range map[string]struct {
		end  func(b bench, task string)
		want core.RollbackState
	}{
		"done":      {func(b bench, task string) { b.endRollback(task, engine.Sighting{Summary: "undone"}) }, core.RollbackDone},
		"failed":    {func(b bench, task string) { b.endRollback(task, engine.Sighting{ExitCode: 1}) }, core.RollbackFailed},
		"timed out": {func(b bench, task string) { b.endRollback(task, engine.Sighting{TimedOut: true, ExitCode: 124}) }, core.RollbackFailed},
		"lost":      {func(b bench, task string) { b.endRollback(task, engine.Sighting{State: engine.SeenLost}) }, core.RollbackFailed},
		"stopped":   {func(b bench, task string) { b.mustStop(task) }, core.RollbackFailed},
		"over a restart": {func(b bench, task string) {
			b.Restart()
			b.endRollback(task, engine.Sighting{})
		}, core.RollbackDone},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(undoable).ID
				b.pass(task)
				b.run(task)
				b.end(task, engine.Sighting{ExitCode: 3})
				b.rollback(task, 0)
				b.approveID("ana", b.Task(task).Task.Rollback.ApprovalID)
				synctest.Wait()
				if got := b.Task(task).Task; got.State != core.TaskFailed || got.Rollback.State != core.RollbackRunning {
					t.Fatalf("the task is %s, the rollback %s", got.State, got.Rollback.State)
				}
				tc.end(b, task)
				b.state(task, core.TaskFailed)
				got := b.Task(task).Task
				if got.Rollback.State != tc.want {
					t.Errorf("the rollback is %s (%s), want %s", got.Rollback.State, got.Rollback.Reason, tc.want)
				}
				argv := b.Runtime.Launched()[2].Argv
				if !slices.Contains(argv, "./undo-first.sh") {
					t.Errorf("the rollback ran %q", argv)
				}
				b.retry(task)
				first := 1
				if tc.want == core.RollbackDone {
					first = 0 // it is pending again, and a retry starts at the first pending one
				}
				if got := b.Task(task); got.Task.Current != first || got.Approval.Subject.Index != first {
					t.Errorf("a retry starts at checkpoint %d", got.Task.Current)
				}
			})
		})
	}
}

func (b bench) endRollback(task string, s engine.Sighting) {
	b.t.Helper()
	synctest.Wait()
	b.Runtime.End(b.Task(task).Task.Rollback.Execution, s)
	synctest.Wait()
}

// TestARollbackThatIsNotReleasedIsNoted: refused or run out, the notes are what is left.
func TestARollbackThatIsNotReleasedIsNoted(t *testing.T) {
	for name, do := range map[string]func(b bench, approval string){
		"rejected": func(b bench, approval string) {
			if _, err := b.Decide("ana", approval, core.Reject); err != nil {
				b.t.Fatal(err)
			}
		},
		"expired": func(b bench, _ string) { time.Sleep(24*time.Hour + time.Millisecond) },
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(undoable).ID
				places["failed"](b, task)
				a := b.rollback(task, -1).Rollback.ApprovalID
				do(b, a)
				synctest.Wait()
				if got := b.Task(task).Task.Rollback; got.State != core.RollbackNoted {
					t.Errorf("the rollback is %s", got.State)
				}
				if n := len(b.Runtime.Launched()); n != 1 {
					t.Errorf("%d launches", n)
				}
				b.rollback(task, -1) // it may be asked for anew
			})
		})
	}
}

// TestAnEditRacingATap a thousand times: what is approved is what the plan says, or nothing is.
func TestAnEditRacingATap(t *testing.T) {
	const at = 20
	races := 1000
	if testing.Short() {
		races = 100
	}
	in(t, func(t *testing.T, b bench) {
		won := map[core.Code]int{}
		for range races / at {
			tasks, plans, errs := make([]core.Task, at), make([]core.Plan, at), make([][2]error, at)
			each(at, func(i int) {
				tasks[i], _, _ = b.Engine.StartTask(t.Context(), engine.StartTask{Actor: world.Operator(), Plan: b.Plan(outsideSteps)})
				plans[i] = tasks[i].Plan
				plans[i].Checkpoints = slices.Clone(plans[i].Checkpoints)
				plans[i].Checkpoints[0].Detail = "the other cable"
			})
			each(2*at, func(i int) {
				if one := i / 2; i%2 == 0 {
					_, errs[one][0] = b.Engine.EditPlan(t.Context(), world.Operator(), tasks[one].ID, plans[one])
				} else {
					for range one % 4 { // an edit looks at files on its way: some taps have to look too, to meet it
						_ = b.Store.Update(t.Context(), func(engine.Tx) error { return nil })
					}
					_, errs[one][1] = b.Decide("ana", tasks[one].ApprovalID, core.Approve)
				}
			})
			for i, task := range tasks {
				d, edit, tap := b.Task(task.ID), code(errs[i][0]), code(errs[i][1])
				won[tap]++
				edited := d.Approval.Subject.Detail == "the other cable" && d.Task.Plan.Checkpoints[0].Detail == "the other cable"
				switch {
				case edit == "" && tap == core.CodeStale && edited && d.Task.State == core.TaskAwaiting && d.Approval.State == core.ApprovalPending:
				case edit == core.CodeConflict && tap == "" && !edited && d.Task.State == core.TaskQueued:
				default:
					t.Errorf("edit %q, tap %q: the task is %s under %q, %s", edit, tap, d.Task.State, d.Approval.Subject.Detail, d.Approval.State)
				}
			}
		}
		t.Logf("the tap came to %v", won)
	})
}
