package engine_test

import (
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

const quorum = "approvals_required: 2\n" + twoSteps

// TestTheOrderOfAnswers: where two answers would fit, the one that stands first in section 4 is given.
// Each row is a tap on which both are true.
func TestTheOrderOfAnswers(t *testing.T) {
	for name, tc := range map[string]struct {
		plan  string
		setup func(b bench, task, id string)
		who   string
		v     core.Verdict
		want  core.Code
	}{
		"forbidden before one's own repeat": {quorum, func(b bench, task, id string) {
			b.decide("bo", id, core.Approve)
			b.without("bo")
			b.policy(func(p *core.Policy) { p.People = append(p.People, core.Person{Name: "bo"}) })
		}, "bo", core.Approve, core.CodeForbidden},
		"forbidden before already_decided":               {twoSteps, func(b bench, task, id string) { b.decide("ana", id, core.Reject) }, "lea", core.Approve, core.CodeForbidden},
		"forbidden before stale_approval":                {twoSteps, func(b bench, task, id string) { places["cancelled"](b, task) }, "lea", core.Approve, core.CodeForbidden},
		"one's own repeat before already_decided":        {twoSteps, func(b bench, task, id string) { b.decide("ana", id, core.Approve) }, "ana", core.Approve, ""},
		"one's own repeat of the reject that settled it": {twoSteps, func(b bench, task, id string) { b.decide("ana", id, core.Reject) }, "ana", core.Reject, ""},
		"one's own repeat before stale_approval, expired": {"expires_in: 1h\n" + quorum, func(b bench, task, id string) {
			b.decide("ana", id, core.Approve)
			time.Sleep(2 * time.Hour)
		}, "ana", core.Approve, ""},
		"one's own repeat before stale_approval, cancelled": {quorum, func(b bench, task, id string) {
			b.decide("ana", id, core.Approve)
			places["cancelled"](b, task)
		}, "ana", core.Approve, ""},
		"one's own repeat while paused": {quorum, func(b bench, task, id string) {
			b.decide("ana", id, core.Approve)
			b.pause(task)
		}, "ana", core.Approve, ""},
		"one's own contrary verdict on what is settled": {twoSteps, func(b bench, task, id string) { b.decide("ana", id, core.Approve) }, "ana", core.Reject, core.CodeAlreadyDecided},
		"one's own contrary verdict on one's reject":    {twoSteps, func(b bench, task, id string) { b.decide("ana", id, core.Reject) }, "ana", core.Approve, core.CodeAlreadyDecided},
		"already_decided before stale, attempt passed": {twoSteps, func(b bench, task, id string) {
			b.decide("ana", id, core.Reject)
			b.retry(task)
		}, "bo", core.Approve, core.CodeAlreadyDecided},
		"stale before a question for a second confirmation": {"checkpoints: [{title: a, run: ./a.sh, risk: high}]", func(b bench, task, id string) {
			places["cancelled"](b, task)
		}, "bo", core.Approve, core.CodeStale},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(tc.plan).ID
				id := b.Task(task).Approval.ID
				tc.setup(b, task, id)
				b.unchanged("the tap", func() {
					_, err := b.Engine.Decide(t.Context(), engine.Decide{Actor: b.Person(tc.who), Approval: id, Verdict: tc.v})
					if code(err) != tc.want {
						t.Errorf("the answer is %v (%s), want %q", err, code(err), tc.want)
					}
				})
			})
		})
	}
}

func (b bench) decide(who, id string, v core.Verdict) {
	b.t.Helper()
	if _, err := b.Decide(who, id, v); err != nil {
		b.t.Fatalf("%s says %s: %v", who, v, err)
	}
	synctest.Wait()
}

func TestARepeatAnswersAsTheFirstDidAndChangesNothing(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		id := b.Task(b.StartTask(quorum).ID).Approval.ID
		b.decide("ana", id, core.Approve)
		head := b.Head()
		b.unchanged("the repeat", func() {
			time.Sleep(time.Minute)
			d, err := b.Decide("ana", id, core.Approve)
			if err != nil || len(d.Approval.Decisions) != 1 || d.Approval.Decisions[0].At.Equal(b.Now()) {
				t.Errorf("the repeat gives %+v, %v", d.Approval.Decisions, err)
			}
		})
		if b.Head() != head {
			t.Error("a repeat is in the audit")
		}
	})
}

func TestTakeBackOnesApproveWhilePending(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(quorum).ID
		id := b.Task(task).Approval.ID
		b.decide("ana", id, core.Approve)
		b.decide("ana", id, core.Reject)
		b.state(task, core.TaskRejected)
		a := b.approval(id)
		if len(a.Decisions) != 1 || a.Decisions[0].Verdict != core.Reject {
			t.Errorf("the decisions are %+v, want ana's reject alone", a.Decisions)
		}
		if _, err := b.Decide("bo", id, core.Approve); code(err) != core.CodeAlreadyDecided || refusal(err).By != "ana" {
			t.Errorf("bo's approve after it: %v, by %q", err, refusal(err).By)
		}
		if n := len(b.Runtime.Launched()); n != 0 {
			t.Errorf("%d launches", n)
		}
	})
}

func TestAQuorumCountsPeople(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(quorum).ID
		id := b.Task(task).Approval.ID
		for _, surface := range []string{"slack", "telegram", core.SurfaceInApp, core.SurfaceAPI} {
			a := b.Person("ana")
			a.Surface = surface
			if _, err := b.Engine.Decide(t.Context(), engine.Decide{Actor: a, Approval: id, Verdict: core.Approve}); err != nil {
				t.Errorf("ana's tap on %s: %v", surface, err)
			}
		}
		synctest.Wait()
		if a := b.approval(id); a.State != core.ApprovalPending || a.Approvals() != 1 || len(b.Runtime.Launched()) != 0 {
			t.Fatalf("after four taps of one person it is %s with %d approvals", a.State, a.Approvals())
		}
		b.decide("chloe", id, core.Approve)
		b.state(task, core.TaskRunning)
	})
}

func TestOneRejectRejectsWhateverTheQuorum(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask("approvals_required: 3\n" + twoSteps).ID
		id := b.Task(task).Approval.ID
		b.decide("ana", id, core.Approve)
		b.decide("bo", id, core.Approve)
		b.decide("chloe", id, core.Reject)
		b.state(task, core.TaskRejected)
	})
}

// TestWhoAsksDoesNotApprove is the matrix of allow_self, in the plan and in the configuration, for who
// starts and for whom it is started.
func TestWhoAsksDoesNotApprove(t *testing.T) {
	for _, plan := range []bool{false, true} {
		for _, conf := range []bool{false, true} {
			for _, behalf := range []bool{false, true} {
				name := map[bool]string{false: "plan no", true: "plan yes"}[plan] + ", " + map[bool]string{false: "configuration no", true: "configuration yes"}[conf] +
					", " + map[bool]string{false: "the starter", true: "on behalf of"}[behalf]
				t.Run(name, func(t *testing.T) {
					in(t, func(t *testing.T, b bench) { b.selfApproval(plan, conf, behalf) })
				})
			}
		}
	}
}

func (b bench) selfApproval(plan, conf, behalf bool) {
	b.policy(func(p *core.Policy) { p.AllowSelf = conf })
	starter, text := b.Person("ana"), twoSteps
	if behalf {
		starter, text = world.Operator(), text+"on_behalf_of: ana\n"
	}
	if plan {
		text += "allow_self: true\n"
	}
	t, _, err := b.Engine.StartTask(b.t.Context(), engine.StartTask{Actor: starter, Plan: b.Plan(text)})
	if err != nil {
		b.t.Fatal(err)
	}
	id := b.Task(t.ID).Approval.ID
	_, err = b.Decide("ana", id, core.Approve)
	if plan && conf {
		if a := b.approval(id); err != nil || !a.Decisions[0].Self {
			b.t.Errorf("ana approves her own: %v, marked %+v", err, a.Decisions)
		}
		return
	}
	if code(err) != core.CodeForbidden || len(b.approval(id).Decisions) != 0 {
		b.t.Errorf("ana approves her own: %v, want forbidden", err)
	}
	if _, err := b.Decide("ana", id, core.Reject); code(err) != core.CodeForbidden {
		b.t.Errorf("ana rejects her own: %v, want forbidden", err)
	}
	b.decide("bo", id, core.Approve)
}

// TestSelfApprovalIsJudgedAgainAtTheClaim: the configuration takes it back between tap and claim.
func TestSelfApprovalIsJudgedAgainAtTheClaim(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		b.run(b.StartTask(twoSteps).ID)
		b.policy(func(p *core.Policy) { p.AllowSelf, p.Limits.Running = true, 1 })
		task, _, err := b.Engine.StartTask(t.Context(), engine.StartTask{Actor: b.Person("chloe"), Plan: b.Plan("allow_self: true\n" + twoSteps)})
		if err != nil {
			t.Fatal(err)
		}
		old := b.Task(task.ID).Approval
		b.decide("chloe", old.ID, core.Approve)
		b.policy(func(p *core.Policy) { p.AllowSelf, p.Limits.Running = false, 4 })
		time.Sleep(time.Minute)
		b.superseded(task.ID, old, "approvers")
	})
}

func TestARemovedApproversTapFailsAndNoLongerCounts(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(quorum).ID
		id := b.Task(task).Approval.ID
		b.decide("ana", id, core.Approve)
		ana := b.Person("ana")
		b.without("ana")
		if _, err := b.Engine.Decide(t.Context(), engine.Decide{Actor: ana, Approval: id, Verdict: core.Reject}); code(err) != core.CodeForbidden {
			t.Errorf("the removed one's reject: %v, want forbidden", err)
		}
		b.decide("bo", id, core.Approve)
		time.Sleep(time.Minute)
		if n := len(b.Runtime.Launched()); n != 0 {
			t.Errorf("%d launches on the word of one who was removed", n)
		}
		b.state(task, core.TaskAwaiting)
	})
}

func TestApproversByRole(t *testing.T) {
	const plan = `
approvers: ["role:dba", bo]
checkpoints:
  - {title: a, run: ./a.sh}
  - {title: b, run: ./b.sh, approvers: [ana]}
`
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(plan).ID
		if _, err := b.Decide("ana", b.Task(task).Approval.ID, core.Approve); code(err) != core.CodeForbidden {
			t.Errorf("ana has not the role: %v, want forbidden", err)
		}
		b.decide("chloe", b.Task(task).Approval.ID, core.Approve)
		b.end(task, engine.Sighting{})
		if _, err := b.Decide("chloe", b.Task(task).Approval.ID, core.Approve); code(err) != core.CodeForbidden {
			t.Errorf("the second checkpoint names ana alone: %v, want forbidden", err)
		}
		b.policy(func(p *core.Policy) { p.People = append(p.People, core.Person{Name: "role:dba"}) })
		b.decide("ana", b.Task(task).Approval.ID, core.Approve)
		b.state(task, core.TaskRunning)
	})
}

func TestAnApprovalThatNobodyMayGiveWaits(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		b.policy(func(p *core.Policy) { p.People = nil })
		for _, name := range []string{"", "ana", "holdpoint", "role:approver"} {
			a := core.Actor{Kind: core.ActorPerson, Name: name, Roles: []string{core.RoleApprover, core.RoleAdmin}, Surface: core.SurfaceInApp}
			if _, err := b.Engine.Decide(t.Context(), engine.Decide{Actor: a, Approval: b.Task(task).Approval.ID, Verdict: core.Approve, Confirm: true}); code(err) != core.CodeForbidden {
				t.Errorf("%q approves where there is nobody: %v", name, err)
			}
		}
		b.state(task, core.TaskAwaiting)
	})
}

func TestDecideInLimitsByRisk(t *testing.T) {
	const plan = `
checkpoints:
  - {title: a, run: ./a.sh, risk: low}
  - {title: b, run: ./b.sh, risk: high}
`
	in(t, func(t *testing.T, b bench) {
		b.policy(func(p *core.Policy) { p.DecideIn = map[core.Risk][]string{core.RiskHigh: {core.SurfaceInApp}} })
		task := b.StartTask(plan).ID
		on := func(surface string, confirm bool) error {
			a := b.Person("ana")
			a.Surface = surface
			_, err := b.Engine.Decide(t.Context(), engine.Decide{Actor: a, Approval: b.Task(task).Approval.ID, Verdict: core.Approve, Confirm: confirm})
			synctest.Wait()
			return err
		}
		if err := on("slack", false); err != nil {
			t.Errorf("low risk in slack: %v", err)
		}
		b.end(task, engine.Sighting{})
		b.unchanged("high risk elsewhere or unconfirmed", func() {
			if err := on("slack", true); code(err) != core.CodeForbidden {
				t.Errorf("high risk in slack: %v, want forbidden", err)
			}
			if err := on(core.SurfaceInApp, false); code(err) != core.CodeValidation || refusal(err).Fields[0].Path != "confirm" {
				t.Errorf("high risk without a second confirmation: %v, want validation of confirm", err)
			}
		})
		if err := on(core.SurfaceAPI, true); err != nil {
			t.Errorf("high risk over the API, confirmed: %v", err)
		}
		b.state(task, core.TaskRunning)
	})
}

func TestARejectOfHighRiskNeedsNoSecondConfirmation(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask("checkpoints: [{title: a, run: ./a.sh, risk: high}]").ID
		if _, err := b.Engine.Decide(t.Context(), engine.Decide{Actor: b.Person("bo"), Approval: b.Task(task).Approval.ID, Verdict: core.Reject}); err != nil {
			t.Fatal(err)
		}
		b.state(task, core.TaskRejected)
	})
}

func TestWordsThatDecideNothing(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		id := b.Task(b.StartTask(twoSteps).ID).Approval.ID
		b.unchanged("the word", func() {
			for _, v := range []core.Verdict{"", "always", "for this session", "Approve", "approved", "yes"} {
				if _, err := b.Decide("ana", id, v); code(err) != core.CodeValidation {
					t.Errorf("%q: %v, want validation", v, err)
				}
			}
		})
	})
}

func TestACodeAndAPrefixNameTheApprovalToo(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		a := b.Task(task).Approval
		for _, text := range []string{a.ID, a.Code, a.ID[:len(a.ID)-1]} {
			d, err := b.Engine.Approval(t.Context(), world.Operator(), text)
			if err != nil || d.Approval.ID != a.ID {
				t.Errorf("%q names %q, %v", text, d.Approval.ID, err)
			}
		}
		if _, err := b.Engine.Approval(t.Context(), world.Operator(), a.ID[:5]); code(err) != core.CodeNotFound {
			t.Errorf("5 characters name something: %v", err)
		}
	})
}
