package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"holdpoint/core"
	"holdpoint/planfile"
)

// Problem is an RFC 9457 problem document: every refusal of the API is one. Code is what programs tell
// refusals apart by; Detail is a sentence for people.
type Problem struct {
	Type       string            `json:"type" doc:"always about:blank: code says more"`
	Title      string            `json:"title" doc:"the status in words"`
	Status     int               `json:"status"`
	Detail     string            `json:"detail" doc:"what was refused and what to do, for people"`
	Code       core.Code         `json:"code" doc:"what was refused, for programs"`
	RequestID  string            `json:"request_id" doc:"finds the request in the daemon's log"`
	Subject    string            `json:"subject,omitempty" doc:"the id that it is about"`
	Cause      string            `json:"cause,omitempty" doc:"a word more on why"`
	ReplacedBy *string           `json:"replaced_by,omitempty" doc:"stale_approval: the pending approval in its place, empty if there is none"`
	By         *string           `json:"by,omitempty" doc:"already_decided, already_claimed: who was first"`
	At         *time.Time        `json:"at,omitempty" doc:"already_decided, already_claimed: when"`
	Errors     []core.FieldError `json:"errors,omitempty" doc:"validation: every fault with its place"`
	Sessions   []SessionStop     `json:"sessions,omitempty" doc:"of a stop that failed in part: what became of each session"`

	wait time.Duration
	err  error
}

// Codes of the transport, which the domain does not know.
const (
	codeMethod    core.Code = "method_not_allowed"     // 405
	codeMediaType core.Code = "unsupported_media_type" // 415
)

var statuses = map[core.Code]int{
	core.CodeUnauthorized: http.StatusUnauthorized, core.CodeForbidden: http.StatusForbidden, core.CodeNotFound: http.StatusNotFound,
	core.CodeStale: http.StatusConflict, core.CodeAlreadyDecided: http.StatusConflict, core.CodeAlreadyClaimed: http.StatusConflict,
	core.CodeConflict: http.StatusConflict, core.CodeRejected: http.StatusGone, core.CodeExpired: http.StatusGone, core.CodeCancelled: http.StatusGone,
	core.CodeTooLarge: http.StatusRequestEntityTooLarge, core.CodeValidation: http.StatusUnprocessableEntity,
	core.CodeRateLimited: http.StatusTooManyRequests, core.CodeUnavailable: http.StatusServiceUnavailable,
	core.CodeDiskFull: http.StatusInsufficientStorage, core.CodeInternal: http.StatusInternalServerError,
	codeMethod: http.StatusMethodNotAllowed, codeMediaType: http.StatusUnsupportedMediaType,
}

// StatusOf gives the HTTP status of a code, 500 for one that nobody knows.
func StatusOf(code core.Code) int {
	if status, ok := statuses[code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// problem is the one way from an error to a document. Only what a *core.Error says for people gets out.
func problem(ctx context.Context, err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	e, ok := errors.AsType[*core.Error](err)
	if !ok || statuses[e.Code] == 0 {
		e = &core.Error{Code: core.CodeInternal, Err: err}
	}
	p := &Problem{Type: "about:blank", Status: StatusOf(e.Code), Code: e.Code, Detail: e.Msg, Subject: e.Subject, Cause: e.Cause,
		RequestID: callOf(ctx).id, err: e.Err}
	p.Title = http.StatusText(p.Status)
	switch e.Code {
	case core.CodeStale:
		p.ReplacedBy = &e.ReplacedBy
	case core.CodeAlreadyDecided, core.CodeAlreadyClaimed:
		p.By, p.At = &e.By, moment(e.At)
	case core.CodeValidation:
		p.Errors = placed(callOf(ctx), e.Fields)
	case core.CodeInternal:
		p.Detail, p.Subject, p.Cause = "a fault of the daemon: its log has more under this request_id", "", ""
	}
	return p
}

// placed gives faults that know only their path their place in the body.
func placed(c *call, faults []core.FieldError) []core.FieldError {
	if len(c.body) == 0 {
		return append([]core.FieldError{}, faults...)
	}
	return planfile.Place(c.body, "", faults)
}

// refuse is what a handler returns for an error: a problem, and in the log what it must not tell.
func (s *Server) refuse(ctx context.Context, err error) error {
	p := problem(ctx, err)
	s.tell(ctx, p)
	return p
}

func (s *Server) tell(ctx context.Context, p *Problem) {
	switch {
	case p.err == nil || ctx.Err() != nil: // nothing hidden, or nobody waits for it any more
	case p.Code == core.CodeInternal:
		s.Logger.Error("a request failed", slog.String("request_id", p.RequestID), slog.Any("error", p.err))
	default:
		s.Logger.Warn("a request was refused", slog.String("request_id", p.RequestID), slog.String("code", string(p.Code)), slog.Any("error", p.err))
	}
}

// write answers with a problem outside of huma.
func (s *Server) write(w http.ResponseWriter, r *http.Request, p *Problem) {
	s.tell(r.Context(), p)
	maps.Copy(w.Header(), p.GetHeaders())
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	if err := json.NewEncoder(w).Encode(p); err != nil && r.Context().Err() == nil {
		s.Logger.Debug("an answer could not be sent", slog.String("request_id", p.RequestID), slog.Any("error", err))
	}
}

// Error tells the detail and the faults.
func (p *Problem) Error() string { return p.core().Error() }

// Unwrap gives the refusal as the domain's own, so that callers tell it apart by code.
func (p *Problem) Unwrap() error { return p.core() }

func (p *Problem) core() *core.Error {
	e := &core.Error{Code: p.Code, Subject: p.Subject, Msg: p.Detail, Cause: p.Cause, Fields: p.Errors}
	if p.ReplacedBy != nil {
		e.ReplacedBy = *p.ReplacedBy
	}
	if p.By != nil {
		e.By = *p.By
	}
	if p.At != nil {
		e.At = *p.At
	}
	return e
}

// GetStatus is huma's name for the status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType is huma's way to ask for problem+json.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// GetHeaders gives what belongs to a problem besides its document.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.Code == core.CodeUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="holdpoint"`)
	}
	if p.wait > 0 {
		h.Set("Retry-After", strconv.Itoa(int(p.wait.Round(time.Second)/time.Second)))
	}
	return h
}

// What huma itself refuses (a query that does not fit) becomes a problem of ours. It offers no other way
// than its package variables; nothing else in the program uses huma.
func init() {
	huma.NewErrorWithContext = func(ctx huma.Context, status int, msg string, errs ...error) huma.StatusError {
		return fromHuma(ctx.Context(), status, msg, errs)
	}
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		return fromHuma(context.Background(), status, msg, errs)
	}
}

func fromHuma(ctx context.Context, status int, msg string, errs []error) *Problem {
	if status != http.StatusUnprocessableEntity {
		return problem(ctx, &core.Error{Code: core.CodeInternal, Err: errors.Join(append(errs, errors.New(msg))...)})
	}
	var faults []core.FieldError
	for _, err := range errs {
		f := core.FieldError{Message: err.Error()}
		if d, ok := errors.AsType[*huma.ErrorDetail](err); ok {
			_, name, _ := strings.Cut(d.Location, ".")
			f = core.FieldError{Path: name, Message: d.Message}
		}
		faults = append(faults, f)
	}
	return problem(ctx, core.Invalid(faults...))
}
