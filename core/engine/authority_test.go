package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

// cast are the kinds of actors that can be met in this build: who they are, and how they stand to the
// task that lea asked for through the agent's parent task.
func cast(b bench) map[string]core.Actor {
	return map[string]core.Actor{
		"person":             b.Person("dora"),
		"requester":          b.Person("lea"),
		"approver":           b.Person("bo"),
		"admin":              b.Person("root"),
		"person as operator": b.Person("ops"),
		"operator token":     world.Operator(),
		"file token":         {Kind: core.ActorOperator, Name: "operator", File: true, Surface: core.SurfaceAPI},
		"agent":              {Kind: core.ActorAgent, Name: "bot", Session: "s_1", Surface: core.SurfaceAPI},
		"strange agent":      {Kind: core.ActorAgent, Name: "else", Surface: core.SurfaceAPI},
		"nobody":             {},
		"a made-up kind":     {Kind: "root", Name: "ana"},
	}
}

// rights are the rows of section 4's table that commands of this build reach, on a task that lea asked
// for: who may. Everybody else is refused with forbidden.
var rights = map[string]struct {
	place string
	may   []string
	do    func(b bench, a core.Actor, task string) error
}{
	"decide": {"awaiting_approval", []string{"approver"}, func(b bench, a core.Actor, task string) error {
		_, err := b.Engine.Decide(b.t.Context(), engine.Decide{Actor: a, Approval: b.Task(task).Approval.ID, Verdict: core.Approve, Confirm: true})
		return err
	}},
	"resolve": {"review", []string{"approver"}, func(b bench, a core.Actor, task string) error {
		_, err := b.Engine.Resolve(b.t.Context(), a, task, true, "looked")
		return err
	}},
	"retry": {"failed", []string{"person", "requester", "approver", "admin", "person as operator", "operator token", "file token"},
		func(b bench, a core.Actor, task string) error {
			_, err := b.Engine.Retry(b.t.Context(), a, task)
			return err
		}},
	"pause": {"awaiting_approval", []string{"approver", "admin", "person as operator", "operator token", "file token"},
		func(b bench, a core.Actor, task string) error {
			_, err := b.Engine.Pause(b.t.Context(), a, task)
			return err
		}},
	"resume": {"paused at a gate", []string{"approver", "admin", "person as operator", "operator token", "file token"},
		func(b bench, a core.Actor, task string) error {
			_, err := b.Engine.Resume(b.t.Context(), a, task)
			return err
		}},
	"cancel, and withdraw one's own while nothing runs": {"awaiting_approval",
		[]string{"requester", "approver", "admin", "person as operator", "operator token", "file token"},
		func(b bench, a core.Actor, task string) error {
			_, _, err := b.Engine.Cancel(b.t.Context(), a, task, "")
			return err
		}},
	"cancel in review": {"review", []string{"approver", "admin", "person as operator", "operator token", "file token"},
		func(b bench, a core.Actor, task string) error {
			_, _, err := b.Engine.Cancel(b.t.Context(), a, task, "")
			return err
		}},
	"claim": {"outside, approved", []string{"requester", "operator token", "file token"}, func(b bench, a core.Actor, task string) error {
		_, err := b.Engine.Claim(b.t.Context(), engine.Claim{Actor: a, Approval: b.Task(task).Approval.ID, RequestID: "r"})
		return err
	}},
	"report": {"outside, claimed", []string{"requester", "operator token", "file token"}, func(b bench, a core.Actor, task string) error {
		_, err := b.Engine.Report(b.t.Context(), engine.Report{Actor: a, Task: task, ExecutionID: b.Task(task).Task.Checkpoints[0].Execution, Succeeded: true})
		return err
	}},
	"edit": {"awaiting_approval", []string{"person", "requester", "approver", "admin", "person as operator", "operator token", "file token"},
		func(b bench, a core.Actor, task string) error {
			_, err := b.Engine.EditPlan(b.t.Context(), a, task, b.Plan(twoSteps))
			return err
		}},
	"ask for rollback": {"failed with a rollback_run", []string{"approver"}, func(b bench, a core.Actor, task string) error {
		_, err := b.Engine.Rollback(b.t.Context(), a, task, -1)
		return err
	}},
	"stop": {"running", []string{"approver", "admin", "person as operator", "operator token", "file token"}, func(b bench, a core.Actor, task string) error {
		_, err := b.Engine.StopTask(b.t.Context(), engine.StopTask{Actor: a, Task: task})
		return err
	}},
	"stop a session": {"running", []string{"approver", "admin", "person as operator", "operator token", "file token"}, func(b bench, a core.Actor, task string) error {
		_, err := b.Engine.StopSession(b.t.Context(), a, b.Task(task).Sessions[0].ID, "", false)
		return err
	}},
}

// otherPlans are the places that another plan than the one of two steps leads to.
var otherPlans = map[string]string{"outside, approved": outsideSteps, "outside, claimed": outsideSteps, "failed with a rollback_run": undoable}

// morePlaces are the places of the lifecycle and those that only rights are tried in.
var morePlaces = func() map[string]func(b bench, task string) {
	more := maps.Clone(places)
	more["outside, approved"] = func(b bench, task string) { b.Approve("ana", task) }
	more["outside, claimed"] = func(b bench, task string) {
		b.Approve("ana", task)
		b.claim(task)
	}
	more["failed with a rollback_run"] = places["failed"]
	return more
}()

// staged starts lea's task and brings it where a right is used.
func staged(b bench, place string) string {
	b.t.Helper()
	b.policy(func(p *core.Policy) {
		p.People = []core.Person{
			{Name: "ana", Roles: []string{core.RoleApprover}}, {Name: "bo", Roles: []string{core.RoleApprover}},
			{Name: "lea"}, {Name: "dora"}, {Name: "root", Roles: []string{core.RoleAdmin}}, {Name: "ops", Roles: []string{core.RoleOperator}},
		}
	})
	plan := twoSteps
	if other, ok := otherPlans[place]; ok {
		plan = other
	}
	t, _, err := b.Engine.StartTask(b.t.Context(), engine.StartTask{Actor: b.Person("lea"), Plan: b.Plan(plan)})
	if err != nil {
		b.t.Fatal(err)
	}
	morePlaces[place](b, t.ID)
	synctest.Wait()
	return t.ID
}

func TestWhoMayNotIsForbiddenAndInTheAuditAndNothingChanged(t *testing.T) {
	for name, right := range rights {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := staged(b, right.place)
				for who, a := range cast(b) {
					if slices.Contains(right.may, who) {
						continue
					}
					head := b.Head()
					b.unchanged(who, func() {
						if err := right.do(b, a, task); code(err) != core.CodeForbidden {
							t.Errorf("%s by %s: %v (%s), want forbidden", name, who, err, code(err))
						}
					})
					if rows := b.Events(head); name != "claim" && (len(rows) != 1 || rows[0].Actor != a.String() || rows[0].Data["code"] != string(core.CodeForbidden)) {
						t.Errorf("%s by %s: the audit has %+v, want one refusal of theirs", name, who, rows)
					}
				}
			})
		})
	}
}

func TestWhoMayIsNotRefused(t *testing.T) {
	for name, right := range rights {
		for _, who := range right.may {
			t.Run(name+" by "+who, func(t *testing.T) {
				in(t, func(t *testing.T, b bench) {
					task := staged(b, right.place)
					if err := right.do(b, cast(b)[who], task); err != nil {
						t.Errorf("%s by %s: %v", name, who, err)
					}
				})
			})
		}
	}
}

func TestEverybodyWhoIsKnownMayStart(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		staged(b, "awaiting_approval")
		for who, a := range cast(b) {
			head := b.Head()
			_, _, err := b.Engine.StartTask(t.Context(), engine.StartTask{Actor: a, Plan: b.Plan(twoSteps)})
			if refused := who == "nobody" || who == "a made-up kind"; refused != (code(err) == core.CodeForbidden) || !refused && err != nil {
				t.Errorf("%s starts a plan: %v", who, err)
			}
			if rows := b.Events(head); code(err) == core.CodeForbidden && (len(rows) != 1 || rows[0].Type != core.EventRefused) {
				t.Errorf("the refusal of %s left %d rows in the audit", who, len(rows))
			}
		}
	})
}

// TestAnAgentsTasks: an agent sees and withdraws its own, holds its direct children, and no more: a
// grandchild it sees alone.
func TestAnAgentsTasks(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		staged(b, "awaiting_approval")
		bot, other := cast(b)["agent"], cast(b)["strange agent"]
		start := func(a core.Actor, parent string) string {
			task, _, err := b.Engine.StartTask(t.Context(), engine.StartTask{Actor: a, Plan: b.Plan(twoSteps), ParentID: parent})
			if err != nil {
				t.Fatal(err)
			}
			return task.ID
		}
		own := start(bot, "")
		child := start(world.Operator(), own)
		grandchild := start(world.Operator(), child)
		foreign := start(other, "")
		try := map[string]func(task string) error{
			"see":    func(task string) error { _, err := b.Engine.Task(t.Context(), bot, task); return err },
			"pause":  func(task string) error { _, err := b.Engine.Pause(t.Context(), bot, task); return err },
			"resume": func(task string) error { _, err := b.Engine.Resume(t.Context(), bot, task); return err },
			"retry":  func(task string) error { _, err := b.Engine.Retry(t.Context(), bot, task); return err },
			"cancel": func(task string) error { _, _, err := b.Engine.Cancel(t.Context(), bot, task, ""); return err },
			"decide": func(task string) error {
				_, err := b.Engine.Decide(t.Context(), engine.Decide{Actor: bot, Approval: b.Task(task).Approval.ID, Verdict: core.Reject})
				return err
			},
		}
		may := map[string][]string{
			own: {"see", "retry", "cancel"}, child: {"see", "pause", "resume", "cancel"}, grandchild: {"see"}, foreign: {},
		}
		name := map[string]string{own: "its own", child: "its child", grandchild: "its grandchild", foreign: "another's"}
		for _, task := range []string{own, child, grandchild, foreign} {
			for _, act := range []string{"see", "pause", "resume", "retry", "decide", "cancel"} {
				refused := []core.Code{core.CodeForbidden, core.CodeNotFound}
				if act != "see" {
					refused = refused[:1]
				}
				got := code(try[act](task))
				if slices.Contains(may[task], act) == slices.Contains(refused, got) {
					t.Errorf("an agent may %s %s: %v is wrong (%q)", act, name[task], !slices.Contains(refused, got), got)
				}
			}
		}
		if _, _, err := b.Engine.StartTask(t.Context(), engine.StartTask{Actor: bot, Plan: b.Plan(twoSteps), ParentID: foreign}); code(err) != core.CodeValidation {
			t.Errorf("an agent starts below a task that it may not see: %v", err)
		}
	})
}

func TestPeopleTokensAndLinksAreTheAdministratorsAndTheFileTokens(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		staged(b, "awaiting_approval")
		n := 0
		for who, a := range cast(b) {
			n++
			allowed := who == "admin" || who == "file token"
			for what, do := range map[string]func() error{
				"token": func() error {
					_, _, err := b.Engine.CreateToken(t.Context(), a, fmt.Sprintf("t%d", n), core.RoleTokenOperator)
					return err
				},
				"sign-in": func() error { _, _, err := b.Engine.NewSignIn(t.Context(), a, "lea"); return err },
				"tokens":  func() error { _, err := b.Engine.Tokens(t.Context(), a); return err },
			} {
				head := b.Head()
				err := do()
				if allowed && err != nil || !allowed && code(err) != core.CodeForbidden {
					t.Errorf("%s: %s: %v", who, what, err)
				}
				if rows := b.Events(head); !allowed && (len(rows) != 1 || rows[0].Type != core.EventRefused) {
					t.Errorf("%s: %s: the refusal left %d rows in the audit", who, what, len(rows))
				}
			}
		}
	})
}
