package process

import (
	"strings"
	"unicode/utf8"
)

// firstLine returns the first line of text as valid UTF-8 of at most limit
// bytes. What is no UTF-8 becomes U+FFFD; all other characters are kept, so the
// result is still what a program wrote, and is shown with care.
func firstLine(text string, limit int) string {
	line, _, _ := strings.Cut(text, "\n")
	line = strings.ToValidUTF8(strings.TrimSuffix(line, "\r"), "\uFFFD")
	if len(line) <= limit {
		return line
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut]
}
