package engine

import (
	"context"
	"slices"
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

func (e *Engine) view(ctx context.Context, fn func(Reader) error) error {
	if err := e.Store.View(ctx, fn); err != nil {
		return e.storeFault(err)
	}
	return nil
}
