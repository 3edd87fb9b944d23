package engine_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/fixtures/world"
)

// changes are the differences that a claim has to notice, each with the cause that the old approval then
// carries. The task is queued when they happen.
var changes = map[string]struct {
	plan  string
	do    func(b bench, task string)
	cause string
}{
	"a named file was edited": {do: func(b bench, _ string) { b.Files.Set("./first.sh", "sha256:other") }, cause: "changed"},
	"a named file appeared":   {do: func(b bench, _ string) { b.Files.Set("first.sh", "sha256:same") }, cause: "changed"},
	"a named file went away":  {do: func(b bench, _ string) { b.Files.Set("./first.sh", "") }, cause: "changed"},
	"who approved is gone":    {do: func(b bench, _ string) { b.without("ana") }, cause: "approvers"},
	"who approved lost the role": {do: func(b bench, _ string) {
		b.policy(func(p *core.Policy) { p.People[0].Roles = []string{core.RoleAdmin} })
	}, cause: "approvers"},
	"use_within has passed": {plan: "use_within: 1h\n", do: func(bench, string) { time.Sleep(time.Hour + time.Millisecond) }, cause: "unused"},
}

const namesFile = `
checkpoints:
  - {title: first, run: "./first.sh first.sh", rollback_notes: undo}
  - {title: second, run: ./second.sh}
`

// claimable is a task in the queue, behind another that holds the slot.
func claimable(b bench, plan string) (task string, approved core.Approval) {
	b.t.Helper()
	b.Files.Set("./first.sh", "sha256:same")
	task = b.StartTask(plan + namesFile).ID
	queue(b, task)
	return task, b.Task(task).Approval
}

// superseded: nothing of the task ran, the old approval names the fresh one, and a tap on it is stale.
func (b bench) superseded(task string, old core.Approval, cause string) {
	b.t.Helper()
	synctest.Wait()
	d := b.Task(task)
	was := b.approval(old.ID)
	if was.State != core.ApprovalSuperseded || was.Cause != cause || was.ReplacedBy != d.Approval.ID {
		b.t.Errorf("the old approval is %s, cause %q, replaced by %q; want superseded, %q, %q", was.State, was.Cause, was.ReplacedBy, cause, d.Approval.ID)
	}
	if d.Approval.ID == old.ID || d.Approval.State != core.ApprovalPending || len(d.Approval.Decisions) > 0 || d.Approval.Subject.Attempt != old.Subject.Attempt {
		b.t.Errorf("the fresh approval is %s, %s, attempt %d, with %d decisions", d.Approval.ID, d.Approval.State, d.Approval.Subject.Attempt, len(d.Approval.Decisions))
	}
	for _, x := range d.Executions {
		b.t.Errorf("execution %s was made", x.ID)
	}
	if _, err := b.Decide("bo", old.ID, core.Approve); code(err) != core.CodeStale || refusal(err).Cause != "superseded" || refusal(err).ReplacedBy != d.Approval.ID {
		b.t.Errorf("a tap on the old one: %v, cause %q, replaced by %q", err, refusal(err).Cause, refusal(err).ReplacedBy)
	}
}

func TestWhatDiffersAtTheClaimIsAskedForAfresh(t *testing.T) {
	for name, c := range changes {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task, old := claimable(b, c.plan)
				c.do(b, task)
				b.policy(func(p *core.Policy) { p.Limits.Running = 4 })
				time.Sleep(time.Minute)
				b.state(task, core.TaskAwaiting)
				b.superseded(task, old, c.cause)
			})
		})
	}
}

func TestWhatDiffersAtTheResumeIsAskedForAfresh(t *testing.T) {
	for name, c := range changes {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task, old := claimable(b, c.plan)
				b.pause(task)
				c.do(b, task)
				if _, err := b.Engine.Resume(t.Context(), world.Operator(), task); err != nil {
					t.Fatal(err)
				}
				b.state(task, core.TaskAwaiting)
				b.superseded(task, old, c.cause)
			})
		})
	}
}

// TestWhatThePlanSaysIsCheckedAtTheClaim changes one thing of the plan behind the approval's back, as no
// command can while it is queued, and lets the rules judge the claim.
func TestWhatThePlanSaysIsCheckedAtTheClaim(t *testing.T) {
	for name, edit := range map[string]func(p *core.Plan, c *core.Checkpoint){
		"title":      func(p *core.Plan, _ *core.Checkpoint) { p.Title = "Something else" },
		"vars":       func(p *core.Plan, _ *core.Checkpoint) { p.Vars = map[string]string{"version": "2"} },
		"done_when":  func(p *core.Plan, _ *core.Checkpoint) { p.DoneWhen = "true" },
		"allow_self": func(p *core.Plan, _ *core.Checkpoint) { p.AllowSelf = true },
		"run":        func(_ *core.Plan, c *core.Checkpoint) { c.Run.Line += " --force" },
		"env":        func(_ *core.Plan, c *core.Checkpoint) { c.Env = map[string]string{"LD_PRELOAD": "/tmp/x.so"} },
		"pass_env":   func(_ *core.Plan, c *core.Checkpoint) { c.PassEnv = []string{"PGPASSWORD"} },
		"shell":      func(_ *core.Plan, c *core.Checkpoint) { c.Shell = []string{"bash", "-c"} },
		"workdir":    func(_ *core.Plan, c *core.Checkpoint) { c.Workdir = "/elsewhere" },
		"risk":       func(_ *core.Plan, c *core.Checkpoint) { c.Risk = core.RiskLow },
		"detail":     func(_ *core.Plan, c *core.Checkpoint) { c.Detail = "other words" },
		"note":       func(_ *core.Plan, c *core.Checkpoint) { c.Note = "" },
		"rollback":   func(_ *core.Plan, c *core.Checkpoint) { c.RollbackRun.Line = "./undo.sh" },
		"approvers":  func(_ *core.Plan, c *core.Checkpoint) { c.Approvers = []string{"bo"} },
		"quorum":     func(_ *core.Plan, c *core.Checkpoint) { c.Required = 2 },
		"timeout":    func(_ *core.Plan, c *core.Checkpoint) { c.Timeout = core.Duration(time.Hour) },
		"round":      nil,
		"attempt":    nil,
		"epoch":      nil,
		"nothing":    nil,
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task, old := claimable(b, "")
				s := b.snapshot(task)
				s.Task.Plan.Checkpoints = slices.Clone(s.Task.Plan.Checkpoints)
				s.Task.Checkpoints = slices.Clone(s.Task.Checkpoints)
				switch name {
				case "round":
					s.Task.Round++
				case "attempt":
					s.Task.Checkpoints[0].Attempt++
				case "epoch":
					s.Epoch++
				case "nothing":
				default:
					edit(&s.Task.Plan, &s.Task.Plan.Checkpoints[0])
				}
				change, err := b.judge(s, core.ClaimStep{Actor: core.System()})
				if name == "nothing" {
					if err != nil || change.Claim == nil || change.Claim.Fingerprint != old.Fingerprint {
						t.Errorf("the claim is refused: %v", err)
					}
					return
				}
				if code(err) != core.CodeStale || change.Claim != nil || len(change.Executions) > 0 || change.Task.State != core.TaskAwaiting {
					t.Fatalf("the claim gives %v, claim %v, %d executions", err, change.Claim, len(change.Executions))
				}
				if refusal(err).ReplacedBy != change.Task.ApprovalID || change.Task.ApprovalID == old.ID {
					t.Errorf("replaced by %q, the task stands under %q", refusal(err).ReplacedBy, change.Task.ApprovalID)
				}
			})
		})
	}
}

func TestATapOnWhatIsNoLongerTheCurrentRequest(t *testing.T) {
	for name, tc := range map[string]struct {
		plan string
		do   func(b bench, task string)
		want core.Code
		by   core.ApprovalState // the cause
		next bool               // the pending one is named
	}{
		"cancelled with its task":         {"", places["cancelled"], core.CodeStale, core.ApprovalCancelled, false},
		"of a checkpoint that was passed": {"", func(b bench, task string) { b.pass(task) }, core.CodeAlreadyDecided, "approved", false},
		"of an attempt that failed":       {"", func(b bench, task string) { places["failed"](b, task); b.retry(task) }, core.CodeAlreadyDecided, "approved", false},
		"rejected, long ago": {"", func(b bench, task string) {
			places["rejected"](b, task)
			b.retry(task)
			b.SetClock(1000 * time.Hour)
		}, core.CodeAlreadyDecided, "rejected", false},
		"expired and asked for again by a retry": {"expires_in: 1h\n", func(b bench, task string) {
			time.Sleep(2 * time.Hour)
			b.retry(task)
		}, core.CodeStale, core.ApprovalExpired, true},
		"expired, and the attempt after it was refused": {"expires_in: 1h\n", func(b bench, task string) {
			time.Sleep(2 * time.Hour)
			b.retry(task)
			places["rejected"](b, task)
			b.retry(task)
		}, core.CodeStale, core.ApprovalExpired, true},
		"expired, and the checkpoint was passed since": {"expires_in: 1h\n", func(b bench, task string) {
			time.Sleep(2 * time.Hour)
			b.retry(task)
			b.pass(task)
		}, core.CodeStale, core.ApprovalExpired, true},
		"expired, and the task is at its end": {"expires_in: 1h\n", func(b bench, task string) {
			time.Sleep(2 * time.Hour)
			b.retry(task)
			places["cancelled"](b, task)
		}, core.CodeStale, core.ApprovalExpired, false},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(tc.plan + twoSteps).ID
				old := b.Task(task).Approval.ID
				tc.do(b, task)
				synctest.Wait()
				pending := ""
				if a := b.Task(task).Approval; a.StateAt(b.Now()) == core.ApprovalPending {
					pending = a.ID
				}
				b.unchanged("the tap", func() {
					_, err := b.Decide("chloe", old, core.Approve)
					r := refusal(err)
					if r == nil || r.Code != tc.want || r.Cause != string(tc.by) {
						t.Fatalf("the tap gives %v (%s, cause %s), want %s, cause %s", err, code(err), r.Cause, tc.want, tc.by)
					}
					if tc.next && (pending == "" || r.ReplacedBy != pending) || !tc.next && r.ReplacedBy != "" {
						t.Errorf("replaced by %q, pending is %q", r.ReplacedBy, pending)
					}
					if r.Code == core.CodeAlreadyDecided && (r.By == "" || r.At.IsZero()) {
						t.Errorf("it does not say by whom (%q) and when (%s)", r.By, r.At)
					}
				})
			})
		})
	}
}

func (b bench) retry(task string) {
	b.t.Helper()
	synctest.Wait()
	if _, err := b.Engine.Retry(b.t.Context(), b.Person("lea"), task); err != nil {
		b.t.Fatal(err)
	}
}

func TestALateTapOnAnExpiredRequest(t *testing.T) {
	for name, tc := range map[string]struct {
		policy string
		paused bool
		want   core.TaskState
		fresh  bool
	}{
		"hold: the first late tap asks afresh":                {"hold", false, core.TaskAwaiting, true},
		"renew: it was asked afresh at expiry":                {"renew", false, core.TaskAwaiting, true},
		"cancel: the task ended, nobody decided":              {"cancel", false, core.TaskCancelled, false},
		"hold, paused: asked afresh, and paused it stays":     {"hold", true, core.TaskPaused, true},
		"renew, paused: asked afresh, and paused it stays":    {"renew", true, core.TaskPaused, true},
		"cancel, paused: the clock runs on and ends the task": {"cancel", true, core.TaskCancelled, false},
	} {
		for when, watch := range map[string]bool{"after the watchdog": true, "before the watchdog": false} {
			t.Run(name+", "+when, func(t *testing.T) {
				in(t, func(t *testing.T, b bench) {
					task := b.StartTask("on_expiry: " + tc.policy + "\nexpires_in: 4h\n" + twoSteps).ID
					old := b.Task(task).Approval.ID
					if tc.paused {
						b.pause(task)
					}
					synctest.Wait()
					if watch {
						time.Sleep(5 * time.Hour)
						synctest.Wait()
					} else {
						b.SetClock(5 * time.Hour) // the tap is there before any timer fires
					}
					_, err := b.Decide("bo", old, core.Approve)
					if code(err) != core.CodeStale || refusal(err).Cause != "expired" {
						t.Fatalf("the tap gives %v, want stale_approval, expired", err)
					}
					d := b.Task(task)
					if d.Task.State != tc.want {
						t.Errorf("the task is %s, want %s", d.Task.State, tc.want)
					}
					if next := refusal(err).ReplacedBy; tc.fresh && (next == "" || next == old || next != d.Approval.ID || d.Approval.State != core.ApprovalPending) || !tc.fresh && next != "" {
						t.Errorf("replaced by %q; the task stands under %s, %s", next, d.Approval.ID, d.Approval.State)
					}
					if was := b.approval(old); was.State != core.ApprovalExpired || len(was.Decisions) > 0 || was.ReplacedBy != refusal(err).ReplacedBy {
						t.Errorf("the old one is %s with %d decisions, replaced by %q", was.State, len(was.Decisions), was.ReplacedBy)
					}
					if got := d.Approval.Subject.Attempt; got != 1 {
						t.Errorf("attempt %d: an expiry keeps it", got)
					}
					b.unchanged("a second late tap", func() {
						if _, again := b.Decide("chloe", old, core.Reject); code(again) != core.CodeStale || refusal(again).ReplacedBy != refusal(err).ReplacedBy {
							t.Errorf("the second late tap gives %v, replaced by %q", again, refusal(again).ReplacedBy)
						}
					})
				})
			})
		}
	}
}

func TestARestoreMakesEveryOlderTapStale(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		waiting, approved := b.StartTask(twoSteps).ID, b.StartTask(twoSteps).ID
		queue(b, approved)
		paused := b.StartTask(twoSteps).ID
		b.pause(paused)
		ids := []string{waiting, approved, paused}
		var old []core.Approval
		for _, id := range ids {
			old = append(old, b.Task(id).Approval)
		}
		b.Restore()
		for i, id := range ids {
			d := b.Task(id)
			if d.Approval.ID == old[i].ID || d.Approval.State != core.ApprovalPending || d.Approval.Epoch == old[i].Epoch {
				t.Errorf("task %d stands under %s, %s, of epoch %d", i, d.Approval.ID, d.Approval.State, d.Approval.Epoch)
			}
			if _, err := b.Decide("bo", old[i].ID, core.Approve); code(err) != core.CodeStale || refusal(err).ReplacedBy != d.Approval.ID {
				t.Errorf("a tap of before on task %d: %v, replaced by %q", i, err, refusal(err).ReplacedBy)
			}
		}
		for id, want := range map[string]core.TaskState{waiting: core.TaskAwaiting, approved: core.TaskAwaiting, paused: core.TaskPaused} {
			b.state(id, want)
		}
		if n := len(b.Runtime.Launched()); n != 1 { // the one that held the slot, before
			t.Errorf("%d launches", n)
		}
	})
}
