package store_test

import (
	"fmt"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/store"
)

// few is a store of made-up records whose order is easy to see.
func few(t *testing.T) *store.Store {
	s := unchecked(t)
	for i, state := range []core.TaskState{core.TaskCompleted, core.TaskQueued, core.TaskCompleted, core.TaskQueued, core.TaskCompleted} {
		task := core.Task{ID: fmt.Sprint("t_", i+1), State: state, Revision: 1}
		if i > 2 {
			task.ParentID = "t_1"
		}
		apply(t, s, core.Change{Task: &task, Events: []core.Event{{Type: "made", At: day, Task: task.ID}}})
	}
	soon := func(id string, ms int) core.Approval {
		return core.Approval{ID: id, Code: "C-" + id, State: core.ApprovalPending, TaskID: "t_1", Revision: 1,
			ExpiresAt: day.Add(time.Duration(ms) * time.Millisecond)}
	}
	settled := soon("a_4", 1)
	settled.State, settled.TaskID = core.ApprovalRejected, "t_2"
	unused := core.Approval{ID: "a_5", State: core.ApprovalApproved, TaskID: "t_2", UseWithin: core.Duration(time.Second), ResolvedAt: day, Revision: 1}
	never := core.Approval{ID: "a_6", State: core.ApprovalPending, TaskID: "t_2", Revision: 1}
	card := func(surface, subject string, state core.CardState, next time.Duration) core.Card {
		c := core.Card{Surface: surface, Subject: subject, Wanted: 1, State: state}
		if next > 0 {
			c.NextTry = day.Add(next)
		}
		return c
	}
	apply(t, s, core.Change{
		Approvals: []core.Approval{soon("a_1", 30), soon("a_2", 10), soon("a_3", 20), settled, unused, never},
		Cards: []core.Card{
			card("slack", "a_1", core.CardWaiting, time.Hour), card("slack", "a_2", core.CardWaiting, 0),
			card("slack", "a_3", core.CardWaiting, time.Minute), card("slack", "a_4", core.CardShown, 0),
			card("slac", "a_1", core.CardWaiting, 0), card("inapp", "a_5", core.CardFailed, 0),
		},
		Executions: []core.Execution{
			{ID: "x_1", TaskID: "t_1", State: core.ExecEnded}, {ID: "x_2", TaskID: "t_1", State: core.ExecStarted}, {ID: "x_3", TaskID: "t_2", State: core.ExecClaimed},
		},
		Sessions: []core.Session{{ID: "s_1", TaskID: "t_1", Revision: 1}, {ID: "s_2", TaskID: "t_10", Revision: 1}},
		Requests: []core.Request{{Requester: "a", ID: "bc", Record: "t_1"}, {Requester: "ab", ID: "c", Record: "t_2"}},
	})
	return s
}

func idsOf(v any) []string {
	switch list := v.(type) {
	case []string:
		return list
	case []core.Task:
		return ids(list, taskID)
	case []core.Approval:
		return ids(list, func(a core.Approval) string { return a.ID })
	case []core.Execution:
		return ids(list, func(x core.Execution) string { return x.ID })
	case []core.Session:
		return ids(list, func(s core.Session) string { return s.ID })
	case []core.Card:
		return ids(list, func(c core.Card) string { return c.Surface + " " + c.Subject })
	case []core.Event:
		return ids(list, func(e core.Event) string { return fmt.Sprint(e.Seq) })
	}
	panic(fmt.Sprintf("no ids in a %T", v))
}

func TestAReaderGives(t *testing.T) {
	after := func(ms int) time.Time { return day.Add(time.Duration(ms) * time.Millisecond) }
	cases := []struct {
		name string
		call func(r engine.Reader) any
		want []string
	}{
		{"tasks newest first", func(r engine.Reader) any { return r.Tasks(engine.TaskQuery{Limit: 3}) }, []string{"t_5", "t_4", "t_3"}},
		{"tasks older than one", func(r engine.Reader) any { return r.Tasks(engine.TaskQuery{Before: "t_3", Limit: 9}) }, []string{"t_2", "t_1"}},
		{"tasks older than one that is gone", func(r engine.Reader) any { return r.Tasks(engine.TaskQuery{Before: "t_2x", Limit: 9}) }, []string{"t_2", "t_1"}},
		{"nothing older than the oldest", func(r engine.Reader) any { return r.Tasks(engine.TaskQuery{Before: "t_1", Limit: 9}) }, nil},
		{"a page of a state", func(r engine.Reader) any {
			return r.Tasks(engine.TaskQuery{State: core.TaskCompleted, Limit: 2})
		}, []string{"t_5", "t_3"}},
		{"the next page of a state", func(r engine.Reader) any {
			return r.Tasks(engine.TaskQuery{State: core.TaskCompleted, Before: "t_3", Limit: 2})
		}, []string{"t_1"}},
		{"no page without a limit", func(r engine.Reader) any { return r.Tasks(engine.TaskQuery{State: core.TaskCompleted}) }, nil},
		{"ids of a state, oldest first", func(r engine.Reader) any { return r.TasksIn(core.TaskQueued) }, []string{"t_2", "t_4"}},
		{"no ids of a state that nobody is in", func(r engine.Reader) any { return r.TasksIn(core.TaskReview) }, nil},
		{"children, oldest first", func(r engine.Reader) any { return r.Children("t_1") }, []string{"t_4", "t_5"}},
		{"approvals of a state, newest first", func(r engine.Reader) any {
			return r.Approvals(engine.ApprovalQuery{State: core.ApprovalPending, Limit: 3})
		}, []string{"a_6", "a_3", "a_2"}},
		{"approvals of a task, oldest first", func(r engine.Reader) any { return r.ApprovalsOf("t_1") }, []string{"a_1", "a_2", "a_3"}},
		{"nothing due at the end itself", func(r engine.Reader) any { return r.Due(after(10), 9) }, nil},
		{"what is due one millisecond behind its end", func(r engine.Reader) any { return r.Due(after(11), 9) }, []string{"a_2"}},
		{"what is due, the oldest deadline first", func(r engine.Reader) any { return r.Due(after(5000), 9) }, []string{"a_2", "a_3", "a_1", "a_5"}},
		{"what is due up to a limit", func(r engine.Reader) any { return r.Due(after(5000), 2) }, []string{"a_2", "a_3"}},
		{"sessions of a task and not of one whose id is longer", func(r engine.Reader) any { return r.SessionsOf("t_1") }, []string{"s_1"}},
		{"executions of a task, oldest first", func(r engine.Reader) any { return r.ExecutionsOf("t_1") }, []string{"x_1", "x_2"}},
		{"executions whose end is not recorded", func(r engine.Reader) any { return r.OpenExecutions() }, []string{"x_2", "x_3"}},
		{"waiting cards, those first that may be tried soonest", func(r engine.Reader) any { return r.CardsWaiting("slack", 9) }, []string{"slack a_2", "slack a_3", "slack a_1"}},
		{"waiting cards up to a limit", func(r engine.Reader) any { return r.CardsWaiting("slack", 1) }, []string{"slack a_2"}},
		{"waiting cards of one surface only", func(r engine.Reader) any { return r.CardsWaiting("slac", 9) }, []string{"slac a_1"}},
		{"no card that was given up", func(r engine.Reader) any { return r.CardsWaiting("inapp", 9) }, nil},
		{"cards of a subject on all surfaces", func(r engine.Reader) any { return r.CardsOf("a_1") }, []string{"slac a_1", "slack a_1"}},
		{"events behind a number, oldest first", func(r engine.Reader) any { return r.Events(3, 9) }, []string{"4", "5"}},
		{"events before a number, newest first", func(r engine.Reader) any { return r.EventsBefore(4, 2) }, []string{"3", "2"}},
		{"the newest events", func(r engine.Reader) any { return r.EventsBefore(0, 2) }, []string{"5", "4"}},
		{"ids by a prefix, of every kind", func(r engine.Reader) any { return r.Match("", 99) },
			[]string{"a_1", "a_2", "a_3", "a_4", "a_5", "a_6", "s_1", "s_2", "t_1", "t_2", "t_3", "t_4", "t_5", "x_1", "x_2", "x_3"}},
		{"ids by a prefix, up to a limit", func(r engine.Reader) any { return r.Match("x_", 2) }, []string{"x_1", "x_2"}},
	}
	s := few(t)
	view(t, s, func(r engine.Reader) {
		for _, tc := range cases {
			t.Run(tc.name, func(t *testing.T) {
				if diff := gocmp.Diff(idsOf(tc.call(r)), tc.want, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("(-got +want):\n%s", diff)
				}
			})
		}
		t.Run("requests by both parts of their key", func(t *testing.T) {
			a, _ := r.Request("a", "bc")
			b, _ := r.Request("ab", "c")
			if _, ok := r.Request("abc", ""); a.Record != "t_1" || b.Record != "t_2" || ok {
				t.Errorf("got %v and %v, and one of neither: %t", a, b, ok)
			}
		})
		t.Run("the nearest deadline", func(t *testing.T) {
			if due, ok := r.NextDeadline(); !ok || !due.Equal(after(11)) {
				t.Errorf("got %v, %t, want %v", due, ok, after(11))
			}
		})
	})
}

func TestAnEmptyStoreHasNothing(t *testing.T) {
	s := openRecords(t)
	m := newModel()
	view(t, s, func(r engine.Reader) {
		m.epoch = r.Epoch()
		agree(t, "in an empty store", r, m, day)
	})
}
