package engine_test

import (
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

const shortLived = "expires_in: 4h\n" + twoSteps

func TestExpiryExactlyAndOneMillisecondAfterByTap(t *testing.T) {
	for name, tc := range map[string]struct {
		after time.Duration
		want  core.Code
	}{
		"a millisecond before it is valid": {4*time.Hour - time.Millisecond, ""},
		"at it, still valid":               {4 * time.Hour, ""},
		"a millisecond after it is stale":  {4*time.Hour + time.Millisecond, core.CodeStale},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(shortLived).ID
				id := b.Task(task).Approval.ID
				synctest.Wait()
				b.SetClock(tc.after) // no timer has fired yet
				_, err := b.Decide("ana", id, core.Approve)
				if code(err) != tc.want {
					t.Fatalf("the tap gives %v, want %q", err, tc.want)
				}
				want := core.ApprovalApproved
				if tc.want != "" {
					want = core.ApprovalExpired
				}
				if got := b.approval(id); got.State != want {
					t.Errorf("the approval is %s, want %s", got.State, want)
				}
			})
		})
	}
}

func TestExpiryExactlyAndOneMillisecondAfterByTheWatchdog(t *testing.T) {
	for _, restart := range []bool{false, true} {
		t.Run(map[bool]string{false: "in one life", true: "with a restart in between"}[restart], func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				id := b.Task(b.StartTask(shortLived).ID).Approval.ID
				if restart {
					time.Sleep(time.Hour)
					b.Restart()
					time.Sleep(3 * time.Hour)
				} else {
					time.Sleep(4 * time.Hour)
				}
				synctest.Wait()
				if got := b.approval(id); got.State != core.ApprovalPending {
					t.Errorf("at its deadline the approval is %s", got.State)
				}
				time.Sleep(time.Millisecond)
				synctest.Wait()
				if got := b.approval(id); got.State != core.ApprovalExpired || !got.ResolvedAt.Equal(got.ExpiresAt.Add(time.Millisecond)) {
					t.Errorf("a millisecond later it is %s, written at %s", got.State, got.ResolvedAt)
				}
			})
		})
	}
}

func TestWhatRanOutDuringADowntimeIsExpiredAtTheStart(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		id := b.Task(b.StartTask(shortLived).ID).Approval.ID
		b.Stop()
		time.Sleep(100 * time.Hour)
		b.Start()
		synctest.Wait()
		if got := b.approval(id); got.State != core.ApprovalExpired {
			t.Errorf("the approval is %s", got.State)
		}
	})
}

func TestNeverExpires(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask("expires_in: never\n" + twoSteps).ID
		b.SetClock(50 * 365 * 24 * time.Hour)
		time.Sleep(time.Minute)
		if a := b.Task(task).Approval; a.State != core.ApprovalPending || !a.ExpiresAt.IsZero() {
			t.Errorf("the approval is %s and ends %s", a.State, a.ExpiresAt)
		}
		b.run(task)
	})
}

// TestAnExpiryHoldsWhenTheClockIsSetBack: once it is recorded, by a tap or by the watchdog, no clock
// makes the approval good again.
func TestAnExpiryHoldsWhenTheClockIsSetBack(t *testing.T) {
	for name, back := range map[string]time.Duration{"by an hour": -time.Hour, "by a year": -365 * 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(shortLived).ID
				id := b.Task(task).Approval.ID
				time.Sleep(4*time.Hour + time.Millisecond)
				synctest.Wait()
				b.SetClock(back)
				if _, err := b.Decide("ana", id, core.Approve); code(err) != core.CodeStale {
					t.Errorf("the tap gives %v, want stale_approval", err)
				}
				if n := len(b.Runtime.Launched()); n != 0 {
					t.Errorf("%d launches", n)
				}
			})
		})
	}
}

func TestUseWithinExactlyAndOneMillisecondAfter(t *testing.T) {
	for name, tc := range map[string]struct {
		after time.Duration
		want  core.Code
	}{
		"at it the claim is good":         {time.Hour, ""},
		"a millisecond after it is stale": {time.Hour + time.Millisecond, core.CodeStale},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task, _ := claimable(b, "use_within: 1h\n")
				b.SetClock(tc.after)
				change, err := b.step(task, core.ClaimStep{Actor: core.System()})
				if code(err) != tc.want || (change.Claim != nil) != (tc.want == "") {
					t.Errorf("the claim gives %v", err)
				}
			})
		})
	}
}

func TestUseWithinIsCountedWhilePaused(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task, old := claimable(b, "use_within: 1h\n")
		b.pause(task)
		time.Sleep(time.Hour + time.Millisecond)
		b.state(task, core.TaskPaused)
		b.superseded(task, old, "unused")
		if _, err := b.Engine.Resume(t.Context(), world.Operator(), task); err != nil {
			t.Fatal(err)
		}
		b.state(task, core.TaskAwaiting)
	})
}

func TestARenewedRequestIsRenewedAgain(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask("on_expiry: renew\n" + shortLived).ID
		seen := map[string]bool{}
		for range 3 {
			synctest.Wait()
			a := b.Task(task).Approval
			if seen[a.ID] || a.State != core.ApprovalPending || a.Subject.Attempt != 1 {
				t.Fatalf("the gate stands under %s, %s, attempt %d", a.ID, a.State, a.Subject.Attempt)
			}
			seen[a.ID] = true
			time.Sleep(4*time.Hour + time.Millisecond)
		}
		synctest.Wait()
		b.run(task)
	})
}

func TestARetryOfAnExpiredGate(t *testing.T) {
	for policy, want := range map[string]struct {
		code  core.Code
		state core.TaskState
	}{
		"hold":   {"", core.TaskAwaiting},
		"renew":  {"", core.TaskAwaiting},
		"cancel": {core.CodeConflict, core.TaskCancelled},
	} {
		t.Run(policy, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask("on_expiry: " + policy + "\n" + shortLived).ID
				old := b.Task(task).Approval.ID
				synctest.Wait()
				b.SetClock(5 * time.Hour) // no timer has fired yet
				_, err := b.Engine.Retry(t.Context(), b.Person("lea"), task)
				if code(err) != want.code {
					t.Errorf("retry gives %v, want %q", err, want.code)
				}
				b.state(task, want.state)
				d := b.Task(task)
				if was := b.approval(old); was.State != core.ApprovalExpired || (was.ReplacedBy != "") != (want.code == "") {
					t.Errorf("the old one is %s, replaced by %q", was.State, was.ReplacedBy)
				}
				if want.code == "" && (d.Approval.ID == old || d.Approval.Subject.Attempt != 1) {
					t.Errorf("the gate stands under %s, attempt %d", d.Approval.ID, d.Approval.Subject.Attempt)
				}
			})
		})
	}
}

// TestAWaitEndsWhenTheRequestRunsOut, and tells of it as expired even before it is written.
func TestAWaitEndsWhenTheRequestRunsOut(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		id := b.Task(b.StartTask("expires_in: 20s\n" + twoSteps).ID).Approval.ID
		begin := b.Now()
		d, err := b.Engine.Wait(t.Context(), world.Operator(), id, time.Minute)
		if took := b.Now().Sub(begin); err != nil || d.State() != core.ApprovalExpired || took != 20*time.Second+time.Millisecond {
			t.Errorf("after %s the wait gives %s, %v", took, d.State(), err)
		}
		open := b.Task(b.StartTask(twoSteps).ID).Approval.ID
		begin = b.Now()
		d, err = b.Engine.Wait(t.Context(), world.Operator(), open, time.Minute)
		if took := b.Now().Sub(begin); err != nil || d.State() != core.ApprovalPending || took != time.Minute {
			t.Errorf("after %s the wait on a pending one gives %s, %v", took, d.State(), err)
		}
		var told engine.ApprovalDetail
		go func() { told, _ = b.Engine.Wait(t.Context(), world.Operator(), open, time.Hour) }()
		synctest.Wait()
		if _, err := b.Decide("bo", open, core.Reject); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if told.Approval.State != core.ApprovalRejected {
			t.Errorf("who waits was told %q", told.Approval.State)
		}
	})
}
