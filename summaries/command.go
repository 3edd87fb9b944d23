package summaries

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"holdpoint/core"
)

// digestShown is how much of a file's SHA-256 a card tells: 48 bits name a file, the claim compares
// all of it.
const digestShown = 12

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
