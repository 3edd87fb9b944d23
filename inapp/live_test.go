package inapp_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
)

// wire is a response that can be read while it is written.
type wire struct {
	mu     sync.Mutex
	header http.Header
	status int
	text   strings.Builder
}

func (w *wire) Header() http.Header { return w.header }
func (w *wire) WriteHeader(s int)   { w.status = s }
func (w *wire) Flush()              {}

func (w *wire) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(b)
}

// events counts what was told so far.
func (w *wire) events() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Count(w.text.String(), "event: change\n")
}

// follow opens the stream. ended is closed when it is over.
func (b *browser) live(ctx context.Context) (w *wire, ended chan struct{}) {
	w, ended = &wire{header: http.Header{}}, make(chan struct{})
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "/live", nil)
	if err != nil {
		b.s.t.Fatal(err)
	}
	for _, c := range b.cookies {
		r.AddCookie(c)
	}
	go func() {
		defer close(ended)
		b.s.mux.ServeHTTP(w, r)
	}()
	synctest.Wait()
	return w, ended
}

func TestTheStreamTellsOfADecision(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask(one)
		ctx, leave := context.WithCancel(t.Context())
		w, ended := s.as("bo").live(ctx)
		if got := w.Header().Get("Content-Type"); got != "text/event-stream" || w.events() != 1 {
			t.Fatalf("at first: %s, %d events", got, w.events())
		}
		time.Sleep(time.Second)
		before := w.events()
		s.Approve("ana", task.ID)
		time.Sleep(time.Second)
		if n := w.events() - before; n < 1 || n > 3 {
			t.Errorf("a decision and the start that follows were told %d times", n)
		}
		leave()
		<-ended
	})
}

func TestAStreamIsActivityAndEndsWithItsSession(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		b := s.as("bo")
		w, ended := b.live(t.Context())
		time.Sleep(2 * core.WebSessionIdle)
		if got := b.get("/"); got.Code != http.StatusOK {
			t.Fatalf("after an hour with an open page: %d", got.Code)
		}
		b.press(b.get("/").text(), "/signout")
		<-ended
		if w.events() == 0 {
			t.Error("nothing was ever told")
		}
	})
}

func TestAStreamEndsWithTheDaemon(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		_, ended := s.as("bo").live(t.Context())
		s.pages.Stop()
		s.pages.Stop()
		<-ended
	})
}

func TestStreamsAreBounded(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		b := s.as("bo")
		ctx, leave := context.WithCancel(t.Context())
		var all []chan struct{}
		for range 16 {
			_, ended := b.live(ctx)
			all = append(all, ended)
		}
		if got := b.get("/live"); got.Code != http.StatusServiceUnavailable || got.Header().Get("Retry-After") == "" {
			t.Errorf("the seventeenth of a session: %d", got.Code)
		}
		leave()
		for _, ended := range all {
			<-ended
		}
		again, done := context.WithCancel(t.Context())
		_, ended := b.live(again)
		done()
		<-ended
	})
}

func TestWhoIsSignedOutHearsNothing(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		if got := s.browser().get("/live"); got.Code != http.StatusUnauthorized {
			t.Errorf("signed out: %d", got.Code)
		}
	})
}
