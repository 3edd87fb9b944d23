package api_test

import (
	"bytes"
	"io"
	"io/fs"
	"sync"
)

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
