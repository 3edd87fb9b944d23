package inapp

import (
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"holdpoint/core/engine"
)

// Logs gives what steps printed. The runtime of package process is one.
type Logs interface {
	// OpenLog opens the output of an execution, while it runs and after it; where there is none the
	// error matches fs.ErrNotExist. The caller closes it.
	OpenLog(execution string) (io.ReadSeekCloser, error)
}

// Options is what the surface is made of. Engine and Logs are required.
type Options struct {
	Engine    *engine.Engine
	Logs      Logs
	PublicURL string         // where people reach it; with https the cookie is Secure
	Zone      *time.Location // for whoever has no time zone of their own; default UTC
	Language  string         // likewise, en or fr; default en
	Logger    *slog.Logger   // default: none
}

// Server is the in-app surface. Make it with New, give it its paths with Register. It starts nothing;
// its streams end with their requests' contexts, or at Stop.
type Server struct {
	engine   *engine.Engine
	logs     Logs
	public   *url.URL
	zone     *time.Location
	words    *words
	log      *slog.Logger
	cross    *http.CrossOriginProtection
	views    views
	assets   assets
	failures limiter
	streams  streams
	over     chan struct{} // closed by Stop
	stop     sync.Once
}

// New makes the surface.
func New(o Options) *Server {
	public, err := url.Parse(o.PublicURL)
	if err != nil {
		public = &url.URL{} // the configuration has refused it before; without it the page works on plain http
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{engine: o.Engine, logs: o.Logs, public: public, zone: o.Zone, words: wordsOf(o.Language), log: o.Logger,
		cross: http.NewCrossOriginProtection(), assets: loadAssets(), over: make(chan struct{})}
	s.views = loadViews(s.assets)
	return s
}

// Stop ends the open streams, so that a server that shuts down need not wait for them. Pages are
// answered on.
func (s *Server) Stop() { s.stop.Do(func() { close(s.over) }) }

// secure says that people reach the page over https.
func (s *Server) secure() bool { return s.public.Scheme == "https" }

// route is one path with what it answers. A nil get or post is a method that the path does not take.
type route struct {
	path string
	get  func(*visit) error // also answers HEAD; changes nothing
	post func(*visit) error
	open bool // without a session
}

func (s *Server) routes() []route {
	return []route{
		{path: "/{$}", get: s.queuePage},
		{path: "/tasks", get: s.historyPage},
		{path: "/tasks/{id}", get: s.taskPage},
		{path: "/tasks/{id}/log", get: s.logPage},
		{path: "/tasks/{id}/retry", post: s.retry},
		{path: "/tasks/{id}/resolve", post: s.resolve},
		{path: "/tasks/{id}/pause", post: s.pause},
		{path: "/tasks/{id}/resume", post: s.resume},
		{path: "/tasks/{id}/cancel", post: s.cancel},
		{path: "/tasks/{id}/stop", post: s.stopTask},
		{path: "/tasks/{id}/claim", post: s.claim},
		{path: "/tasks/{id}/report", post: s.report},
		{path: "/tasks/{id}/rollback", post: s.rollback},
		{path: "/approvals/{id}", get: s.approvalPage, post: s.decide},
		{path: "/approvals/{id}/approve", get: s.confirmPage},
		{path: "/approvals/{id}/reject", get: s.rejectPage},
		{path: "/live", get: s.live},
		{path: "/signin", get: s.signInHelp, open: true},
		{path: "/signin/{secret}", get: s.signInPage, post: s.signIn, open: true},
		{path: "/signout", post: s.signOut},
		{path: "/static/{name}", get: s.static, open: true},
		{path: "/", get: s.nothingHere, post: s.nothingHere, open: true},
	}
}

// Register gives the surface its paths. It takes the whole root, so that an unknown address is answered
// with a page; more exact patterns of others (the API, health) go before it.
func (s *Server) Register(mux *http.ServeMux) {
	for _, rt := range s.routes() {
		mux.Handle(rt.path, s.door(rt))
	}
}
