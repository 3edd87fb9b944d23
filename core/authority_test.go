package core_test

import (
	"slices"
	"testing"

	"holdpoint/core"
)

// TestAuthorityTable is the table of section 4 of the contract, cell by cell: for each action, who may
// do it without any relation to the record, and which relation gives it to whom.
func TestAuthorityTable(t *testing.T) {
	person := core.Actor{Kind: core.ActorPerson, Name: "ana"}
	admin := core.Actor{Kind: core.ActorPerson, Name: "root", Roles: []string{core.RoleAdmin}}
	helper := core.Actor{Kind: core.ActorPerson, Name: "op", Roles: []string{core.RoleOperator}}
	operator := core.Actor{Kind: core.ActorOperator, Name: "ci"}
	file := core.Actor{Kind: core.ActorOperator, Name: "operator", File: true}
	agent := core.Actor{Kind: core.ActorAgent, Name: "bot", Session: "s_1"}
	minted := core.Actor{Kind: core.ActorAgent, Name: "bot", Session: "s_1", Minted: true}
	none := core.Relation{}
	type cell struct {
		who string
		a   core.Actor
		r   core.Relation
	}
	cells := []cell{
		{"person", person, none},
		{"approver of it", person, core.Relation{Approver: true}},
		{"person who asked", person, core.Relation{Requester: true}},
		{"admin", admin, none},
		{"person of role operator", helper, none},
		{"operator token", operator, none},
		{"operator token of the file", file, none},
		{"agent token", agent, none},
		{"agent token, its own", agent, core.Relation{Own: true, Requester: true}},
		{"agent token, under its own", agent, core.Relation{Child: true}},
		{"agent token, direct child", agent, core.Relation{Child: true, Direct: true}},
		{"agent token, asked session", agent, core.Relation{Asked: true}},
		{"agent minted here, its own", minted, core.Relation{Own: true, Requester: true}},
	}
	people := []string{"person", "approver of it", "person who asked", "admin", "person of role operator"}
	programs := []string{"operator token", "operator token of the file"}
	own := []string{"agent token, its own", "agent minted here, its own"}
	agents := []string{"agent token", "agent token, its own", "agent token, under its own", "agent token, direct child", "agent token, asked session", "agent minted here, its own"}
	stops := join([]string{"approver of it", "admin", "person of role operator", "agent token, direct child"}, programs)
	table := map[core.Action][]string{
		core.ActSee:               join(people, programs, own, []string{"agent token, under its own", "agent token, direct child"}),
		core.ActStart:             join(people, programs, agents),
		core.ActEdit:              join(people, programs, own),
		core.ActRetry:             join(people, programs, own),
		core.ActDecide:            {"approver of it"},
		core.ActResolve:           {"approver of it"},
		core.ActRollback:          {"approver of it"},
		core.ActStop:              stops,
		core.ActCancel:            stops,
		core.ActPause:             stops,
		core.ActResume:            stops,
		core.ActClaim:             join([]string{"person who asked"}, programs, own),
		core.ActReport:            join([]string{"person who asked"}, programs, own),
		core.ActWithdraw:          join([]string{"person who asked"}, own),
		core.ActSession:           join(programs, own),
		core.ActBackgroundCommand: join(programs, []string{"agent minted here, its own"}),
		core.ActFinal:             {"agent token, asked session"},
		core.ActSchedules:         join([]string{"admin"}, programs),
		core.ActPeople:            {"admin", "operator token of the file"},
	}
	if len(table) != len(core.Actions()) {
		t.Fatalf("the table has %d rows, core has %d actions", len(table), len(core.Actions()))
	}
	for _, act := range core.Actions() {
		for _, c := range cells {
			want := contains(table[act], c.who)
			if got := core.May(c.a, act, c.r); got != want {
				t.Errorf("%s by %s: May says %v, the contract says %v", act, c.who, got, want)
			}
		}
	}
}

func TestNobodyElseMayDoAnything(t *testing.T) {
	all := core.Relation{Approver: true, Requester: true, Own: true, Child: true, Direct: true, Asked: true}
	for _, act := range core.Actions() {
		if core.May(core.Actor{}, act, all) {
			t.Errorf("an actor of no kind may %s", act)
		}
	}
}

func TestTheDaemonItselfNeverDecides(t *testing.T) {
	all := core.Relation{Approver: true, Requester: true, Own: true, Child: true, Direct: true, Asked: true}
	for _, act := range []core.Action{core.ActDecide, core.ActResolve, core.ActRollback, core.ActFinal} {
		for _, a := range []core.Actor{core.System(), {Kind: core.ActorOperator, File: true}} {
			if core.May(a, act, all) {
				t.Errorf("%s may %s", a, act)
			}
		}
	}
}

func join(lists ...[]string) []string {
	var out []string
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

func contains(list []string, s string) bool {
	return slices.Contains(list, s)
}
