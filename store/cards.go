package store

import (
	"bytes"
	"cmp"

	"holdpoint/core"
)

var cards = kind[core.Card]{
	bucket: bucketCards,
	key:    func(c core.Card) []byte { return joined(c.Subject, c.Surface) },
	encode: encoder(toCard),
	decode: decoder(fromCard),
	entries: func(c core.Card) []entry {
		if c.State != core.CardWaiting {
			return nil
		}
		return []entry{at(bucketCardWaiting, joined(c.Surface, string(stamp(c.NextTry))+c.Subject))}
	},
	keeps: func(was, now core.Card) string {
		return cmp.Or(atLeast("the revision wanted", was.Wanted, now.Wanted), atLeast("the revision shown", was.Shown, now.Shown))
	},
}

// Card finds the card of a subject on a surface.
func (r reader) Card(surface, subject string) (core.Card, bool) {
	return cards.get(r.tx, joined(subject, surface))
}

// CardsOf gives the cards of a subject on all surfaces.
func (r reader) CardsOf(subject string) []core.Card {
	var out []core.Card
	for key, value := range r.tx.Scan(bucketCards, joined(subject, ""), nil, false) {
		out = append(out, cards.read(key, value))
	}
	return out
}

// CardsWaiting gives the cards of a surface whose newest revision was not shown, at most limit of them:
// first those that may be tried soonest, so that one which has to wait never stands before one which has
// not.
func (r reader) CardsWaiting(surface string, limit int) []core.Card {
	var out []core.Card
	if limit <= 0 {
		return out
	}
	prefix := joined(surface, "")
	for key, value := range r.tx.Scan(bucketCardWaiting, prefix, nil, false) {
		e := entry{bucketCardWaiting, key, value}
		_, subject, ok := stamped(bytes.TrimPrefix(key, prefix))
		if !ok {
			panic(tamper{tampered(e.bucket, key, "the key holds no time")})
		}
		if out = append(out, cards.follow(r.tx, e, joined(string(subject), surface))); len(out) == limit {
			break
		}
	}
	return out
}
