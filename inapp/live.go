package inapp

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"holdpoint/core"
)

// The bounds of the stream. A change is told at once and the next one after a pause at the soonest, so
// that a busy daemon does not make every open page fetch itself many times a second.
const (
	liveBeat      = 20 * time.Second // also the slow look: a hint may be missed
	livePause     = 300 * time.Millisecond
	liveWrite     = 15 * time.Second // how long a browser may take to read
	maxStreams    = 512
	maxOwnStreams = 16 // of one session
)

// streams counts the open ones. The zero value is ready.
type streams struct {
	mu  sync.Mutex
	all int
	own map[string]int
}

// open takes a place for a session; false means that there is none.
func (st *streams) open(session string) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.all >= maxStreams || st.own[session] >= maxOwnStreams {
		return false
	}
	if st.own == nil {
		st.own = map[string]int{}
	}
	st.all++
	st.own[session]++
	return true
}

func (st *streams) close(session string) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.all--
	if st.own[session]--; st.own[session] == 0 {
		delete(st.own, session)
	}
}

// live tells that something changed, as server-sent events; what changed is read by fetching the page
// again, through the same door as ever. Each event's id is the number of the newest audit row. The
// stream ends with the request, the session or the daemon, whichever is first.
func (s *Server) live(v *visit) error {
	if v.r.Method == http.MethodHead {
		return nil
	}
	if !s.streams.open(v.session.ID) {
		v.w.Header().Set("Retry-After", "30")
		return core.Refuse(core.CodeUnavailable, "", "too many pages are open")
	}
	defer s.streams.close(v.session.ID)
	v.w.Header().Set("Content-Type", "text/event-stream")
	v.w.Header().Set("X-Accel-Buffering", "no") // proxies pass each event on at once
	out := http.NewResponseController(v.w)
	for {
		changed, leave := s.engine.Changed()
		goesOn := s.tell(v, out) == nil && s.await(v, changed) // an error: browser or session are gone, there is nobody to tell
		leave()
		if !goesOn {
			return nil
		}
	}
}

// tell writes one event, if the session still counts. An open page is activity: it keeps the session.
func (s *Server) tell(v *visit, out *http.ResponseController) error {
	if err := s.recognise(v); err != nil {
		return err
	}
	head, err := s.engine.EventHead(v.r.Context())
	if err != nil {
		return err
	}
	_ = out.SetWriteDeadline(time.Now().Add(liveWrite)) // a recorder has none, and needs none
	if _, err := fmt.Fprintf(v.w, "id: %d\nevent: change\ndata: %d\n\n", head, head); err != nil {
		return err
	}
	return out.Flush()
}

// await waits for a change, or for the next beat; false means that the stream is over.
func (s *Server) await(v *visit, changed <-chan struct{}) bool {
	beat := time.NewTimer(liveBeat)
	defer beat.Stop()
	select {
	case <-v.r.Context().Done():
		return false
	case <-s.over:
		return false
	case <-beat.C:
		return true
	case <-changed:
	}
	rest := time.NewTimer(livePause)
	defer rest.Stop()
	select {
	case <-v.r.Context().Done():
		return false
	case <-s.over:
		return false
	case <-rest.C:
		return true
	}
}
