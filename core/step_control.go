package core

// Pause holds a record that does nothing at the moment. Clocks run on.
type Pause struct{ Actor Actor }

func (Pause) command() {}

func (d *draft) pause(c Pause) error {
	if err := d.may(c.Actor, ActPause, d.task.ID, d.relation(c.Actor)); err != nil {
		return err
	}
	from := d.task.State
	if err := d.move(EvPaused); err != nil {
		return err
	}
	d.task.PausedFrom = from
	d.event(EventTaskPaused, c.Actor, d.task.ID, map[string]any{"from": from})
	d.save()
	return nil
}

// Resume lets a paused record go on where it was. It never releases a gate: it leads to queued only if
// what was approved still holds.
type Resume struct{ Actor Actor }

func (Resume) command() {}

func (d *draft) resume(c Resume) error {
	if err := d.may(c.Actor, ActResume, d.task.ID, d.relation(c.Actor)); err != nil {
		return err
	}
	if d.task.State != TaskPaused {
		return conflict(d.task.ID, "only a paused record is resumed, this one is %s", d.task.State)
	}
	d.event(EventTaskResumed, c.Actor, d.task.ID, map[string]any{"to": d.task.PausedFrom})
	if d.task.PausedFrom != TaskQueued {
		d.task.PausedFrom = ""
		if err := d.move(EvResumedGate); err != nil {
			return err
		}
		d.save()
		return nil
	}
	d.task.PausedFrom = ""
	cause, why, err := d.differs(d.cur, d.task.Current)
	if err != nil {
		return err
	}
	if err := d.move(EvResumedQueued); err != nil {
		return err
	}
	if cause != "" {
		return d.supersede(cause, why)
	}
	d.save()
	return nil
}

// Cancel ends a record that does nothing at the moment. A terminal one is left as it is: that is no
// refusal, and nothing is written.
type Cancel struct {
	Actor  Actor
	Reason string
	Stop   bool // as a stop, whose authority was judged before
}

func (Cancel) command() {}

func (d *draft) cancel(c Cancel) error {
	cause := "task_cancelled"
	if !May(c.Actor, ActCancel, d.relation(c.Actor)) {
		cause = "withdrawn"
	}
	if !c.Stop {
		if err := d.mayCancel(c.Actor); err != nil {
			return err
		}
	}
	if d.task.State.Terminal() {
		return nil
	}
	if c.Stop && d.task.State == TaskReview {
		return conflict(d.task.ID, "a stop leaves a record in review as it is")
	}
	if d.task.State == TaskRunning {
		return conflict(d.task.ID, "a step is running: stop it first")
	}
	if err := d.move(EvCancelled); err != nil {
		return err
	}
	if a := d.cur; a.State == ApprovalPending || (a.State == ApprovalApproved && d.s.Claim == nil) {
		a.State, a.ResolvedAt, a.Reason, a.Cause = ApprovalCancelled, d.now, c.Reason, cause
		d.write(a)
		d.event(EventApprovalCancelled, c.Actor, a.ID, map[string]any{"reason": c.Reason})
	}
	_, p := d.task.At()
	if p.State == CheckpointAwaiting || p.State == CheckpointApproved {
		p.State = CheckpointPending
	}
	d.task.Reason, d.task.PausedFrom = c.Reason, ""
	d.noted()
	d.event(EventTaskCancelled, c.Actor, d.task.ID, map[string]any{"reason": c.Reason})
	d.save()
	return nil
}

// mayCancel: who asked for the work may withdraw it as long as nothing runs, without the right to cancel.
func (d *draft) mayCancel(a Actor) error {
	r := d.relation(a)
	if d.task.State != TaskRunning && d.task.State != TaskReview && May(a, ActWithdraw, r) {
		return nil
	}
	return d.may(a, ActCancel, d.task.ID, r)
}
