package store_test

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/store"
)

// look is one way to call a reader. Its name reads like the promise.
type look struct {
	name string
	call func(r engine.Reader) any
}

// found keeps a value and whether it was there.
type found struct {
	Value any
	OK    bool
}

func maybe[V any](v V, ok bool) found { return found{v, ok} }

// looks calls every method of a reader with everything that a model holds, and with what it does not.
func looks(m *model, now time.Time) []look {
	list := []look{
		{"the epoch", func(r engine.Reader) any { return r.Epoch() }},
		{"the number of the newest event", func(r engine.Reader) any { return r.EventHead() }},
		{"all tokens, oldest first", func(r engine.Reader) any { return r.Tokens() }},
		{"live executions, oldest first", func(r engine.Reader) any { return r.OpenExecutions() }},
		{"what is due now, the oldest deadline first", func(r engine.Reader) any { return r.Due(now, 100) }},
		{"two of what is due in a year", func(r engine.Reader) any { return r.Due(now.AddDate(1, 0, 0), 2) }},
		{"what is due with a limit of none", func(r engine.Reader) any { return r.Due(now.AddDate(1, 0, 0), 0) }},
		{"the nearest deadline", func(r engine.Reader) any { return maybe(r.NextDeadline()) }},
		{"the first events", func(r engine.Reader) any { return r.Events(0, 5) }},
		{"events behind the third", func(r engine.Reader) any { return r.Events(3, 1000) }},
		{"events behind the last", func(r engine.Reader) any { return r.Events(r.EventHead(), 10) }},
		{"no events", func(r engine.Reader) any { return r.Events(0, 0) }},
		{"the newest events", func(r engine.Reader) any { return r.EventsBefore(0, 3) }},
		{"events before the fifth, newest first", func(r engine.Reader) any { return r.EventsBefore(5, 3) }},
		{"events before the first", func(r engine.Reader) any { return r.EventsBefore(1, 3) }},
		{"ids that begin with t_", func(r engine.Reader) any { return r.Match("t_", 1000) }},
		{"ids that begin with anything, three", func(r engine.Reader) any { return r.Match("", 3) }},
		{"ids that begin with a_00000", func(r engine.Reader) any { return r.Match("a_00000", 1000) }},
		{"ids that nothing begins with", func(r engine.Reader) any { return r.Match("zz", 10) }},
		{"a task that is not there", func(r engine.Reader) any { return maybe(r.Task("t_9")) }},
		{"an approval by a code that is not there", func(r engine.Reader) any { return maybe(r.ApprovalByCode("ZZZZZZ")) }},
		{"all tasks, newest first", func(r engine.Reader) any { return r.Tasks(engine.TaskQuery{Limit: 1000}) }},
		{"all approvals, newest first", func(r engine.Reader) any { return r.Approvals(engine.ApprovalQuery{Limit: 1000}) }},
		{"a page of none", func(r engine.Reader) any { return r.Tasks(engine.TaskQuery{}) }},
		{"children of nothing", func(r engine.Reader) any { return r.Children("") }},
	}
	for _, s := range core.TaskStates() {
		list = append(list,
			look{"all ids in " + string(s), func(r engine.Reader) any { return r.TasksIn(s) }},
			look{"two tasks in " + string(s), func(r engine.Reader) any { return r.Tasks(engine.TaskQuery{State: s, Limit: 2}) }})
	}
	for _, s := range approvalStates {
		list = append(list, look{"approvals that are " + string(s), func(r engine.Reader) any {
			return r.Approvals(engine.ApprovalQuery{State: s, Limit: 4})
		}})
	}
	list = append(list, looksAtTasks(m)...)
	return append(list, looksAtAccess(m)...)
}

var approvalStates = []core.ApprovalState{core.ApprovalPending, core.ApprovalApproved, core.ApprovalRejected,
	core.ApprovalExpired, core.ApprovalSuperseded, core.ApprovalCancelled}

// eventsOf is what the store's reader has beyond the engine's interface.
type eventsOf interface {
	EventsOf(task string, after int64, limit int) []core.Event
}

func looksAtTasks(m *model) []look {
	var list []look
	for id, t := range m.tasks {
		list = append(list, look{"everything of task " + id, func(r engine.Reader) any {
			return []any{
				maybe(r.Task(id)), r.Children(id), r.ApprovalsOf(id), r.SessionsOf(id), r.ExecutionsOf(id),
				r.Tasks(engine.TaskQuery{Before: id, Limit: 3}), r.Tasks(engine.TaskQuery{Before: id, State: t.State, Limit: 3}),
				r.(eventsOf).EventsOf(id, 0, 3), r.(eventsOf).EventsOf(id, 4, 100),
			}
		}})
	}
	for id, a := range m.approvals {
		list = append(list, look{"everything of approval " + id, func(r engine.Reader) any {
			return []any{
				maybe(r.Approval(id)), maybe(r.ApprovalByCode(a.Code)), maybe(r.Claim(id)), r.CardsOf(id), maybe(r.Card("slack", id)),
				r.Approvals(engine.ApprovalQuery{Before: id, Limit: 3}), r.Approvals(engine.ApprovalQuery{Before: id, State: a.State, Limit: 3}),
			}
		}})
	}
	for id, x := range m.executions {
		list = append(list, look{"execution " + id + " with its session", func(r engine.Reader) any {
			return []any{maybe(r.Execution(id)), maybe(r.Session(x.SessionID))}
		}})
	}
	return list
}

func looksAtAccess(m *model) []look {
	var list []look
	for _, s := range surfaces {
		list = append(list, look{"cards that wait on " + s, func(r engine.Reader) any {
			return []any{r.CardsWaiting(s, 1), r.CardsWaiting(s, 100)}
		}})
	}
	for _, person := range []string{"ana", "ben", "an"} {
		list = append(list, look{"web sessions of " + person, func(r engine.Reader) any { return r.WebSessions(person) }})
	}
	for n := range 6 {
		hash := fmt.Sprint("hash-", n)
		list = append(list, look{"what belongs to " + hash, func(r engine.Reader) any {
			return []any{maybe(r.Token(hash)), maybe(r.SignIn(hash)), maybe(r.WebSession(hash))}
		}})
	}
	for key := range m.requests {
		list = append(list, look{"a request of " + key[0], func(r engine.Reader) any {
			return []any{maybe(r.Request(key[0], key[1])), maybe(r.Request(key[0]+key[1], "")), maybe(r.Request("", key[0]+key[1]))}
		}})
	}
	return list
}

// agree asks store and model the same.
func agree(t rapid.TB, where string, r engine.Reader, m *model, now time.Time) {
	t.Helper()
	for _, l := range looks(m, now) {
		got, want := l.call(r), l.call(m)
		if reflect.DeepEqual(got, want) { // quicker than a diff, which takes nil and empty for the same
			continue
		}
		if diff := gocmp.Diff(got, want, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s: %s (-store +model):\n%s", where, l.name, diff)
		}
	}
}

// random is the state of one run: a store, its model, and what drives both.
type random struct {
	driver
	dir   string
	store *store.Store
	model *model
}

func TestTheStoreAnswersLikePlainMaps(t *testing.T) {
	fewer(t, "rapid.checks", 30, 8)
	fewer(t, "rapid.steps", 30, 20)
	rapid.Check(t, func(rt *rapid.T) {
		dir := filepath.Join(t.TempDir(), "data")
		db, err := store.Open(context.Background(), options(t, dir))
		if err != nil {
			rt.Fatal(err)
		}
		m := &random{driver: *newDriver(), dir: dir, store: store.Records(db), model: newModel()}
		defer func() { _ = m.store.Close() }()
		m.view(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"":        m.view,
			"start":   m.starts,
			"decide":  m.decides,
			"work":    m.works,
			"operate": m.operates,
			"wait":    m.waits,
			"cards":   m.shows,
			"access":  m.access,
			"reopen":  m.reopens(t),
		})
	})
}

// fewer lowers a setting of rapid unless more than usual was asked for: every step here looks at all
// there is, twice, and checks it.
func fewer(t *testing.T, name string, usual, to int) {
	was := flag.Lookup(name).Value.String()
	if n, err := strconv.Atoi(was); err != nil || n > usual {
		return
	}
	if err := flag.Set(name, strconv.Itoa(to)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set(name, was) })
}

// view compares what is on disk, and looks for what does not agree.
func (m *random) view(t *rapid.T) {
	err := m.store.View(context.Background(), func(r engine.Reader) error {
		m.model.epoch = r.Epoch()
		agree(t, "on disk", r, m.model, m.now)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	findings, err := m.store.Check(context.Background())
	if err != nil || len(findings) > 0 {
		t.Fatalf("check: %v %v", findings, err)
	}
}

// write applies a change to both sides, and compares before it is on disk.
func (m *random) write(t *rapid.T, c core.Change) {
	if c.Empty() {
		return
	}
	err := m.store.Update(context.Background(), func(tx engine.Tx) error {
		tx.Apply(c)
		m.model.Apply(c)
		agree(t, "in the transaction", tx, m.model, m.now)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// run gives a task a command; what the domain refuses with a change is written too.
func (m *random) run(t *rapid.T, task string, cmd core.Command) {
	c, err := m.step(m.model, task, cmd)
	if err != nil {
		t.Logf("%T of %s: %v", cmd, task, err)
	}
	m.write(t, c)
}

func (m *random) task(t *rapid.T) string {
	all := m.model.Match("t_", 1000)
	if len(all) == 0 {
		t.Skip("no task")
	}
	return rapid.SampledFrom(all).Draw(t, "task")
}

func (m *random) starts(t *rapid.T) {
	p := plan(rapid.IntRange(1, 2).Draw(t, "checkpoints"), rapid.IntRange(1, 2).Draw(t, "required"))
	p.OnExpiry = rapid.SampledFrom([]core.OnExpiry{core.ExpiryHold, core.ExpiryRenew, core.ExpiryCancel}).Draw(t, "on expiry")
	p.UseWithin = rapid.SampledFrom([]core.Duration{0, core.Duration(time.Minute)}).Draw(t, "use within")
	if rapid.Bool().Draw(t, "goal") {
		p.Kind, p.DoneWhen, p.MaxRounds = core.KindGoal, "test -e done", 2
	}
	for i := range p.Checkpoints {
		p.Checkpoints[i].ExpiresIn = rapid.SampledFrom([]core.Duration{core.Never, core.Duration(time.Minute)}).Draw(t, "expires in")
		p.Checkpoints[i].Detail = rapid.StringOf(rapid.RuneFrom([]rune("<&>\"\\é\u2028\u0000 a"))).Draw(t, "detail")
	}
	parent := ""
	if all := m.model.Match("t_", 1000); len(all) > 0 && rapid.Bool().Draw(t, "child") {
		parent = rapid.SampledFrom(all).Draw(t, "parent")
	}
	id := m.next("t_%06d")
	m.run(t, id, core.StartTask{Actor: operator, ID: id, Plan: p, ParentID: parent, RequestID: "r-" + id})
	name := rapid.StringN(0, 5, 20).Draw(t, "requester")
	m.write(t, core.Change{Requests: []core.Request{{Requester: name, ID: id, Digest: "d", Record: id, At: m.now}}})
}

func (m *random) decides(t *rapid.T) {
	who := rapid.SampledFrom([]core.Actor{ana, ben, operator}).Draw(t, "who")
	verdict := rapid.SampledFrom([]core.Verdict{core.Approve, core.Approve, core.Reject}).Draw(t, "verdict")
	m.run(t, m.task(t), core.Decide{Actor: who, Verdict: verdict, Reason: "because"})
}

func (m *random) works(t *rapid.T) {
	id := m.task(t)
	task := m.model.tasks[id]
	outcome := rapid.SampledFrom([]core.Outcome{core.OutcomeSucceeded, core.OutcomeFailed, core.OutcomeLost, core.OutcomeTimedOut}).Draw(t, "outcome")
	m.run(t, id, rapid.SampledFrom([]core.Command{
		core.ClaimStep{Actor: core.System()}, core.Started{ExecutionID: task.Execution},
		core.EndExecution{Actor: core.System(), ExecutionID: task.Execution, Outcome: outcome, ExitCode: rapid.IntRange(0, 1).Draw(t, "exit")},
	}).Draw(t, "work"))
}

func (m *random) operates(t *rapid.T) {
	m.run(t, m.task(t), rapid.SampledFrom([]core.Command{
		core.Retry{Actor: operator}, core.Resolve{Actor: ana, Done: true, Reason: "saw it"}, core.Resolve{Actor: ana, Reason: "not there"},
		core.Pause{Actor: operator}, core.Resume{Actor: operator}, core.Cancel{Actor: operator, Reason: "enough"}, core.Expire{},
	}).Draw(t, "command"))
}

func (m *random) waits(t *rapid.T) {
	m.now = m.now.Add(rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second, time.Minute, time.Hour}).Draw(t, "time"))
	for _, id := range m.model.Due(m.now, 2) {
		m.run(t, m.model.approvals[id].TaskID, core.Expire{})
	}
}

func (m *random) shows(t *rapid.T) {
	waiting := m.model.CardsWaiting(rapid.SampledFrom(surfaces).Draw(t, "surface"), 100)
	if len(waiting) == 0 {
		t.Skip("no card waits")
	}
	c := rapid.SampledFrom(waiting).Draw(t, "card")
	switch rapid.IntRange(0, 2).Draw(t, "fate") {
	case 0:
		c = c.Settle(c.Wanted, "ref-1", m.now)
	case 1:
		c.Tries, c.NextTry, c.Reason = c.Tries+1, m.now.Add(time.Minute), "rate limited"
	case 2:
		c.State, c.Reason, c.At = core.CardFailed, "the place is gone", m.now
	}
	m.write(t, core.Change{Cards: []core.Card{c}})
}

func (m *random) access(t *rapid.T) {
	hash := fmt.Sprint("hash-", rapid.IntRange(0, 5).Draw(t, "hash"))
	switch rapid.IntRange(0, 2).Draw(t, "what") {
	case 0:
		token, ok := m.model.Token(hash)
		if !ok {
			token = core.Token{ID: m.next("tok%06d"), Hash: hash, Name: "ci", Role: core.RoleTokenOperator, By: "operator", CreatedAt: m.now}
		} else if token.RevokedAt.IsZero() {
			token.RevokedAt = m.now
		}
		m.write(t, core.Change{Tokens: []core.Token{token}, Events: []core.Event{{Type: core.EventTokenCreated, At: m.now, Subject: token.ID}}})
	case 1:
		link, ok := m.model.SignIn(hash)
		if !ok {
			link = core.SignIn{Hash: hash, Person: "ana", By: "ci", CreatedAt: m.now, ExpiresAt: m.now.Add(core.SignInLife)}
		} else if link.UsedAt.IsZero() {
			link.UsedAt = m.now
		}
		m.write(t, core.Change{SignIns: []core.SignIn{link}})
	case 2:
		web, ok := m.model.WebSession(hash)
		if !ok {
			web = core.WebSession{Hash: hash, ID: m.next("w%06d"), Person: rapid.SampledFrom([]string{"ana", "ben"}).Draw(t, "person"), CSRF: "c", CreatedAt: m.now}
		}
		web.SeenAt = m.now
		m.write(t, core.Change{WebSessions: []core.WebSession{web}})
	}
}

func (m *random) reopens(t *testing.T) func(*rapid.T) {
	return func(rt *rapid.T) {
		if err := m.store.Close(); err != nil {
			rt.Fatal(err)
		}
		db, err := store.Open(context.Background(), options(t, m.dir))
		if err != nil {
			rt.Fatal(err)
		}
		m.store = store.Records(db)
	}
}
