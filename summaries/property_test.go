package summaries_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"holdpoint/summaries"
)

// texts draws what tries the renderer most: bits of hostile text side by side.
func texts() *rapid.Generator[string] {
	bits := rapid.OneOf(
		rapid.SampledFrom([]string{
			" ", "    ", "\n", "\n\n\n\n", "\t", "\r\n", "a", "о", "б", "γ", "א", "数", "ｶ", "ﾞ", "e\u0301",
			"\u0301", "\u0338", "\u200b", "\u202e", "\ufe0f", "\U000e0041", "\u3164", "\u1112", "\u1161",
			"⟨", "⟩", "⟨U+0041⟩", "⟨space×9⟩", "⟨…⟩", "“", "”", "✅", "🇫", "🚀", "\u200d", "\U0001f3fd",
			"\u0d4e", "<b>", "&lt;", "\x1b[2K", "\u009b", "\xff", "\xe2\x9f", "\xa8",
		}),
		rapid.String(),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 4), func(b []byte) string { return string(b) }),
	)
	return rapid.Map(rapid.SliceOfN(bits, 0, 24), func(parts []string) string { return strings.Join(parts, "") })
}

func TestNoTwoTextsLookAlike(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a, b := texts().Draw(rt, "a"), texts().Draw(rt, "b")
		if a != b && (summaries.Visible(a) == summaries.Visible(b) || summaries.Block(a) == summaries.Block(b)) {
			rt.Fatalf("%+q and %+q are shown alike", a, b)
		}
		checkRendered(t, a, summaries.Visible(a), false)
		checkRendered(t, b, summaries.Block(b), true)
	})
}

func TestCutHoldsForAnyTextAndLimit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		shown := rapid.SampledFrom([]func(string) string{summaries.Visible, summaries.Block}).Draw(rt, "form")(texts().Draw(rt, "text"))
		unit := rapid.SampledFrom(units).Draw(rt, "unit")
		checkCut(t, shown, summaries.Limit{Max: rapid.IntRange(-1, 120).Draw(rt, "limit"), Unit: unit, Missing: notShown})
	})
}

func TestQuoteClosesOnceWhateverIsSaid(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		said := strings.Repeat(texts().Draw(rt, "said"), rapid.IntRange(1, 40).Draw(rt, "times"))
		got, cut := summaries.Quote(said, notShown)
		if strings.Count(got, "“") != 1 || strings.Index(got, "”") != len(got)-len("”") || summaries.Runes(got) > summaries.MaxQuote {
			rt.Fatalf("Quote(%+q) = %+q", said, got)
		}
		inside := strings.TrimSuffix(strings.TrimPrefix(got, "“"), "”")
		if back, err := summaries.Reveal(inside); !cut && (err != nil || back != said) {
			rt.Fatalf("Reveal(%+q) = %+q, %v; want %+q", inside, back, err, said)
		}
	})
}

// TestEveryCodePointIsShownOrSpelledOut walks Unicode, alone and between
// letters: the planes with scripts, signs and tags whole, the ideographs and
// the empty planes in steps, since their ranges are long and of one kind.
func TestEveryCodePointIsShownOrSpelledOut(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r += stepAt(r) {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, raw := range []string{string(r), "a" + string(r) + "b"} {
			shown := summaries.Visible(raw)
			escape := fmt.Sprintf("⟨U+%04X", r)
			if unseen(r) && !strings.Contains(shown, escape) {
				t.Errorf("Visible(%+q) = %+q does not spell out %U", raw, shown, r)
			}
			if shown == raw {
				continue
			}
			if back, err := summaries.Reveal(shown); err != nil || back != raw || !strings.Contains(shown, escape) {
				t.Errorf("Visible(%+q) = %+q; revealed %+q, %v", raw, shown, back, err)
			}
		}
	}
}

// stepAt is how far the walk goes from r.
func stepAt(r rune) rune {
	switch {
	case r >= 0x3400 && r < 0xA000, r >= 0xAC00 && r < 0xD700,
		r >= 0x17000 && r < 0x1AF00, r >= 0x20000 && r < 0xE0000, r >= 0xE1000:
		return 0x100
	}
	return 1
}
