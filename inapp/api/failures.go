package api

import (
	"sync"
	"time"
)

// The measure of failures: MaxFailures within FailureWindow, from one address. A token has at least 128
// bits, so this guards the log and the disk more than the tokens.
const (
	MaxFailures   = 20
	FailureWindow = time.Minute
	maxAddresses  = 4096 // how many addresses are remembered
)

// Failures counts failed attempts by address in windows of a minute. It is safe for many goroutines.
type Failures struct {
	now   func() time.Time
	mu    sync.Mutex
	seen  map[string]window
	sweep time.Time // when the remembered were looked through last
}

type window struct {
	ends  time.Time
	count int
}

// NewFailures makes a count that reads the given clock.
func NewFailures(now func() time.Time) *Failures {
	return &Failures{now: now, seen: map[string]window{}}
}

// Count takes one more failure of an address. It gives 0 while there are not too many, else how long the
// address has to wait.
func (f *Failures) Count(address string) time.Duration {
	now := f.now()
	f.mu.Lock()
	defer f.mu.Unlock()
	w, ok := f.seen[address]
	if !ok || !now.Before(w.ends) {
		f.room(now)
		w = window{ends: now.Add(FailureWindow)}
	}
	w.count++
	f.seen[address] = w
	if w.count <= MaxFailures {
		return 0
	}
	return max(w.ends.Sub(now), time.Second)
}

// room keeps the memory bounded: ended windows go, and if there are still too many, any one goes. Who can
// come from thousands of addresses is not held up by a count of addresses anyway.
func (f *Failures) room(now time.Time) {
	if len(f.seen) < maxAddresses {
		return
	}
	if now.Sub(f.sweep) >= FailureWindow/10 {
		f.sweep = now
		for address, w := range f.seen {
			if !now.Before(w.ends) {
				delete(f.seen, address)
			}
		}
	}
	for address := range f.seen {
		if len(f.seen) < maxAddresses {
			return
		}
		delete(f.seen, address)
	}
}
