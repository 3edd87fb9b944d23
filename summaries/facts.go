package summaries

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"holdpoint/core"
)

// defaultShell is how a plan's line is run where the plan names no shell (section 2 of the contract).
// It goes without saying on a card.
var defaultShell = []string{"/bin/sh", "-eu", "-c"}

// facts are what a card tells in the order in which a person needs it.
func (b *builder) facts() []Fact {
	var out []Fact
	for _, list := range [][]Fact{b.runs(), b.undo(), b.changed(), b.inPlan(), b.asked()} {
		out = append(out, list...)
	}
	return slices.DeleteFunc(out, func(f Fact) bool { return f.Text == "" })
}

// runs tells what will run, and with what.
func (b *builder) runs() []Fact {
	s, w := b.s, b.w.Facts
	fact := func(label, text string) Fact { return Fact{Place: PlaceRuns, Label: label, Text: text} }
	out := []Fact{b.command()}
	if b.headlineCut {
		out = append(out, fact(w.Title, b.title), fact(w.Plan, inMarks(s.Plan)), fact(w.Needs, b.allNeeded()))
	}
	detail := fact(w.Detail, quotedBlock(s.Detail))
	detail.said = true
	out = append(out, detail, fact(w.Workdir, Visible(s.Workdir)))
	if x := s.Run; x.Line != "" && !slices.Equal(s.Shell, defaultShell) && len(s.Shell) > 0 {
		out = append(out, fact(w.Shell, list(s.Shell)))
	}
	out = append(out, b.pairs(w.Vars, s.Vars, value), b.pairs(w.Env, s.Env, value), fact(w.Forwards, b.passed()),
		b.pairs(w.Files, s.Files, digest), fact(w.Timeout, s.Timeout.String()), fact(w.Goal, quotedBlock(s.Objective)))
	if s.DoneWhen != "" {
		out = append(out, Fact{Place: PlaceRuns, Label: w.DoneWhen, Text: Block(s.DoneWhen), Code: true, digest: s.DoneWhen})
	}
	return append(out, fact(w.Evidence, strings.Join(each(s.Evidence, digest), " · ")))
}

// passed names what is taken from the daemon's own environment; the values never leave it.
func (b *builder) passed() string {
	if len(b.s.PassEnv) == 0 {
		return ""
	}
	return fmt.Sprintf(b.w.Facts.Forwarded, strings.Join(each(b.s.PassEnv, value), ", "))
}

// pairs lists a map in the order of its keys.
func (b *builder) pairs(label string, m map[string]string, show func(string) string) Fact {
	f := Fact{Place: PlaceRuns, Label: label}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		f.Items = append(f.Items, Item{Label: value(k), Text: show(m[k])})
		parts = append(parts, value(k)+"="+show(m[k]))
	}
	f.Text = strings.Join(parts, " · ")
	return f
}

func each(words []string, show func(string) string) []string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = show(word)
	}
	return out
}

// undo tells how the step is undone, or that nobody said how.
func (b *builder) undo() []Fact {
	w := b.w.Facts
	note := Fact{Place: PlaceUndo, Label: w.Undo, Text: Block(b.s.Note), digest: b.s.Note}
	if strings.TrimSpace(b.s.Note) == "" {
		note.Text, note.digest = w.NoNote, ""
	}
	out := []Fact{note}
	if !b.s.RollbackRun.IsZero() && b.Approval.Kind != core.ApproveRollback {
		text, raw := execText(b.s.RollbackRun)
		out = append(out, Fact{Place: PlaceUndo, Label: w.UndoRuns, Text: text, Code: true, digest: raw})
	}
	return out
}

// changed tells what differs from the request before this one: was → now.
func (b *builder) changed() []Fact {
	f := Fact{Place: PlaceChanged, Label: b.w.Facts.Changed}
	f.Items, f.Text = b.changes(b.Approval.Changes)
	return []Fact{f}
}

func (b *builder) changes(list []core.FieldChange) ([]Item, string) {
	var items []Item
	var lines []string
	for _, c := range list {
		label, ok := b.w.Fields[c.Field]
		if !ok {
			label = Visible(c.Field)
		}
		it := Item{Label: label, Was: b.orNothing(c.Was), Text: b.orNothing(c.Now)}
		items = append(items, it)
		lines = append(lines, it.Label+b.w.Joined.Colon+it.Was+" → "+it.Text)
	}
	return items, strings.Join(lines, "\n")
}

func (b *builder) orNothing(s string) string {
	if s == "" {
		return b.w.Facts.Nothing
	}
	return inMarks(s)
}

// quotedBlock sets what somebody wrote into quotation marks and keeps its lines.
func quotedBlock(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return "“" + render(s, block|quoted) + "”"
}
