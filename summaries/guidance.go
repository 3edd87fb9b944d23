package summaries

import (
	"fmt"
	"strings"
	"time"

	"holdpoint/core"
)

// Guidance says in one sentence where the approval stands and, where it is of no more use, what helps
// to go on: the status and recovery guidance among the five outputs of a task. The sentence is safe to
// show on one line, begins in lower case and ends without a full stop.
func Guidance(t core.Task, a core.Approval, now time.Time, l Lang) string {
	w := l.words()
	switch ph := phaseOf(t, a, nil, now); ph {
	case phaseNone:
		return w.Guide.None
	case phaseWaiting:
		return w.guidePending(a, now)
	case phasePaused:
		return w.Guide.PendingPaused
	case phaseRejected:
		return w.guideRejected(t, a)
	case phaseExpired:
		return w.guideExpired(t, a)
	case phaseSuperseded, phaseOutOfReach:
		return w.guideReplaced(w.Guide.SupersededReplaced, w.guideSuperseded(t, a), a)
	case phaseCancelled:
		return w.guideReplaced(w.Guide.CancelledReplaced, w.Guide.Cancelled, a)
	default:
		return fmt.Sprintf(w.guideApproved(ph), w.approvers(a))
	}
}

func (w *words) guidePending(a core.Approval, now time.Time) string {
	given, needed := a.Approvals(), max(a.Subject.Required, 1)
	if a.ExpiresAt.IsZero() {
		return fmt.Sprintf(w.Guide.Pending, given, needed)
	}
	return fmt.Sprintf(w.Guide.PendingUntil, given, needed, w.span(a.ExpiresAt.Sub(now)))
}

func (w *words) guideApproved(ph phase) string {
	switch ph {
	case phaseQueued:
		return w.Guide.Approved
	case phaseHeld:
		return w.Guide.ApprovedPaused
	case phaseUnused:
		return w.Guide.Unused
	case phaseRunning:
		return w.Guide.Using
	case phaseSucceeded, phaseCompleted:
		return w.Guide.UsedDone
	case phaseFailed:
		return w.Guide.UsedFailed
	case phaseReview:
		return w.Guide.UsedReview
	}
	return w.Guide.Used
}

func (w *words) guideRejected(t core.Task, a core.Approval) string {
	who := Visible(a.Decider().Person)
	if a.ID != t.ApprovalID {
		return fmt.Sprintf(w.Guide.RejectedOld, who)
	}
	return fmt.Sprintf(w.Guide.Rejected, who)
}

func (w *words) guideExpired(t core.Task, a core.Approval) string {
	switch {
	case a.ReplacedBy != "":
		return fmt.Sprintf(w.Guide.ExpiredReplaced, Visible(a.ReplacedBy))
	case t.Plan.OnExpiry == core.ExpiryCancel:
		return w.Guide.ExpiredCancelled
	case t.Plan.OnExpiry == core.ExpiryRenew:
		return w.Guide.ExpiredRenewing
	}
	return w.Guide.Expired
}

func (w *words) guideSuperseded(t core.Task, a core.Approval) string {
	if a.ID == t.ApprovalID || t.State.Terminal() {
		return w.Guide.SupersededAndDone
	}
	return w.Guide.Superseded
}

// guideReplaced names the approval that stands in the place of this one, if there is one.
func (w *words) guideReplaced(replaced, alone string, a core.Approval) string {
	if a.ReplacedBy == "" {
		return alone
	}
	return fmt.Sprintf(replaced, Visible(a.ReplacedBy))
}

// approvers names those who approved, in the order in which they did.
func (w *words) approvers(a core.Approval) string {
	var names []string
	for _, d := range a.Decisions {
		if d.Verdict == core.Approve {
			names = append(names, Visible(d.Person))
		}
	}
	return w.join(names, w.Joined.And)
}

// join writes "Ana", "Ana and Bo", "Ana, Bo and Chloé".
func (w *words) join(names []string, last string) string {
	switch n := len(names); n {
	case 0:
		return "–"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " " + last + " " + names[n-1]
	}
}
