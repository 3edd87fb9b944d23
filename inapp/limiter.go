package inapp

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// The limit of failed sign-ins of one address. A link's secret has 128 bits and more, so this guards the
// store and the log, not the secret.
const (
	maxFailures    = 10
	failureWindow  = 10 * time.Minute
	maxFailureRows = 4096
)

// limiter counts failures by address in fixed windows. The zero value is ready.
type limiter struct {
	mu   sync.Mutex
	rows map[string]failureRow
}

type failureRow struct {
	count int
	since time.Time
}

// blocked says how long an address has to wait, 0 if it need not.
func (l *limiter) blocked(addr string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	row, ok := l.rows[addr]
	if left := row.since.Add(failureWindow).Sub(now); ok && row.count >= maxFailures && left > 0 {
		return left
	}
	return 0
}

// fail counts one failure. Where the table is full, the windows that are over go first, then all: an
// attacker with thousands of addresses gains new tries, not memory.
func (l *limiter) fail(addr string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rows) >= maxFailureRows {
		l.sweep(now)
	}
	if l.rows == nil {
		l.rows = map[string]failureRow{}
	}
	row, ok := l.rows[addr]
	if !ok || now.Sub(row.since) >= failureWindow {
		row = failureRow{since: now}
	}
	row.count++
	l.rows[addr] = row
}

func (l *limiter) sweep(now time.Time) {
	for addr, row := range l.rows {
		if now.Sub(row.since) >= failureWindow {
			delete(l.rows, addr)
		}
	}
	if len(l.rows) >= maxFailureRows {
		clear(l.rows)
	}
}

// address is whom a failure is counted for: the peer as the connection shows it. Headers of proxies are
// not believed; behind one, its address stands for all.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
