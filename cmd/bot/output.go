package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"holdpoint/summaries"
)

// writeJSON answers in JSON, one indented value and a line end.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// page gathers lines and is written at once.
type page struct{ strings.Builder }

// line adds one line. Foreign text in it was made visible by the caller.
func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// factWidth is how wide the name of a fact is.
const factWidth = 10

// fact adds a named line; an empty value adds none.
func (p *page) fact(name, value string) {
	if value != "" {
		p.line("%-*s%s", factWidth, name, value)
	}
}

// to writes what was gathered.
func (p *page) to(w io.Writer) error {
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// seen makes each of some foreign texts visible and joins them.
func seen(texts []string) string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = summaries.Visible(t)
	}
	return strings.Join(out, ", ")
}

// sentence prints a sentence that the daemon made and that is safe already: seen twice, what was made
// visible in it would no longer read as such. One that is not safe did not come from a daemon of ours.
func sentence(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return summaries.Visible(text)
	}
	return text
}

// clock tells a moment in the reader's own time, to the second.
func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05 -0700") }
