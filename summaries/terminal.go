package summaries

// Terminal renders foreign text for standard output or standard error, where a
// single escape sequence can repaint what was printed before, or type for the
// reader. It is [Block]: line breaks stay, and no ESC, no C1 control, no
// carriage return and no byte that is not UTF-8 is left. A caller that prints
// it beside lines of its own indents it.
//
// The terminal is taken to read UTF-8. A text goes through here once.
func Terminal(s string) string { return Block(s) }
