package api_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/inapp/api"
)

// lines opens an event stream and gives its lines one by one.
func (h *house) lines(ctx context.Context, who, query string, headers ...string) (next func() string, status int) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(ctx, "GET", "http://holdpoint.test/api/v1/events"+query, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+h.tokens[who])
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := inMemory{h.Server}.RoundTrip(r)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = resp.Body.Close() })
	sc := bufio.NewScanner(resp.Body)
	return func() string {
		if !sc.Scan() {
			return "end"
		}
		return sc.Text()
	}, resp.StatusCode
}

func TestEventStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t)
		next, status := h.lines(t.Context(), "ci", "?after="+last(h))
		if status != 200 || next() != "retry: 1000" || next() != "" {
			t.Fatalf("status %d, or no beginning", status)
		}
		begin := time.Now()
		if got := next(); got != ": still here" || time.Since(begin) != api.DefaultHeartbeat || next() != "" {
			t.Errorf("after %v of silence %q", time.Since(begin), got)
		}
		task := h.start("ci", plan)
		rows := h.rows()
		for _, row := range rows[len(rows)-2:] {
			id, typ, data, blank := next(), next(), next(), next()
			if id != "id: "+number(row.Seq) || typ != "event: "+row.Type || !strings.HasPrefix(data, `data: {"seq":`+number(row.Seq)+`,"at":"`) || blank != "" {
				t.Errorf("got %q, %q, %q, want row %d, %s", id, typ, data, row.Seq, row.Type)
			}
		}
		if !strings.Contains(rows[len(rows)-2].Type+rows[len(rows)-1].Type, core.EventTaskStarted) {
			t.Errorf("the last rows are %v of %s", rows[len(rows)-2:], task.ID)
		}
		h.Server.Stop()
		if got := next(); got != "end" {
			t.Errorf("after the stop %q, want the end", got)
		}
	})
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func last(h *house) string {
	rows := h.rows()
	return number(rows[len(rows)-1].Seq)
}

func TestEventStreamGoesOnWhereItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t)
		from := h.rows()[3].Seq
		for name, at := range map[string][]string{"after": {"?after=" + number(from)}, "Last-Event-ID": {"?after=1", "Last-Event-ID", number(from)}} {
			next, _ := h.lines(t.Context(), "ci", at[0], at[1:]...)
			next()
			next()
			if got := next(); got != "id: "+number(from+1) {
				t.Errorf("%s: goes on with %q, want row %d", name, got, from+1)
			}
		}
	})
}

func TestEventsOfAnAgentAreItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t)
		h.start("ci", plan)
		next, _ := h.lines(t.Context(), "agent", "")
		next()
		next()
		if got := next(); got != "id: "+last(h) || next() != "" {
			t.Errorf("rows of others: %q, want the place alone", got)
		}
		own := h.start("agent", plan)
		next()
		next()
		if data := next(); !strings.Contains(data, own.ID) {
			t.Errorf("its own: %s", data)
		}
	})
}

func TestClientFollowsEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t)
		h.start("ci", plan)
		var want, got []int64
		for _, row := range h.rows() {
			want = append(want, row.Seq)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for e, err := range h.client("ci").Events(ctx, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, e.Seq); len(got) == len(want) {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("rows %v, want %v", got, want)
		}
		time.AfterFunc(time.Minute, func() { h.start("dora", plan) })
		begin := time.Now()
		for e := range h.client("ci").Events(ctx, want[len(want)-1]) {
			if e.Actor != "person:dora" || time.Since(begin) != time.Minute {
				t.Errorf("after %v came %s by %s", time.Since(begin), e.Type, e.Actor)
			}
			break
		}
	})
}

func TestClientComesBackToEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t)
		h.start("ci", plan)
		away := &flaky{next: inMemory{h.Server}}
		c, err := api.NewClient("http://holdpoint.test", operator, &http.Client{Transport: away})
		if err != nil {
			t.Fatal(err)
		}
		begin, got := time.Now(), []int64{}
		for e, err := range c.Events(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, e.Seq); len(got) == 5 {
				break
			}
		}
		if !slices.Equal(got, []int64{1, 2, 3, 4, 5}) || away.tries < 5 {
			t.Errorf("rows %v in %d tries over %v, want each once", got, away.tries, time.Since(begin))
		}
		c, err = api.NewClient("http://holdpoint.test", "wrong", &http.Client{Transport: inMemory{h.Server}})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range c.Events(t.Context(), 0) {
			if p, ok := errors.AsType[*core.Error](err); !ok || p.Code != core.CodeUnauthorized {
				t.Errorf("with a wrong token: %v", err)
			}
		}
	})
}

// flaky refuses every other connection, and breaks the others off behind the second event.
type flaky struct {
	next  http.RoundTripper
	tries int
}

func (f *flaky) RoundTrip(r *http.Request) (*http.Response, error) {
	if f.tries++; f.tries%2 == 1 {
		return nil, errors.New("connection refused")
	}
	resp, err := f.next.RoundTrip(r)
	if err == nil {
		resp.Body = &breaking{ReadCloser: resp.Body}
	}
	return resp, err
}

type breaking struct {
	io.ReadCloser
	seen string
}

func (b *breaking) Read(p []byte) (int, error) {
	if strings.Count(b.seen, "\n\n") >= 3 { // the beginning and two events
		return 0, io.ErrUnexpectedEOF
	}
	n, err := b.ReadCloser.Read(p[:1])
	b.seen += string(p[:n])
	return n, err
}
