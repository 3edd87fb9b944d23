package engine_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

// ask is a gate of the operator's, with or without a command that its asker runs.
func (b bench) ask(t *testing.T, request, claim, command string, timeout time.Duration) (engine.Claimed, error) {
	t.Helper()
	plan, err := core.NewGatePlan(core.GateInput{Title: "drop the table", Command: core.Exec{Line: command}, ExpiresIn: "2h"})
	if err != nil {
		t.Fatal(err)
	}
	return b.Engine.Gate(t.Context(), engine.Gate{Actor: world.Operator(), Plan: plan, RequestID: request, ClaimID: claim, Timeout: timeout})
}

type gated struct {
	out engine.Claimed
	err error
}

// asking asks in the background, and gives the gate's task.
func (b bench) asking(t *testing.T, command string, timeout time.Duration) (<-chan gated, engine.TaskDetail) {
	t.Helper()
	got := make(chan gated, 1)
	go func() {
		out, err := b.ask(t, "r", "c", command, timeout)
		got <- gated{out, err}
	}()
	synctest.Wait()
	return got, b.newest()
}

func (b bench) newest() engine.TaskDetail {
	b.t.Helper()
	list, err := b.Engine.Tasks(b.t.Context(), world.Operator(), engine.TaskQuery{Limit: 1})
	if err != nil || len(list) == 0 {
		b.t.Fatalf("no task: %v", err)
	}
	return b.Task(list[0].ID)
}

func TestAGateIsAnsweredOnceItIsApprovedAndClaimed(t *testing.T) {
	for name, tc := range map[string]struct {
		command string
		want    core.TaskState
	}{
		"without a command it is over":        {"", core.TaskCompleted},
		"with a command its asker is at work": {"./drop.sh", core.TaskRunning},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				got, d := b.asking(t, tc.command, time.Hour)
				if d.Task.State != core.TaskAwaiting || d.Approval.Waiter.State != core.WaiterWaiting {
					t.Fatalf("the gate is %s, its waiter %s", d.Task.State, d.Approval.Waiter.State)
				}
				time.Sleep(10 * time.Minute)
				b.Approve("ana", d.Task.ID)
				one := <-got
				if one.err != nil || one.out.ExecutionID == "" || one.out.Approval.State() != core.ApprovalApproved {
					t.Fatalf("%+v, %v", one.out.ExecutionID, one.err)
				}
				b.state(d.Task.ID, tc.want)
				b.unchanged("the same question again", func() {
					if again, err := b.ask(t, "r", "c", tc.command, 0); err != nil || again.ExecutionID != one.out.ExecutionID {
						t.Errorf("the same claim: %q, %v", again.ExecutionID, err)
					}
					if _, err := b.ask(t, "r", "other", tc.command, 0); code(err) != core.CodeAlreadyClaimed {
						t.Errorf("another claim: %v", err)
					}
					if _, err := b.ask(t, "r", "", tc.command, 0); code(err) != core.CodeAlreadyClaimed {
						t.Errorf("no claim id: %v", err)
					}
				})
			})
		})
	}
}

// TestTheEndingsOfAGate that released nothing, each again as often as it is asked.
func TestTheEndingsOfAGate(t *testing.T) {
	for name, tc := range map[string]struct {
		do   func(b bench, d engine.TaskDetail)
		code core.Code
	}{
		"rejected": {func(b bench, d engine.TaskDetail) {
			if _, err := b.Decide("bo", d.Approval.ID, core.Reject); err != nil {
				b.t.Fatal(err)
			}
		}, core.CodeRejected},
		"expired": {func(bench, engine.TaskDetail) { time.Sleep(2*time.Hour + time.Millisecond) }, core.CodeExpired},
		"stopped": {func(b bench, d engine.TaskDetail) { b.mustStop(d.Task.ID) }, core.CodeCancelled},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				got, d := b.asking(t, "./drop.sh", 3*time.Hour)
				tc.do(b, d)
				one := <-got
				if code(one.err) != tc.code || one.out.ExecutionID != "" {
					t.Errorf("%q, %v", one.out.ExecutionID, one.err)
				}
				synctest.Wait()
				b.unchanged("the question again", func() {
					if again, err := b.ask(t, "r", "c", "./drop.sh", 0); code(err) != tc.code || again.ExecutionID != "" {
						t.Errorf("%q, %v", again.ExecutionID, err)
					}
				})
			})
		})
	}
}

func TestAGateThatStillWaitsSaysSoWhenTheTimeIsUp(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		begin := time.Now()
		out, err := b.ask(t, "r", "c", "", 30*time.Second)
		if err != nil || out.ExecutionID != "" || out.Approval.State() != core.ApprovalPending || time.Since(begin) != 30*time.Second {
			t.Errorf("after %s: %q, %v", time.Since(begin), out.ExecutionID, err)
		}
		again, err := b.ask(t, "r", "c", "", 0)
		if err != nil || again.Approval.Approval.ID != out.Approval.Approval.ID {
			t.Errorf("the same request: %s, %v", again.Approval.Approval.ID, err)
		}
		if _, err := b.ask(t, "r", "c", "./other.sh", 0); code(err) != core.CodeConflict {
			t.Errorf("the same request with another body: %v", err)
		}
	})
}

// TestAWaitFollowsWhatReplacesItsApproval: an edit while it waits, and what differs at the claim.
func TestAWaitFollowsWhatReplacesItsApproval(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		first := b.gate(t)
		b.Approve("ana", first.Task.ID)
		b.without("ana") // who approved may no longer do so when it is claimed
		got, d := b.asking(t, "./drop.sh", time.Hour)
		if d.Task.State != core.TaskAwaiting || d.Approval.ID == first.Approval.ID {
			t.Fatalf("the gate is %s under %s", d.Task.State, d.Approval.ID)
		}
		p := d.Task.Plan
		p.Checkpoints = slices.Clone(p.Checkpoints)
		p.Checkpoints[0].Detail = "only the old one"
		if _, err := b.Engine.EditPlan(t.Context(), world.Operator(), d.Task.ID, p); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		select {
		case one := <-got:
			t.Fatalf("answered before the fresh request was: %q, %v", one.out.ExecutionID, one.err)
		default:
		}
		last := b.Task(d.Task.ID).Approval.ID
		b.Approve("bo", d.Task.ID)
		one := <-got
		if one.err != nil || one.out.ExecutionID == "" || one.out.Approval.Approval.ID != last {
			t.Errorf("%q of %s, %v", one.out.ExecutionID, one.out.Approval.Approval.ID, one.err)
		}
		if n := len(b.Task(d.Task.ID).Approvals); n != 3 {
			t.Errorf("%d requests, want the first, the one of the claim, the edited", n)
		}
	})
}

func TestAGateThatIsPausedAnswersOnceItGoesOn(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		got, d := b.asking(t, "./drop.sh", time.Hour)
		b.pause(d.Task.ID)
		time.Sleep(10 * time.Minute)
		if _, err := b.Engine.Resume(t.Context(), world.Operator(), d.Task.ID); err != nil {
			t.Fatal(err)
		}
		b.Approve("ana", d.Task.ID)
		if one := <-got; one.err != nil || one.out.ExecutionID == "" {
			t.Errorf("%q, %v", one.out.ExecutionID, one.err)
		}
	})
}

// TestWhoeverWaitsIsSeenToGoAndToComeBack: away longer than the grace the card says so, and no longer once
// it is back; a short absence is not told.
func TestWhoeverWaitsIsSeenToGoAndToComeBack(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		ctx, cancel := context.WithCancel(t.Context())
		d := b.gate(t)
		wait := func(ctx context.Context) <-chan error {
			end := make(chan error, 1)
			go func() {
				_, err := b.Engine.Attend(ctx, world.Operator(), d.Approval.ID, time.Hour)
				end <- err
			}()
			synctest.Wait()
			return end
		}
		says := func(when string, want core.WaiterState) {
			t.Helper()
			synctest.Wait()
			if got := b.approval(d.Approval.ID).Waiter.State; got != want {
				t.Errorf("%s the card says %s, want %s", when, got, want)
			}
		}
		end := wait(ctx)
		time.Sleep(10 * time.Minute)
		says("while it waits", core.WaiterWaiting)
		cancel()
		if err := <-end; !errors.Is(err, context.Canceled) {
			t.Errorf("the wait ended with %v", err)
		}
		time.Sleep(engine.WaiterGrace - 10*time.Second)
		says("within the grace", core.WaiterWaiting)
		time.Sleep(20 * time.Second)
		says("after the grace", core.WaiterGone)
		if _, err := b.Engine.Wait(t.Context(), b.Person("bo"), d.Approval.ID, time.Second); err != nil {
			t.Fatal(err)
		}
		says("while a person looks", core.WaiterGone)
		ctx, cancel = context.WithCancel(t.Context())
		end = wait(ctx)
		says("once it is back", core.WaiterWaiting)
		cancel()
		<-end
		b.Restart()
		says("right after a restart", core.WaiterWaiting)
		time.Sleep(2 * engine.WaiterGrace)
		says("after a restart without it", core.WaiterGone)
		b.Approve("ana", d.Task.ID)
		says("once it is decided", core.WaiterGone)
	})
}

func (b bench) gate(t *testing.T) engine.TaskDetail {
	t.Helper()
	if _, err := b.ask(t, "r", "c", "./drop.sh", 0); err != nil {
		t.Fatal(err)
	}
	return b.newest()
}

// TestAGateOverARestart: the question, asked again by the same id, is the same record.
func TestAGateOverARestart(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		d := b.gate(t)
		b.Restart()
		b.Approve("ana", d.Task.ID)
		b.Restart()
		b.state(d.Task.ID, core.TaskQueued)
		out, err := b.ask(t, "r", "c", "./drop.sh", time.Minute)
		if err != nil || out.ExecutionID == "" || out.Approval.Task.ID != d.Task.ID {
			t.Errorf("%q of %s, %v", out.ExecutionID, out.Approval.Task.ID, err)
		}
		b.Restart()
		if again, err := b.ask(t, "r", "c", "./drop.sh", 0); err != nil || again.ExecutionID != out.ExecutionID {
			t.Errorf("the answer that was lost: %q, %v", again.ExecutionID, err)
		}
	})
}
