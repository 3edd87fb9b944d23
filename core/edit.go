package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// EditPlan replaces what is left of a plan. Checkpoints that ran keep what they were.
type EditPlan struct {
	Actor Actor
	Plan  Plan // directories are absolute
}

func (EditPlan) command() {}

// edit takes a plan in the place of the old one. An approval whose fingerprint stays the same stays
// valid; another one is superseded by a fresh one that shows what changed.
func (d *draft) edit(c EditPlan) error {
	if err := d.may(c.Actor, ActEdit, d.task.ID, d.relation(c.Actor)); err != nil {
		return err
	}
	switch d.task.State {
	case TaskAwaiting, TaskPaused, TaskReview, TaskFailed, TaskRejected:
	default:
		return conflict(d.task.ID, "a plan is not edited while %s", d.task.State)
	}
	if err := d.editable(c.Plan); err != nil {
		return err
	}
	if err := c.Plan.CheckPeople(d.s.Policy, d.task.RequestedBy.Person()); err != nil {
		return err
	}
	was := d.task.Plan
	d.task.Plan = c.Plan
	progress := make([]Progress, len(c.Plan.Checkpoints))
	for i := range progress {
		progress[i].State = CheckpointPending
		if i < len(d.task.Checkpoints) {
			progress[i] = d.task.Checkpoints[i]
		}
	}
	d.task.Checkpoints = progress
	d.event(EventTaskEdited, c.Actor, d.task.ID, map[string]any{"checkpoints": len(progress), "before": len(was.Checkpoints)})
	open := d.cur.State == ApprovalPending || (d.cur.State == ApprovalApproved && !d.cur.Used)
	if open && !d.cur.Overdue(d.now) && (d.task.State == TaskAwaiting || d.task.State == TaskPaused) {
		subject, err := d.subjectNow(ApproveStep, d.task.Current)
		if err != nil {
			return err
		}
		if subject.Fingerprint() != d.cur.Fingerprint {
			return d.supersede("edited", "the plan was edited")
		}
	}
	d.save()
	return nil
}

// editable refuses an edit of what was done, or one that leaves no checkpoint to go on with.
func (d *draft) editable(p Plan) error {
	var f faults
	if p.Kind != d.task.Plan.Kind {
		f.add("task_kind", "a %s stays a %s", d.task.Plan.Kind, d.task.Plan.Kind)
	}
	if len(p.Checkpoints) <= d.task.Current {
		f.add("checkpoints", "the record stands at checkpoint %d: give at least that many", d.task.Current+1)
		return f.err()
	}
	for i, old := range d.task.Plan.Checkpoints {
		if d.task.Checkpoints[i].Ran && i >= len(p.Checkpoints) {
			f.add(fmt.Sprintf("checkpoints[%d]", i), "%q ran already and stays in the plan: there may be something to undo", old.Title)
			continue
		}
		done := d.task.Checkpoints[i].State == CheckpointSucceeded || (d.task.State == TaskReview && i == d.task.Current)
		if !done {
			continue
		}
		if i >= len(p.Checkpoints) || !old.same(p.Checkpoints[i]) {
			f.add(fmt.Sprintf("checkpoints[%d]", i), "%q ran already and can't be edited", old.Title)
		}
	}
	if slices.ContainsFunc(p.Checkpoints, func(c Checkpoint) bool { return c.Workdir == "" }) {
		panic("core: an edited plan without working directories") // the engine places it
	}
	return f.err()
}

// same compares checkpoints as they are stored, where no list and an empty one are alike.
func (c Checkpoint) same(other Checkpoint) bool {
	a, errA := json.Marshal(c)
	b, errB := json.Marshal(other)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}
