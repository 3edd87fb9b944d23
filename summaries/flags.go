package summaries

import (
	"unicode"
	"unicode/utf8"
)

// Flag names something in a text that a reader should be warned of. The values
// are stable; cards translate them.
type Flag string

// The flags, gravest first.
const (
	FlagDirection Flag = "hidden direction mark" // could show the text in another order than it runs
	FlagMixed     Flag = "mixed scripts"         // a word with look-alike letters of another script
	FlagInvisible Flag = "invisible character"   // zero-width, filler, blank, variation selector, tag
	FlagControl   Flag = "control character"     // but newline, tab, and return before a newline
	FlagInvalid   Flag = "invalid bytes"         // not UTF-8
	FlagOddSpace  Flag = "odd space"             // a space or line break other than the usual
)

// allFlags fixes the order in which Flags reports.
var allFlags = []Flag{FlagDirection, FlagMixed, FlagInvisible, FlagControl, FlagInvalid, FlagOddSpace}

// Flags reports what is odd in the unrendered text s, each once, gravest
// first; nil when nothing is. A text with [FlagDirection] or [FlagMixed] is
// decided on the page, not in a chat (reliability, 5.4, rows 1 and 3).
func Flags(s string) []Flag {
	if isPlain(s, line) {
		return nil
	}
	found := map[Flag]bool{}
	c := scanner{text: s}
	for c.more() {
		raw, k := c.next()
		found[flagOf(raw, k, c.text[c.pos:])] = true
	}
	var flags []Flag
	for _, f := range allFlags {
		if found[f] {
			flags = append(flags, f)
		}
	}
	return flags
}

// flagOf returns the flag of one piece, or none.
func flagOf(raw string, k kind, rest string) Flag {
	switch k {
	case badByte:
		return FlagInvalid
	case stray:
		return FlagMixed
	case hidden:
		r, _ := utf8.DecodeRuneInString(raw)
		return flagOfHidden(r, rest)
	}
	return ""
}

// flagOfHidden returns the flag of a code point that was spelled out, or none
// for those that are only spelled out because they imitate a sign of ours.
func flagOfHidden(r rune, rest string) Flag {
	switch {
	case unicode.Is(directionMarks, r):
		return FlagDirection
	case r == '\n' || r == '\t' || r == '\r' && len(rest) > 0 && rest[0] == '\n':
		return ""
	case unicode.IsControl(r):
		return FlagControl
	case unicode.In(r, unicode.Z):
		return FlagOddSpace
	case unicode.In(r, rightToLeft...):
		return FlagMixed // a stray letter, see strayKind
	case !unicode.IsPrint(r) || unicode.In(r, unseen...) || unicode.Is(blanks, r):
		return FlagInvisible
	}
	return ""
}
