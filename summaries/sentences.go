package summaries

import (
	"fmt"
	"time"

	"holdpoint/core"
)

// NextAction says in one sentence what has to happen for the task to go on, and by whom. a is the
// task's current or last approval; its ID is "" where there is none. The sentence is safe to show on
// one line, begins in lower case and ends without a full stop.
func NextAction(t core.Task, a core.Approval, now time.Time, l Lang) string {
	w := l.words().Next
	format := nextFormat(w, t, a, now)
	switch format {
	case w.Completed, w.Cancelled, w.WaitCheck, w.ReviewCheck, w.RoundsUsed:
		return format
	case w.DecideMore:
		return fmt.Sprintf(format, currentTitle(t), a.Approvals(), a.Subject.Required)
	case w.AwaitRollback, w.WaitRollback:
		return fmt.Sprintf(format, titleAt(t, t.Rollback.Checkpoint))
	}
	return fmt.Sprintf(format, currentTitle(t))
}

func nextFormat(w nextWords, t core.Task, a core.Approval, now time.Time) string {
	switch t.Rollback.State {
	case core.RollbackAwaiting:
		return w.AwaitRollback
	case core.RollbackRunning:
		return w.WaitRollback
	}
	switch t.State {
	case core.TaskAwaiting:
		return nextAtGate(w, t, a, now)
	case core.TaskQueued:
		return nextQueued(w, t, a, now)
	case core.TaskRunning:
		return nextRunning(w, t)
	case core.TaskPaused:
		return nextPaused(w, t, a, now)
	case core.TaskReview:
		if t.Checking {
			return w.ReviewCheck
		}
		return w.Review
	case core.TaskFailed:
		return nextFailed(w, t)
	case core.TaskRejected:
		return w.Rejected
	case core.TaskCompleted:
		return w.Completed
	}
	return w.Cancelled
}

func nextAtGate(w nextWords, t core.Task, a core.Approval, now time.Time) string {
	switch phaseOf(t, a, nil, now) {
	case phaseWaiting:
		if a.Subject.Required > 1 {
			return w.DecideMore
		}
		return w.Decide
	case phaseExpired:
		switch t.Plan.OnExpiry {
		case core.ExpiryCancel:
			return w.Cancelled
		case core.ExpiryRenew:
			return w.Reissued
		}
		return w.AskAgain
	}
	return w.Reissued // it waits without an approval that counts: the daemon asks afresh
}

func nextQueued(w nextWords, t core.Task, a core.Approval, now time.Time) string {
	c := checkpointAt(t, t.Current)
	switch {
	case a.UnusedAt(now):
		return w.Reissued
	case c.Agent != "":
		return w.AgentQueued
	case c.Outside():
		return w.ClaimQueued
	}
	return w.RunQueued
}

func nextRunning(w nextWords, t core.Task) string {
	switch {
	case t.Checking:
		return w.WaitCheck
	case checkpointAt(t, t.Current).Outside():
		return w.Report
	}
	return w.Wait
}

func nextPaused(w nextWords, t core.Task, a core.Approval, now time.Time) string {
	if t.PausedFrom == core.TaskQueued && !a.UnusedAt(now) {
		return w.ResumeQueued
	}
	return w.ResumeGate
}

func nextFailed(w nextWords, t core.Task) string {
	if t.Checking && t.Plan.MaxRounds > 0 && t.Round >= t.Plan.MaxRounds {
		return w.RoundsUsed
	}
	return w.Failed
}

func currentTitle(t core.Task) string { return titleAt(t, t.Current) }

// titleAt is the checkpoint's title in quotation marks, cut where it is longer than a quotation may be.
func titleAt(t core.Task, index int) string {
	text, _ := Quote(checkpointAt(t, index).Title, nil)
	return text
}

// checkpointAt gives the checkpoint, or an empty one where a damaged record points beside its plan.
func checkpointAt(t core.Task, index int) core.Checkpoint {
	if index < 0 || index >= len(t.Plan.Checkpoints) {
		return core.Checkpoint{}
	}
	return t.Plan.Checkpoints[index]
}

// inMarks sets what somebody else wrote into quotation marks, whole. Those inside are escaped, so the
// first ” ends it.
func inMarks(title string) string { return "“" + render(title, quoted) + "”" }
