package inapp

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"
	"time"

	"holdpoint/core"
)

// maxForm bounds the body of a form, in bytes: a reason of core.MaxReason in its most wasteful encoding
// (three bytes for one) fits several times.
const maxForm = 64 << 10

// policyHeaders go out with every answer. The content policy names no inline style or script, so a
// mark-up break-out would have nothing to run.
var policyHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
		"form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
	"X-Content-Type-Options":     "nosniff",
	"Referrer-Policy":            "no-referrer",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cache-Control":              "no-store",
}

// visit is one request with who makes it, and how that person reads.
type visit struct {
	w       http.ResponseWriter
	r       *http.Request
	actor   core.Actor // the zero value on open routes
	session core.WebSession
	words   *words
	zone    *time.Location
	now     time.Time
}

// errMethod is a method that a path does not take.
var errMethod = errors.New("method not allowed")

// door is what every request passes before its handler.
func (s *Server) door(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range policyHeaders {
			w.Header().Set(name, value)
		}
		v := &visit{w: w, r: r, words: s.words, zone: s.zone, now: s.engine.Now()}
		if err := s.enter(v, rt); err != nil { //nolint:contextcheck // the visit carries its request, and so its context
			s.refuse(v, err)
		}
	})
}

// enter checks, in this order: method, origin, session, size and token of a form.
func (s *Server) enter(v *visit, rt route) error {
	handle, post := rt.get, false
	switch v.r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodPost:
		handle, post = rt.post, true
	default:
		handle = nil
	}
	if handle == nil {
		v.w.Header().Set("Allow", allowed(rt))
		return errMethod
	}
	if post {
		if err := s.sameOrigin(v.r); err != nil {
			return err
		}
	}
	if !rt.open {
		if err := s.recognise(v); err != nil {
			return err
		}
	} else {
		_ = s.recognise(v) // an open page is shown to anyone, in the person's language where there is one
	}
	if post {
		if err := readForm(v); err != nil {
			return err
		}
		if !rt.open && !sameToken(v.r.PostForm.Get("csrf_token"), v.session.CSRF) {
			return errForgedForm
		}
	}
	return handle(v)
}

func allowed(rt route) string {
	var list []string
	if rt.get != nil {
		list = append(list, http.MethodGet, http.MethodHead)
	}
	if rt.post != nil {
		list = append(list, http.MethodPost)
	}
	return strings.Join(list, ", ")
}

var errForgedForm = core.Refuse(core.CodeForbidden, "", "the form is not one of this session's: open the page again")

// sameOrigin refuses what other sites send. Two cases are ours: behind a proxy the Host that we see may
// be another than the one that people see, so where the browser says nothing more the public address
// counts; and a plain http origin of the same host, which the library lets pass, is none of a page that
// people reach over https.
func (s *Server) sameOrigin(r *http.Request) error {
	origin := r.Header.Get("Origin")
	ours := s.public.Host != "" && strings.EqualFold(origin, s.public.Scheme+"://"+s.public.Host)
	if ours && r.Header.Get("Sec-Fetch-Site") == "" {
		return nil
	}
	if s.secure() && strings.HasPrefix(origin, "http://") || s.cross.Check(r) != nil {
		return errForgedForm
	}
	return nil
}

// readForm reads the body of a form, once. A field that stands twice has no meaning and is refused.
func readForm(v *visit) error {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	if err := v.r.ParseForm(); err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return core.Refuse(core.CodeTooLarge, "", "the form is larger than 64 KiB")
		}
		return core.Invalid(core.FieldError{Message: "the form can't be read"})
	}
	for name, values := range v.r.PostForm {
		if len(values) > 1 {
			return core.Invalid(core.FieldError{Path: name, Message: "stands twice"})
		}
	}
	return nil
}

// sameToken compares in a time that tells nothing of the difference; an empty token is never right.
func sameToken(given, own string) bool {
	return own != "" && subtle.ConstantTimeCompare([]byte(given), []byte(own)) == 1
}
