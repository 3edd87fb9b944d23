package engine_test

import (
	"testing"
	"testing/synctest"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

// TestAGoalsCheckThatIsStoppedGoesToReview; a retry is the next round.
func TestAGoalsCheckThatIsStoppedGoesToReview(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(goal).ID
		b.round(task)
		if _, x := b.session(task); x.Kind != core.ExecCheck {
			t.Fatalf("no check runs: %s", x.Kind)
		}
		b.mustStop(task)
		b.state(task, core.TaskReview)
		b.retry(task)
		if got := b.Task(task).Task; got.Round != 2 || got.State != core.TaskAwaiting {
			t.Errorf("round %d, %s", got.Round, got.State)
		}
	})
}

// TestASessionThatBeginsWhileAStopGoesOnLosesToIt: the last step ends between the look and the write, and
// the check that follows it is stopped in its place.
func TestASessionThatBeginsWhileAStopGoesOnLosesToIt(t *testing.T) {
	stopping(t, func(t *testing.T, b bench, l *looks, _ *faulty) {
		task := b.StartTask(goal).ID
		b.pass(task)
		b.run(task)
		first, _ := b.session(task)
		l.say = func(s core.Session) (string, error) {
			if s.ID == first.ID {
				b.end(task, engine.Sighting{})
			}
			return s.ExecutionID, nil
		}
		out, err := b.stopTask(task, false)
		if err != nil || !out.Stopped || len(out.Sessions) != 2 || out.Sessions[0].Changed || out.Sessions[0].FinalState != core.SessionCompleted || !out.Sessions[1].Changed {
			t.Errorf("%+v, %v", out, err)
		}
		synctest.Wait()
		b.state(task, core.TaskReview)
		if n := len(b.Runtime.Live()); n != 0 {
			t.Errorf("%d executions escaped", n)
		}
	})
}

// TestWhatRanStaysInThePlan: a later round's edit can't drop a step that there may be something to undo of.
func TestWhatRanStaysInThePlan(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(goal).ID
		b.round(task)
		b.end(task, engine.Sighting{ExitCode: 1}) // the check: another round
		b.state(task, core.TaskAwaiting)
		p := b.Task(task).Task.Plan
		p.Checkpoints = p.Checkpoints[:1]
		b.unchanged("an edit that drops what ran", func() {
			if _, err := b.Engine.EditPlan(t.Context(), world.Operator(), task, p); code(err) != core.CodeValidation {
				t.Errorf("%v", err)
			}
		})
	})
}
