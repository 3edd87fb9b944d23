package api

import (
	"context"
	"net/http"
	"time"

	"holdpoint/core"
)

// Approvals gives one page of approvals, newest first; limit 0: as many as the server likes.
func (c *Client) Approvals(ctx context.Context, state string, limit int, cursor string) (List[Approval], error) {
	return ask[List[Approval]](ctx, c, http.MethodGet, withQuery(at("/approvals"), map[string]string{"state": state, "limit": count(limit), "cursor": cursor}), nil)
}

// Approval shows one approval, by id, unique prefix or code.
func (c *Client) Approval(ctx context.Context, id string) (Approval, error) {
	return ask[Approval](ctx, c, http.MethodGet, at("/approvals/%s", id), nil)
}

// WaitOnce gives an approval as soon as it is no longer pending, or as it is after a time of at most
// MostWait, in whole seconds.
func (c *Client) WaitOnce(ctx context.Context, id string, timeout time.Duration) (Approval, error) {
	return ask[Approval](ctx, c, http.MethodGet, withQuery(at("/approvals/%s/wait", id), map[string]string{"timeout": seconds(timeout)}), nil)
}

// Wait waits until an approval is no longer pending, as long as the context lets it. A daemon that is
// away for a while is asked again.
func (c *Client) Wait(ctx context.Context, id string) (Approval, error) {
	for again := time.Duration(0); ; {
		a, err := c.WaitOnce(ctx, id, DefaultWait)
		switch {
		case err == nil && a.State != core.ApprovalPending:
			return a, nil
		case err != nil && !WorthAgain(err):
			return a, err
		case err != nil:
			again = min(2*again+firstAgain, mostAgain)
		default:
			again = firstAgain / 4 // a daemon that stops answers at once
		}
		if err := pauseFor(ctx, again); err != nil {
			return a, err
		}
	}
}

// Decide decides on an approval, as the person of the token.
func (c *Client) Decide(ctx context.Context, id string, d Decide) (Approval, error) {
	return ask[Approval](ctx, c, http.MethodPost, at("/approvals/%s/decision", id), d)
}

// DecideAll decides on several, each on its own merits.
func (c *Client) DecideAll(ctx context.Context, all []DecideOne) ([]Decided, error) {
	return ask[[]Decided](ctx, c, http.MethodPost, at("/approvals/decisions"), all)
}
