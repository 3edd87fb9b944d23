package api

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"holdpoint/core"
)

// maxToken bounds what is taken for a token, in bytes: one of ours is far shorter.
const maxToken = 512

// authenticate lets only those through who bring a token. The body was not touched yet.
func (s *Server) authenticate(ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	actor, err := s.identify(r)
	if err != nil {
		s.write(w, r, problem(r.Context(), err))
		return
	}
	callOf(r.Context()).actor = actor
	next(ctx)
}

// identify gives the actor behind the request's token. Failures are counted by address, and too many
// of them answered with rate_limited; a good token is never held up.
func (s *Server) identify(r *http.Request) (core.Actor, error) {
	secret, ok := bearer(r)
	if !ok {
		return core.Actor{}, core.Refuse(core.CodeUnauthorized, "", "bring a token: Authorization: Bearer TOKEN")
	}
	actor, err := s.Engine.Authenticate(r.Context(), secret, core.SurfaceAPI)
	if err == nil {
		return actor, nil
	}
	p := problem(r.Context(), err)
	if p.Code != core.CodeUnauthorized {
		return core.Actor{}, p
	}
	if wait := s.Failures.Count(remote(r)); wait > 0 {
		p = problem(r.Context(), core.Refuse(core.CodeRateLimited, "", "too many tokens that are not known came from this address: wait a moment"))
		p.wait = wait
	}
	return core.Actor{}, p
}

// bearer takes the token out of the one Authorization header.
func bearer(r *http.Request) (string, bool) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, secret, ok := strings.Cut(values[0], " ")
	secret = strings.TrimSpace(secret)
	return secret, ok && strings.EqualFold(scheme, "Bearer") && secret != "" && len(secret) <= maxToken
}

// remote gives what failures are counted by: the address, of IPv6 the network that one customer has.
func remote(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	if ip := net.ParseIP(host); ip != nil && ip.To4() == nil {
		return ip.Mask(net.CIDRMask(64, 128)).String()
	}
	return host
}

// checkQuery refuses what the parser of queries would swallow: one that can't be read, and a parameter
// that stands there twice.
func (s *Server) checkQuery(ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	query, err := url.ParseQuery(r.URL.RawQuery)
	var faults []core.FieldError
	if err != nil {
		faults = append(faults, core.FieldError{Path: "query", Message: "the query can't be read: " + err.Error()})
	}
	for name, values := range query {
		if len(values) > 1 {
			faults = append(faults, core.FieldError{Path: name, Message: "the parameter stands there more than once: keep one"})
		}
	}
	if faults != nil {
		slices.SortFunc(faults, func(a, b core.FieldError) int { return strings.Compare(a.Path, b.Path) })
		s.write(w, r, problem(r.Context(), core.Invalid(faults...)))
		return
	}
	next(ctx)
}
