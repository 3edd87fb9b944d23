package summaries_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"holdpoint/summaries"
)

// checkRendered holds one rendering of raw against I42. The unseen code points
// are told from the properties of Unicode, not from the tables under test.
func checkRendered(t *testing.T, raw, shown string, lines bool) {
	t.Helper()
	if back, err := summaries.Reveal(shown); err != nil || back != raw {
		t.Errorf("Reveal(%+q) = %+q, %v; want %+q", shown, back, err, raw)
	}
	if !utf8.ValidString(shown) {
		t.Errorf("%+q is not UTF-8", shown)
	}
	for _, run := range []string{"    ", "\n\n\n\n"} {
		if strings.Contains(shown, run) {
			t.Errorf("%+q has the run %+q", shown, run)
		}
	}
	marks := 0
	for i, r := range shown {
		if unseen(r) && !(lines && r == '\n') {
			t.Errorf("%+q has %U at %d", shown, r, i)
		}
		if marks++; !unicode.Is(unicode.M, r) {
			marks = 0
		}
		if marks > 3 {
			t.Errorf("%+q has a fourth mark at %d", shown, i)
		}
	}
}

// unseen reports whether r is a control, a direction mark, default-ignorable,
// an odd space, a private or unknown code point, or a sign of our cards.
func unseen(r rune) bool {
	return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Bidi_Control,
		unicode.Join_Control, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector, unicode.Me) ||
		r != ' ' && unicode.Is(unicode.Zs, r) ||
		!unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z) ||
		strings.ContainsRune("\u2800✅⛔🔴🛑⚠✓✗", r)
}

// checkTerminal looks for what a terminal would obey, byte by byte.
func checkTerminal(t *testing.T, shown string) {
	t.Helper()
	for i, r := range shown {
		if r < ' ' && r != '\n' || r >= 0x7F && r <= 0x9F || r == utf8.RuneError && shown[i] != '\xef' {
			t.Errorf("%+q has %U at %d", shown, r, i)
		}
	}
}

// checkRevealed holds Reveal against any text: it either refuses it, or the
// text is one of the renderings of what it gave.
func checkRevealed(t *testing.T, shown string) {
	t.Helper()
	raw, err := summaries.Reveal(shown)
	if err != nil || len(raw) > 1<<20 {
		return // refused, or too long to render for every input
	}
	quote, cut := summaries.Quote(raw, notShown)
	if shown != summaries.Visible(raw) && shown != summaries.Block(raw) && quote != "“"+shown+"”" && !cut {
		t.Errorf("Reveal(%+q) = %+q, which is never shown so", shown, raw)
	}
}

// checkCut holds one cut of a rendered text against the promises of Cut.
func checkCut(t *testing.T, shown string, l summaries.Limit) {
	t.Helper()
	text, cut := summaries.Cut(shown, l)
	if l.Unit(text) > max(0, l.Max) {
		t.Errorf("Cut(%+q, %d) = %+q, which measures %d", shown, l.Max, text, l.Unit(text))
	}
	if !cut {
		if text != shown {
			t.Errorf("Cut(%+q, %d) = %+q without a word", shown, l.Max, text)
		}
		return
	}
	head, gap, tail := splitGap(text)
	if gap == "" {
		if text != "…" && text != "" {
			t.Errorf("Cut(%+q, %d) = %+q has no gap", shown, l.Max, text)
		}
		return
	}
	if head == "" || tail == "" || !strings.HasPrefix(shown, head) || !strings.HasSuffix(shown, tail) {
		t.Fatalf("Cut(%+q, %d) = %+q does not have both ends", shown, l.Max, text)
	}
	middle := shown[len(head) : len(shown)-len(tail)]
	for _, part := range []string{head, middle, tail} {
		if strings.Count(part, "⟨") != strings.Count(part, "⟩") {
			t.Errorf("Cut(%+q, %d) = %+q breaks an escape", shown, l.Max, text)
		}
	}
	checkBoundaries(t, shown, len(head), len(shown)-len(tail))
	checkMissing(t, gap, middle)
}

// splitGap finds the gap: foreign text cannot write ⟨…, so it is the only one.
func splitGap(text string) (head, gap, tail string) {
	head, rest, found := strings.Cut(text, "⟨…")
	if !found {
		return text, "", ""
	}
	inside, tail, _ := strings.Cut(rest, "⟩")
	return head, "⟨…" + inside + "⟩", tail
}

// checkBoundaries demands that both offsets stand between graphemes.
func checkBoundaries(t *testing.T, shown string, offsets ...int) {
	t.Helper()
	between := map[int]bool{}
	for g := uniseg.NewGraphemes(shown); g.Next(); {
		_, end := g.Positions()
		between[end] = true
	}
	for _, at := range offsets {
		if !between[at] {
			t.Errorf("%+q is cut within a grapheme at %d", shown, at)
		}
	}
}

// checkMissing demands that the gap tells the bytes behind what is missing.
// The middle of a rendered text need not be one itself, so it is opened here
// escape by escape.
func checkMissing(t *testing.T, gap, middle string) {
	t.Helper()
	if gap == "⟨…⟩" {
		return
	}
	if want := "⟨… " + notShown(openedLen(t, middle)) + " …⟩"; gap != want {
		t.Errorf("the gap is %q; want %q", gap, want)
	}
}

// openedLen counts the bytes that a part of a rendered text stands for.
func openedLen(t *testing.T, part string) int {
	t.Helper()
	before, rest, found := strings.Cut(part, "⟨")
	n := len(before)
	if !found {
		return n
	}
	body, rest, _ := strings.Cut(rest, "⟩")
	return n + bodyLen(t, body) + openedLen(t, rest)
}

// bodyLen counts the bytes that one escape stands for, by its body.
func bodyLen(t *testing.T, body string) int {
	t.Helper()
	var r rune
	var n int
	switch {
	case strings.Contains(body, "×"):
		scan(t, body[strings.Index(body, "×")+len("×"):], "%d", &n)
		return n
	case strings.HasPrefix(body, "U+"):
		scan(t, body, "U+%X", &r)
		return utf8.RuneLen(r)
	}
	return 1
}

func scan(t *testing.T, s, format string, into any) {
	t.Helper()
	if _, err := fmt.Sscanf(s, format, into); err != nil {
		t.Fatalf("%q is no escape: %v", s, err)
	}
}

// parseMarkup reads markup with a parser of its own: its text and how many
// tags it has.
func parseMarkup(t *testing.T, markup string) (text string, tags int) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(markup))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return text, tags
		}
		if err != nil {
			t.Fatalf("%+q is not well formed: %v", markup, err)
		}
		switch token := token.(type) {
		case xml.CharData:
			text += string(token)
		default:
			tags++
		}
	}
}
