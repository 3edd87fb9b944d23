package api

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"holdpoint/core/engine"
	"holdpoint/summaries"
)

// Prefix is where the API lives.
const Prefix = "/api/v1"

// Options is what the API is made of. Engine and SignInURL are required.
type Options struct {
	Engine *engine.Engine
	// SignInURL makes the whole address of a sign-in link out of its secret.
	SignInURL func(secret string) string
	// Logs gives the output of executions. Without it there is none to show.
	Logs Logs
	// Backups and Checker serve the commands of the same names while the daemon runs. Without them the
	// paths answer unavailable.
	Backups Backups
	Checker Checker
	// Metrics is shown to everybody, MetricsDetail to who comes with a token; nil: Metrics.
	Metrics, MetricsDetail http.Handler

	Version   string         // of the program, for the description and the health page
	Language  summaries.Lang // of sentences where the person has none of their own; default English
	Logger    *slog.Logger   // default: none
	Heartbeat time.Duration  // default DefaultHeartbeat
	Failures  *Failures      // failed authentications by address; default: a count of its own
}

// Logs opens what an execution wrote so far. Where there is nothing, the error matches fs.ErrNotExist.
// The caller closes it.
type Logs interface {
	OpenLog(execution string) (io.ReadSeekCloser, error)
}

// Backups writes one whole archive. What it has written when it fails is of no use.
type Backups interface {
	Backup(ctx context.Context, w io.Writer) error
}

// Checker proves the store's invariants. No findings: it is whole. An error: it could not look.
type Checker interface {
	Check(ctx context.Context) ([]Finding, error)
}

// Finding is one thing in the store that is not as it must be.
type Finding struct {
	Check  string `json:"check" doc:"which check speaks"`
	Record string `json:"record" doc:"the record that it is about, if it is about one"`
	Text   string `json:"text"`
}

// DefaultHeartbeat is how often an idle event stream says that it lives. Proxies commonly end a
// connection that was silent for 60 seconds.
const DefaultHeartbeat = 15 * time.Second

func (o Options) withDefaults() Options {
	if o.Engine == nil || o.SignInURL == nil {
		panic("api: Engine and SignInURL are required")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Heartbeat <= 0 {
		o.Heartbeat = DefaultHeartbeat
	}
	if o.Language == "" {
		o.Language = summaries.English
	}
	if o.Failures == nil {
		o.Failures = NewFailures(time.Now)
	}
	if o.MetricsDetail == nil {
		o.MetricsDetail = o.Metrics
	}
	return o
}

// routes registers every path of the API.
func (s *Server) routes() {
	s.taskRoutes()
	s.taskActionRoutes()
	s.logRoutes()
	s.approvalRoutes()
	s.decisionRoutes()
	s.gateRoutes()
	s.outsideRoutes()
	s.stopRoutes()
	s.peopleRoutes()
	s.tokenRoutes()
	s.eventRoutes()
	s.auditRoutes()
	s.storeRoutes()
	s.healthRoutes()
	s.describe()
}
