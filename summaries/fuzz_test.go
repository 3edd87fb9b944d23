package summaries_test

import (
	"html"
	"strings"
	"testing"

	"holdpoint/summaries"
)

// FuzzVisible holds invariant I42: what was rendered can be turned back, and
// nothing in it is unseen. The seeds are under testdata.
func FuzzVisible(f *testing.F) {
	for _, h := range hostile {
		f.Add(h.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkRendered(t, s, summaries.Visible(s), false)
		checkRendered(t, s, summaries.Block(s), true)
		checkTerminal(t, summaries.Terminal(s))
		checkRevealed(t, s)
	})
}

// units are those that a limit can be counted in.
var units = []summaries.Unit{summaries.Runes, summaries.UTF16, summaries.Bytes, summaries.Width}

// FuzzCut holds what Cut promises for any text and any limit.
func FuzzCut(f *testing.F) {
	for i, h := range hostile {
		f.Add(h.in, 3*i, uint8(i))
	}
	f.Fuzz(func(t *testing.T, s string, limit int, unit uint8) {
		limit %= 300
		l := summaries.Limit{Max: limit, Unit: units[int(unit)%len(units)], Missing: notShown}
		checkCut(t, summaries.Visible(s), l)
		checkCut(t, summaries.Block(s), l)
		if text, _ := summaries.Cut(s, l); l.Unit(text) > max(0, limit) {
			t.Errorf("Cut(%+q, %d) = %+q, too long for text that was not rendered", s, limit, text)
		}
	})
}

// FuzzHTML holds that a rendered text is nothing but text between two tags.
func FuzzHTML(f *testing.F) {
	for _, h := range hostile {
		f.Add(h.in)
	}
	f.Add(`"><img onerror>&amp;</b><b>`)
	f.Fuzz(func(t *testing.T, s string) {
		shown := summaries.Visible(s)
		escaped := summaries.EscapeHTML(shown)
		if strings.ContainsAny(escaped, `<>"'`) || html.UnescapeString(escaped) != shown {
			t.Errorf("EscapeHTML(%+q) = %+q", shown, escaped)
		}
		text, tags := parseMarkup(t, `<b title="`+escaped+`">`+escaped+`</b>`)
		if text != shown || tags != 2 {
			t.Errorf("%+q is read as %+q with %d tags", escaped, text, tags)
		}
		if strings.ContainsAny(summaries.EscapeHTML(s), `<>"'`) {
			t.Errorf("EscapeHTML(%+q) = %+q", s, summaries.EscapeHTML(s))
		}
	})
}
