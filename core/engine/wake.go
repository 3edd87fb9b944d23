package engine

import "sync"

// The keys on which loops wait; records are waited for by their id.
const (
	keyEvents   = "events"
	keyRunner   = "runner"
	keyCards    = "cards"
	keyWatchdog = "watchdog"
)

// hub wakes whoever waits on a key. A wake is a hint: whoever waits looks again, and looks by itself
// after a time.
type hub struct {
	mu     sync.Mutex
	topics map[string]*topic
}

type topic struct {
	ch      chan struct{}
	waiters int
}

// watch gives a channel that is closed at the next wake of the key. leave has to be called, once; a
// key that nobody watches costs nothing.
func (h *hub) watch(key string) (ch <-chan struct{}, leave func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[key]
	if t == nil {
		if h.topics == nil {
			h.topics = map[string]*topic{}
		}
		t = &topic{ch: make(chan struct{})}
		h.topics[key] = t
	}
	t.waiters++
	return t.ch, func() { h.leave(key, t) }
}

func (h *hub) leave(key string, t *topic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t.waiters--; t.waiters == 0 && h.topics[key] == t {
		delete(h.topics, key)
	}
}

func (h *hub) wake(keys ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range keys {
		if t := h.topics[key]; t != nil {
			delete(h.topics, key)
			close(t.ch)
		}
	}
}
