package engine_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

const goal = `
task_kind: goal
objective: p99 under 200 ms
done_when: ./check.sh
max_rounds: 3
checkpoints:
  - {title: tune, run: ./tune.sh, rollback_notes: undo the tuning}
  - {title: roll out, run: ./roll.sh, rollback_notes: roll back}
`

// round takes both gates of the goal and leaves its check running.
func (b bench) round(task string) {
	b.t.Helper()
	b.pass(task)
	b.run(task)
	b.end(task, engine.Sighting{})
	if t := b.Task(task).Task; !t.Checking || t.State != core.TaskRunning {
		b.t.Fatalf("behind the last step the goal is %s, checking %t", t.State, t.Checking)
	}
}

func TestAGoalIsGatedBeforeItsCheckIsEverRun(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(goal).ID
		synctest.Wait()
		if n := len(b.Runtime.Launched()); n != 0 {
			t.Errorf("%d executions before the first gate", n)
		}
		b.round(task)
		launched := b.Runtime.Launched()
		last := launched[len(launched)-1]
		if !slices.Contains(last.Argv, "./check.sh") || last.Timeout != 5*time.Minute {
			t.Errorf("the check is %v with a timeout of %s, want ./check.sh and 5 minutes", last.Argv, last.Timeout)
		}
	})
}

func TestAGoalGoesRoundUntilItsCheckIsMet(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(goal).ID
		seen := map[string]bool{}
		for round := 1; round <= 2; round++ {
			for i := range 2 {
				synctest.Wait()
				d := b.Task(task)
				if d.Task.Round != round || d.Task.Current != i || d.Approval.Subject.Round != round || seen[d.Approval.ID] {
					t.Fatalf("round %d, gate %d: task in round %d at %d, approval %s of round %d, used before %t",
						round, i, d.Task.Round, d.Task.Current, d.Approval.ID, d.Approval.Subject.Round, seen[d.Approval.ID])
				}
				seen[d.Approval.ID] = true
				b.pass(task)
			}
			b.end(task, engine.Sighting{ExitCode: 2 - round}) // not met, then met
		}
		b.state(task, core.TaskCompleted)
	})
}

func TestUsedUpRoundsFailAndAreNotRetried(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(goal).ID
		for range 3 {
			b.round(task)
			b.end(task, engine.Sighting{ExitCode: 1})
		}
		b.state(task, core.TaskFailed)
		if r := b.Task(task).Task.Rollback.State; r != core.RollbackNoted {
			t.Errorf("the rollback is %s, want noted", r)
		}
		b.unchanged("retry", func() {
			if _, err := b.Engine.Retry(t.Context(), b.Person("lea"), task); code(err) != core.CodeConflict {
				t.Errorf("retry: %v, want a conflict that asks for more rounds", err)
			}
		})
	})
}

func TestACheckThatCannotTell(t *testing.T) {
	for name, seen := range map[string]engine.Sighting{
		"exit 2 goes to review":             {ExitCode: 2, Summary: "no data"},
		"hanging, timed out goes to review": {TimedOut: true, ExitCode: 124},
		"stopped goes to review":            {Stopped: true, ExitCode: 143},
		"timed out with exit 1 is no no":    {TimedOut: true, ExitCode: 1},
		"stopped with exit 0 is no yes":     {Stopped: true},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(goal).ID
				b.round(task)
				b.end(task, seen)
				b.state(task, core.TaskReview)
			})
		})
	}
}

func TestALostCheckIsRunAgain(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(goal).ID
		b.round(task)
		first := b.live(task)
		b.end(task, engine.Sighting{State: engine.SeenLost})
		b.state(task, core.TaskRunning)
		if again := b.live(task); again == first {
			t.Error("the lost check is still the live one")
		}
		b.end(task, engine.Sighting{})
		b.state(task, core.TaskCompleted)
	})
}

func TestARetryOfACheckIsTheNextRound(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(goal).ID
		b.round(task)
		b.end(task, engine.Sighting{ExitCode: 2})
		if _, err := b.Engine.Retry(t.Context(), b.Person("lea"), task); err != nil {
			t.Fatal(err)
		}
		d := b.Task(task)
		if d.Task.State != core.TaskAwaiting || d.Task.Round != 2 || d.Task.Current != 0 || d.Approval.Subject.Round != 2 {
			t.Errorf("after the retry: %s, round %d, checkpoint %d", d.Task.State, d.Task.Round, d.Task.Current)
		}
	})
}

func TestResolvingACheck(t *testing.T) {
	for name, done := range map[string]bool{"done completes the goal": true, "failed fails it": false} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(goal).ID
				b.round(task)
				b.end(task, engine.Sighting{ExitCode: 2})
				if _, err := b.Engine.Resolve(t.Context(), b.Person("bo"), task, done, "measured by hand"); err != nil {
					t.Fatal(err)
				}
				want := core.TaskFailed
				if done {
					want = core.TaskCompleted
				}
				b.state(task, want)
				if got := b.Task(task).Task.Completed(); len(got) != 2 {
					t.Errorf("the steps that succeeded are %v: what the check says takes none of them back", got)
				}
			})
		})
	}
}

func TestAResolvedLastStepIsFollowedByTheCheck(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(goal).ID
		b.pass(task)
		b.run(task)
		b.end(task, engine.Sighting{State: engine.SeenLost})
		if _, err := b.Engine.Resolve(t.Context(), b.Person("bo"), task, true, "it is out"); err != nil {
			t.Fatal(err)
		}
		b.state(task, core.TaskRunning)
		b.end(task, engine.Sighting{})
		b.state(task, core.TaskCompleted)
	})
}

// TestNotesOfALaterRoundAreNewestFirst: in the second round the first checkpoint ran after the second
// one of the first round did.
func TestNotesOfALaterRoundAreNewestFirst(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(goal).ID
		for range 2 {
			time.Sleep(time.Minute)
			b.pass(task)
		}
		b.end(task, engine.Sighting{ExitCode: 1})
		time.Sleep(time.Minute)
		b.run(task)
		b.end(task, engine.Sighting{ExitCode: 9})
		var got []string
		for _, n := range b.Task(task).Task.RollbackNotes() {
			got = append(got, n.Text)
		}
		if want := "undo the tuning, roll back"; strings.Join(got, ", ") != want {
			t.Errorf("the notes are %q, want %s", got, want)
		}
	})
}

func TestACheckTakesNoWorkerSlot(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		b.policy(func(p *core.Policy) { p.Limits.Running = 1 })
		b.round(b.StartTask(goal).ID)
		other := b.StartTask(twoSteps).ID
		b.run(other)
		if n := len(b.Runtime.Live()); n != 2 {
			t.Errorf("%d executions live, want the check and the step", n)
		}
	})
}

func TestOnlyAnApproverResolvesAndSaysWhy(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		places["review"](b, task)
		b.unchanged("resolving without right or reason", func() {
			for _, a := range []core.Actor{b.Person("lea"), world.Operator(), {Kind: core.ActorAgent, Name: "bot"}} {
				if _, err := b.Engine.Resolve(t.Context(), a, task, true, "done"); code(err) != core.CodeForbidden {
					t.Errorf("%s resolves: %v, want forbidden", a, err)
				}
			}
			for _, why := range []string{"", "  \n", strings.Repeat("x", core.MaxReason+1), "\xff\xfe"} {
				if _, err := b.Engine.Resolve(t.Context(), b.Person("ana"), task, true, why); code(err) != core.CodeValidation {
					t.Errorf("resolving with the reason %.10q: %v, want validation", why, err)
				}
			}
		})
	})
}
