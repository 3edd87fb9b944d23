package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

// move is one random command; its numbers are taken modulo what there is to choose from.
type move struct {
	what      string
	task, old int
	who       string
	n         int
	yes       bool
}

func moves() *rapid.Generator[move] {
	return rapid.Custom(func(t *rapid.T) move {
		return move{
			what: rapid.SampledFrom([]string{
				"start", "decide", "decide", "decide", "decide", "end", "end", "advance", "retry", "resolve",
				"pause", "resume", "cancel", "people", "files", "restart",
			}).Draw(t, "what"),
			task: rapid.IntRange(0, 3).Draw(t, "task"),
			old:  rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "old"),
			who:  rapid.SampledFrom([]string{"ana", "bo", "chloe", "lea"}).Draw(t, "who"),
			n:    rapid.IntRange(0, 11).Draw(t, "n"),
			yes:  rapid.SampledFrom([]bool{true, true, false}).Draw(t, "yes"),
		}
	})
}

// TestTheEngineFollowsTheModel plays random commands on the engine over a real store and on the model, and
// compares every answer and, after each command, every task and approval.
func TestTheEngineFollowsTheModel(t *testing.T) {
	for _, slots := range []int{1, 2} {
		t.Run(fmt.Sprintf("%d at once", slots), func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				rapid.Check(timeless{t}, func(rt *rapid.T) {
					g := newGame(b, rt, slots)
					for _, mv := range rapid.SliceOfN(moves(), 10, 30).Draw(rt, "moves") {
						g.play(mv)
					}
				})
				clear(b)
			})
		})
	}
}

// timeless hides a test's deadline, which may not be asked for in a bubble.
type timeless struct{ rapid.TB }

// game is one run of random commands.
type game struct {
	bench
	rt      *rapid.T
	m       *model
	settled map[string]string // decisions of approvals that are no longer pending
}

func newGame(b bench, rt *rapid.T, slots int) *game {
	clear(b)
	for _, f := range []string{"./a.sh", "./b.sh", "./check.sh"} {
		b.Files.Set(f, "0")
	}
	p := world.People()
	p.Limits.Running = slots
	b.Policy = p
	b.Engine.SetPolicy(p)
	return &game{bench: b, rt: rt, settled: map[string]string{}, m: &model{
		approvers: []string{"ana", "bo", "chloe"}, slots: slots, now: b.Now(),
		files: map[string]string{"./a.sh": "0", "./b.sh": "0", "./check.sh": "0"},
	}}
}

// clear brings every task of an earlier run to its end.
func clear(b bench) {
	synctest.Wait()
	for _, x := range b.Runtime.Live() {
		b.Runtime.End(x, engine.Sighting{ExitCode: 3})
	}
	synctest.Wait()
	for _, s := range []core.TaskState{core.TaskQueued, core.TaskAwaiting, core.TaskPaused, core.TaskReview} {
		tasks, _ := b.Engine.Tasks(b.t.Context(), world.Operator(), engine.TaskQuery{State: s, Limit: 1000})
		for _, t := range tasks {
			_, _, _ = b.Engine.Cancel(b.t.Context(), world.Operator(), t.ID, "")
		}
	}
	synctest.Wait()
	if len(b.Runtime.Live()) > 0 { // one was claimed while others were cancelled
		clear(b)
	}
}

func (g *game) play(mv move) {
	g.Policy = g.Engine.Policy()
	var t *modelTask
	if len(g.m.tasks) > 0 {
		t = g.m.tasks[mv.task%len(g.m.tasks)]
	}
	var got error
	var want core.Code
	switch ctx := g.t.Context(); {
	case mv.what == "start" && len(g.m.tasks) < 4, t == nil:
		mv.what = "start"
		got, want = g.begin(mv)
	case mv.what == "decide":
		a := t.list[max(0, len(t.list)-1-mv.old)]
		v := map[bool]core.Verdict{true: core.Approve, false: core.Reject}[mv.yes]
		_, got = g.Decide(mv.who, a.id, v)
		want = g.m.decide(t, a, mv.who, v)
	case mv.what == "end":
		g.finish(t, mv)
	case mv.what == "advance":
		d := []time.Duration{time.Millisecond, time.Second, modelUseWithin, modelUseWithin + time.Millisecond, modelExpires, modelExpires + time.Millisecond}[mv.n%6]
		time.Sleep(d)
		synctest.Wait()
		g.m.advance(d)
	case mv.what == "retry":
		_, got = g.Engine.Retry(ctx, g.Person(mv.who), t.id)
		want = g.m.retry(t)
	case mv.what == "resolve":
		_, got = g.Engine.Resolve(ctx, g.Person(mv.who), t.id, mv.yes, "looked")
		want = g.m.resolve(t, mv.who, mv.yes)
	case mv.what == "pause":
		_, got = g.Engine.Pause(ctx, world.Operator(), t.id)
		want = g.m.pause(t)
	case mv.what == "resume":
		_, got = g.Engine.Resume(ctx, world.Operator(), t.id)
		want = g.m.resume(t)
	case mv.what == "cancel":
		_, _, got = g.Engine.Cancel(ctx, world.Operator(), t.id, "")
		want = g.m.cancel(t)
	case mv.what == "people":
		g.toggle(mv.who)
	case mv.what == "files":
		name, sum := []string{"./a.sh", "./b.sh", "./check.sh"}[mv.n%3], []string{"", "0", "1"}[mv.n/3%3]
		g.Files.Set(name, sum)
		g.m.files[name] = sum
	case mv.what == "restart":
		g.Kill()
		g.Start()
	}
	if code(got) != want {
		g.rt.Fatalf("%+v: the answer is %v (%q), the model says %q", mv, got, code(got), want)
	}
	g.m.settle()
	g.compare(mv)
}

func (g *game) begin(mv move) (error, core.Code) {
	goal, quorum, requester := mv.n%3 == 0, 1+mv.n%2, map[bool]string{true: "", false: mv.who}[mv.yes]
	onExpiry := []core.OnExpiry{core.ExpiryHold, core.ExpiryRenew, core.ExpiryCancel}[mv.old]
	text := fmt.Sprintf("approvals_required: %d\non_expiry: %s\nexpires_in: 10m\nuse_within: 5m\n", quorum, onExpiry)
	if goal {
		text += "task_kind: goal\nobjective: fast\ndone_when: ./check.sh\nmax_rounds: 2\n"
	}
	text += "checkpoints: [{title: a, run: ./a.sh}, {title: b, run: ./b.sh}]\n"
	actor := world.Operator()
	if requester != "" {
		actor = g.Person(requester)
	}
	task, _, err := g.Engine.StartTask(g.t.Context(), engine.StartTask{Actor: actor, Plan: g.Plan(text)})
	want := g.m.start(goal, quorum, onExpiry, requester)
	if err == nil && want == "" {
		g.m.tasks[len(g.m.tasks)-1].id = task.ID
	}
	return err, want
}

func (g *game) finish(t *modelTask, mv move) {
	if t.state != core.TaskRunning {
		return
	}
	seen, o := engine.Sighting{}, core.OutcomeSucceeded
	switch mv.n {
	case 0, 1:
		seen, o = engine.Sighting{ExitCode: 1}, core.OutcomeFailed
	case 2:
		seen, o = engine.Sighting{ExitCode: 2}, core.OutcomeFailed
	case 3:
		seen, o = engine.Sighting{State: engine.SeenLost}, core.OutcomeLost
	case 4:
		seen, o = engine.Sighting{TimedOut: true}, core.OutcomeTimedOut
	}
	g.Runtime.End(g.Task(t.id).Task.Execution, seen)
	g.m.end(t, o, seen.ExitCode)
	synctest.Wait()
}

// toggle gives the role of approver to a person, or takes it away.
func (g *game) toggle(who string) {
	had := slices.Contains(g.m.approvers, who)
	g.policy(func(p *core.Policy) {
		for i := range p.People {
			if p.People[i].Name == who {
				p.People[i].Roles = map[bool][]string{true: nil, false: {core.RoleApprover}}[had]
			}
		}
	})
	if had {
		g.m.approvers = slices.DeleteFunc(g.m.approvers, func(n string) bool { return n == who })
	} else {
		g.m.approvers = append(g.m.approvers, who)
	}
}

// compare holds every task of the run against the model's.
func (g *game) compare(mv move) {
	synctest.Wait()
	for i, t := range g.m.tasks {
		d := g.Task(t.id)
		if len(d.Approvals) != len(t.list) {
			g.rt.Fatalf("after %+v task %d has %d approvals and is %s, the model has %d and is %s", mv, i, len(d.Approvals), d.Task.State, len(t.list), t.state)
		}
		for j, a := range t.list {
			a.id = d.Approvals[j].ID
		}
		if got, want := told(d), t.told(); got != want {
			g.rt.Fatalf("after %+v task %d is\n%s\nthe model says\n%s", mv, i, got, want)
		}
		g.invariants(d)
	}
}

// told writes down what the two must agree on.
func told(d engine.TaskDetail) string {
	var b strings.Builder
	t := d.Task
	launches := len(d.Executions)
	fmt.Fprintf(&b, "%s from %s, checkpoint %d, round %d, checking %t, %d executions", t.State, t.PausedFrom, t.Current, t.Round, t.Checking && t.State != core.TaskCompleted, launches)
	for _, p := range t.Checkpoints {
		fmt.Fprintf(&b, ", %s %d", p.State, p.Attempt)
	}
	for _, a := range d.Approvals {
		var approves []string
		rejected := ""
		for _, dec := range a.Decisions {
			if dec.Verdict == core.Reject {
				rejected = dec.Person
			} else {
				approves = append(approves, dec.Person)
			}
		}
		fmt.Fprintf(&b, "\n  %s by %v, not %q, used %t, checkpoint %d, attempt %d, round %d", a.State, approves, rejected, a.Used, a.Subject.Index, a.Subject.Attempt, a.Subject.Round)
	}
	return b.String()
}

func (t *modelTask) told() string {
	var b strings.Builder
	back := t.back
	if t.state != core.TaskPaused {
		back = ""
	}
	fmt.Fprintf(&b, "%s from %s, checkpoint %d, round %d, checking %t, %d executions", t.state, back, t.current, t.round, t.checking, t.launches)
	for i, s := range t.cps {
		fmt.Fprintf(&b, ", %s %d", s, t.attempts[i])
	}
	for _, a := range t.list {
		fmt.Fprintf(&b, "\n  %s by %v, not %q, used %t, checkpoint %d, attempt %d, round %d", a.state, a.approves, a.rejected, a.used, a.cp, a.attempt, a.round)
	}
	return b.String()
}

// invariants are those of reliability that hold of one task at any moment, whatever the model says.
func (g *game) invariants(d engine.TaskDetail) {
	claims := map[string]int{}
	for _, x := range d.Executions {
		if x.Kind == core.ExecStep {
			claims[x.ApprovalID]++
		}
	}
	pending := 0
	for _, a := range d.Approvals {
		if a.State == core.ApprovalPending {
			pending++
		} else if text := fmt.Sprintf("%s %+v", map[bool]string{true: "rejected"}[a.State == core.ApprovalRejected], a.Decisions); g.settled[a.ID] == "" {
			g.settled[a.ID] = text
		} else if g.settled[a.ID] != text {
			g.rt.Fatalf("a settled approval's decisions were %s and are %s", g.settled[a.ID], text)
		}
		if n := claims[a.ID]; n > 1 || (n == 1) != a.Used || a.Used && a.State != core.ApprovalApproved {
			g.rt.Fatalf("approval %s is %s, used %t, with %d executions", a.ID, a.State, a.Used, n)
		}
		people := map[string]bool{}
		for _, dec := range a.Decisions {
			people[dec.Person] = true
		}
		if len(people) != len(a.Decisions) || a.State == core.ApprovalApproved && len(people) < a.Subject.Required {
			g.rt.Fatalf("approval %s of %d is %s by %+v", a.ID, a.Subject.Required, a.State, a.Decisions)
		}
	}
	if pending > 1 {
		g.rt.Fatalf("%d approvals of one task are pending", pending)
	}
	launched := map[string]int{}
	for _, l := range g.Runtime.Launched() {
		if launched[l.ID]++; launched[l.ID] > 1 {
			g.rt.Fatalf("execution %s was launched twice", l.ID)
		}
	}
}
