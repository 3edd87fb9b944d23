package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

// rungs are the waits between the tries of a teardown, as section 6 of the contract and its issue have
// them.
var rungs = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour}

var errAlive = errors.New("nobody can tell whether its processes live")

func never(context.Context, string, bool) error { return errAlive }

// TestTheLadderOfATeardown: a try at once and one behind each rung, none between, also over restarts; then
// it has failed, says so, and the next card warns.
func TestTheLadderOfATeardown(t *testing.T) {
	for name, restart := range map[string]bool{"one daemon": false, "a restart on every rung": true} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(twoSteps).ID
				b.run(task)
				b.Runtime.OnStop(never)
				if _, err := b.stopTask(task, false); err != nil {
					t.Fatal(err)
				}
				b.state(task, core.TaskReview)
				for i, rung := range rungs {
					if n := len(b.Runtime.Stopped()); n != i+1 {
						t.Fatalf("before rung %d of %s: %d tries", i, rung, n)
					}
					_, x := b.session(task)
					if x.Teardown.State != core.TeardownPending || x.Teardown.Tries != i+1 || !strings.Contains(x.Teardown.Failure, "nobody can tell") {
						t.Fatalf("before rung %d: %+v", i, x.Teardown)
					}
					if restart {
						b.Restart()
					}
					time.Sleep(rung - time.Millisecond)
					synctest.Wait()
					if n := len(b.Runtime.Stopped()); n != i+1 {
						t.Errorf("a try before rung %d of %s", i, rung)
					}
					time.Sleep(time.Millisecond)
					synctest.Wait()
				}
				_, x := b.session(task)
				if x.Teardown.State != core.TeardownFailed || x.Teardown.Failure == "" || x.Live() || len(b.Runtime.Stopped()) != 8 {
					t.Errorf("after the last rung: %+v after %d tries", x.Teardown, len(b.Runtime.Stopped()))
				}
				time.Sleep(48 * time.Hour)
				if n := len(b.Runtime.Stopped()); n != 8 {
					t.Errorf("%d tries in all", n)
				}
				b.retry(task)
				if w := b.Task(task).Approval.Warning; !strings.Contains(w, x.ID) {
					t.Errorf("the new card warns %q", w)
				}
				b.run(task)
			})
		})
	}
}

// TestNoReplacementWhileATeardownIsPending, and the teardown names its own execution to the last.
func TestNoReplacementWhileATeardownIsPending(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		b.run(task)
		first := b.live(task)
		b.Runtime.OnStop(never)
		if _, err := b.stopTask(task, false); err != nil {
			t.Fatal(err)
		}
		b.state(task, core.TaskReview)
		b.retry(task)
		b.Approve("bo", task)
		b.state(task, core.TaskQueued)
		time.Sleep(5 * time.Minute)
		b.state(task, core.TaskQueued)
		b.Runtime.OnStop(nil)
		time.Sleep(time.Hour)
		b.state(task, core.TaskRunning)
		second := b.live(task)
		if second == first {
			t.Fatal("no replacement runs")
		}
		time.Sleep(24 * time.Hour)
		for _, c := range b.Runtime.Stopped() {
			if c.ID != first {
				t.Errorf("the replacement was hit: %+v", c)
			}
		}
		b.state(task, core.TaskRunning)
	})
}

// TestForceBetweenTwoRungsIsCarriedOutAtOnce, also where the execution itself has ended meanwhile.
func TestForceBetweenTwoRungsIsCarriedOutAtOnce(t *testing.T) {
	for name, ended := range map[string]bool{"it lives": false, "its leader has ended, its group not": true} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(twoSteps).ID
				b.run(task)
				x := b.live(task)
				b.Runtime.OnStop(func(_ context.Context, _ string, force bool) error {
					if !force {
						return errAlive
					}
					return nil
				})
				if _, err := b.stopTask(task, false); err != nil {
					t.Fatal(err)
				}
				time.Sleep(3 * time.Minute) // two tries, the next is minutes away
				if ended {
					b.Runtime.End(x, engine.Sighting{ExitCode: 143})
					synctest.Wait()
				}
				if _, err := b.stopTask(task, true); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				_, got := b.session(task)
				if calls := b.Runtime.Stopped(); len(calls) != 3 || !calls[2].Force || got.Teardown.State != core.TeardownDone {
					t.Errorf("%+v, the teardown is %s", calls, got.Teardown.State)
				}
			})
		})
	}
}

// TestOneOwnerATeardown: however often stops and looks come while it is under way.
func TestOneOwnerATeardown(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		b.run(task)
		hold := make(chan struct{})
		b.Runtime.OnStop(func(context.Context, string, bool) error { <-hold; return nil })
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() { _, _ = b.stopTask(task, false) })
		}
		wg.Wait()
		time.Sleep(10 * time.Minute) // slow looks go by
		if n := len(b.Runtime.Stopped()); n != 1 {
			t.Errorf("%d owners of one graceful teardown", n)
		}
		for range 20 {
			wg.Go(func() { _, _ = b.stopTask(task, true) })
		}
		wg.Wait()
		time.Sleep(10 * time.Minute)
		if n := len(b.Runtime.Stopped()); n != 2 {
			t.Errorf("%d owners of a graceful teardown and its raise", n)
		}
		close(hold)
		synctest.Wait()
		if _, x := b.session(task); x.Teardown.State != core.TeardownDone {
			t.Errorf("the teardown is %s", x.Teardown.State)
		}
	})
}

// TestAClaimThatIsNotSpawnedYetIsNeverSpawned: its launch fails for now, the stop comes, the next try
// finds the door shut.
func TestAClaimThatIsNotSpawnedYetIsNeverSpawned(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		tries := 0
		b.Runtime.Refuse = func(engine.Launch) error { tries++; return errors.New("too many processes") }
		task := b.StartTask(twoSteps).ID
		b.Approve("ana", task)
		b.state(task, core.TaskRunning)
		out, err := b.stopTask(task, false)
		if err != nil || !out.Stopped {
			t.Fatalf("%+v, %v", out, err)
		}
		synctest.Wait()
		if _, x := b.session(task); x.Teardown.State != core.TeardownDone || x.Outcome != core.OutcomeStopped || x.State != core.ExecEnded {
			t.Errorf("the teardown is not done at once: %+v", x)
		}
		b.Runtime.Refuse = nil
		was := tries
		time.Sleep(10 * time.Minute)
		if tries != was || len(b.Runtime.Launched()) != 0 {
			t.Errorf("%d further tries, %d launches", tries-was, len(b.Runtime.Launched()))
		}
		if got := b.Task(task).Task; got.State != core.TaskReview || got.Checkpoints[0].Ran {
			t.Errorf("the task is %s, ran %t", got.State, got.Checkpoints[0].Ran)
		}
	})
}

// TestSpawnRetriesAreDisarmedWhateverTheStopSays: nothing starts behind the back of who was told that
// nothing runs.
func TestSpawnRetriesAreDisarmedWhateverTheStopSays(t *testing.T) {
	for name, err := range map[string]error{"not running": core.ErrNoExecutionForSession, "nobody knows": errAlive} {
		t.Run(name, func(t *testing.T) {
			stopping(t, func(t *testing.T, b bench, l *looks, _ *faulty) {
				fails := 1
				b.Runtime.Refuse = func(engine.Launch) error {
					if fails--; fails >= 0 {
						return errors.New("too many processes")
					}
					return nil
				}
				task := b.StartTask(twoSteps).ID
				b.Approve("ana", task)
				b.state(task, core.TaskRunning)
				l.say = func(core.Session) (string, error) { return "", err }
				out, got := b.stopTask(task, false)
				if out.Stopped || (err == errAlive) != (got != nil) { //nolint:errorlint // the table's own
					t.Errorf("%+v, %v", out, got)
				}
				time.Sleep(10 * time.Minute)
				if n := len(b.Runtime.Launched()); n != 0 {
					t.Errorf("%d launches after the stop", n)
				}
				b.state(task, core.TaskFailed) // provably nothing ran
			})
		})
	}
}

// TestALaunchThatArrivesAfterTheStopLoses: it was prepared before, and is on its way while CANCELLED is
// written. The runtime's door is shut, or what started is torn down by its exact id.
func TestALaunchThatArrivesAfterTheStopLoses(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		arrived, hold := make(chan struct{}), make(chan struct{})
		b.Between = func(r engine.Runtime) engine.Runtime { return &lateRuntime{Runtime: r, arrived: arrived, hold: hold} }
		b.Restart()
		task := b.StartTask(twoSteps).ID
		b.Approve("ana", task)
		<-arrived
		if out, err := b.stopTask(task, false); err != nil || !out.Stopped {
			t.Fatalf("%+v, %v", out, err)
		}
		synctest.Wait()
		close(hold)
		time.Sleep(5 * time.Minute)
		if n := len(b.Runtime.Launched()); n != 0 || len(b.Runtime.Live()) != 0 {
			t.Errorf("%d launches behind the stop", n)
		}
		if _, x := b.session(task); x.Teardown.State != core.TeardownDone {
			t.Errorf("the teardown is %s", x.Teardown.State)
		}
	})
}

// TestAKillAtEachPointOfTheOrder: the daemon dies, another starts; every CANCELLED execution is torn down,
// done once, and no replacement is hit.
func TestAKillAtEachPointOfTheOrder(t *testing.T) {
	for name, kill := range map[string]func(b bench, task string){
		"before the stop": func(b bench, task string) { b.restart(); b.mustStop(task) },
		"between CANCELLED and the teardown": func(b bench, task string) {
			b.Runtime.OnStop(func(ctx context.Context, _ string, _ bool) error { <-ctx.Done(); return ctx.Err() })
			b.mustStop(task)
			b.restart()
		},
		"behind a try that failed": func(b bench, task string) {
			b.Runtime.OnStop(never)
			b.mustStop(task)
			synctest.Wait()
			b.restart()
		},
		"between the last process's end and its record": func(b bench, task string) {
			b.Runtime.OnStop(func(ctx context.Context, id string, _ bool) error {
				b.Runtime.End(id, engine.Sighting{Stopped: true})
				<-ctx.Done()
				return ctx.Err()
			})
			b.mustStop(task)
			b.restart()
		},
		"behind the teardown": func(b bench, task string) { b.mustStop(task); synctest.Wait(); b.restart() },
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				other := b.StartTask(twoSteps).ID
				b.run(other)
				task := b.StartTask(twoSteps).ID
				b.run(task)
				kill(b, task)
				time.Sleep(2 * time.Minute)
				s, x := b.session(task)
				if s.State != core.SessionCancelled || x.Teardown.State != core.TeardownDone || x.Outcome != core.OutcomeStopped {
					t.Errorf("session %s, teardown %s, outcome %s", s.State, x.Teardown.State, x.Outcome)
				}
				ended := 0
				for _, ev := range b.Events(0) {
					if ev.Type == core.EventTeardownEnded {
						ended++
					}
				}
				if ended != 1 {
					t.Errorf("%d teardowns were recorded", ended)
				}
				if !slices.Equal(b.Runtime.Live(), []string{b.live(other)}) {
					t.Errorf("live: %v", b.Runtime.Live())
				}
				tries := len(b.Runtime.Stopped())
				b.restart()
				time.Sleep(time.Hour)
				if n := len(b.Runtime.Stopped()); n != tries {
					t.Errorf("%d teardowns of what is torn down", n-tries)
				}
			})
		})
	}
}

func (b bench) mustStop(task string) {
	b.t.Helper()
	if out, err := b.stopTask(task, false); err != nil || !out.Stopped {
		b.t.Fatalf("%+v, %v", out, err)
	}
	synctest.Wait()
}

// restart kills the daemon and starts the next, whose runtime stops as it should.
func (b bench) restart() {
	b.Stop()
	b.Runtime.OnStop(nil)
	b.Start()
	synctest.Wait()
}

// TestANaturalEndRacingAStop a thousand times: never overwritten, never counted as stopped, never both.
func TestANaturalEndRacingAStop(t *testing.T) {
	const at = 20
	races := 1000
	if testing.Short() {
		races = 100
	}
	in(t, func(t *testing.T, b bench) {
		b.policy(func(p *core.Policy) { p.Limits.Running = at })
		won := map[bool]int{}
		for range races / at {
			tasks, execs := make([]string, at), make([]string, at)
			var wg sync.WaitGroup
			for i := range tasks {
				wg.Go(func() { tasks[i] = b.approved(oneStep) })
			}
			wg.Wait()
			synctest.Wait()
			for i, id := range tasks {
				execs[i] = b.live(id)
			}
			outs := make([]engine.TaskStop, at)
			for i := range tasks {
				wg.Go(func() { b.Runtime.TryEnd(execs[i], engine.Sighting{}) })
				wg.Go(func() {
					out, err := b.stopTask(tasks[i], false)
					if err != nil {
						t.Errorf("the stop: %v", err)
					}
					outs[i] = out
				})
			}
			wg.Wait()
			synctest.Wait()
			for i, id := range tasks {
				won[outs[i].Stopped]++
				b.oneEnd(id, execs[i], outs[i].Stopped)
			}
		}
		t.Logf("the stop won %d times, the natural end %d times", won[true], won[false])
	})
}

// approved starts a plan and approves its first gate; it may be called from many at once.
func (b bench) approved(plan string) string {
	task, _, err := b.Engine.StartTask(b.t.Context(), engine.StartTask{Actor: world.Operator(), Plan: b.Plan(plan)})
	if err == nil {
		_, err = b.Decide("ana", task.ApprovalID, core.Approve)
	}
	if err != nil {
		b.t.Errorf("an approved task: %v", err)
	}
	return task.ID
}

const oneStep = `
checkpoints:
  - {title: only, run: ./only.sh}
`

func (b bench) oneEnd(task, execution string, stopped bool) {
	b.t.Helper()
	d := b.Task(task)
	s, x := b.session(task)
	got := fmt.Sprint(d.Task.State, " ", s.State, " ", x.Outcome, " ", x.Teardown.State)
	want := "completed completed succeeded "
	if stopped {
		want = "review cancelled stopped done"
	}
	if got != want {
		b.t.Errorf("stopped %t, and the records say %q, want %q", stopped, got, want)
	}
	hit := slices.ContainsFunc(b.Runtime.Stopped(), func(c world.StopCall) bool { return c.ID == execution })
	if hit != stopped {
		b.t.Errorf("stopped %t, torn down %t", stopped, hit)
	}
}
