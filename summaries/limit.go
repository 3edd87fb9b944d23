package summaries

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
)

// leastShown is the least that a text is cut to before whole facts are given up: enough for both ends
// and the bare gap between them. Who asked and until when stays readable for longer.
const (
	leastShown      = 24
	leastAskedShown = 100
)

// limited cuts the longest texts of a card until its text form fits. The cap is the same for all, so a
// long command gives way and the facts around it stay whole. Where that isn't enough, facts go, and
// the card says how many.
func (b *builder) limited(c Card, l Limits) Card {
	if l.Unit == nil {
		l.Unit = Runes
	}
	if fits(c, l) && !longSayings(c) {
		return c
	}
	c.Whole, c.Buttons = false, b.buttons(false)
	if !fits(b.capped(c, leastShown, leastAskedShown, l.Unit), l) {
		return b.dropped(c, l)
	}
	best, low, high := c, leastShown, l.Total
	for low <= high {
		mid := (low + high) / 2
		if try := b.capped(c, mid, leastAskedShown, l.Unit); fits(try, l) {
			best, low = try, mid+1
		} else {
			high = mid - 1
		}
	}
	return best
}

// dropped leaves facts out until the rest fits: what is farthest from the decision first. What is
// left may be too much for the least caps all the same; then even our own words give way.
func (b *builder) dropped(c Card, l Limits) Card {
	for gone := 0; ; gone++ {
		left := c
		if gone > 0 {
			more := Fact{Place: PlaceAsked, Label: b.w.Facts.More, Text: fmt.Sprintf(b.w.Facts.MoreFacts, gone)}
			left.Facts = append(slices.Clone(c.Facts), more)
		}
		i := dispensable(c.Facts)
		for asked := leastAskedShown; asked > 0; asked -= 10 {
			try := b.capped(left, min(asked, leastShown), asked, l.Unit)
			if fits(try, l) {
				return try
			}
			if i >= 0 {
				break
			}
		}
		if i < 0 {
			return b.capped(left, 1, 1, l.Unit) // a limit that no card fits
		}
		c.Facts = slices.Delete(slices.Clone(c.Facts), i, i+1)
	}
}

// dispensable gives the fact that is given up next, -1 where only those are left that a card never
// goes without: what runs, how to undo it, who asked, until when.
func dispensable(facts []Fact) int {
	for _, place := range []Place{PlacePlan, PlaceChanged, PlaceRuns} {
		for i := len(facts) - 1; i > 0; i-- {
			if facts[i].Place == place {
				return i
			}
		}
	}
	return -1
}

func fits(c Card, l Limits) bool { return l.Unit(c.Text()) <= l.Total }

// longSayings says that somebody's words are longer than a chat quotes.
func longSayings(c Card) bool {
	return slices.ContainsFunc(slices.Concat(c.Status, c.Facts), func(f Fact) bool { return f.said && Runes(f.Text) > MaxQuote })
}

// capped cuts every text of the card to at most so much; those about who asked keep at least asked.
func (b *builder) capped(c Card, most, asked int, unit Unit) Card {
	c.Status, c.Facts = b.cappedFacts(c.Status, most, asked, unit), b.cappedFacts(c.Facts, most, asked, unit)
	c.Warnings = slices.Clone(c.Warnings)
	for i, text := range c.Warnings {
		c.Warnings[i], _ = Cut(text, Limit{Max: max(most, asked), Unit: unit})
	}
	return c
}

func (b *builder) cappedFacts(facts []Fact, most, asked int, unit Unit) []Fact {
	out := slices.Clone(facts)
	for i, f := range out {
		if text, cut := Cut(f.Text, b.limitOf(f, most, asked, unit)); cut {
			out[i].Text, out[i].Items = text, nil
		}
	}
	return out
}

func (b *builder) limitOf(f Fact, most, asked int, unit Unit) Limit {
	l := Limit{Max: most, Unit: unit, Missing: b.w.missing}
	if f.said {
		l.Max = min(most, MaxQuote)
	}
	if f.Place == PlaceAsked {
		l.Max = max(most, asked)
	}
	if f.digest != "" {
		l.Missing = b.w.missingOf(f.digest)
	}
	return l
}

// missing words a gap: "38,000 bytes not shown".
func (w *words) missing(bytes int) string {
	return fmt.Sprintf(w.Facts.Missing, w.number(bytes))
}

// missingOf words the gap of a command, whose digest tells it from one with the same ends.
func (w *words) missingOf(raw string) Missing {
	sum := sha256.Sum256([]byte(raw))
	short := hex.EncodeToString(sum[:])[:digestShown]
	return func(bytes int) string { return fmt.Sprintf(w.Facts.MissingOf, w.number(bytes), short) }
}

// number groups thousands the way the language does.
func (w *words) number(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + w.Page.Thousands + text[at:]
	}
	return text
}
