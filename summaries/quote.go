package summaries

// MaxQuote is how long a quotation may be, in code points and with its marks.
// The figure is that of "lies in the loop" (reliability, 5.3): what a program
// says of itself must not push the facts out of view.
const MaxQuote = 500

// Quote renders what a program or a requester said in quotation marks, on one
// line, and says whether it had to be cut to [MaxQuote]. Such marks within are
// escaped, so the first ” ends the quotation. The words of the gap are the
// caller's, as in [Cut].
func Quote(s string, missing Missing) (text string, cut bool) {
	const marks = 2
	text, cut = Cut(render(s, quoted), Limit{Max: MaxQuote - marks, Missing: missing})
	return "“" + text + "”", cut
}
