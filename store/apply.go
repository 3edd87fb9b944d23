package store

import "holdpoint/core"

// Apply writes everything of a change: records, the index entries that find them, deadlines, and the
// events as rows of the audit. What a change may never do to a record (kind.keeps, writer.claim) stops
// the store before anything is written. Touched is the engine's: which surfaces there are is not known
// here.
func (w writer) Apply(c core.Change) {
	if c.Task != nil {
		tasks.put(w.tx, *c.Task)
	}
	putAll(w.tx, approvals, c.Approvals)
	if c.Claim != nil {
		w.claim(*c.Claim)
	}
	putAll(w.tx, sessions, c.Sessions)
	putAll(w.tx, executions, c.Executions)
	putAll(w.tx, cards, c.Cards)
	putAll(w.tx, tokens, c.Tokens)
	putAll(w.tx, signIns, c.SignIns)
	putAll(w.tx, webSessions, c.WebSessions)
	putAll(w.tx, requests, c.Requests)
	for _, e := range c.Events {
		w.appendEvent(e)
	}
}

func putAll[T any](tx *Tx, k kind[T], list []T) {
	for _, v := range list {
		k.put(tx, v)
	}
}
