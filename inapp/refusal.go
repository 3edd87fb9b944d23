package inapp

import (
	"errors"
	"log/slog"
	"net/http"

	"holdpoint/core"
)

// refusalOf gives the refusal of the domain in an error, nil if it is a fault of ours.
func refusalOf(err error) *core.Error {
	e, _ := errors.AsType[*core.Error](err)
	return e
}

func codeOf(err error) core.Code {
	if e := refusalOf(err); e != nil {
		return e.Code
	}
	return core.CodeInternal
}

// statusOf is the one function from a code to an HTTP status of a page.
func statusOf(code core.Code) int {
	switch code {
	case core.CodeUnauthorized:
		return http.StatusUnauthorized
	case core.CodeForbidden:
		return http.StatusForbidden
	case core.CodeNotFound:
		return http.StatusNotFound
	case core.CodeStale, core.CodeAlreadyDecided, core.CodeAlreadyClaimed, core.CodeConflict:
		return http.StatusConflict
	case core.CodeRejected, core.CodeExpired, core.CodeCancelled:
		return http.StatusGone
	case core.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case core.CodeValidation:
		return http.StatusUnprocessableEntity
	case core.CodeRateLimited:
		return http.StatusTooManyRequests
	case core.CodeUnavailable:
		return http.StatusServiceUnavailable
	case core.CodeDiskFull:
		return http.StatusInsufficientStorage
	}
	return http.StatusInternalServerError
}

// refusalWords words a refusal where no page has better ones. A fault of ours is never retold.
func refusalWords(w *words, e *core.Error) string {
	if text := w.Refusals[e.Code]; text != "" {
		return text
	}
	return w.Internal
}

// refuse answers what a handler could not. It is the one place that logs.
func (s *Server) refuse(v *visit, err error) {
	w, status := v.words, statusOf(codeOf(err))
	p := page{Title: w.RefusalTitle, Body: message{Lines: []string{w.Internal}, Back: "/"}}
	switch e := refusalOf(err); {
	case errors.Is(err, errMethod):
		status, p.Body = http.StatusMethodNotAllowed, message{Lines: []string{w.WrongMethod}, Back: "/"}
	case e == nil:
		s.log.Error("a page failed", slog.String("path", v.r.Pattern), slog.Any("error", err))
	case e.Code == core.CodeUnauthorized:
		s.rememberNext(v)
		v.session, v.actor = core.WebSession{}, core.Actor{}
		p.Title, p.Body = w.SignedOutTitle, message{Lines: append([]string{w.SignedOut}, w.SignInHelp...), Code: w.SignInCommand}
	case e.Code == core.CodeNotFound:
		p.Title, p.Body = w.NotFoundTitle, message{Lines: []string{w.Refusals[e.Code]}, Back: "/"}
	default:
		p.Body = message{Lines: []string{refusalWords(w, e)}, Back: "/"}
	}
	if err := s.show(v, status, "message", p); err != nil {
		s.log.Error("a page failed", slog.String("path", v.r.Pattern), slog.Any("error", err))
	}
}

// nothingHere answers addresses that nobody has.
func (s *Server) nothingHere(v *visit) error {
	return s.show(v, http.StatusNotFound, "message", page{Title: v.words.NotFoundTitle, Body: message{Lines: []string{v.words.NoSuchPage}, Back: "/"}})
}
