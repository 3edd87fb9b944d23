package core

// Report is the word of whoever does outside work on how it ended.
type Report struct {
	Actor       Actor
	Checkpoint  int
	ExecutionID string
	Succeeded   bool
	Detail      string
}

func (Report) command() {}

// report takes the end of outside work, once: a repeat answers alike, a contrary one is a conflict, and
// one that comes after a stop is kept as evidence.
func (d *draft) report(c Report) error {
	if err := d.may(c.Actor, ActReport, d.task.ID, d.relation(c.Actor)); err != nil {
		return err
	}
	x := d.s.Named
	if x.ID == "" || x.TaskID != d.task.ID || x.Kind != ExecOutside || x.Checkpoint != c.Checkpoint {
		return Refuse(CodeNotFound, c.ExecutionID, "no outside work of this checkpoint has this execution id")
	}
	if len(c.Detail) > MaxReason {
		return Invalid(FieldError{Path: "detail", Message: "4096 bytes at most"})
	}
	outcome := OutcomeFailed
	if c.Succeeded {
		outcome = OutcomeSucceeded
	}
	if x.Teardown.State == TeardownPending {
		if err := d.torn(x, TeardownDone, "stopped, and reported as "+string(outcome)+" after it"); err != nil {
			return err
		}
		return d.late(c, x.ID, outcome, OutcomeStopped)
	}
	if x.Live() {
		return d.end(EndExecution{Actor: c.Actor, ExecutionID: x.ID, Outcome: outcome, Message: c.Detail, Summary: c.Detail})
	}
	switch x.Outcome {
	case outcome:
		return nil
	case OutcomeStopped, OutcomeTimedOut, OutcomeLost:
		return d.late(c, x.ID, outcome, x.Outcome)
	}
	return conflict(x.ID, "this work was reported as %s before", x.Outcome)
}

// late keeps a report that came after the end as evidence.
func (d *draft) late(c Report, execution string, told, was Outcome) error {
	d.event(EventLateReport, c.Actor, execution, map[string]any{"outcome": told, "detail": c.Detail, "after": was})
	return &Error{Code: CodeCancelled, Subject: execution, Cause: string(was),
		Msg: "this work was ended before (" + string(was) + "): the report is kept as evidence and changes nothing"}
}
