package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"holdpoint/core"
	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// lines are what a gate says beside its command: one a change, and on a terminal one that counts the time.
type lines struct {
	w        io.Writer
	terminal bool
	begin    time.Time

	mu      sync.Mutex
	counter chan struct{} // closed to end the line that counts; nil: there is none
	over    chan struct{} // closed once that line is gone
	waited  bool
	told    bool
}

func newLines(s std) *lines {
	l := &lines{w: s.err, begin: time.Now()}
	if f, ok := s.err.(*os.File); ok {
		info, err := f.Stat()
		l.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return l
}

// say prints one named line. What is foreign in it was made safe by the caller.
func (l *lines) say(name, format string, args ...any) {
	l.still()
	_, _ = fmt.Fprintf(l.w, "%-*s%s\n", factWidth, name, fmt.Sprintf(format, args...)) // a terminal that is gone is no reason to stop
}

func (l *lines) asked(a api.Approval) {
	l.told = false
	until := "no deadline"
	if a.ExpiresAt != nil {
		until = "until " + summaries.Clock(*a.ExpiresAt, time.Now(), here())
	}
	l.say("asked", "%s %s · %s · %s", a.ID, a.Code, seen(a.Approvers), until)
}

// here is how the lines tell times: in the words of the contract, in the reader's zone.
func here() summaries.Options { return summaries.Options{Lang: summaries.English, Zone: time.Local} }

// sent prints who was told, once that is known of every surface.
func (l *lines) sent(a api.Approval) (known bool) {
	if l.told {
		return true
	}
	var out []string
	settled := time.Since(l.begin) > settleWithin
	for _, d := range a.Delivery {
		name := d.Surface
		if name == core.SurfaceInApp {
			name = "app"
		}
		switch {
		case d.State == string(core.CardShown):
			out = append(out, name+" ✓")
		case d.State == string(core.CardFailed):
			out = append(out, strings.TrimSpace(name+" ✗ "+summaries.Visible(d.Reason)))
		case settled:
			out = append(out, strings.TrimSpace(name+" … "+summaries.Visible(d.Reason)))
		default:
			return false
		}
	}
	l.told = true
	l.say("sent", "%s", strings.Join(out, " · "))
	return true
}

// settleWithin is how long it is waited until every surface was told or could not be.
const settleWithin = 10 * time.Second

// waiting says that it waits: once in a pipe, on a terminal in a line that counts until the next one.
func (l *lines) waiting() {
	if !l.terminal {
		if !l.waited {
			l.waited = true
			l.say("waiting", "until it is decided (INT and TERM withdraw)")
		}
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.counter != nil {
		return
	}
	l.counter, l.over = make(chan struct{}), make(chan struct{})
	go l.count(l.counter, l.over)
}

func (l *lines) count(end, over chan struct{}) {
	defer close(over)
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for {
		_, _ = fmt.Fprintf(l.w, "\r\x1b[K%-*s%s (Ctrl-C withdraws)", factWidth, "waiting", time.Since(l.begin).Truncate(time.Second))
		select {
		case <-second.C:
		case <-end:
			_, _ = fmt.Fprint(l.w, "\r\x1b[K")
			return
		}
	}
}

// still ends the line that counts.
func (l *lines) still() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.counter == nil {
		return
	}
	close(l.counter)
	<-l.over
	l.counter = nil
}

// deciders tells who approved, where and when.
func deciders(a api.Approval) string {
	var out []string
	for _, d := range a.Decisions {
		if d.Decision == core.Approve {
			out = append(out, fmt.Sprintf("%s (%s) %s", summaries.Visible(d.Person), summaries.SurfaceName(d.Surface, summaries.English),
				summaries.Clock(d.At, time.Now(), here())))
		}
	}
	return strings.Join(out, ", ")
}
