package summaries

import (
	"strconv"
	"unicode/utf8"
)

// form says for which place a text is rendered.
type form uint8

const (
	line   form = 0         // one line: a newline is one more hidden character
	block  form = 1 << iota // line breaks stay line breaks
	quoted                  // stands between “ and ”, so has none of its own
)

// maxRun is the longest run of spaces, or of newlines in a block, that is
// shown as it is; a longer one could push what follows out of sight. The
// figure is row 10 of the hostile inputs (reliability, 5.4).
const maxRun = 3

// Visible renders foreign text for a place of one line. Every control,
// direction mark, zero-width or default-ignorable character, odd space, sign
// that the cards use for their own verdicts, letter of a foreign script within
// a word, and invalid byte is shown as an escape (see the package comment).
// The result is valid UTF-8 without line breaks, and [Reveal] gives s back.
//
// Render once: the marks of an escape are themselves escaped the second time.
func Visible(s string) string { return render(s, line) }

// Block renders foreign text for a place with several lines: as [Visible],
// but line breaks stay, up to three in a row. Spaces on a line that has
// nothing else are shown, since such lines look like none.
func Block(s string) string { return render(s, block) }

// render is Visible for any form.
func render(s string, f form) string {
	if isPlain(s, f) {
		return s
	}
	out := make([]byte, 0, len(s)+len(s)/4+16)
	c := scanner{text: s, form: f}
	for c.more() {
		raw, k := c.next()
		out = appendPiece(out, raw, k)
	}
	return string(out)
}

// isPlain reports whether s is printable ASCII with short runs of spaces,
// which is most of what is ever shown and needs no copy.
func isPlain(s string, f form) bool {
	run := 0
	for i := range len(s) {
		b := s[i]
		if b < ' ' || b > '~' {
			return false
		}
		if b != ' ' {
			run = 0
			continue
		}
		run++
		if run > maxRun {
			return false
		}
	}
	// A block of spaces alone is a blank line, the scanner's affair.
	return f&block == 0 || run == 0 || run < len(s)
}

// appendPiece appends what the scanner found, in the way its kind is shown.
func appendPiece(out []byte, raw string, k kind) []byte {
	if k == asIs {
		return append(out, raw...)
	}
	out = append(out, openMark...)
	switch k {
	case spaceRun:
		out = strconv.AppendInt(append(out, spaceWord...), int64(len(raw)), 10)
	case newlineRun:
		out = strconv.AppendInt(append(out, newlineWord...), int64(len(raw)), 10)
	case badByte:
		out = appendHex(out, rune(raw[0]), 2)
	case hidden:
		out = appendCodePoint(out, raw)
	case stray:
		out = append(append(appendCodePoint(out, raw), ' '), raw...)
	}
	return append(out, closeMark...)
}

// appendCodePoint appends the U+ notation of the one rune in raw.
func appendCodePoint(out []byte, raw string) []byte {
	r, _ := utf8.DecodeRuneInString(raw)
	return appendHex(append(out, codePointMark...), r, 4)
}

// appendHex appends r in upper-case hexadecimal with at least so many digits.
func appendHex(out []byte, r rune, digits int) []byte {
	const upper = "0123456789ABCDEF"
	for digits < 6 && r>>(4*digits) != 0 {
		digits++
	}
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		out = append(out, upper[(r>>shift)&0xF])
	}
	return out
}
