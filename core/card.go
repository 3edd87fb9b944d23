package core

import "time"

// CardState is how far the showing of a subject on a surface is.
type CardState string

// The states of a card's delivery.
const (
	CardWaiting CardState = "waiting" // not shown yet in its newest form
	CardShown   CardState = "shown"
	CardFailed  CardState = "failed" // given up, with the reason; the approval waits on
)

// Card is what one surface shows for one approval: the latest revision wanted and the last one shown.
// The card loop closes the difference; revisions in between are skipped, and an older one never
// overwrites a newer.
type Card struct {
	Surface string
	Subject string // the approval's id
	Wanted  int64
	Shown   int64
	Ref     string // where the surface keeps it, in the surface's own notation
	State   CardState
	Reason  string
	Tries   int
	NextTry time.Time
	At      time.Time // of the last change of State
}

// Touch asks for one revision more. One that has to wait before its next try goes on waiting: what a
// surface asked for (429) holds for the newer revision too. One that was given up is tried again.
func (c Card) Touch(now time.Time) Card {
	c.Wanted++
	if c.State != CardWaiting {
		c.State, c.At = CardWaiting, now
		c.Tries, c.NextTry, c.Reason = 0, time.Time{}, ""
	}
	return c
}

// Due says that the card loop has something to do now.
func (c Card) Due(now time.Time) bool {
	return c.Wanted > c.Shown && c.State == CardWaiting && !now.Before(c.NextTry)
}

// Settle records that a revision was shown. A newer wish keeps the card waiting.
func (c Card) Settle(revision int64, ref string, now time.Time) Card {
	c.Shown, c.Tries, c.NextTry, c.Reason = max(c.Shown, revision), 0, time.Time{}, ""
	if ref != "" {
		c.Ref = ref
	}
	c.State = CardShown
	if c.Wanted > c.Shown {
		c.State = CardWaiting
	}
	c.At = now
	return c
}
