package planfile

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

const (
	maxSource = 200 // runes of an offending line that a fault carries
	maxShown  = 64  // runes of a foreign word that a path or message repeats
)

var bom = []byte("\xef\xbb\xbf")

// text is what was given, cut into lines.
type text struct {
	lines []string
	last  *runes // the line that rest looked at last
}

// runes are where the runes of a line begin, so that a text of one long line is not counted anew for
// each of its values.
type runes struct {
	line   int
	starts []int
	tabs   bool
}

func newText(data []byte) text {
	lines := strings.Split(string(bytes.TrimPrefix(data, bom)), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return text{lines: lines, last: &runes{}}
}

// source gives a line as it was written, cut at maxSource.
func (t text) source(line int) string {
	if line < 1 || line > len(t.lines) {
		return ""
	}
	return clip(t.lines[line-1], maxSource)
}

// inside moves a place that a library made up to the nearest one that the text really has.
func (t text) inside(p place) place {
	p.line = min(max(p.line, 1), len(t.lines))
	width := utf8.RuneCountInString(t.lines[p.line-1])
	p.column = min(max(p.column, 1), width+1)
	return p
}

// rest gives what stands in the line from a place on, and whether the line holds tabs.
func (t text) rest(p place) (string, bool) {
	if p.line < 1 || p.line > len(t.lines) || p.column < 1 {
		return "", false
	}
	line := t.lines[p.line-1]
	if t.last.line != p.line {
		*t.last = runes{line: p.line, tabs: strings.Contains(line, "\t")}
		for i := range line {
			t.last.starts = append(t.last.starts, i)
		}
	}
	if p.column > len(t.last.starts) {
		return "", t.last.tabs
	}
	return line[t.last.starts[p.column-1]:], t.last.tabs
}

// next finds the first character at or after a place that is neither a blank nor in a comment.
func (t text) next(p place) (place, bool) {
	for p.line >= 1 && p.line <= len(t.lines) {
		rest, _ := t.rest(p)
		body := strings.TrimLeft(rest, " \t")
		if body != "" && body[0] != '#' {
			return place{p.line, p.column + len(rest) - len(body)}, true
		}
		p = place{p.line + 1, 1}
	}
	return place{}, false
}

// placeOf gives the place of a byte.
func placeOf(data []byte, offset int) place {
	offset = min(max(offset, 0), len(data))
	head := data[:offset]
	start := bytes.LastIndexByte(head, '\n') + 1
	return place{bytes.Count(head, []byte{'\n'}) + 1, utf8.RuneCount(head[start:]) + 1}
}

// invalidUTF8 finds the first byte that is no UTF-8; -1: there is none.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// clip cuts a text after n runes and says so with an ellipsis.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count == n {
			return s[:i] + "…"
		}
		count++
	}
	return s
}

// forbidden finds the first character that YAML does not take in a text: control characters but
// tab and line ends, a carriage return on its own, a byte order mark inside. -1: there is none.
func forbidden(data []byte) int {
	for i, c := range data {
		switch {
		case c == '\r' && (i+1 == len(data) || data[i+1] != '\n'),
			c == bom[0] && bytes.HasPrefix(data[i:], bom),
			c < ' ' && c != '\t' && c != '\n' && c != '\r', c == 0x7f:
			return i
		}
	}
	return -1
}
