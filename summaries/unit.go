package summaries

import (
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Unit measures text the way the holder of a limit does. A unit of one's own
// must be additive: two texts that share no grapheme measure together what
// they measure apart.
type Unit func(s string) int

// Bytes counts bytes of UTF-8.
func Bytes(s string) int { return len(s) }

// Runes counts code points; an invalid byte counts as one.
func Runes(s string) int { return utf8.RuneCountInString(s) }

// UTF16 counts UTF-16 code units, which is how Telegram measures: code points
// beyond U+FFFF count twice. An invalid byte counts as one.
func UTF16(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// Width counts the columns of a terminal or a fixed-width font: East Asian
// wide characters and emoji take two, combining marks none (uniseg, after
// Unicode's East_Asian_Width; ambiguous ones take one).
func Width(s string) int {
	if isPlain(s, line) {
		return len(s)
	}
	return uniseg.StringWidth(s)
}
