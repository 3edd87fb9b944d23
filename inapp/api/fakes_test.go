package api_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"sync"
	"time"

	"holdpoint/core/engine"
)

// clock is moved by hand.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 2, 14, 38, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

type noFiles struct{}

func (noFiles) Digests(context.Context, string, []string) (map[string]string, error) { return nil, nil }

// fakeRuntime runs nothing: an execution ends when the test says so.
type fakeRuntime struct {
	mu   sync.Mutex
	ends map[string]chan engine.Sighting
}

func newRuntime() *fakeRuntime { return &fakeRuntime{ends: map[string]chan engine.Sighting{}} }

func (f *fakeRuntime) of(id string) chan engine.Sighting {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ends[id] == nil {
		f.ends[id] = make(chan engine.Sighting, 1)
	}
	return f.ends[id]
}

func (f *fakeRuntime) Launch(_ context.Context, l engine.Launch) error { f.of(l.ID); return nil }
func (f *fakeRuntime) Void(string) (bool, error)                       { return true, nil }

// Stop ends nothing: tests of the API look at what is on disk.
func (f *fakeRuntime) Stop(context.Context, string, string, bool) error { return nil }

func (f *fakeRuntime) Look(string) (engine.Sighting, error) {
	return engine.Sighting{State: engine.SeenLive}, nil
}

func (f *fakeRuntime) Wait(ctx context.Context, id string) (engine.Sighting, error) {
	select {
	case s := <-f.of(id):
		return s, nil
	case <-ctx.Done():
		return engine.Sighting{}, ctx.Err()
	}
}

func (f *fakeRuntime) end(id string, s engine.Sighting) { f.of(id) <- s }

// syncBuffer is a log that a test may read.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// archive is a backup that writes a text, then fails or not.
type archive struct {
	text string
	err  error
}

func (a archive) Backup(_ context.Context, w io.Writer) error {
	if a.text != "" {
		if _, err := io.WriteString(w, a.text); err != nil {
			return err
		}
	}
	return a.err
}

// fakeLogs keeps output in memory.
type fakeLogs struct {
	mu  sync.Mutex
	out map[string]string
}

func (f *fakeLogs) put(id, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.out == nil {
		f.out = map[string]string{}
	}
	f.out[id] = text
}

type closer struct{ *bytes.Reader }

func (closer) Close() error { return nil }

func (f *fakeLogs) OpenLog(id string) (io.ReadSeekCloser, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	text, ok := f.out[id]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return closer{bytes.NewReader([]byte(text))}, nil
}
