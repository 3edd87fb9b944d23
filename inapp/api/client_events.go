package api

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"holdpoint/core"
)

// How long a client waits before it asks a daemon again that is away: twice as long each time.
const (
	firstAgain = time.Second
	mostAgain  = 15 * time.Second
)

// WorthAgain says of an error of a client that the daemon may answer differently in a moment.
func WorthAgain(err error) bool {
	if errors.Is(err, ErrUnreachable) {
		return true
	}
	p, ok := errors.AsType[*Problem](err)
	return ok && (p.Code == core.CodeUnavailable || p.Code == core.CodeRateLimited)
}

// pauseFor waits; the error is the context's end.
func pauseFor(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Events follows what happens behind a number, oldest first, each row once. A daemon that is away for a
// while is asked again from the last row on. It ends with the context, without an error, or with the
// one error that asking again does not mend.
func (c *Client) Events(ctx context.Context, after int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for again := time.Duration(0); ; {
			came := false
			err := c.stream(ctx, &after, func(e Event) bool { came = true; return yield(e, nil) })
			switch {
			case errors.Is(err, errEnough), ctx.Err() != nil:
				return
			case err != nil && !WorthAgain(err):
				yield(Event{}, err)
				return
			case came:
				again = 0
			}
			again = min(2*again+firstAgain, mostAgain)
			if pauseFor(ctx, again) != nil {
				return
			}
		}
	}
}

// errEnough is the end that the reader of an iterator asked for.
var errEnough = errors.New("enough")

// stream reads one connection's events until it ends, and moves after along.
func (c *Client) stream(ctx context.Context, after *int64, each func(Event) bool) error {
	resp, err := c.send(ctx, http.MethodGet, withQuery(at("/events"), map[string]string{"after": number(*after)}), nil)
	if err != nil {
		return err
	}
	return errors.Join(readEvents(resp.Body, after, each), resp.Body.Close())
}

// readEvents reads server-sent events, as far as the server's own go: one line of data each. An id
// without data only moves the place from which to go on.
func readEvents(r io.Reader, after *int64, each func(Event) bool) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxEvent)
	var id int64
	var data string
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case name == "id":
			id, _ = strconv.ParseInt(value, 10, 64) // 0 for what is no number: the place stays
		case name == "data":
			data = value
		case lines.Text() == "":
			*after = max(*after, id)
			if data == "" {
				continue
			}
			var e Event
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				return fmt.Errorf("an event that can't be read: %w", err)
			}
			if data = ""; !each(e) {
				return errEnough
			}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%w: the events broke off: %w", ErrUnreachable, err)
	}
	return nil
}

// maxEvent bounds one line of the stream, in bytes.
const maxEvent = 4 << 20
