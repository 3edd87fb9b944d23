package main

import (
	"errors"
	"strings"
	"unicode/utf8"

	"holdpoint/core"
	"holdpoint/planfile"
	"holdpoint/summaries"
)

// fileError is a fault of a file that was named to us, shown with place and line.
type fileError struct {
	name string
	err  error
}

// Error tells every fault as it is, for programs; shown makes it safe for people.
func (e *fileError) Error() string { return planfile.Format(e.name, e.err) }

// Unwrap gives the refusal.
func (e *fileError) Unwrap() error { return e.err }

// shown tells every fault with the line that it is in and a caret under its column. What the file
// holds is made safe piece by piece, so that the caret stays where it belongs.
func (e *fileError) shown() string {
	refusal, ok := errors.AsType[*core.Error](e.err)
	if !ok || len(refusal.Fields) == 0 {
		return summaries.Terminal(strings.TrimRight(e.Error(), "\n"))
	}
	var p page
	for _, f := range refusal.Fields {
		head := planfile.Format(e.name, core.Invalid(core.FieldError{Path: f.Path, Line: f.Line, Column: f.Column, Message: f.Message}))
		p.line("%s", summaries.Visible(strings.TrimRight(head, "\n")))
		if f.Line > 0 && f.Source != "" {
			p.source(f)
		}
	}
	if strings.HasSuffix(refusal.Msg, ")") { // how many more there are
		p.line("%s: %s", summaries.Visible(e.name), summaries.Visible(refusal.Msg))
	}
	return strings.TrimRight(p.String(), "\n")
}

// source adds a line of a file, and the caret.
func (p *page) source(f core.FieldError) {
	before, after := split(f.Source, f.Column-1)
	shown := indented(before)
	p.line("  %s%s", shown, summaries.Visible(after))
	p.line("  %s^", strings.Repeat(" ", summaries.Width(shown)))
}

// maxIndent is how far a line's own indentation is kept, in spaces.
const maxIndent = 40

// indented keeps the spaces at the begin of a line: there they are seen for what they are.
func indented(text string) string {
	rest := strings.TrimLeft(text, " ")
	if spaces := len(text) - len(rest); spaces <= maxIndent {
		return strings.Repeat(" ", spaces) + summaries.Visible(rest)
	}
	return summaries.Visible(text)
}

// split cuts a text behind so many runes.
func split(text string, runes int) (before, after string) {
	at := 0
	for ; runes > 0 && at < len(text); runes-- {
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	return text[:at], text[at:]
}
