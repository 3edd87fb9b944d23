package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"holdpoint/core"
)

// TaskDetail is a task with all that belongs to it, read in one view.
type TaskDetail struct {
	Task       core.Task
	Approval   core.Approval // the current or last one; ID "" if there is none
	Claim      *core.Claim   // of Approval
	Approvals  []core.Approval
	Sessions   []core.Session
	Executions []core.Execution
	Children   []string
	Eligible   []string // who may decide the current approval now
	Now        time.Time
}

// ApprovalDetail is an approval with all that a card of it shows, read in one view.
type ApprovalDetail struct {
	Approval core.Approval
	Task     core.Task
	Claim    *core.Claim
	Cards    []core.Card
	Eligible []string // who may decide it now, decided or not
	Now      time.Time
}

// State is the approval's state at the moment of reading.
func (d ApprovalDetail) State() core.ApprovalState { return d.Approval.StateAt(d.Now) }

// Missing gives those who may still decide and have not, in the order of the configuration.
func (d ApprovalDetail) Missing() []string {
	return slices.DeleteFunc(slices.Clone(d.Eligible), func(n string) bool { _, ok := d.Approval.By(n); return ok })
}

// prefixLen is the least length of a prefix that is taken for an id, from section 10 of the contract.
const prefixLen = 6

// id finds the one id of a kind that a text stands for: whole, or as a unique prefix.
func id(r Reader, kind, text string) (string, error) {
	none := core.Refuse(core.CodeNotFound, text, "nothing is known under this id")
	if !strings.HasPrefix(text, kind) || len(text) < prefixLen {
		return "", none
	}
	switch found := r.Match(text, 2); {
	case len(found) == 0:
		return "", none
	case found[0] == text || len(found) == 1:
		return found[0], nil
	}
	return "", core.Refuse(core.CodeNotFound, text, "several ids begin like this: give more of it")
}

func findTask(r Reader, text string) (core.Task, error) {
	if t, ok := r.Task(text); ok {
		return t, nil
	}
	full, err := id(r, core.PrefixTask, text)
	if err != nil {
		return core.Task{}, err
	}
	t, _ := r.Task(full)
	return t, nil
}

// findApproval takes an id, a unique prefix of one, or a code in any case.
func findApproval(r Reader, text string) (core.Approval, error) {
	if a, ok := r.Approval(text); ok {
		return a, nil
	}
	if a, ok := r.ApprovalByCode(strings.ToUpper(text)); ok {
		return a, nil
	}
	full, err := id(r, core.PrefixApproval, text)
	if err != nil {
		return core.Approval{}, err
	}
	a, _ := r.Approval(full)
	return a, nil
}

// load reads what a step of a task may look at.
func load(r Reader, text string) (core.Snapshot, error) {
	t, err := findTask(r, text)
	if err != nil {
		return core.Snapshot{}, err
	}
	return snapshot(r, t), nil
}

func snapshot(r Reader, t core.Task) core.Snapshot {
	s := core.Snapshot{Task: t}
	s.Approval, _ = r.Approval(t.ApprovalID)
	if parent, ok := r.Task(t.ParentID); ok {
		s.Parent = parent.RequestedBy
	}
	if c, ok := r.Claim(t.ApprovalID); ok {
		s.Claim = &c
	}
	s.Rollback, _ = r.Approval(t.Rollback.ApprovalID)
	for _, x := range r.ExecutionsOf(t.ID) {
		if x.Open() || x.ID == t.Execution || x.Teardown.State == core.TeardownFailed {
			s.Executions = append(s.Executions, x)
			if one, ok := r.Session(x.SessionID); ok {
				s.Sessions = append(s.Sessions, one)
			}
		}
	}
	return s
}

// sees says that an actor may see a task: everybody but agents, who see their own and those under it.
func sees(r Reader, a core.Actor, t core.Task) bool {
	rel := core.Relation{Own: t.RequestedBy.String() == a.String()}
	for up := t; a.Kind == core.ActorAgent && !rel.Own && !rel.Child && up.ParentID != ""; {
		parent, ok := r.Task(up.ParentID)
		if !ok {
			break
		}
		rel.Child = parent.RequestedBy.String() == a.String()
		up = parent
	}
	return core.May(a, core.ActSee, rel)
}

// unseen ends a view of what an actor may not see.
var unseen = core.Refuse(core.CodeForbidden, "", "you may not see this")

// denied puts the refusal of a look into the audit, as every other refusal is.
func (e *Engine) denied(ctx context.Context, a core.Actor, subject string, err error) error {
	if err != unseen { //nolint:errorlint // our own, passed through as it is
		return err
	}
	return e.Authorize(ctx, a, core.ActSee, subject)
}

// hidden is the answer for an id that nobody has.
func hidden(text string) error {
	return core.Refuse(core.CodeNotFound, text, "nothing is known under this id")
}

// Task reads one task by id or unique prefix.
func (e *Engine) Task(ctx context.Context, a core.Actor, text string) (TaskDetail, error) {
	var d TaskDetail
	err := e.view(ctx, func(r Reader) error {
		t, err := findTask(r, text)
		if err != nil {
			return err
		}
		if !sees(r, a, t) {
			return unseen
		}
		d = TaskDetail{Task: t, Approvals: r.ApprovalsOf(t.ID), Sessions: r.SessionsOf(t.ID), Executions: r.ExecutionsOf(t.ID),
			Children: r.Children(t.ID), Now: e.now()}
		d.Approval, _ = r.Approval(t.ApprovalID)
		if c, ok := r.Claim(t.ApprovalID); ok {
			d.Claim = &c
		}
		d.Eligible = e.eligible(d.Approval)
		return nil
	})
	return d, e.denied(ctx, a, text, err)
}

func (e *Engine) eligible(a core.Approval) []string {
	return e.Policy().Eligible(a.Subject.Approvers, a.Subject.AllowSelf, a.Requesters()...)
}

// Tasks pages through the tasks that an actor may see, newest first.
func (e *Engine) Tasks(ctx context.Context, a core.Actor, q TaskQuery) ([]core.Task, error) {
	var out []core.Task
	err := e.view(ctx, func(r Reader) error {
		for _, t := range r.Tasks(q) {
			if sees(r, a, t) {
				out = append(out, t)
			}
		}
		return nil
	})
	return out, err
}

func (e *Engine) detail(r Reader, a core.Approval) ApprovalDetail {
	d := ApprovalDetail{Approval: a, Cards: r.CardsOf(a.ID), Eligible: e.eligible(a), Now: e.now()}
	d.Task, _ = r.Task(a.TaskID)
	if c, ok := r.Claim(a.ID); ok {
		d.Claim = &c
	}
	return d
}

// Approval reads one approval by id, unique prefix or code.
func (e *Engine) Approval(ctx context.Context, actor core.Actor, text string) (ApprovalDetail, error) {
	var d ApprovalDetail
	err := e.view(ctx, func(r Reader) error {
		a, err := findApproval(r, text)
		if err != nil {
			return err
		}
		if d = e.detail(r, a); !sees(r, actor, d.Task) {
			d = ApprovalDetail{}
			return unseen
		}
		return nil
	})
	return d, e.denied(ctx, actor, text, err)
}

// Approvals pages through the approvals that an actor may see, newest first. A pending one that ran out
// and was not written yet is told as expired, and is not among the pending.
func (e *Engine) Approvals(ctx context.Context, actor core.Actor, q ApprovalQuery) ([]ApprovalDetail, error) {
	var out []ApprovalDetail
	err := e.view(ctx, func(r Reader) error {
		for _, a := range r.Approvals(q) {
			d := e.detail(r, a)
			if sees(r, actor, d.Task) && (q.State == "" || d.State() == q.State) {
				out = append(out, d)
			}
		}
		return nil
	})
	return out, err
}

// Wait gives an approval as soon as it is no longer pending, or as it is when the time is up.
func (e *Engine) Wait(ctx context.Context, actor core.Actor, text string, timeout time.Duration) (ApprovalDetail, error) {
	up := time.NewTimer(timeout)
	defer up.Stop()
	d, err := e.Approval(ctx, actor, text)
	for err == nil && d.State() == core.ApprovalPending {
		changed, leave := e.hub.watch(d.Approval.ID)
		if d, err = e.Approval(ctx, actor, d.Approval.ID); err != nil || d.State() != core.ApprovalPending {
			leave()
			break
		}
		out, stop := overdue(d)
		select {
		case <-changed:
		case <-out:
		case <-up.C:
			stop()
			leave()
			return d, nil
		case <-ctx.Done():
			stop()
			leave()
			return d, ctx.Err()
		}
		stop()
		leave()
		d, err = e.Approval(ctx, actor, d.Approval.ID)
	}
	return d, err
}

// overdue fires when a pending approval runs out.
func overdue(d ApprovalDetail) (<-chan time.Time, func()) {
	at, ok := d.Approval.Deadline()
	if !ok {
		return nil, func() {}
	}
	t := time.NewTimer(at.Sub(d.Now))
	return t.C, func() { t.Stop() }
}

// Events reads the audit from behind a number on, oldest first. Agents see none of it but their own
// tasks'.
func (e *Engine) Events(ctx context.Context, a core.Actor, after int64, limit int) ([]core.Event, error) {
	var out []core.Event
	err := e.view(ctx, func(r Reader) error {
		for _, ev := range r.Events(after, limit) {
			if seesEvent(r, a, ev) {
				out = append(out, ev)
			} else {
				out = append(out, core.Event{Seq: ev.Seq}) // a gap that keeps the reader's place
			}
		}
		return nil
	})
	return out, err
}

func seesEvent(r Reader, a core.Actor, ev core.Event) bool {
	if a.Kind != core.ActorAgent {
		return core.May(a, core.ActSee, core.Relation{})
	}
	t, ok := r.Task(ev.Task)
	return ok && sees(r, a, t)
}

// TaskEvents reads the audit rows of one task from behind a number on, oldest first.
func (e *Engine) TaskEvents(ctx context.Context, a core.Actor, task string, after int64, limit int) ([]core.Event, error) {
	var out []core.Event
	err := e.view(ctx, func(r Reader) error {
		t, err := findTask(r, task)
		if err != nil {
			return err
		}
		if !sees(r, a, t) {
			return unseen
		}
		out = r.EventsOf(t.ID, after, limit)
		return nil
	})
	return out, e.denied(ctx, a, task, err)
}

// EventHead gives the number of the newest audit row.
func (e *Engine) EventHead(ctx context.Context) (int64, error) {
	var head int64
	err := e.view(ctx, func(r Reader) error { head = r.EventHead(); return nil })
	return head, err
}

// Changed gives a channel that is closed at the next change of anything, and a function that has to be
// called when one no longer waits. It is a hint: look again after a time as well.
func (e *Engine) Changed() (<-chan struct{}, func()) { return e.hub.watch(keyEvents) }

func (e *Engine) view(ctx context.Context, fn func(Reader) error) error {
	if err := e.Store.View(ctx, fn); err != nil {
		return e.storeFault(err)
	}
	return nil
}
