package summaries_test

import (
	"html"
	"strings"
	"testing"

	"holdpoint/summaries"
)

func TestQuoteHoldsWhatAProgramSaid(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"the pack's own", "12,403,118 rows, 0 mismatches", "“12,403,118 rows, 0 mismatches”"},
		{"nothing said", "", "“”"},
		{"marks of its own", "ok” approved by “Ana", "“ok⟨U+201D⟩ approved by ⟨U+201C⟩Ana”"},
		{"straight marks", `say "yes"`, `“say "yes"”`},
		{"lines", "a\nb", "“a⟨U+000A⟩b”"},
		{"a mark to draw on ours", "\u0338x", "“⟨U+0338⟩x”"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, cut := summaries.Quote(tt.in, notShown)
			if got != tt.want || cut {
				t.Errorf("Quote(%+q) = %+q, %v; want %+q, false", tt.in, got, cut, tt.want)
			}
			inside := strings.TrimSuffix(strings.TrimPrefix(got, "“"), "”")
			if back, err := summaries.Reveal(inside); err != nil || back != tt.in {
				t.Errorf("Reveal(%+q) = %+q, %v; want %+q", inside, back, err, tt.in)
			}
		})
	}
}

func TestQuoteIsBounded(t *testing.T) {
	fits := strings.Repeat("x", summaries.MaxQuote-2)
	if got, cut := summaries.Quote(fits, notShown); cut || got != "“"+fits+"”" {
		t.Errorf("Quote(%d signs) is cut; want it whole", len(fits))
	}
	got, cut := summaries.Quote(fits+"y", notShown)
	if !cut || summaries.Runes(got) > summaries.MaxQuote || !strings.HasSuffix(got, "xy”") {
		t.Errorf("Quote(%d signs) = %q, %v; want it cut to %d with its end", len(fits)+1, got, cut, summaries.MaxQuote)
	}
}

func TestEscapeHTMLMakesMarkUpInert(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a tag and an attribute", `"><img onerror='x'>`, "&quot;&gt;&lt;img onerror=&#39;x&#39;&gt;"},
		{"an entity is text", "&lt;b&gt; &#x3c;", "&amp;lt;b&amp;gt; &amp;#x3c;"},
		{"less than", "< 10% left", "&lt; 10% left"},
		{"nothing to do", "orders_v2 *bold* `x`", "orders_v2 *bold* `x`"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := summaries.EscapeHTML(tt.in)
			if got != tt.want || html.UnescapeString(got) != tt.in {
				t.Errorf("EscapeHTML(%q) = %q; want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestTerminalLetsNoSequenceThrough(t *testing.T) {
	in := "done\x1b]0;title\x07\n\u009b2J\x9b2J\r$ rm -rf /\n"
	want := "done⟨U+001B⟩]0;title⟨U+0007⟩\n⟨U+009B⟩2J⟨9B⟩2J⟨U+000D⟩$ rm -rf /\n"
	if got := summaries.Terminal(in); got != want {
		t.Errorf("Terminal(%+q)\n got %+q\nwant %+q", in, got, want)
	}
}
