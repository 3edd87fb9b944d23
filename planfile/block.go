package planfile

import (
	"slices"
	"strings"
)

// blockText reads a block text (| or >) from its lines, by the rules of YAML 1.2 section 8.1. goccy finds
// where such a text stands, but it loses blanks and empty lines at the end; steps are written as block
// texts, and what runs must be what was written.
//
// header is the sign with its indicators, lines is what follows it in the file, parent is how far the
// block that holds the text is indented (-1 at the root).
func blockText(header string, lines []string, parent int) string {
	indent := blockIndent(header, lines, parent)
	var body []string
	for _, l := range lines {
		depth := len(l) - len(strings.TrimLeft(l, " "))
		if depth < len(l) && depth < indent {
			break
		}
		body = append(body, l[min(indent, len(l)):])
	}
	end := len(body)
	for end > 0 && body[end-1] == "" {
		end--
	}
	text := strings.Join(body[:end], "\n")
	if header[0] == '>' {
		text = fold(body[:end])
	}
	switch {
	case strings.Contains(header, "-"):
		return text
	case strings.Contains(header, "+"):
		if end > 0 {
			text += "\n"
		}
		return text + strings.Repeat("\n", len(body)-end)
	case end > 0:
		return text + "\n"
	}
	return text
}

// blockIndent gives the indentation of a block text: the indicator's, or that of its first line that
// is not empty.
func blockIndent(header string, lines []string, parent int) int {
	if i := strings.IndexAny(header, "123456789"); i >= 0 {
		return max(parent, 0) + int(header[i]-'0')
	}
	longest := parent + 1
	for _, l := range lines {
		depth := len(l) - len(strings.TrimLeft(l, " "))
		if depth < len(l) {
			if depth > parent {
				return depth
			}
			break
		}
		longest = max(longest, depth)
	}
	return longest // there are empty lines only
}

// crooked says that an empty line before the first line of a block text has more blanks than it: then
// readers of YAML disagree about what is text.
func crooked(header string, lines []string, indent int) bool {
	if strings.ContainsAny(header, "123456789") {
		return false
	}
	for i, l := range lines {
		if rest := strings.TrimLeft(l, " "); rest != "" {
			return len(l)-len(rest) >= indent && slices.ContainsFunc(lines[:i], func(l string) bool { return len(l) > indent })
		}
	}
	return false
}

// fold joins the lines of a folded text: by a blank, but lines that are indented further stay lines,
// and an empty line between two others is one line end.
func fold(lines []string) string {
	var b strings.Builder
	further := func(l string) bool { return l[0] == ' ' || l[0] == '\t' }
	last, empty := "", 0
	for _, l := range lines {
		if l == "" {
			empty++
			continue
		}
		switch {
		case last == "":
			b.WriteString(strings.Repeat("\n", empty))
		case further(last) || further(l):
			b.WriteString(strings.Repeat("\n", empty+1))
		case empty == 0:
			b.WriteString(" ")
		default:
			b.WriteString(strings.Repeat("\n", empty))
		}
		b.WriteString(l)
		last, empty = l, 0
	}
	return b.String()
}
