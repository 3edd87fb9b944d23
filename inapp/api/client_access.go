package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"holdpoint/core"
)

// People lists the people of the configuration.
func (c *Client) People(ctx context.Context) ([]Person, error) {
	page, err := ask[List[Person]](ctx, c, http.MethodGet, at("/people"), nil)
	return page.Items, err
}

// SignIn makes a one-time sign-in link for a person.
func (c *Client) SignIn(ctx context.Context, person string) (SignInLink, error) {
	return ask[SignInLink](ctx, c, http.MethodPost, at("/signin"), SignIn{Person: person})
}

// Tokens lists tokens, without their secrets.
func (c *Client) Tokens(ctx context.Context) ([]Token, error) {
	page, err := ask[List[Token]](ctx, c, http.MethodGet, at("/tokens"), nil)
	return page.Items, err
}

// CreateToken makes a token. Its secret is told this once.
func (c *Client) CreateToken(ctx context.Context, name string, role core.Role) (NewToken, error) {
	return ask[NewToken](ctx, c, http.MethodPost, at("/tokens"), CreateToken{Name: name, Role: role})
}

// RevokeToken ends a token, named by id or name, at once.
func (c *Client) RevokeToken(ctx context.Context, which string) (Token, error) {
	return ask[Token](ctx, c, http.MethodDelete, at("/tokens/%s", which), nil)
}

// Audit gives the rows behind a number, oldest first; limit 0: as many as the server likes.
func (c *Client) Audit(ctx context.Context, after int64, limit int) (List[Event], error) {
	return ask[List[Event]](ctx, c, http.MethodGet, withQuery(at("/audit"), map[string]string{"after": number(after), "limit": count(limit)}), nil)
}

// Check proves the invariants of the daemon's store.
func (c *Client) Check(ctx context.Context) (Checked, error) {
	return ask[Checked](ctx, c, http.MethodGet, at("/check"), nil)
}

// Backup copies one archive into w. With an error what was written is no backup.
func (c *Client) Backup(ctx context.Context, w io.Writer) error {
	resp, err := c.send(ctx, http.MethodPost, at("/backup"), nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return fmt.Errorf("the backup broke off: %w", err)
	}
	return nil
}

// Ready says whether the daemon's store is open; nil: it is.
func (c *Client) Ready(ctx context.Context) error {
	resp, err := c.send(ctx, http.MethodGet, "/readyz", nil)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Health reads /healthz, with details where the client has a token.
func (c *Client) Health(ctx context.Context) (Health, error) {
	return ask[Health](ctx, c, http.MethodGet, "/healthz", nil)
}
