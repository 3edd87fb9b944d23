package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"holdpoint/core"
)

// The bounds of an event stream: how many rows are held at a time, and how long one may take to be
// taken by who reads. A reader that is slower is cut off, and comes again with the last id it saw.
const (
	eventBatch = 100
	eventWrite = 10 * time.Second
)

type eventInput struct {
	After string `query:"after" maxLength:"19" pattern:"^[0-9]+$" doc:"only events behind this number; default 0: from the first"`
	Last  string `header:"Last-Event-ID" maxLength:"19" doc:"as browsers send it when they come again; goes before after"`
}

func slogID(ctx context.Context) slog.Attr { return slog.String("request_id", callOf(ctx).id) }
func slogErr(err error) slog.Attr          { return slog.Any("error", err) }

func (s *Server) eventRoutes() {
	op := get("events", "/events", "Follow what happens, as server-sent events", "events")
	op.Description = "Each event has its number as id, its type as event and the row as data. A comment line comes now and then while " +
		"nothing happens. The stream ends when the daemon stops or the reader is too slow: come again with Last-Event-ID."
	op.Responses = map[string]*huma.Response{"200": {Description: "The stream; the data of an event is an Event",
		Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	handle(s, op, nil, s.events)
}

func (s *Server) events(ctx context.Context, in *eventInput) (*streamed, error) {
	after, err := in.start()
	if err != nil {
		return nil, err
	}
	first, err := s.Engine.Events(ctx, actorOf(ctx), after, eventBatch) // a refusal comes before the stream begins
	if err != nil {
		return nil, err
	}
	return &streamed{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Accel-Buffering", "no") // a proxy that gathers would hold back the newest
		w.WriteHeader(http.StatusOK)
		if r.Method == http.MethodHead {
			return
		}
		st := &stream{s: s, out: w, rc: http.NewResponseController(w), after: after}
		if err := st.run(ctx, first); err != nil && ctx.Err() == nil {
			s.Logger.Debug("an event stream ended", slogID(ctx), slogErr(err))
		}
	}}, nil
}

func (in *eventInput) start() (int64, error) {
	text := orElse(orElse(in.Last, in.After), "0")
	after, err := strconv.ParseInt(text, 10, 64)
	if err != nil || after < 0 {
		return 0, core.Invalid(core.FieldError{Path: "after", Message: "the number of an event, from 0"})
	}
	return after, nil
}

// stream writes one reader's events.
type stream struct {
	s     *Server
	out   http.ResponseWriter
	rc    *http.ResponseController
	after int64
}

// run writes what there is, then waits for more, until the reader or the server goes.
func (st *stream) run(ctx context.Context, rows []core.Event) error {
	beat := time.NewTicker(st.s.Heartbeat)
	defer beat.Stop()
	err := st.send([]byte("retry: 1000\n\n"))
	for err == nil {
		changed, leave := st.s.Engine.Changed()
		if len(rows) == 0 {
			rows, err = st.s.Engine.Events(ctx, actorOf(ctx), st.after, eventBatch)
		}
		if err == nil && len(rows) > 0 {
			err = st.write(rows)
			rows = nil
			leave()
			if st.stopping() {
				return err
			}
			continue
		}
		select {
		case <-changed:
		case <-beat.C:
			if err == nil {
				err = st.send([]byte(": still here\n\n"))
			}
		case <-st.s.stopping:
			leave()
			return err
		case <-ctx.Done():
			leave()
			return ctx.Err()
		}
		leave()
	}
	return err
}

func (st *stream) stopping() bool {
	select {
	case <-st.s.stopping:
		return true
	default:
		return false
	}
}

// write sends a batch. Rows that the reader may not see only move the place from which it goes on.
func (st *stream) write(rows []core.Event) error {
	var b bytes.Buffer
	for _, row := range rows {
		st.after = row.Seq
		if row.Type == "" {
			continue
		}
		data, err := json.Marshal(event(row))
		if err != nil {
			return fmt.Errorf("event %d: %w", row.Seq, err)
		}
		fmt.Fprintf(&b, "id: %d\nevent: %s\ndata: %s\n\n", row.Seq, row.Type, data)
	}
	if rows[len(rows)-1].Type == "" {
		fmt.Fprintf(&b, "id: %d\n\n", st.after)
	}
	return st.send(b.Bytes())
}

func (st *stream) send(b []byte) error {
	_ = st.rc.SetWriteDeadline(time.Now().Add(eventWrite)) // a writer without deadlines has its own way
	if _, err := st.out.Write(b); err != nil {
		return err
	}
	return st.rc.Flush()
}
