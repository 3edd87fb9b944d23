package summaries

import "strings"

// labelLeast is the least width of the column of labels.
const labelLeast = 8

// Text writes the card for a terminal, a pipe or a message without mark-up: short lines, the headline
// first, labels in a column of their own. Lines of foreign text stand behind that column, so none of
// them can pass for a line of ours. It ends with a newline.
func (c Card) Text() string {
	var b strings.Builder
	b.WriteString(c.Headline)
	b.WriteByte('\n')
	for _, text := range c.Warnings {
		b.WriteString(text)
		b.WriteByte('\n')
	}
	wide := c.labelWidth()
	for _, list := range [][]Fact{c.Facts, c.Status} {
		for _, f := range list {
			writeFact(&b, f, wide)
		}
	}
	for _, button := range c.Buttons {
		b.WriteString("[" + button.Label + "] ")
	}
	if len(c.Buttons) > 0 {
		b.WriteString("     ")
	}
	b.WriteString(c.Code)
	b.WriteByte('\n')
	return b.String()
}

func (c Card) labelWidth() int {
	wide := labelLeast
	for _, list := range [][]Fact{c.Facts, c.Status} {
		for _, f := range list {
			wide = max(wide, Width(f.Label)+2)
		}
	}
	return wide
}

func writeFact(b *strings.Builder, f Fact, wide int) {
	indent := strings.Repeat(" ", wide)
	b.WriteString(f.Label)
	b.WriteString(indent[Width(f.Label):])
	first := true
	for line := range strings.SplitSeq(f.Text, "\n") {
		if !first {
			b.WriteString(indent)
		}
		first = false
		b.WriteString(line)
		b.WriteByte('\n')
	}
}
