package api_test

import (
	"context"
	"io"
	"net/http"
	"sync"

	"holdpoint/inapp/api"
)

// inMemory is a transport without sockets, so that clients and servers meet in a synctest bubble. Like a
// connection it ends the request's context when the client closes the body, and breaks off when the
// handler aborts.
type inMemory struct{ handler http.Handler }

func (m inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	pr, pw := io.Pipe()
	w := &pipeWriter{header: http.Header{}, pw: pw, begun: make(chan struct{})}
	server := r.Clone(ctx)
	server.RequestURI, server.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:1"
	if server.Body == nil {
		server.Body = http.NoBody
	}
	go func() {
		defer func() {
			if recover() != nil {
				_ = pw.CloseWithError(io.ErrUnexpectedEOF)
			}
		}()
		m.handler.ServeHTTP(w, server)
		w.WriteHeader(http.StatusOK)
		_ = pw.Close()
	}()
	select {
	case <-w.begun:
	case <-ctx.Done():
		cancel()
		return nil, ctx.Err()
	}
	return &http.Response{StatusCode: w.status, Header: w.sent, Body: closing{pr, cancel}, Request: r}, nil
}

type closing struct {
	*io.PipeReader
	cancel func()
}

func (c closing) Close() error {
	c.cancel()
	return c.PipeReader.Close()
}

type pipeWriter struct {
	header, sent http.Header
	status       int
	once         sync.Once
	begun        chan struct{}
	pw           *io.PipeWriter
}

func (w *pipeWriter) Header() http.Header { return w.header }
func (w *pipeWriter) Flush()              {}

func (w *pipeWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.begun)
	})
}

func (w *pipeWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.pw.Write(b)
}

// client makes a client of somebody's.
func (h *house) client(who string) *api.Client {
	h.t.Helper()
	c, err := api.NewClient("http://holdpoint.test", h.tokens[who], &http.Client{Transport: inMemory{h.Server}})
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}
