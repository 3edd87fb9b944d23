package summaries

import (
	"fmt"
	"strings"

	"holdpoint/core"
)

// toUndo lists what there is to undo once the task ended badly or nobody knows how: the checkpoints
// that ran, newest first, before the one that did not.
func (b *builder) toUndo() Fact {
	if !b.current() {
		return Fact{}
	}
	switch b.Task.State {
	case core.TaskRejected, core.TaskFailed, core.TaskCancelled, core.TaskReview:
	default:
		return Fact{}
	}
	w := b.w.Status
	f := Fact{Place: PlaceStatus, Label: w.ToUndo}
	var lines []string
	for _, n := range b.Task.RollbackNotes() {
		it := Item{Label: inMarks(n.Title), Text: b.w.Facts.NoNote}
		if !n.Ran {
			it.Label += " " + w.NotRun
		}
		if strings.TrimSpace(n.Text) != "" {
			it.Text = Block(n.Text)
		}
		f.Items = append(f.Items, it)
		lines = append(lines, it.Label+b.w.Joined.Colon+it.Text)
	}
	f.Text = strings.Join(lines, "\n")
	return f
}

// warnings are what must not be overlooked, each on a line of its own.
func (b *builder) warnings(flags []Flag) []string {
	w := b.w.Warn
	var out []string
	if text := b.Approval.Warning; text != "" {
		const alive = "the process of an earlier execution may still live: "
		if id, ok := strings.CutPrefix(text, alive); ok {
			out = append(out, "⚠ "+fmt.Sprintf(w.MayLive, Visible(id)))
		} else {
			out = append(out, "⚠ "+Visible(text))
		}
	}
	if b.phase == phaseWaiting && b.Approval.Waiter.State == core.WaiterGone {
		out = append(out, "⚠ "+fmt.Sprintf(w.NoWaiter, b.clock(b.Approval.Waiter.LastSeen)))
	}
	if b.phase == phaseWaiting && len(b.missing()) < b.needed() {
		out = append(out, "⚠ "+fmt.Sprintf(w.TooFew, len(b.missing()), b.needed()))
	}
	var odd []string
	for _, f := range flags {
		odd = append(odd, w.Flags[string(f)])
	}
	if len(odd) > 0 {
		out = append(out, "⚠ "+strings.Join(odd, b.w.Joined.Semicolon))
	}
	return out
}
