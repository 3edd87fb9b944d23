package engine_test

import (
	"testing"
	"testing/synctest"

	"holdpoint/core"
	"holdpoint/core/engine"
)

// owned starts a task under another and lets it be an agent's.
func (b bench) owned(agent, parent string) string {
	b.t.Helper()
	id := b.child(parent, twoSteps)
	t := b.Task(id).Task
	t.RequestedBy, t.Revision = core.Actor{Kind: core.ActorAgent, Name: agent}, t.Revision+1
	if err := b.Store.Update(b.t.Context(), func(tx engine.Tx) error { tx.Apply(core.Change{Task: &t}); return nil }); err != nil {
		b.t.Fatal(err)
	}
	b.run(id)
	return id
}

// TestOnlyTheDirectParentStopsAnAgentsTask: self, sibling, child to parent, grandparent and strangers are
// refused, and nothing that could stop is even asked.
func TestOnlyTheDirectParentStopsAnAgentsTask(t *testing.T) {
	stopping(t, func(t *testing.T, b bench, l *looks, _ *faulty) {
		top := b.owned("top", "")
		left, right := b.owned("left", top), b.owned("right", top)
		leaf := b.owned("leaf", left)
		name := map[string]string{top: "the top's", left: "the left one's", right: "the right one's", leaf: "the leaf's"}
		parent := map[string]string{left: "top", right: "top", leaf: "left"}
		asked := 0
		l.say = func(s core.Session) (string, error) { asked++; return s.ExecutionID, nil }
		for _, agent := range []string{"top", "left", "right", "leaf", "stranger"} {
			a := core.Actor{Kind: core.ActorAgent, Name: agent, Surface: core.SurfaceAPI}
			for _, task := range []string{top, left, right, leaf} {
				if parent[task] == agent {
					continue
				}
				s, _ := b.session(task)
				head := b.Head()
				b.unchanged(agent+" stops "+name[task], func() {
					if out, err := b.Engine.StopTask(t.Context(), engine.StopTask{Actor: a, Task: task, Force: true, Tree: true}); code(err) != core.CodeForbidden {
						t.Errorf("%s stops %s task: %+v, %v", agent, name[task], out, err)
					}
					if out, err := b.Engine.StopSession(t.Context(), a, s.ID, "", true); code(err) != core.CodeForbidden || out != (engine.StopResult{}) {
						t.Errorf("%s stops %s session: %+v, %v", agent, name[task], out, err)
					}
				})
				if rows := b.Events(head); len(rows) != 2 || rows[0].Actor != a.String() || rows[0].Data["action"] != string(core.ActStop) {
					t.Errorf("the audit has %+v of two refusals", rows)
				}
			}
		}
		if asked != 0 || len(b.Runtime.Stopped()) != 0 {
			t.Errorf("the stopper was called: %d look-ups, %d teardowns", asked, len(b.Runtime.Stopped()))
		}
		for _, task := range []string{leaf, left} {
			a := core.Actor{Kind: core.ActorAgent, Name: parent[task], Surface: core.SurfaceAPI}
			if out, err := b.Engine.StopTask(t.Context(), engine.StopTask{Actor: a, Task: task}); err != nil || !out.Stopped {
				t.Errorf("%s stops its child: %+v, %v", parent[task], out, err)
			}
			b.state(task, core.TaskReview)
		}
		b.state(top, core.TaskRunning)
		b.state(right, core.TaskRunning)
	})
}

// TestAStopLeavesWorkInTheQueueAlone: stopping one task releases its slot and nothing else.
func TestAStopLeavesWorkInTheQueueAlone(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		running := b.StartTask(twoSteps).ID
		b.run(running)
		waiting := b.StartTask(twoSteps).ID
		queue(b, waiting)
		b.mustStop(running)
		synctest.Wait()
		b.state(waiting, core.TaskRunning)
		if calls := b.Runtime.Stopped(); len(calls) != 1 {
			t.Errorf("teardowns: %+v", calls)
		}
	})
}
