package summaries

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"holdpoint/core"
)

// defaultShell is how a plan's line is run where the plan names no shell (section 2 of the contract).
// It goes without saying on a card.
var defaultShell = []string{"/bin/sh", "-eu", "-c"}

// digestShown is how much of a file's SHA-256 a card tells: 48 bits name a file, the claim compares
// all of it.
const digestShown = 12

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
	out = append(out, b.pairs(w.Vars, s.Vars, value), b.pairs(w.Env, s.Env, value), fact(w.PassEnv, b.passed()),
		b.pairs(w.Files, s.Files, digest), fact(w.Timeout, s.Timeout.String()), fact(w.Goal, quotedBlock(s.Objective)))
	if s.DoneWhen != "" {
		out = append(out, Fact{Place: PlaceRuns, Label: w.DoneWhen, Text: Block(s.DoneWhen), Code: true, digest: s.DoneWhen})
	}
	return append(out, fact(w.Evidence, strings.Join(each(s.Evidence, digest), " · ")))
}

// command is the one thing that the approval releases.
func (b *builder) command() Fact {
	s, w := b.s, b.w.Facts
	f := Fact{Place: PlaceRuns, Label: w.Runs, Code: true}
	switch {
	case b.Approval.Kind == core.ApproveRollback && !s.RollbackRun.IsZero():
		f.Text, f.digest = execText(s.RollbackRun)
	case !s.Run.IsZero():
		f.Text, f.digest = execText(s.Run)
	case s.Agent != "":
		f.Label = w.Agent
		f.Text, f.digest, f.Code = Visible(s.Agent)+b.w.Joined.Colon+quotedBlock(s.Prompt), s.Prompt, false
	case !s.Command.IsZero():
		f.Label = w.Outside
		f.Text, f.digest = execText(s.Command)
	default:
		f.Label = w.Outside
		f.Text, f.Code = w.ByHand, false
	}
	return f
}

// execText shows a list as JSON, so that no two lists look alike, and a shell's line as it is.
func execText(x core.Exec) (text, raw string) {
	if len(x.Args) > 0 {
		raw = rawList(x.Args)
		return list(x.Args), raw
	}
	return Block(x.Line), x.Line
}

// list is a list of words as a JSON array.
func list(words []string) string { return Visible(rawList(words)) }

// rawList writes the array itself. Bytes that are not UTF-8 would be lost in JSON, so such a word is
// made visible first: its escapes then show twice, never not at all.
func rawList(words []string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, word := range words {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(jsonWord(word))
	}
	b.WriteByte(']')
	return b.String()
}

func jsonWord(word string) string {
	if !utf8.ValidString(word) {
		word = Visible(word)
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(word); err != nil {
		panic(fmt.Sprintf("summaries: a text that can't be written as JSON: %v", err)) // UTF-8, see above
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// passed names what is taken from the daemon's own environment; the values never leave it.
func (b *builder) passed() string {
	if len(b.s.PassEnv) == 0 {
		return ""
	}
	return fmt.Sprintf(b.w.Facts.Passed, strings.Join(each(b.s.PassEnv, value), ", "))
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

// value shows a word as it is where nobody can mistake its ends, else as a JSON text.
func value(s string) string {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@%+,", r)) {
			return Visible(jsonWord(s))
		}
	}
	if s == "" {
		return `""`
	}
	return s
}

// digest shortens a digest.
func digest(s string) string {
	if len(s) > digestShown {
		return Visible(s[:digestShown]) + "…"
	}
	return Visible(s)
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
