package engine_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

const crowd = 50

// TestFiftyTapsAtOnceHaveOneOutcome: whoever taps what, one tap settles the approval, all others are told
// of that one alike, and the step starts once or never.
func TestFiftyTapsAtOnceHaveOneOutcome(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		b.policy(func(p *core.Policy) {
			p.People = nil
			for i := range crowd {
				p.People = append(p.People, core.Person{Name: fmt.Sprintf("p%02d", i), Roles: []string{core.RoleApprover}})
			}
		})
		task := b.StartTask(twoSteps).ID
		id := b.Task(task).Approval.ID
		errs, verdicts := make([]error, crowd), make([]core.Verdict, crowd)
		var wg sync.WaitGroup
		for i := range crowd {
			verdicts[i] = []core.Verdict{core.Approve, core.Reject}[i%2]
			wg.Go(func() { _, errs[i] = b.Decide(fmt.Sprintf("p%02d", i), id, verdicts[i]) })
		}
		wg.Wait()
		synctest.Wait()
		b.oneOutcome(task, id, errs, verdicts)
	})
}

func (b bench) oneOutcome(task, id string, errs []error, verdicts []core.Verdict) {
	b.t.Helper()
	a := b.approval(id)
	if len(a.Decisions) != 1 {
		b.t.Fatalf("%d decisions were taken: %+v", len(a.Decisions), a.Decisions)
	}
	won := a.Decisions[0]
	for i, err := range errs {
		who := fmt.Sprintf("p%02d", i)
		if r := refusal(err); who == won.Person && (err != nil || verdicts[i] != won.Verdict) ||
			who != won.Person && (r == nil || r.Code != core.CodeAlreadyDecided || r.By != won.Person || !r.At.Equal(won.At) || r.Cause != string(a.State)) {
			b.t.Errorf("%s, who said %s, was told %v; %s said %s first", who, verdicts[i], err, won.Person, won.Verdict)
		}
	}
	state, launches := core.TaskRejected, 0
	if won.Verdict == core.Approve {
		state, launches = core.TaskRunning, 1
	}
	b.state(task, state)
	if n := len(b.Runtime.Launched()); n != launches {
		b.t.Errorf("after a first %s: %d launches", won.Verdict, n)
	}
	decided := 0
	for _, ev := range b.Events(0) {
		if ev.Type == core.EventApprovalDecided {
			decided++
		}
	}
	if decided != 1 {
		b.t.Errorf("the audit tells of %d decisions", decided)
	}
}

// TestApproveCancelAndPauseAtOnceAreOneStory: whatever order they fall into, the records agree, which
// the world proves at its end, and a task that was cancelled never runs.
func TestApproveCancelAndPauseAtOnceAreOneStory(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		for range 10 {
			task := b.StartTask(twoSteps).ID
			id, before := b.Task(task).Approval.ID, len(b.Runtime.Launched())
			var cancelled bool
			var wg sync.WaitGroup
			wg.Go(func() { _, _ = b.Decide("ana", id, core.Approve) })
			wg.Go(func() { _, cancelled, _ = b.Engine.Cancel(context.Background(), world.Operator(), task, "") })
			wg.Go(func() { _, _ = b.Engine.Pause(context.Background(), world.Operator(), task) })
			wg.Wait()
			synctest.Wait()
			ran := len(b.Runtime.Launched()) - before
			d := b.Task(task)
			if cancelled != (d.Task.State == core.TaskCancelled) || cancelled && ran != 0 || !cancelled && d.Task.State == core.TaskRunning && ran != 1 {
				t.Errorf("cancelled %t, the task is %s, %d launches", cancelled, d.Task.State, ran)
			}
			if d.Task.State == core.TaskRunning { // leave no slot taken
				b.end(task, engine.Sighting{})
			}
		}
	})
}

// TestARetryByManyAtOnceIsOneAttempt: the attempt goes up by one, and the rest are told that nothing is to
// be retried.
func TestARetryByManyAtOnceIsOneAttempt(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		places["failed"](b, task)
		errs := make([]error, crowd)
		var wg sync.WaitGroup
		for i := range crowd {
			wg.Go(func() { _, errs[i] = b.Engine.Retry(context.Background(), b.Person("lea"), task) })
		}
		wg.Wait()
		worked := 0
		for _, err := range errs {
			switch code(err) {
			case "":
				worked++
			case core.CodeConflict:
			default:
				t.Errorf("a retry was told %v", err)
			}
		}
		if got := b.Task(task).Approval.Subject.Attempt; worked != 1 || got != 2 {
			t.Errorf("%d retries worked, the attempt is %d", worked, got)
		}
	})
}

func TestFiftyStartsOfOneRequestMakeOneRecord(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		ids, made := make([]string, crowd), make([]bool, crowd)
		var wg sync.WaitGroup
		for i := range crowd {
			wg.Go(func() {
				task, created, err := b.start("one", twoSteps)
				if err != nil {
					t.Errorf("start %d: %v", i, err)
				}
				ids[i], made[i] = task.ID, created
			})
		}
		wg.Wait()
		created := 0
		for i := range crowd {
			if made[i] {
				created++
			}
			if ids[i] != ids[0] {
				t.Errorf("start %d gives %s, the first gave %s", i, ids[i], ids[0])
			}
		}
		if created != 1 {
			t.Errorf("%d starts say that they made the record", created)
		}
		b.unchanged("the same request with another plan", func() {
			if _, _, err := b.start("one", "title: other\n"+twoSteps[len("\ntitle: Two steps\n"):]); code(err) != core.CodeConflict {
				t.Errorf("another body: %v, want conflict", err)
			}
		})
	})
}

func (b bench) start(request, plan string) (core.Task, bool, error) {
	return b.Engine.StartTask(context.Background(), engine.StartTask{Actor: world.Operator(), Plan: b.Plan(plan), RequestID: request})
}

func TestARequestIdBelongsToItsRequester(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		first, _, err := b.start("one", twoSteps)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range []core.Actor{b.Person("lea"), {Kind: core.ActorOperator, Name: "other"}, {Kind: core.ActorAgent, Name: "ci"}, {Kind: core.ActorPerson, Name: "ci"}} {
			task, created, err := b.Engine.StartTask(t.Context(), engine.StartTask{Actor: a, Plan: b.Plan(twoSteps), RequestID: "one"})
			if err != nil || !created || task.ID == first.ID {
				t.Errorf("%s with the request id of another: %s, created %t, %v", a, task.ID, created, err)
			}
		}
		time.Sleep(time.Hour)
		b.Restart()
		if again, created, err := b.start("one", twoSteps); err != nil || created || again.ID != first.ID {
			t.Errorf("an hour and a restart later: %s, created %t, %v", again.ID, created, err)
		}
	})
}
