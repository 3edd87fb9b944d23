package summaries

import (
	"fmt"
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
