package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"holdpoint/core"
)

// Server answers the API. Make it with New; it is an http.Handler.
type Server struct {
	Options
	mux  *http.ServeMux
	api  huma.API
	spec []byte

	stopping chan struct{}
	stop     sync.Once
}

// New makes the API's handler. It starts nothing.
func New(o Options) *Server {
	s := &Server{Options: o.withDefaults(), mux: http.NewServeMux(), stopping: make(chan struct{})}
	s.api = newHuma(s.mux, s.Version)
	s.api.UseMiddleware(s.authenticate, s.checkQuery)
	s.routes()
	return s
}

// Register mounts the API and the health endpoints beside whatever else a mux serves.
func (s *Server) Register(mux *http.ServeMux) {
	for _, path := range []string{Prefix + "/", "/healthz", "/readyz", "/metrics"} {
		mux.Handle(path, s)
	}
}

// Stop ends event streams and lets those who wait go with what there is. It is for
// http.Server.RegisterOnShutdown and may be called more than once.
func (s *Server) Stop() { s.stop.Do(func() { close(s.stopping) }) }

// call is what is known of one request on its way through the rooms.
type call struct {
	id    string
	actor core.Actor
	body  []byte
	yaml  bool
	form  bool
}

type callKey struct{}

// callOf gives the call of a request; one that did not come through ServeHTTP has an empty one.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{}
}

func actorOf(ctx context.Context) core.Actor { return callOf(ctx).actor }

// ServeHTTP gives the request its id and its answer the security headers, and finds its route.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begin := time.Now()
	c := &call{id: requestID(r)}
	r = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	seen := &statusWriter{ResponseWriter: w}
	h := w.Header()
	h.Set("X-Request-Id", c.id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	defer func() {
		s.recovered(seen, r, recover())
		s.Logger.Debug("a request was answered", slog.String("request_id", c.id), slog.String("method", r.Method),
			slog.String("path", r.URL.Path), slog.Int("status", seen.status), slog.Duration("took", time.Since(begin)))
	}()
	if _, pattern := s.mux.Handler(r); pattern == "" {
		s.unrouted(seen, r)
		return
	}
	s.mux.ServeHTTP(seen, r)
}

// recovered answers for a handler that panicked, unless the answer had begun: then the connection ends,
// so that nobody takes a half answer for a whole one.
func (s *Server) recovered(w *statusWriter, r *http.Request, panicked any) {
	if panicked == nil {
		return
	}
	if err, ok := panicked.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(panicked)
	}
	s.Logger.Error("a handler panicked", slog.String("request_id", callOf(r.Context()).id), slog.String("path", r.URL.Path),
		slog.String("panic", fmt.Sprint(panicked)), slog.String("stack", string(debug.Stack())))
	if w.status != 0 {
		panic(http.ErrAbortHandler)
	}
	s.write(w, r, problem(r.Context(), core.Refuse(core.CodeInternal, "", "")))
}

// unrouted answers for a path that is not known, or not with this method.
func (s *Server) unrouted(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		other := *r
		other.Method = method
		if _, pattern := s.mux.Handler(&other); pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if allowed == nil {
		s.write(w, r, problem(r.Context(), core.Refuse(core.CodeNotFound, "", "there is no such path: "+Prefix+"/openapi.json lists them")))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	s.write(w, r, problem(r.Context(), core.Refuse(codeMethod, "", "this path takes %s", strings.Join(allowed, ", "))))
}

var goodRequestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// requestID takes the caller's id where it is harmless to log, else makes one.
func requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); goodRequestID.MatchString(id) {
		return id
	}
	return rand.Text()
}

// statusWriter remembers the status. Flushing and deadlines reach the writer below through Unwrap.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader remembers the first status.
func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implies 200 where nothing was said before.
func (w *statusWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}
