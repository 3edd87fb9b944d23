package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

// bench is a world with the moves that these tests make over and over.
type bench struct {
	*world.World
	t *testing.T
}

// in runs a test in a bubble, over a world of its own that is proved at the end.
func in(t *testing.T, fn func(t *testing.T, b bench)) {
	t.Helper()
	t.Parallel() // most of its time goes into waiting for the disk
	synctest.Test(t, func(t *testing.T) {
		w := world.New(t)
		defer w.Stop()
		fn(t, bench{w, t})
	})
}

// policy changes people and rules while the daemon runs.
func (b bench) policy(change func(*core.Policy)) {
	p := b.Engine.Policy()
	p.People = slices.Clone(p.People)
	change(&p)
	b.Engine.SetPolicy(p)
	b.Policy = p
}

func (b bench) without(name string) {
	b.policy(func(p *core.Policy) {
		p.People = slices.DeleteFunc(p.People, func(x core.Person) bool { return x.Name == name })
	})
}

// end ends the one live execution of a task.
func (b bench) end(task string, s engine.Sighting) {
	b.t.Helper()
	synctest.Wait()
	b.Runtime.End(b.live(task), s)
	synctest.Wait()
}

func (b bench) live(task string) string {
	b.t.Helper()
	d := b.Task(task)
	if !slices.Contains(b.Runtime.Live(), d.Task.Execution) {
		b.t.Fatalf("task %s is %s and has no live execution", task, d.Task.State)
	}
	return d.Task.Execution
}

// run approves the current gate and waits until its step lives.
func (b bench) run(task string) {
	b.t.Helper()
	b.Approve("ana", task)
	synctest.Wait()
	b.live(task)
}

// pass takes the current gate and lets its step succeed.
func (b bench) pass(task string) {
	b.t.Helper()
	b.run(task)
	b.end(task, engine.Sighting{})
}

func (b bench) state(task string, want core.TaskState) {
	b.t.Helper()
	synctest.Wait()
	if got := b.Task(task).Task; got.State != want {
		b.t.Errorf("the task is %s (%s), want %s", got.State, got.Reason, want)
	}
}

// approval reads an approval as it is stored.
func (b bench) approval(id string) core.Approval {
	b.t.Helper()
	d, err := b.Engine.Approval(b.t.Context(), world.Operator(), id)
	if err != nil {
		b.t.Fatalf("reading approval %s: %v", id, err)
	}
	return d.Approval
}

// refusal is the domain's error, nil where there is none.
func refusal(err error) *core.Error {
	r, _ := errors.AsType[*core.Error](err)
	return r
}

func code(err error) core.Code {
	switch r := refusal(err); {
	case err == nil:
		return ""
	case r == nil:
		return core.Code("no refusal: " + err.Error())
	default:
		return r.Code
	}
}

// step lets the rules judge a command that no method of the engine gives to people, on the stored state.
// Nothing is written.
func (b bench) step(task string, cmd core.Command) (core.Change, error) {
	b.t.Helper()
	return b.judge(b.snapshot(task), cmd)
}

func (b bench) snapshot(task string) core.Snapshot {
	b.t.Helper()
	var s core.Snapshot
	err := b.Store.View(context.Background(), func(r engine.Reader) error {
		s.Task, _ = r.Task(task)
		s.Approval, _ = r.Approval(s.Task.ApprovalID)
		if c, ok := r.Claim(s.Task.ApprovalID); ok {
			s.Claim = &c
		}
		for _, x := range r.ExecutionsOf(task) {
			if x.Live() {
				s.Executions = append(s.Executions, x)
			}
		}
		s.Epoch = r.Epoch()
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	s.Policy = b.Engine.Policy()
	return s
}

func (b bench) judge(s core.Snapshot, cmd core.Command) (core.Change, error) {
	mint := core.Mint{ID: func(p string) string { return p + "TEST" }, Code: func() string { return "TEST00" }}
	now := b.Now().UTC().Truncate(time.Millisecond)
	change, err := core.Step(s, cmd, now, mint)
	if need, ok := errors.AsType[*core.NeedFiles](err); ok {
		sums, _ := b.Files.Digests(context.Background(), need.Workdir, need.Names)
		s.Files = &core.Files{Workdir: need.Workdir, Names: need.Names, Digests: sums}
		change, err = core.Step(s, cmd, now, mint)
	}
	return change, err
}

// unchanged fails where what is done changes a record, or adds rows to the audit that are no refusals.
func (b bench) unchanged(what string, do func()) {
	b.t.Helper()
	synctest.Wait()
	before, head := b.Records(), b.Head()
	do()
	synctest.Wait()
	if after := b.Records(); after != before {
		b.t.Errorf("%s changed the records (- before, + after):\n%s", what, cmp.Diff(strings.Split(before, "\n"), strings.Split(after, "\n")))
	}
	for _, ev := range b.Events(head) {
		if ev.Type != core.EventRefused {
			b.t.Errorf("%s wrote %s into the audit", what, ev.Type)
		}
	}
}
