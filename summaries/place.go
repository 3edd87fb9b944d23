package summaries

import (
	"fmt"
	"slices"
	"strings"

	"holdpoint/core"
)

// inPlan tells where the checkpoint stands: what was before, what is done, what follows.
func (b *builder) inPlan() []Fact {
	w := b.w.Facts
	last := Fact{Place: PlacePlan, Label: w.Last, Text: b.last(), said: true}
	return []Fact{
		last,
		{Place: PlacePlan, Label: w.Done, Text: b.done()},
		{Place: PlacePlan, Label: w.Next, Text: b.next()},
	}
}

// last is the step before this one, and the line that it wrote. In a goal's later rounds it is the
// check that asked for another one.
func (b *builder) last() string {
	for i := min(b.s.Index, len(b.Task.Checkpoints)) - 1; i >= 0; i-- {
		if p := b.Task.Checkpoints[i]; p.State == core.CheckpointSucceeded {
			return inMarks(checkpointAt(b.Task, i).Title) + " ✓" + saying(" ", p.Summary)
		}
	}
	if b.s.Round > 1 && b.Task.Check != "" {
		return fmt.Sprintf(b.w.Facts.CheckSaid, inMarks(b.Task.Check))
	}
	return ""
}

// saying quotes what a program or a person said, with something before it; nothing where nothing was.
func saying(before, s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return before + inMarks(s)
}

func (b *builder) done() string {
	titles := b.Task.Completed()
	if len(titles) == 0 {
		return b.w.Facts.NothingYet
	}
	for i, title := range titles {
		titles[i] = Visible(title) + " ✓"
	}
	return strings.Join(titles, " · ")
}

func (b *builder) next() string {
	i := b.s.Index + 1
	if i >= len(b.Task.Plan.Checkpoints) {
		if b.s.Work == core.KindGoal {
			return b.w.Facts.LastOfRound
		}
		return b.w.Facts.LastStep
	}
	c := b.Task.Plan.Checkpoints[i]
	return fmt.Sprintf(b.w.Facts.Following, inMarks(c.Title), StateWord(b.lang, c.Risk))
}

// steps is the whole plan as a list.
func (b *builder) steps() []Step {
	out := make([]Step, 0, len(b.Task.Checkpoints))
	for i, p := range b.Task.Checkpoints {
		c := checkpointAt(b.Task, i)
		out = append(out, Step{
			Title: Visible(c.Title), Note: b.stepNote(i, p, c),
			Done: p.State == core.CheckpointSucceeded, Here: i == b.s.Index,
		})
	}
	return out
}

func (b *builder) stepNote(i int, p core.Progress, c core.Checkpoint) string {
	parts := []string{StateWord(b.lang, p.State)}
	if !p.EndedAt.IsZero() {
		parts = append(parts, b.when(p.EndedAt))
	}
	if p.Summary != "" {
		parts = append(parts, inMarks(p.Summary))
	}
	if i > b.s.Index {
		parts = append(parts, fmt.Sprintf(b.w.Heads.RiskChip, StateWord(b.lang, c.Risk)))
	}
	if i == len(b.Task.Checkpoints)-1 && i == b.s.Index {
		parts = append(parts, b.w.Facts.TheLast)
	}
	return strings.Join(parts, " · ")
}

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
	for _, c := range cards {
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
	if len(out) == 0 {
		return b.w.Facts.InAppOnly
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
