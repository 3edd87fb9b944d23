package engine

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"holdpoint/core"
)

// The card loop's patience. A post whose outcome is unknown is repeated after UnknownAfter (design.md,
// Surfaces); what is unavailable is tried again from one second up to MostBackOff.
const (
	UnknownAfter = 30 * time.Second
	MostBackOff  = 5 * time.Minute
	cardBatch    = 50
)

// cards shows on one surface what its cards do not show yet: the newest revision alone, those in
// between are skipped.
func (e *Engine) cards(ctx context.Context, s Surface) {
	for ctx.Err() == nil {
		woken, leave := e.hub.watch(keyCards)
		wait, err := e.cardsOnce(ctx, s)
		if err != nil && ctx.Err() == nil {
			e.Logger.Warn("the cards loop could not go on and tries again", slog.String("surface", s.Name()), slog.Any("error", err))
			wait = time.Second
		}
		sleep(ctx, wait, woken)
		leave()
	}
}

// cardsOnce shows what is due, and says how long the next look may wait.
func (e *Engine) cardsOnce(ctx context.Context, s Surface) (time.Duration, error) {
	var due []Showing
	wait := slowLook
	now := e.now()
	err := e.view(ctx, func(r Reader) error {
		for _, card := range r.CardsWaiting(s.Name(), cardBatch) {
			if card.State != core.CardWaiting {
				continue
			}
			if !card.Due(now) {
				wait = min(wait, max(card.NextTry.Sub(now), time.Millisecond))
				continue
			}
			if a, ok := r.Approval(card.Subject); ok {
				d := e.detail(r, a)
				due = append(due, Showing{Card: card, Approval: a, Task: d.Task, Claim: d.Claim})
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, one := range due {
		if err := e.show(ctx, s, one); err != nil {
			return 0, err
		}
		wait = 0
	}
	return wait, nil
}

// show shows one card outside any transaction, then records what came of it.
func (e *Engine) show(ctx context.Context, s Surface, one Showing) error {
	if err := hit("outboxPicked"); err != nil {
		return err
	}
	ref, failed := s.Show(ctx, one)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := hit("outboxSent"); err != nil {
		return err
	}
	now := e.now()
	change := core.Change{}
	err := e.Store.Update(ctx, func(tx Tx) error {
		card, ok := tx.Card(s.Name(), one.Card.Subject)
		if !ok {
			return nil
		}
		if failed == nil {
			card = card.Settle(one.Card.Wanted, ref, now)
		} else {
			card = afterFailure(card, one.Card.Wanted, failed, now)
		}
		change.Cards = []core.Card{card}
		tx.Apply(change)
		return nil
	})
	if err != nil {
		return e.storeFault(err)
	}
	e.Logger.Info("a card was sent", slog.String("surface", s.Name()), slog.String("approval", one.Card.Subject),
		slog.Int64("revision", one.Card.Wanted), slog.Any("error", failed))
	e.hub.wake(one.Card.Subject)
	return hit("receiptCommitted")
}

// afterFailure says when a card is tried again, or gives up until a newer revision is wanted.
func afterFailure(c core.Card, revision int64, err error, now time.Time) core.Card {
	f, ok := errors.AsType[*Failure](err)
	if !ok {
		f = &Failure{Kind: FailureUnavailable, Err: err}
	}
	c.Reason = string(f.Kind)
	c.Tries++
	switch f.Kind {
	case FailureRateLimited:
		c.NextTry = now.Add(max(f.RetryAfter, time.Second)) // to the second as the surface says
	case FailureUnknown:
		c.NextTry = now.Add(UnknownAfter)
	case FailureUnavailable:
		c.NextTry = now.Add(min(time.Second<<min(c.Tries-1, 16), MostBackOff))
	default:
		if c.Wanted == revision {
			c.State, c.At = core.CardFailed, now
		}
	}
	return c
}
