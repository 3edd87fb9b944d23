package summaries

import (
	"fmt"
	"slices"
	"strings"

	"holdpoint/core"
)

// asked tells who asked, until when an answer counts, and who was told.
func (b *builder) asked() []Fact {
	w := b.w.Facts
	out := []Fact{{Place: PlaceAsked, Label: w.Asked, Text: b.askedBy()}}
	if b.phase == phaseWaiting || b.phase == phasePaused {
		out = append(out, Fact{Place: PlaceAsked, Label: w.Until, Text: b.deadline()}, Fact{Place: PlaceAsked, Label: w.Told, Text: b.told()})
	}
	if b.s.AllowSelf {
		out = append(out, Fact{Place: PlaceAsked, Label: w.Self, Text: w.SelfAllowed})
	}
	if b.Viewer != "" && b.phase == phaseWaiting {
		out = append(out, Fact{Place: PlaceAsked, Label: w.You, Text: b.you()})
	}
	return out
}

func (b *builder) askedBy() string {
	w := b.w.Facts
	a := b.Approval
	text := Visible(a.RequestedBy.Name)
	if a.RequestedBy.Kind == core.ActorAgent {
		text = fmt.Sprintf(w.AnAgent, text)
	}
	if a.OnBehalfOf != "" {
		text = fmt.Sprintf(w.Behalf, text, Visible(a.OnBehalfOf))
	}
	text += ", " + b.when(a.RequestedAt)
	if b.phase == phaseWaiting || b.phase == phasePaused {
		text += ", " + w.StillWaiting
	}
	return text
}

// deadline tells until when an answer counts, and what silence does.
func (b *builder) deadline() string {
	w := b.w.Facts
	silence := w.Unanswered
	switch b.Task.Plan.OnExpiry {
	case core.ExpiryCancel:
		silence = w.UnansweredCancel
	case core.ExpiryRenew:
		silence = w.UnansweredRenew
	}
	at := b.w.Days.NoDeadline
	if t := b.Approval.ExpiresAt; !t.IsZero() {
		at = b.clock(t) + " (" + fmt.Sprintf(b.w.Span.In, b.w.span(t.Sub(b.Now))) + ")"
	}
	text := at + b.w.Joined.Semicolon + silence
	if b.Approval.UseWithin > 0 {
		text += b.w.Joined.Semicolon + fmt.Sprintf(w.UseWithin, b.Approval.UseWithin.String())
	}
	return text
}

// told says which surfaces show the request.
func (b *builder) told() string {
	cards := slices.Clone(b.Cards)
	slices.SortFunc(cards, func(x, y core.Card) int { return strings.Compare(x.Surface, y.Surface) })
	var out []string
	nobody := true
	for _, c := range cards {
		nobody = nobody && c.State == core.CardFailed
		text := b.surface(c.Surface)
		switch {
		case c.State == core.CardFailed:
			text += " ✗" + saying(" ", c.Reason)
		case c.Shown > 0:
			text += " ✓"
		default:
			text += " …" + saying(" ", c.Reason)
		}
		out = append(out, text)
	}
	if nobody { // none is configured, or none could be reached
		out = append(out, b.w.Facts.InAppOnly)
	}
	return strings.Join(out, " · ")
}

// surface names a surface for people.
func (b *builder) surface(name string) string {
	if word, ok := b.w.Surfaces[name]; ok {
		return word
	}
	return Visible(name)
}

// allNeeded names everybody whose approval is wanted, however many.
func (b *builder) allNeeded() string {
	if b.phase != phaseWaiting {
		return ""
	}
	names := b.missing()
	return b.needsOf(names, len(names))
}

// you tells the viewer how they stand to the request.
func (b *builder) you() string {
	w := b.w.Facts
	if d, ok := b.Approval.By(b.Viewer); ok && d.Verdict == core.Approve {
		return fmt.Sprintf(w.YouApproved, b.when(d.At))
	}
	switch {
	case slices.Contains(b.Eligible, b.Viewer):
		return ""
	case slices.Contains(b.Approval.Requesters(), b.Viewer):
		return w.YouAsked
	}
	return w.YouMayNot
}
