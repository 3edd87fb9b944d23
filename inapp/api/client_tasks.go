package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// Start starts a plan; created is false where the same request id was used before.
func (c *Client) Start(ctx context.Context, s StartTask) (t Task, created bool, err error) {
	b, err := json.Marshal(s)
	if err != nil {
		return t, false, fmt.Errorf("the plan can't be written: %w", err)
	}
	resp, err := c.send(ctx, http.MethodPost, at("/tasks"), b)
	if err != nil {
		return t, false, err
	}
	err = errors.Join(c.read(ctx, resp, &t), resp.Body.Close())
	return t, resp.StatusCode == http.StatusCreated, err
}

// Tasks gives one page of tasks, newest first; limit 0: as many as the server likes.
func (c *Client) Tasks(ctx context.Context, state string, limit int, cursor string) (List[Task], error) {
	return ask[List[Task]](ctx, c, http.MethodGet, withQuery(at("/tasks"), map[string]string{"state": state, "limit": count(limit), "cursor": cursor}), nil)
}

func count(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// Task shows one task.
func (c *Client) Task(ctx context.Context, id string) (Task, error) {
	return ask[Task](ctx, c, http.MethodGet, at("/tasks/%s", id), nil)
}

// Cancel ends a task that does nothing at the moment.
func (c *Client) Cancel(ctx context.Context, id, reason string) (Cancelled, error) {
	return ask[Cancelled](ctx, c, http.MethodPost, at("/tasks/%s/cancel", id), CancelTask{Reason: reason})
}

// Retry asks for another attempt behind a fresh approval.
func (c *Client) Retry(ctx context.Context, id string) (Task, error) {
	return ask[Task](ctx, c, http.MethodPost, at("/tasks/%s/retry", id), nil)
}

// Pause holds a task that does nothing at the moment.
func (c *Client) Pause(ctx context.Context, id string) (Task, error) {
	return ask[Task](ctx, c, http.MethodPost, at("/tasks/%s/pause", id), nil)
}

// Resume lets a paused task go on where it was.
func (c *Client) Resume(ctx context.Context, id string) (Task, error) {
	return ask[Task](ctx, c, http.MethodPost, at("/tasks/%s/resume", id), nil)
}

// Resolve says what a step in review came to.
func (c *Client) Resolve(ctx context.Context, id string, r ResolveTask) (Task, error) {
	return ask[Task](ctx, c, http.MethodPost, at("/tasks/%s/resolve", id), r)
}

// Log opens what all executions of a task wrote, or those of one checkpoint ("" for all), with a header
// line before each. The caller closes it. The text is a program's: make it safe before you show it.
func (c *Client) Log(ctx context.Context, id, checkpoint string) (io.ReadCloser, error) {
	resp, err := c.send(ctx, http.MethodGet, withQuery(at("/tasks/%s/log", id), map[string]string{"checkpoint": checkpoint}), nil)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// LogPart copies what one execution wrote from an offset on. It gives where to go on, and whether there
// may be more.
func (c *Client) LogPart(ctx context.Context, id, execution string, offset int64, w io.Writer) (next int64, live bool, err error) {
	path := withQuery(at("/tasks/%s/log", id), map[string]string{"execution": execution, "offset": number(offset)})
	resp, err := c.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return offset, false, err
	}
	n, err := io.Copy(w, resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return offset + n, true, fmt.Errorf("%w: the output broke off: %w", ErrUnreachable, err)
	}
	next, err = strconv.ParseInt(resp.Header.Get(LogNext), 10, 64)
	if err != nil {
		return offset + n, false, fmt.Errorf("the server gave no %s: %w", LogNext, err)
	}
	return next, resp.Header.Get(LogLive) == "true", nil
}
