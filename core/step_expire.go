package core

// Expire asks to look at the current approval's deadline: by the watchdog, or by whoever notices.
// Nothing is written when it has not passed.
type Expire struct{}

func (Expire) command() {}

func (d *draft) expire() error {
	switch {
	case d.cur.Overdue(d.now) && (d.task.State == TaskAwaiting || d.task.State == TaskPaused):
		return d.expired(d.task.Plan.OnExpiry != ExpiryRenew)
	case d.cur.UnusedAt(d.now) && (d.task.State == TaskQueued || d.task.State == TaskPaused):
		return d.supersede("unused", "it was not used within "+d.cur.UseWithin.String())
	}
	return d.rollbackExpired()
}

// expired writes what an expiry means. quiet: no fresh approval is made (hold, at its deadline), or
// the record ends (cancel).
func (d *draft) expired(quiet bool) error {
	a := d.cur
	first := a.State == ApprovalPending
	if first {
		a.State, a.ResolvedAt = ApprovalExpired, d.now
		d.event(EventApprovalExpired, System(), a.ID, map[string]any{"on_expiry": d.task.Plan.OnExpiry})
		d.write(a)
	}
	switch {
	case d.task.Plan.OnExpiry == ExpiryCancel:
		if err := d.move(EvExpiredCancel); err != nil {
			return err
		}
		d.task.Reason, d.task.PausedFrom = "nobody decided in time", ""
		_, p := d.task.At()
		p.State = CheckpointPending
		d.noted()
		d.event(EventTaskCancelled, System(), d.task.ID, map[string]any{"cause": "expired"})
	case quiet:
		if !first {
			return nil
		}
		if err := d.move(EvExpiredHold); err != nil {
			return err
		}
	default:
		if err := d.renew(); err != nil {
			return err
		}
	}
	d.save()
	return nil
}

// renew asks afresh for the same attempt; the task stays at its gate, paused or not.
func (d *draft) renew() error {
	if err := d.move(EvRenewed); err != nil {
		return err
	}
	_, p := d.task.At()
	return d.gate(p.Attempt)
}

// supersede ends an approval that no longer fits, before it was used, and asks afresh.
func (d *draft) supersede(cause, why string) error {
	a := d.cur
	a.State, a.Cause, a.Reason = ApprovalSuperseded, cause, why
	if a.ResolvedAt.IsZero() {
		a.ResolvedAt = d.now
	}
	ev := EvRenewed
	switch d.task.State {
	case TaskQueued:
		ev = EvDiffers
	case TaskPaused:
		d.task.PausedFrom = TaskAwaiting
	}
	if err := d.move(ev); err != nil {
		return err
	}
	d.write(a)
	d.event(EventApprovalSuperseded, System(), a.ID, map[string]any{"cause": cause, "reason": why})
	_, p := d.task.At()
	if err := d.gate(p.Attempt); err != nil {
		return err
	}
	d.save()
	return nil
}

// Reissue asks afresh where an approval does not fit the record any more: after a restore, whose epoch
// makes every older one stale, or where a record waits without one (damage). It never releases.
type Reissue struct{ Cause string }

func (Reissue) command() {}

func (d *draft) reissue(c Reissue) error {
	if err := d.rollbackExpired(); err != nil {
		return err
	}
	switch d.task.State {
	case TaskAwaiting, TaskQueued, TaskPaused:
	default:
		return nil
	}
	if d.cur.ID == "" {
		switch d.task.State { // approved by nobody that is known: back to the gate
		case TaskQueued:
			d.task.State = TaskAwaiting
		case TaskPaused:
			d.task.PausedFrom = TaskAwaiting
		}
		if err := d.renew(); err != nil {
			return err
		}
		d.save()
		return nil
	}
	if d.cur.Epoch == d.s.Epoch || (d.cur.State != ApprovalPending && d.cur.State != ApprovalApproved) {
		return nil
	}
	return d.supersede(c.Cause, "the store was restored from a backup")
}
