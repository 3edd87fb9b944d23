package summaries

import (
	"fmt"
	"strings"

	"holdpoint/core"
)

// expired says what the deadline that nobody met led to.
func (b *builder) expired() string {
	w := b.w.Status
	switch {
	case b.Approval.ReplacedBy != "":
		return w.NobodyDecided + b.newRequest()
	case b.Task.Plan.OnExpiry == core.ExpiryCancel:
		return w.NobodyCancelled
	case b.Task.Plan.OnExpiry == core.ExpiryRenew:
		return w.NobodyRenewed
	}
	return w.NobodyDecided + " · " + w.RetryForFresh
}

// superseded says that nothing was decided, why, and what counts now.
func (b *builder) superseded() string {
	w := b.w.Status
	text := w.NothingDecided
	if len(b.Approval.Decisions) > 0 {
		text = w.NothingRan
	}
	if cause := b.cause(); cause != "" {
		text += b.w.Joined.Colon + cause
	}
	if t := b.Approval.ResolvedAt; !t.IsZero() {
		text += " (" + b.clock(t) + ")"
	}
	if next := b.Successor; next != nil && len(next.Changes) > 0 {
		_, lines := b.changes(next.Changes)
		text += "\n" + lines
	}
	if fresh := b.newRequest(); fresh != "" {
		text += "\n" + strings.TrimPrefix(fresh, " · ")
	}
	return text
}

func (b *builder) cause() string {
	if b.Approval.Cause == "unused" && b.Approval.UseWithin > 0 {
		return fmt.Sprintf(b.w.Status.NotUsed, b.Approval.UseWithin.String())
	}
	if word, ok := b.w.Causes[b.Approval.Cause]; ok {
		return word
	}
	return strings.TrimSpace(saying("", b.Approval.Reason))
}

func (b *builder) newRequest() string {
	if b.Approval.ReplacedBy == "" {
		return ""
	}
	name := Visible(b.Approval.ReplacedBy)
	if b.Successor != nil && b.Successor.Code != "" {
		name = Visible(b.Successor.Code) + " (" + name + ")"
	}
	return " · " + fmt.Sprintf(b.w.Status.NewRequest, name)
}
