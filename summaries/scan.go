package summaries

import (
	"unicode"
	"unicode/utf8"
)

// kind is what a piece of foreign text turned out to be.
type kind uint8

const (
	asIs       kind = iota // readable, shown unchanged
	hidden                 // one code point that must be spelled out
	stray                  // one letter from another script than its word
	badByte                // one byte that is no UTF-8
	spaceRun               // spaces, counted
	newlineRun             // newlines, counted
)

// maxMarks is how many combining marks a letter may carry. Vietnamese and
// pointed Hebrew use two, vocalised Arabic and Indic syllables at times three;
// beyond that marks only climb over the lines above and below.
const maxMarks = 3

// scanner splits foreign text into pieces, each shown in one way. The pieces
// joined are the text.
type scanner struct {
	text string
	form form
	pos  int

	word  word   // the word that pos is in, or the last one before it
	base  bool   // the piece before is a letter, with marks at most
	home  script // the script of that letter
	marks int    // how many marks it carries
}

func (c *scanner) more() bool { return c.pos < len(c.text) }

// next returns the next piece, never an empty one.
func (c *scanner) next() (raw string, k kind) {
	start := c.pos
	r, size := utf8.DecodeRuneInString(c.text[start:])
	switch {
	case r == utf8.RuneError && size == 1:
		k = badByte
	case r == ' ':
		size, k = c.spaces()
	case r == '\n' && c.form&block != 0:
		size, k = c.newlines()
	default:
		if n := c.graphicASCII(); n > 0 {
			size = n
			break
		}
		k = c.classify(r)
	}
	c.base = c.base && k == asIs
	c.pos = start + size
	return c.text[start:c.pos], k
}

// spaces measures the run of spaces at pos.
func (c *scanner) spaces() (size int, k kind) {
	c.base = false
	size = runLength(c.text[c.pos:], ' ')
	if size > maxRun || c.form&block != 0 && c.aloneOnLine(size) {
		return size, spaceRun
	}
	return size, asIs
}

// aloneOnLine reports whether the size bytes at pos are a whole line.
func (c *scanner) aloneOnLine(size int) bool {
	end := c.pos + size
	starts := c.pos == 0 || c.text[c.pos-1] == '\n'
	return starts && (end == len(c.text) || c.text[end] == '\n')
}

// newlines measures the run of newlines at pos.
func (c *scanner) newlines() (size int, k kind) {
	c.base = false
	size = runLength(c.text[c.pos:], '\n')
	if size > maxRun {
		return size, newlineRun
	}
	return size, asIs
}

// graphicASCII measures the run of printable ASCII without spaces at pos, as
// far as its words have one script: most of most texts, in one piece.
func (c *scanner) graphicASCII() int {
	end := c.pos
	for ; end < len(c.text); end++ {
		b := c.text[end]
		if b <= ' ' || b > '~' {
			break
		}
		c.base = isASCIILetter(b)
		if !c.base {
			continue
		}
		if end >= c.word.end {
			c.word = wordAt(c.text, end)
		}
		if c.word.home != common {
			break
		}
		c.home, c.marks = latin, 0
	}
	return end - c.pos
}

// classify judges one code point that is neither space nor line break, and
// keeps track of the letter that marks may follow.
func (c *scanner) classify(r rune) kind {
	switch {
	case isHidden(r), c.form&quoted != 0 && isQuote(r):
		return hidden
	case isMark(r):
		return c.mark(r)
	case !unicode.IsLetter(r):
		c.base = false
		return asIs
	}
	s := scriptOf(r)
	if c.pos >= c.word.end {
		c.word = wordAt(c.text, c.pos)
	}
	if c.word.isStray(s) {
		return strayKind(r)
	}
	c.base, c.home, c.marks = true, s, 0
	return asIs
}

// mark judges a combining mark: it stays on a letter of its own script, with
// few others. Anywhere else it would change a sign that is not the text's,
// such as the quotation mark before it.
func (c *scanner) mark(r rune) kind {
	s := scriptOf(r)
	if !c.base || c.marks >= maxMarks || s != common && s != c.home {
		return hidden
	}
	c.marks++
	return asIs
}

// strayKind is stray, but for letters written from right to left: beside one
// the signs of the escape would change places.
func strayKind(r rune) kind {
	if unicode.In(r, rightToLeft...) {
		return hidden
	}
	return stray
}

func isASCIILetter(b byte) bool {
	return 'a' <= b|0x20 && b|0x20 <= 'z'
}

// runLength counts how often b stands at the start of s.
func runLength(s string, b byte) int {
	n := 0
	for n < len(s) && s[n] == b {
		n++
	}
	return n
}
