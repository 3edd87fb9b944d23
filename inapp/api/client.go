package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"holdpoint/core"
)

// ErrUnreachable is matched by an error of a client whose daemon did not answer: it does not run, or
// the address is wrong. Where a request was on its way already, nobody knows what became of it.
var ErrUnreachable = errors.New("the daemon is not reachable")

// Client speaks to a daemon. Refusals come back as *Problem, which unwraps to *core.Error, so that
// callers tell them apart by code. It is safe for many goroutines.
type Client struct {
	base  string
	token string
	http  *http.Client
}

// NewClient makes a client for a server's address (http://127.0.0.1:8420). The token may be empty for
// what needs none. hc may be nil; its timeout should be none, since waits and streams take their time.
// Redirects are not followed: the token would go along.
func NewClient(server, token string, hc *http.Client) (*Client, error) {
	u, err := url.Parse(server)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.User != nil {
		return nil, errors.New("the server's address is no http:// or https:// address with a host and nothing else")
	}
	own := http.Client{}
	if hc != nil {
		own = *hc
	}
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{base: strings.TrimRight(server, "/"), token: token, http: &own}, nil
}

// maxAnswer bounds an answer that is read whole, in bytes.
const maxAnswer = 64 << 20

// send makes a request and gives its answer, whose body the caller closes, or the refusal.
func (c *Client) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("the request can't be made: %w", err)
	}
	if body != nil {
		r.Header.Set("Content-Type", typeJSON)
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, c.unreachable(ctx, err)
	}
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return resp, nil
	}
	return nil, errors.Join(refusal(resp), resp.Body.Close())
}

func (c *Client) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the address: it is told once
	}
	return fmt.Errorf("%w at %s: %w", ErrUnreachable, c.base, err)
}

// refusal reads the problem document of an answer. What is none did not come from a daemon of ours.
func refusal(resp *http.Response) error {
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	var p Problem
	if err == nil && strings.HasPrefix(resp.Header.Get("Content-Type"), "application/problem+json") && json.Unmarshal(b, &p) == nil && p.Code != "" {
		return &p
	}
	return &Problem{Status: resp.StatusCode, Code: core.CodeUnavailable, Title: resp.Status,
		Detail: fmt.Sprintf("the server answered %s without saying why: is it a holdpoint daemon?", resp.Status)}
}

// ask sends a request with a JSON body (nil: none) and reads the JSON answer.
func ask[T any](ctx context.Context, c *Client, method, path string, body any) (T, error) {
	var out T
	var b []byte
	if body != nil {
		var err error
		if b, err = json.Marshal(body); err != nil {
			return out, fmt.Errorf("the request can't be written: %w", err)
		}
	}
	resp, err := c.send(ctx, method, path, b)
	if err != nil {
		return out, err
	}
	return out, errors.Join(c.read(ctx, resp, &out), resp.Body.Close())
}

func (c *Client) read(ctx context.Context, resp *http.Response, out any) error {
	err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(out)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("%w at %s: its answer broke off: %w", ErrUnreachable, c.base, err)
	}
	return nil
}

func at(path string, parts ...string) string {
	escaped := make([]any, len(parts))
	for i, p := range parts {
		escaped[i] = url.PathEscape(p)
	}
	return Prefix + fmt.Sprintf(path, escaped...)
}

func withQuery(path string, query map[string]string) string {
	q := url.Values{}
	for name, value := range query {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%ds", max(int(d/time.Second), 0)) }
