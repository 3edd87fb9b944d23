package summaries

import (
	"fmt"
	"strings"
	"time"

	"holdpoint/core"
)

// status tells what was decided and what became of it, in the order in which it happened.
func (b *builder) status() []Fact {
	var out []Fact
	if given := b.given(); given != "" {
		out = append(out, Fact{Place: PlaceStatus, Label: b.givenLabel(), Text: given})
	}
	if label, text := b.outcome(); text != "" {
		out = append(out, Fact{Place: PlaceStatus, Label: label, Text: text, said: true})
	}
	if text := b.stopping(); text != "" {
		out = append(out, Fact{Place: PlaceStatus, Label: b.w.Status.Stopping, Text: text, said: true})
	}
	if f := b.toUndo(); f.Text != "" {
		out = append(out, f)
	}
	return out
}

// given lists the approvals that were given, and while some are missing whose.
func (b *builder) given() string {
	var names []string
	for _, d := range b.Approval.Decisions {
		if d.Verdict == core.Approve {
			names = append(names, b.decision(d))
		}
	}
	if len(names) == 0 {
		return "" // who is needed stands in the headline; nothing decorative before the facts
	}
	text := "✅ " + strings.Join(names, ", ")
	if b.phase != phaseWaiting || b.s.Required < 2 {
		return text
	}
	text += " · "
	names = b.missing()
	list, word := b.w.join(names, b.w.Joined.Or), b.w.Heads.NeedsOne
	if len(names) == 0 {
		return text + b.w.Heads.Nobody
	}
	if n := b.needed(); n > 1 {
		return text + fmt.Sprintf(b.w.Heads.NeedsMore, n, strings.Join(names, ", "))
	}
	return text + fmt.Sprintf(word, list)
}

func (b *builder) givenLabel() string {
	if b.Approval.State == core.ApprovalApproved {
		return b.w.Status.Approved
	}
	return fmt.Sprintf(b.w.Status.Quorum, b.Approval.Approvals(), max(b.s.Required, 1))
}

// decision is one person's, with where and when, and a mark where the person asked for the work.
func (b *builder) decision(d core.Decision) string {
	text := Visible(d.Person) + " (" + strings.TrimSpace(b.surface(d.Surface)+" "+b.clock(d.At)) + ")"
	if d.Self {
		text += " " + b.w.Status.Self
	}
	return text
}

// outcome is the last thing that is known.
func (b *builder) outcome() (label, text string) {
	w, colon := b.w.Status, b.w.Joined.Colon
	p, _ := progressOf(b.Task, b.Approval)
	switch b.phase {
	case phasePaused:
		return w.Paused, "⏸ " + w.PausedText
	case phaseHeld:
		return w.Paused, "⏸ " + w.HeldText
	case phaseQueued:
		return w.Queued, b.queuedWhy()
	case phaseUnused:
		return w.Stale, "⌛ " + fmt.Sprintf(w.UnusedText, b.Approval.UseWithin.String())
	case phaseRunning:
		return w.Running, b.runningSince(p)
	case phaseSucceeded, phaseCompleted:
		return b.ended(p)
	case phaseFailed:
		return w.Failed, "❌ " + b.when(b.endedAt(p)) + saying(colon, b.why(p))
	case phaseReview:
		return w.Review, "❓ " + fmt.Sprintf(w.ReviewText, b.title) + saying(colon, b.why(p))
	case phaseRejected:
		d := b.Approval.Decider()
		return w.Rejected, "⛔ " + b.decision(d) + saying(colon, d.Reason) + " · " + fmt.Sprintf(w.DidNotRun, b.title)
	case phaseExpired:
		return w.Expired, "⌛ " + b.clock(b.Approval.ExpiresAt) + colon + b.expired()
	case phaseSuperseded, phaseOutOfReach:
		return w.Stale, b.superseded()
	case phaseCancelled:
		return w.Cancelled, "🛑 " + b.when(b.Approval.ResolvedAt) + saying(colon, b.Approval.Reason) + " · " + fmt.Sprintf(w.DidNotRun, b.title) + b.newRequest()
	case phaseUsed:
		return w.Ended, w.EndedText
	}
	return "", ""
}

// ended words a success; the last one of a plan ends the plan.
func (b *builder) ended(p core.Progress) (label, text string) {
	w := b.w.Status
	text = "✅ " + b.when(b.endedAt(p)) + saying(b.w.Joined.Colon, b.summary(p))
	if b.phase == phaseCompleted {
		return w.Completed, text + " · " + fmt.Sprintf(w.AllDone, len(b.Task.Checkpoints))
	}
	return w.Succeeded, text
}

// own gives the approval's execution, if it is at hand.
func (b *builder) own() (core.Execution, bool) {
	for _, x := range b.Executions {
		if x.ApprovalID == b.Approval.ID && x.ApprovalID != "" {
			return x, true
		}
	}
	return core.Execution{}, false
}

// stopping tells how far a stop of the approval's execution is.
func (b *builder) stopping() string {
	x, ok := b.own()
	if !ok || x.Teardown.State == core.TeardownNone {
		return ""
	}
	w, td := b.w.Status, x.Teardown
	format, why := w.StopEnding, td.Reason
	switch td.State {
	case core.TeardownDone:
		format = w.StopGone
		if !x.EndedAt.IsZero() {
			return "🛑 " + fmt.Sprintf(format, b.clock(td.At)) + " " + x.EndedAt.In(b.zone).Format("15:04:05") + saying(b.w.Joined.Colon, why)
		}
	case core.TeardownFailed:
		format, why = w.StopFailed, td.Failure
	}
	return "🛑 " + fmt.Sprintf(format, b.clock(td.At)) + saying(b.w.Joined.Colon, why)
}

func (b *builder) endedAt(p core.Progress) time.Time {
	if x, ok := b.own(); ok && p.EndedAt.IsZero() {
		return x.EndedAt
	}
	return p.EndedAt
}

func (b *builder) summary(p core.Progress) string {
	if x, ok := b.own(); ok && p.Summary == "" {
		return x.Summary
	}
	return p.Summary
}

// why is the reason of an end that was no success.
func (b *builder) why(p core.Progress) string {
	if b.current() && b.Task.Reason != "" {
		return b.Task.Reason
	}
	if x, ok := b.own(); ok && x.Message != "" {
		return x.Message
	}
	return b.summary(p)
}

// queuedWhy says what an approved step waits for.
func (b *builder) queuedWhy() string {
	w := b.w.Status
	for _, x := range b.Executions {
		if x.ApprovalID != b.Approval.ID && (x.Live() || x.Teardown.State == core.TeardownPending) {
			return fmt.Sprintf(w.QueuedBehind, Visible(x.ID))
		}
	}
	c := checkpointAt(b.Task, b.s.Index)
	switch {
	case b.Task.Reason != "":
		return w.QueuedFor + saying(" ", b.Task.Reason)
	case c.Agent == "" && c.Outside():
		return w.QueuedOutside
	}
	return w.QueuedWorker
}

func (b *builder) runningSince(p core.Progress) string {
	text := "🔵 " + fmt.Sprintf(b.w.Status.Since, b.when(p.StartedAt))
	if c := b.Claim; c != nil && c.By.Kind != core.ActorSystem {
		text += " · " + fmt.Sprintf(b.w.Status.ClaimedBy, Visible(c.By.Name))
	}
	return text
}
