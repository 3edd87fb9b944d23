package inapp

import (
	"net/url"
	"slices"
	"strconv"

	"holdpoint/core"
	"holdpoint/core/engine"
)

// outside gives the execution of outside work that was claimed and not reported.
func outside(d engine.TaskDetail) (core.Execution, bool) {
	for _, x := range slices.Backward(d.Executions) {
		if x.Kind == core.ExecOutside && x.Live() {
			return x, true
		}
	}
	return core.Execution{}, false
}

// claimable says that outside work was approved and nobody has begun.
func claimable(d engine.TaskDetail) bool {
	c, _ := d.Task.At()
	return d.Task.State == core.TaskQueued && c.Outside() && d.Claim == nil && d.Approval.StateAt(d.Now) == core.ApprovalApproved
}

// stoppable says that a stop would find something: a record at a gate, or a session that works.
func stoppable(d engine.TaskDetail) bool {
	if d.Task.State == core.TaskRunning {
		return true
	}
	return slices.ContainsFunc(d.Sessions, func(s core.Session) bool { return s.State.Cancellable() })
}

// undoes gives the newest checkpoint that ran and has a rollback_run, -1 if none may be asked for now.
func undoes(t core.Task) int {
	switch t.State {
	case core.TaskFailed, core.TaskRejected, core.TaskReview, core.TaskCancelled, core.TaskCompleted:
	default:
		return -1
	}
	if t.Rollback.State == core.RollbackAwaiting || t.Rollback.State == core.RollbackRunning {
		return -1
	}
	for i := range slices.Backward(t.Checkpoints) {
		if t.Checkpoints[i].Ran && !t.Plan.Checkpoints[i].RollbackRun.IsZero() {
			return i
		}
	}
	return -1
}

// endings tell how far stops are, and loudly of a rollback that failed.
func endings(v *visit, d engine.TaskDetail) []result {
	w := v.words
	var out []result
	for _, x := range d.Executions {
		r := result{Class: classHold, Heading: w.Stopping}
		why := x.Teardown.Reason
		switch x.Teardown.State {
		case core.TeardownNone:
			continue
		case core.TeardownDone:
			r.Class, r.Heading = classPlain, w.StopGone
		case core.TeardownFailed:
			r.Class, r.Heading, why = classNo, w.StopBad, x.Teardown.Failure
		}
		if why != "" {
			r.Lines = []string{quoted(why)}
		}
		out = append(out, r)
	}
	if b := d.Task.Rollback; b.ApprovalID != "" {
		link := []link{{Href: "/approvals/" + b.ApprovalID, Text: w.OpenRequest, Class: "button wide"}}
		switch b.State {
		case core.RollbackAwaiting:
			out = append(out, result{Class: classHold, Heading: w.RollbackNotes, Links: link})
		case core.RollbackFailed:
			out = append(out, result{Class: classNo, Heading: w.RollbackBad, Lines: []string{quoted(b.Reason)}, Links: link})
		}
	}
	return out
}

func (s *Server) stopTask(v *visit) error {
	return s.act(v, taskAction{
		action: core.ActStop,
		done: func(now core.Task, _ url.Values) bool {
			return now.State == core.TaskCancelled || now.State == core.TaskReview
		},
		do: func(v *visit, id string) error {
			reason := v.r.PostForm.Get("reason")
			if len(reason) > core.MaxReason {
				return core.Invalid(core.FieldError{Path: "reason", Message: "4096 bytes at most"})
			}
			_, err := s.engine.StopTask(v.r.Context(), engine.StopTask{Actor: v.actor, Task: id, Reason: reason})
			return err
		},
	})
}

// claim takes the one use of an approval for the person who does the work.
func (s *Server) claim(v *visit) error {
	return s.act(v, taskAction{
		action: core.ActClaim,
		done:   func(now core.Task, _ url.Values) bool { return now.State == core.TaskRunning },
		do: func(v *visit, id string) error {
			d, err := s.engine.Task(v.r.Context(), v.actor, id)
			if err != nil {
				return err
			}
			c, err := s.engine.Claim(v.r.Context(), engine.Claim{Actor: v.actor, Approval: d.Approval.ID, RequestID: "page"})
			if err == nil && c.ExecutionID == "" {
				return core.Refuse(core.CodeConflict, id, "it still waits")
			}
			return err
		},
	})
}

// report takes a person's word on how outside work ended.
func (s *Server) report(v *visit) error {
	outcome := v.r.PostForm.Get("outcome")
	if outcome != "succeeded" && outcome != "failed" {
		return core.Invalid(core.FieldError{Path: "outcome", Message: "succeeded or failed"})
	}
	return s.act(v, taskAction{
		action: core.ActReport,
		done:   func(now core.Task, _ url.Values) bool { return now.State != core.TaskRunning },
		do: func(v *visit, id string) error {
			d, err := s.engine.Task(v.r.Context(), v.actor, id)
			if err != nil {
				return err
			}
			x, ok := outside(d)
			if !ok {
				return core.Refuse(core.CodeConflict, id, "no outside work is under way")
			}
			_, err = s.engine.Report(v.r.Context(), engine.Report{Actor: v.actor, Task: id, Checkpoint: x.Checkpoint, ExecutionID: x.ID,
				Succeeded: outcome == "succeeded", Detail: v.r.PostForm.Get("reason")})
			return err
		},
	})
}

// rollback asks for a checkpoint to be undone, behind an approval of its own.
func (s *Server) rollback(v *visit) error {
	i, err := strconv.Atoi(v.r.PostForm.Get("outcome"))
	if err != nil || i < 0 {
		return core.Invalid(core.FieldError{Path: "outcome", Message: "the checkpoint to undo"})
	}
	return s.act(v, taskAction{
		action: core.ActRollback,
		done:   func(now core.Task, _ url.Values) bool { return now.Rollback.State == core.RollbackAwaiting },
		do: func(v *visit, id string) error {
			_, err := s.engine.Rollback(v.r.Context(), v.actor, id, i)
			return err
		},
	})
}
