package engine

import (
	"context"

	"holdpoint/core"
)

// NewSignIn makes a one-time sign-in link's secret for a person.
func (e *Engine) NewSignIn(ctx context.Context, a core.Actor, person string) (secret string, s core.SignIn, err error) {
	if err := e.mayAccess(ctx, a, person); err != nil {
		return "", s, err
	}
	if _, ok := e.Policy().Find(person); !ok {
		return "", s, core.Refuse(core.CodeNotFound, person, "nobody is known as %q", person)
	}
	now := e.now()
	secret = e.NewSecret()
	s = core.SignIn{Hash: hash(secret), Person: person, By: a.String(), CreatedAt: now, ExpiresAt: now.Add(core.SignInLife)}
	err = e.access(ctx, func(Tx) (core.Change, error) {
		return core.Change{SignIns: []core.SignIn{s}, Events: []core.Event{accessEvent(core.EventSignInCreated, a, person, now, nil)}}, nil
	})
	return secret, s, err
}

// SignInPerson says whom a link would sign in, without using it.
func (e *Engine) SignInPerson(ctx context.Context, secret string) (string, error) {
	var s core.SignIn
	if err := e.view(ctx, func(r Reader) error { s, _ = r.SignIn(hash(secret)); return nil }); err != nil {
		return "", err
	}
	if s.Hash == "" || !s.UsedAt.IsZero() || !e.now().Before(s.ExpiresAt) {
		return "", badLink
	}
	return s.Person, nil
}

var badLink = core.Refuse(core.CodeUnauthorized, "", "this sign-in link was used, or its 10 minutes are over: ask for a new one")

// SignIn uses a link, once, and opens a web session. The cookie's secret is kept nowhere.
func (e *Engine) SignIn(ctx context.Context, secret string) (cookie string, w core.WebSession, err error) {
	now := e.now()
	cookie = e.NewSecret()
	err = e.access(ctx, func(tx Tx) (core.Change, error) {
		s, ok := tx.SignIn(hash(secret))
		if !ok || !s.UsedAt.IsZero() || !now.Before(s.ExpiresAt) {
			return core.Change{}, badLink
		}
		a, err := e.person(s.Person, core.SurfaceInApp)
		if err != nil {
			return core.Change{}, err
		}
		s.UsedAt = now
		w = core.WebSession{Hash: hash(cookie), ID: e.NewID(prefixWeb, now), Person: s.Person, CSRF: e.NewSecret(), CreatedAt: now, SeenAt: now}
		return core.Change{SignIns: []core.SignIn{s}, WebSessions: []core.WebSession{w},
			Events: []core.Event{accessEvent(core.EventSignInUsed, a, s.Person, now, map[string]any{"session": w.ID})}}, nil
	})
	return cookie, w, err
}

// prefixWeb begins the ids of web sessions, which are no secrets.
const prefixWeb = "w_"

// WebSession gives the session and the person behind a cookie, and marks it as seen, every few minutes
// at most, so that an open page stays signed in.
func (e *Engine) WebSession(ctx context.Context, cookie string) (core.Actor, core.WebSession, error) {
	var w core.WebSession
	now := e.now()
	if err := e.view(ctx, func(r Reader) error { w, _ = r.WebSession(hash(cookie)); return nil }); err != nil {
		return core.Actor{}, w, err
	}
	if w.Hash == "" || !w.Valid(now) {
		return core.Actor{}, w, unauthorized("you are not signed in any more: ask for a new sign-in link")
	}
	a, err := e.person(w.Person, core.SurfaceInApp)
	if err != nil || now.Sub(w.SeenAt) < core.WebSessionIdle/6 {
		return a, w, err
	}
	err = e.access(ctx, func(tx Tx) (core.Change, error) {
		if again, ok := tx.WebSession(w.Hash); ok && again.Valid(now) {
			again.SeenAt = now
			return core.Change{WebSessions: []core.WebSession{again}}, nil
		}
		return core.Change{}, nil
	})
	return a, w, err
}

// SignOut ends a web session.
func (e *Engine) SignOut(ctx context.Context, cookie string) error {
	now := e.now()
	return e.access(ctx, func(tx Tx) (core.Change, error) {
		w, ok := tx.WebSession(hash(cookie))
		if !ok || !w.EndedAt.IsZero() {
			return core.Change{}, nil
		}
		w.EndedAt = now
		a := core.Actor{Kind: core.ActorPerson, Name: w.Person}
		return core.Change{WebSessions: []core.WebSession{w}, Events: []core.Event{accessEvent(core.EventSignedOut, a, w.Person, now, map[string]any{"session": w.ID})}}, nil
	})
}
