// Package summaries turns the state of tasks and approvals into what people
// read: one surface-neutral card, its words in English and French, and the
// rules that make foreign text safe to show. It is pure: no I/O, no clock, no
// goroutine, and nothing of any one surface beyond the units its limits are
// counted in. Adapters import it, it imports core at most.
//
// # Foreign text
//
// Whatever a plan, a program or a requester wrote is hostile until it went
// through this package. The order is always the same, each step once:
//
//	Visible or Block   what cannot be seen becomes readable, reversibly
//	Cut                both ends stay, the gap says how much is missing
//	EscapeHTML         only where the surface reads mark-up
//
// [Visible] is for places of one line, [Block] for text with lines, [Quote]
// for what a program said, [Terminal] for what a command prints. [Reveal]
// gives the bytes back: the rendering is injective, so two different texts
// never look alike through their hidden parts.
//
// An escape is written between ⟨ and ⟩, which foreign text itself can
// therefore never show:
//
//	⟨U+202E⟩        one code point that has no look of its own, or a false one
//	⟨U+043E о⟩      a letter from another script than its word
//	⟨FF⟩            one byte that is not UTF-8
//	⟨space×300⟩     a run of spaces
//	⟨newline×80⟩    a run of line breaks ([Block] only)
//	⟨… words …⟩     the gap that [Cut] left
//
// # What is not promised
//
// A word wholly in one script is shown as it is, even where it resembles a
// word of another (сору in Cyrillic, copy in Latin), and so are look-alikes
// within one script (ɑ and a) and composed beside decomposed letters. Text in
// Arabic or Hebrew letters keeps its natural direction; only explicit controls
// are taken out. Runs of two or three spaces stay as they are, so a surface
// that folds white space must be told not to (white-space: pre-wrap).
//
// Properties of characters come from Go's unicode package, boundaries of
// graphemes and widths from github.com/rivo/uniseg. Both follow Unicode 15.0;
// a code point that is newer than the tables is unassigned there and is shown
// escaped.
package summaries
