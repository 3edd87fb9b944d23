package summaries

import (
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Missing says in a language that so many bytes are not shown, such as
// "38,000 bytes not shown". It is pure, and needs no dots around the words.
type Missing func(bytes int) string

// Limit is how much of a text may be shown.
type Limit struct {
	Max     int     // the most that may be shown, gap included; below 0 is 0
	Unit    Unit    // what Max counts; nil counts Runes
	Missing Missing // the words of the gap; nil leaves it at dots
}

// bareGap stands where the words of a gap would leave no room for both ends.
const bareGap = "⟨…⟩"

// Cut returns s, rendered by [Visible] or [Block], within the limit, and
// whether anything is missing. A text that must be cut keeps as much of its
// beginning as of its end, and between them ⟨… how much is missing …⟩, which
// no foreign text can imitate; the number counts bytes of the text before it
// was rendered. No grapheme and no escape is cut in two. A limit too small for
// that gets a bare ⟨…⟩ between the ends, then "…", then nothing.
//
// Cut before escaping for mark-up, and only once.
func Cut(s string, limit Limit) (text string, cut bool) {
	limit.Max = max(limit.Max, 0)
	if limit.Unit == nil {
		limit.Unit = Runes
	}
	c := cutting{text: s, limit: limit, total: limit.Unit(s)}
	if c.total <= limit.Max {
		return s, false
	}
	bare := func(int) string { return bareGap }
	for _, gap := range []func(int) string{c.worded, bare} {
		if text, ok := c.fit(gap); ok {
			return text, true
		}
	}
	if limit.Unit("…") <= limit.Max {
		return "…", true
	}
	return "", true
}

// cutting is one text on its way to a limit.
type cutting struct {
	text  string
	limit Limit
	total int // what the text measures
}

// worded is the gap with words, or without where there are none.
func (c cutting) worded(bytes int) string {
	if c.limit.Missing == nil {
		return bareGap
	}
	return "⟨… " + c.limit.Missing(bytes) + " …⟩"
}

// fit joins both ends with the gap, or reports that it leaves no room. The
// words depend on what is missing, and that on their length, so it starts from
// the gap for everything and gives way until the whole fits.
func (c cutting) fit(gap func(bytes int) string) (string, bool) {
	budget := c.limit.Max - c.limit.Unit(gap(rawLen(c.text)))
	for budget > 0 {
		head, tail := c.ends(budget)
		if head == 0 || tail == len(c.text) {
			return "", false
		}
		text := c.text[:head] + gap(rawLen(c.text[head:tail])) + c.text[tail:]
		over := c.limit.Unit(text) - c.limit.Max
		if over <= 0 {
			return text, true
		}
		budget -= over
	}
	return "", false
}

// ends returns where the beginning stops and the end starts, so that both
// together measure at most budget. What the beginning cannot use goes to the
// end: that is where danger hides.
func (c cutting) ends(budget int) (head, tail int) {
	used, half := 0, (budget+1)/2
	for head < len(c.text) {
		n := atomLen(c.text[head:])
		u := c.limit.Unit(c.text[head : head+n])
		if used+u > half {
			break
		}
		used += u
		head += n
	}
	tail = head
	for left := c.total - used; tail < len(c.text) && left > budget-used; {
		n := atomLen(c.text[tail:])
		left -= c.limit.Unit(c.text[tail : tail+n])
		tail += n
	}
	return head, tail
}

// atomLen returns the length of the first part of s that may not be cut: a
// grapheme, with the whole escape when it reaches into one. Two signs of ASCII
// are always two graphemes, as a rendered text has no carriage return.
func atomLen(s string) int {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1
	}
	size := graphemeLen(s)
	at := size - len(openMark)
	if at < 0 || s[at:size] != openMark {
		return size
	}
	span := spanLen(s[at:])
	if span == 0 {
		return size
	}
	// A mark after the escape is drawn on its last sign.
	last := at + span - len(closeMark)
	return last + graphemeLen(s[last:])
}

// graphemeLen returns the length of the first grapheme of s.
func graphemeLen(s string) int {
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	return len(cluster)
}

// rawLen returns how many bytes the rendered text s stands for.
func rawLen(s string) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] == openMark[0] {
			if e, ok := parseEscape(s[i:]); ok {
				n += e.rawLen()
				i += e.size
				continue
			}
		}
		n++
		i++
	}
	return n
}
