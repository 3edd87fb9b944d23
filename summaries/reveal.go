package summaries

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The parts that escapes are made of.
const (
	openMark      = "⟨"
	closeMark     = "⟩"
	codePointMark = "U+"
	spaceWord     = "space×"
	newlineWord   = "newline×"
)

// maxRevealed bounds what Reveal returns, in bytes: a run is a few bytes that
// stand for many. No text of ours comes near; a plan is at most 1 MiB.
const maxRevealed = 64 << 20

// maxSpan is the longest escape that Cut keeps whole, in bytes. The longest
// that Visible writes has 30; the rest is room for the words of a gap.
const maxSpan = 256

// Reveal returns the text that [Visible], [Block] or the inside of [Quote] was
// made from, byte for byte. It refuses what none of them would have written,
// such as a text that was cut, and escapes that open to more than 64 MiB.
func Reveal(shown string) (string, error) {
	var out strings.Builder
	for rest := shown; rest != ""; {
		n := strings.Index(rest, openMark)
		if n < 0 {
			n = len(rest)
		}
		out.WriteString(rest[:n])
		rest = rest[n:]
		if rest == "" {
			break
		}
		e, ok := parseEscape(rest)
		if !ok {
			return "", fmt.Errorf("reveal: no escape of ours at byte %d; give the text uncut, as it was shown", len(shown)-len(rest))
		}
		if out.Len()+e.rawLen() > maxRevealed {
			return "", errors.New("reveal: the text is longer than 64 MiB; read the stored one")
		}
		out.WriteString(strings.Repeat(e.unit, e.times))
		rest = rest[e.size:]
	}
	raw := out.String()
	for _, f := range []form{line, block, quoted} {
		if rendersAs(raw, f, shown) {
			return raw, nil
		}
	}
	return "", errors.New("reveal: the text was not rendered here; give it as it was shown")
}

// rendersAs reports whether raw is rendered as shown, and looks no further than
// the first difference: raw may be far longer.
func rendersAs(raw string, f form, shown string) bool {
	c := scanner{text: raw, form: f}
	var piece []byte
	for c.more() {
		bit, k := c.next()
		piece = appendPiece(piece[:0], bit, k)
		rest, ok := strings.CutPrefix(shown, string(piece))
		if !ok {
			return false
		}
		shown = rest
	}
	return shown == ""
}

// escape is one parsed escape: size bytes that stand for a unit so many times.
type escape struct {
	size  int
	unit  string
	times int
}

// rawLen is the number of bytes that the escape stands for.
func (e escape) rawLen() int { return len(e.unit) * e.times }

// parseEscape reads the escape at the start of s.
func parseEscape(s string) (escape, bool) {
	size := spanLen(s)
	if size == 0 {
		return escape{}, false
	}
	body := s[len(openMark) : size-len(closeMark)]
	unit, times, ok := parseBody(body)
	return escape{size: size, unit: unit, times: times}, ok
}

// parseBody reads what stands between the marks of an escape.
func parseBody(body string) (unit string, times int, ok bool) {
	if digits, found := strings.CutPrefix(body, spaceWord); found {
		times, ok = parseCount(digits)
		return " ", times, ok
	}
	if digits, found := strings.CutPrefix(body, newlineWord); found {
		times, ok = parseCount(digits)
		return "\n", times, ok
	}
	if digits, found := strings.CutPrefix(body, codePointMark); found {
		// The letter after the digits is for the reader; the digits decide.
		digits, _, _ = strings.Cut(digits, " ")
		r, err := strconv.ParseUint(digits, 16, 32)
		if err != nil || r > utf8.MaxRune || !utf8.ValidRune(rune(r)) {
			return "", 0, false
		}
		return string(rune(r)), 1, true
	}
	b, err := strconv.ParseUint(body, 16, 8)
	if err != nil {
		return "", 0, false
	}
	return string([]byte{byte(b)}), 1, true
}

// parseCount reads how often a run repeats. The bound keeps sums of it small.
func parseCount(digits string) (int, bool) {
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0 && n <= maxRevealed
}

// spanLen returns the length of the stretch from the ⟨ at the start of s to
// its ⟩, or 0 where there is none within maxSpan.
func spanLen(s string) int {
	if !strings.HasPrefix(s, openMark) {
		return 0
	}
	inside := s[len(openMark):min(len(s), maxSpan)]
	end := strings.Index(inside, closeMark)
	if end < 0 {
		return 0
	}
	return len(openMark) + end + len(closeMark)
}
