package store

import "holdpoint/core"

// cardRecord is the row of a card as it is stored. The rule of compatibility stands in record.go.
type cardRecord struct {
	header
	Surface string         `json:"surface"`
	Subject string         `json:"subject"`
	Wanted  int64          `json:"wanted,omitempty"`
	Shown   int64          `json:"shown,omitempty"`
	Ref     string         `json:"ref,omitempty"`
	State   core.CardState `json:"state"`
	Reason  string         `json:"reason,omitempty"`
	Tries   int            `json:"tries,omitempty"`
	NextTry millis         `json:"next_try,omitempty"`
	At      millis         `json:"at,omitempty"`
}

func toCard(c core.Card) cardRecord {
	return cardRecord{current, c.Surface, c.Subject, c.Wanted, c.Shown, c.Ref, c.State, c.Reason, c.Tries, toMillis(c.NextTry), toMillis(c.At)}
}

func fromCard(r cardRecord) core.Card {
	return core.Card{Surface: r.Surface, Subject: r.Subject, Wanted: r.Wanted, Shown: r.Shown, Ref: r.Ref, State: r.State,
		Reason: r.Reason, Tries: r.Tries, NextTry: r.NextTry.time(), At: r.At.time()}
}
