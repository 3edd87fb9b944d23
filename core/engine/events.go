package engine

import (
	"context"

	"holdpoint/core"
)

// Events reads the audit from behind a number on, oldest first. Agents see none of it but their own
// tasks'.
func (e *Engine) Events(ctx context.Context, a core.Actor, after int64, limit int) ([]core.Event, error) {
	var out []core.Event
	err := e.view(ctx, func(r Reader) error {
		for _, ev := range r.Events(after, limit) {
			if seesEvent(r, a, ev) {
				out = append(out, ev)
			} else {
				out = append(out, core.Event{Seq: ev.Seq}) // a gap that keeps the reader's place
			}
		}
		return nil
	})
	return out, err
}

func seesEvent(r Reader, a core.Actor, ev core.Event) bool {
	if a.Kind != core.ActorAgent {
		return core.May(a, core.ActSee, core.Relation{})
	}
	t, ok := r.Task(ev.Task)
	return ok && sees(r, a, t)
}

// TaskEvents reads the audit rows of one task from behind a number on, oldest first.
func (e *Engine) TaskEvents(ctx context.Context, a core.Actor, task string, after int64, limit int) ([]core.Event, error) {
	var out []core.Event
	err := e.view(ctx, func(r Reader) error {
		t, err := findTask(r, task)
		if err != nil {
			return err
		}
		if !sees(r, a, t) {
			return unseen
		}
		out = r.EventsOf(t.ID, after, limit)
		return nil
	})
	return out, e.denied(ctx, a, task, err)
}

// EventHead gives the number of the newest audit row.
func (e *Engine) EventHead(ctx context.Context) (int64, error) {
	var head int64
	err := e.view(ctx, func(r Reader) error { head = r.EventHead(); return nil })
	return head, err
}

// Changed gives a channel that is closed at the next change of anything, and a function that has to be
// called when one no longer waits. It is a hint: look again after a time as well.
func (e *Engine) Changed() (<-chan struct{}, func()) { return e.hub.watch(keyEvents) }
