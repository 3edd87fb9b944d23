package store

import "holdpoint/core"

// checkApprovals: what was shown is what the fingerprint stands for; a pending approval is the current
// one of a task that waits for it; an approved one has the approvals that it needs; used ones, and only
// they, have a claim.
func checkApprovals(in *inspector) {
	each(in, approvals, func(key []byte, a core.Approval) {
		note := func(format string, args ...any) { in.note(bucketApprovals, key, format, args...) }
		if want := a.Subject.Fingerprint(); a.Fingerprint != want {
			note("its fingerprint is %s, its subject has %s", a.Fingerprint, want)
		}
		if a.State == core.ApprovalApproved && a.Approvals() < a.Subject.Required {
			note("it is approved by %d of %d", a.Approvals(), a.Subject.Required)
		}
		if _, claimed := find(in, claims, a.ID); claimed != a.Used {
			note("used is %t, the claim is there: %t", a.Used, claimed)
		}
		t, ok := find(in, tasks, a.TaskID)
		switch {
		case !ok:
			note("there is no task %q", a.TaskID)
		case a.State != core.ApprovalPending || a.Kind != core.ApproveStep:
		case t.ApprovalID != a.ID:
			note("it is pending, and the current one of task %s is %q", t.ID, t.ApprovalID)
		case gateState(t) != core.TaskAwaiting:
			note("it is pending, and task %s is %s", t.ID, t.State)
		}
	})
}

// gateState is where a task stands, or stood when it was paused.
func gateState(t core.Task) core.TaskState {
	if t.State == core.TaskPaused {
		return t.PausedFrom
	}
	return t.State
}

// checkTasks: a task that waits has the approval that it waits for, a queued one has one that is
// approved and unused, a running one a live execution, or a stopped one while other sessions work; a paused one knows where it goes back to.
func checkTasks(in *inspector) {
	each(in, tasks, func(key []byte, t core.Task) {
		note := func(format string, args ...any) { in.note(bucketTasks, key, format, args...) }
		if t.State == core.TaskPaused && t.PausedFrom == "" {
			note("it is paused and does not say from where")
		}
		a, ok := find(in, approvals, t.ApprovalID)
		ok = ok && a.TaskID == t.ID
		switch gateState(t) {
		case core.TaskAwaiting:
			held := a.State == core.ApprovalExpired && t.Plan.OnExpiry == core.ExpiryHold
			if !ok || a.State != core.ApprovalPending && !held {
				note("it awaits an approval, and %q is %q", t.ApprovalID, a.State)
			}
		case core.TaskQueued:
			if !ok || a.State != core.ApprovalApproved || a.Used {
				note("it is queued, and approval %q is %q, used %t", t.ApprovalID, a.State, a.Used)
			}
		case core.TaskRunning:
			if x, ok := find(in, executions, t.Execution); !ok || x.TaskID != t.ID || !x.Live() && x.Teardown.State == core.TeardownNone {
				note("it is running, and execution %q is %q", t.Execution, x.State)
			}
		}
	})
}

// checkClaims: a claim uses an approval that is approved, of the same task and fingerprint, and made one
// execution; the audit tells of it once.
func checkClaims(in *inspector) {
	told := map[string]int{}
	for row := range in.tx.Audit(0, false) {
		if row.Type == core.EventApprovalClaimed {
			told[row.Subject]++
		}
	}
	each(in, claims, func(key []byte, c core.Claim) {
		note := func(format string, args ...any) { in.note(bucketClaims, key, format, args...) }
		a, ok := find(in, approvals, c.ApprovalID)
		switch {
		case !ok:
			note("there is no approval %s", c.ApprovalID)
		case a.State != core.ApprovalApproved:
			note("it uses approval %s, which is %s", a.ID, a.State)
		case a.TaskID != c.TaskID:
			note("it is of task %s, its approval of %s", c.TaskID, a.TaskID)
		case a.Fingerprint != c.Fingerprint:
			note("its fingerprint is %s, its approval's %s", c.Fingerprint, a.Fingerprint)
		}
		if x, ok := find(in, executions, c.ExecutionID); !ok || x.ApprovalID != c.ApprovalID || x.TaskID != c.TaskID {
			note("execution %q is not there, or not of this claim", c.ExecutionID)
		}
		if told[c.ApprovalID] != 1 {
			note("the audit has %d rows of it", told[c.ApprovalID])
		}
		delete(told, c.ApprovalID)
	})
	for id := range told {
		in.note(bucketClaims, []byte(id), "the audit tells of a claim that is not there")
	}
}

// checkExecutions: an execution under an approval was made by its claim; the task of a live one knows
// it, unless it is being torn down.
func checkExecutions(in *inspector) {
	each(in, executions, func(key []byte, x core.Execution) {
		note := func(format string, args ...any) { in.note(bucketExecutions, key, format, args...) }
		if c, ok := find(in, claims, x.ApprovalID); x.ApprovalID != "" && (!ok || c.ExecutionID != x.ID) {
			note("the claim of approval %s made %q", x.ApprovalID, c.ExecutionID)
		}
		t, ok := find(in, tasks, x.TaskID)
		switch {
		case !ok:
			note("there is no task %q", x.TaskID)
		case x.Live() && x.Teardown.State == core.TeardownNone && t.Execution != x.ID && t.Rollback.Execution != x.ID:
			note("it is live, and task %s knows of %q", t.ID, t.Execution)
		}
	})
}
