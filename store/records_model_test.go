package store_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
)

// model is the engine's Tx as plain maps: what the store is compared with. Every method is written the
// slow and obvious way.
type model struct {
	tasks       map[string]core.Task
	approvals   map[string]core.Approval
	claims      map[string]core.Claim
	sessions    map[string]core.Session
	executions  map[string]core.Execution
	cards       map[[2]string]core.Card
	tokens      map[string]core.Token
	signIns     map[string]core.SignIn
	webSessions map[string]core.WebSession
	requests    map[[2]string]core.Request
	events      []core.Event
	epoch       int64
}

var _ engine.Tx = (*model)(nil)

func newModel() *model {
	return &model{
		tasks: map[string]core.Task{}, approvals: map[string]core.Approval{}, claims: map[string]core.Claim{},
		sessions: map[string]core.Session{}, executions: map[string]core.Execution{}, cards: map[[2]string]core.Card{},
		tokens: map[string]core.Token{}, signIns: map[string]core.SignIn{}, webSessions: map[string]core.WebSession{},
		requests: map[[2]string]core.Request{},
	}
}

func (m *model) Apply(c core.Change) {
	if c.Task != nil {
		m.tasks[c.Task.ID] = *c.Task
	}
	if c.Claim != nil {
		m.claims[c.Claim.ApprovalID] = *c.Claim
	}
	for i := range c.Approvals {
		if len(c.Approvals[i].Changes) == 0 {
			c.Approvals[i].Changes = nil // as it is read back
		}
	}
	index(m.approvals, c.Approvals, func(a core.Approval) string { return a.ID })
	index(m.sessions, c.Sessions, func(s core.Session) string { return s.ID })
	index(m.executions, c.Executions, func(x core.Execution) string { return x.ID })
	index(m.cards, c.Cards, func(c core.Card) [2]string { return [2]string{c.Surface, c.Subject} })
	index(m.tokens, c.Tokens, func(t core.Token) string { return t.Hash })
	index(m.signIns, c.SignIns, func(s core.SignIn) string { return s.Hash })
	index(m.webSessions, c.WebSessions, func(w core.WebSession) string { return w.Hash })
	index(m.requests, c.Requests, func(q core.Request) [2]string { return [2]string{q.Requester, q.ID} })
	for _, e := range c.Events {
		e.Seq = int64(len(m.events)) + 1
		e.Data = asJSON(e.Data)
		m.events = append(m.events, e)
	}
}

func index[K comparable, V any](into map[K]V, list []V, key func(V) K) {
	for _, v := range list {
		into[key(v)] = v
	}
}

// asJSON is data as it reads after it was JSON.
func asJSON(data map[string]any) map[string]any {
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}

func (m *model) Epoch() int64 { return m.epoch }

func (m *model) Task(id string) (core.Task, bool)               { return lookup(m.tasks, id) }
func (m *model) Approval(id string) (core.Approval, bool)       { return lookup(m.approvals, id) }
func (m *model) Claim(id string) (core.Claim, bool)             { return lookup(m.claims, id) }
func (m *model) Session(id string) (core.Session, bool)         { return lookup(m.sessions, id) }
func (m *model) Execution(id string) (core.Execution, bool)     { return lookup(m.executions, id) }
func (m *model) Token(hash string) (core.Token, bool)           { return lookup(m.tokens, hash) }
func (m *model) SignIn(hash string) (core.SignIn, bool)         { return lookup(m.signIns, hash) }
func (m *model) WebSession(hash string) (core.WebSession, bool) { return lookup(m.webSessions, hash) }
func (m *model) Card(surface, subject string) (core.Card, bool) {
	return lookup(m.cards, [2]string{surface, subject})
}
func (m *model) Request(requester, id string) (core.Request, bool) {
	return lookup(m.requests, [2]string{requester, id})
}

func lookup[K comparable, V any](from map[K]V, k K) (V, bool) {
	v, ok := from[k]
	return v, ok
}

// pick gives the values that a condition holds for, in the order of their keys.
func pick[V any](from map[string]V, when func(V) bool) []V {
	var out []V
	for _, k := range slices.Sorted(maps.Keys(from)) {
		if when(from[k]) {
			out = append(out, from[k])
		}
	}
	return out
}

// newest turns a list round and cuts it.
func newest[V any](list []V, limit int) []V {
	slices.Reverse(list)
	return list[:min(len(list), limit)]
}

func ids[V any](list []V, id func(V) string) []string {
	var out []string
	for _, v := range list {
		out = append(out, id(v))
	}
	return out
}

func taskID(t core.Task) string { return t.ID }

func (m *model) Tasks(q engine.TaskQuery) []core.Task {
	return newest(pick(m.tasks, func(t core.Task) bool {
		return (q.State == "" || t.State == q.State) && (q.Before == "" || t.ID < q.Before)
	}), q.Limit)
}

func (m *model) TasksIn(state core.TaskState) []string {
	return ids(pick(m.tasks, func(t core.Task) bool { return t.State == state }), taskID)
}

func (m *model) RollingBack() []string {
	return ids(pick(m.tasks, func(t core.Task) bool {
		return t.Rollback.State == core.RollbackAwaiting || t.Rollback.State == core.RollbackRunning
	}), taskID)
}

func (m *model) Children(task string) []string {
	return ids(pick(m.tasks, func(t core.Task) bool { return t.ParentID == task && task != "" }), taskID)
}

func (m *model) ApprovalByCode(code string) (core.Approval, bool) {
	for _, a := range m.approvals {
		if a.Code == code {
			return a, true
		}
	}
	return core.Approval{}, false
}

func (m *model) Approvals(q engine.ApprovalQuery) []core.Approval {
	return newest(pick(m.approvals, func(a core.Approval) bool {
		return (q.State == "" || a.State == q.State) && (q.Before == "" || a.ID < q.Before)
	}), q.Limit)
}

func (m *model) ApprovalsOf(task string) []core.Approval {
	return pick(m.approvals, func(a core.Approval) bool { return a.TaskID == task })
}

func (m *model) waiting() []core.Approval {
	list := pick(m.approvals, func(a core.Approval) bool { _, ok := a.Deadline(); return ok })
	slices.SortStableFunc(list, func(a, b core.Approval) int {
		x, _ := a.Deadline()
		y, _ := b.Deadline()
		return x.Compare(y)
	})
	return list
}

func (m *model) Due(now time.Time, limit int) []string {
	list := slices.DeleteFunc(m.waiting(), func(a core.Approval) bool { due, _ := a.Deadline(); return due.After(now) })
	return ids(list[:min(len(list), limit)], func(a core.Approval) string { return a.ID })
}

func (m *model) NextDeadline() (time.Time, bool) {
	for _, a := range m.waiting() {
		return a.Deadline()
	}
	return time.Time{}, false
}

func (m *model) SessionsOf(task string) []core.Session {
	return pick(m.sessions, func(s core.Session) bool { return s.TaskID == task })
}

func (m *model) ExecutionsOf(task string) []core.Execution {
	return pick(m.executions, func(x core.Execution) bool { return x.TaskID == task })
}

func (m *model) OpenExecutions() []core.Execution { return pick(m.executions, core.Execution.Live) }

func (m *model) sortedCards(when func(core.Card) bool, by func(a, b core.Card) int) []core.Card {
	list := slices.DeleteFunc(slices.Collect(maps.Values(m.cards)), func(c core.Card) bool { return !when(c) })
	slices.SortFunc(list, by)
	return list
}

func (m *model) CardsOf(subject string) []core.Card {
	return m.sortedCards(func(c core.Card) bool { return c.Subject == subject },
		func(a, b core.Card) int { return cmp.Compare(a.Surface, b.Surface) })
}

func (m *model) CardsWaiting(surface string, limit int) []core.Card {
	list := m.sortedCards(func(c core.Card) bool { return c.Surface == surface && c.State == core.CardWaiting },
		func(a, b core.Card) int {
			return cmp.Or(a.NextTry.Compare(b.NextTry), cmp.Compare(a.Subject, b.Subject))
		})
	return list[:min(len(list), limit)]
}

func (m *model) Tokens() []core.Token {
	list := slices.Collect(maps.Values(m.tokens))
	slices.SortFunc(list, func(a, b core.Token) int { return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID)) })
	return list
}

func (m *model) WebSessions(person string) []core.WebSession {
	list := pick(m.webSessions, func(w core.WebSession) bool { return w.Person == person })
	slices.SortStableFunc(list, func(a, b core.WebSession) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return list
}

func (m *model) someEvents(when func(core.Event) bool) []core.Event {
	return slices.DeleteFunc(slices.Clone(m.events), func(e core.Event) bool { return !when(e) })
}

func (m *model) Events(after int64, limit int) []core.Event {
	list := m.someEvents(func(e core.Event) bool { return e.Seq > after })
	return list[:min(len(list), limit)]
}

func (m *model) EventsBefore(before int64, limit int) []core.Event {
	return newest(m.someEvents(func(e core.Event) bool { return before == 0 || e.Seq < before }), limit)
}

func (m *model) EventsOf(task string, after int64, limit int) []core.Event {
	list := m.someEvents(func(e core.Event) bool { return e.Task == task && e.Seq > after })
	return list[:min(len(list), limit)]
}

func (m *model) EventHead() int64 { return int64(len(m.events)) }

func (m *model) Match(prefix string, limit int) []string {
	var out []string
	for _, keys := range [][]string{
		slices.Collect(maps.Keys(m.tasks)), slices.Collect(maps.Keys(m.approvals)),
		slices.Collect(maps.Keys(m.sessions)), slices.Collect(maps.Keys(m.executions)),
	} {
		out = append(out, keys...)
	}
	out = slices.DeleteFunc(out, func(id string) bool { return !strings.HasPrefix(id, prefix) })
	slices.Sort(out)
	return out[:min(len(out), limit)]
}
