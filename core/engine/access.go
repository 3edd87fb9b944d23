package engine

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"holdpoint/core"
)

// hash is what is kept of a secret. The secrets are at least 128 bits of randomness, so a plain digest
// can't be guessed back.
func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func unauthorized(why string) error { return core.Refuse(core.CodeUnauthorized, "", "%s", why) }

// Authenticate gives the actor behind a bearer token. A person's token acts with the roles that the
// newest configuration gives that person, and not at all once the person is gone from it.
func (e *Engine) Authenticate(ctx context.Context, secret, surface string) (core.Actor, error) {
	var t core.Token
	h := hash(secret)
	err := e.view(ctx, func(r Reader) error { t, _ = r.Token(h); return nil })
	if err != nil {
		return core.Actor{}, err
	}
	if t.Hash == "" || !t.RevokedAt.IsZero() || subtle.ConstantTimeCompare([]byte(t.Hash), []byte(h)) != 1 {
		return core.Actor{}, unauthorized("the token is not known: give a valid one")
	}
	if person, ok := t.Role.Person(); ok {
		return e.person(person, surface)
	}
	kind := core.ActorOperator
	if t.Role == core.RoleTokenAgent {
		kind = core.ActorAgent
	}
	return core.Actor{Kind: kind, Name: t.Name, File: t.File, Session: t.Session, Minted: t.Minted, Surface: surface}, nil
}

// person makes the actor of a person of the configuration.
func (e *Engine) person(name, surface string) (core.Actor, error) {
	p, ok := e.Policy().Find(name)
	if !ok {
		return core.Actor{}, unauthorized("this person is not in the configuration any more")
	}
	return core.Actor{Kind: core.ActorPerson, Name: p.Name, Roles: p.Roles, Surface: surface}, nil
}

// FileToken makes sure that the secret in the data directory's operator.token is a token; the one that
// stood there before is revoked.
func (e *Engine) FileToken(ctx context.Context, secret string) error {
	now := e.now()
	var change core.Change
	err := e.Store.Update(ctx, func(tx Tx) error {
		h := hash(secret)
		if t, ok := tx.Token(h); ok && t.RevokedAt.IsZero() {
			return nil
		}
		for _, t := range tx.Tokens() {
			if t.File && t.RevokedAt.IsZero() {
				t.RevokedAt = now
				change.Tokens = append(change.Tokens, t)
			}
		}
		t := core.Token{ID: e.NewID(prefixToken, now), Hash: h, Name: "operator", Role: core.RoleTokenOperator, File: true, By: "system", CreatedAt: now}
		change.Tokens = append(change.Tokens, t)
		change.Events = append(change.Events, accessEvent(core.EventTokenCreated, core.System(), t.ID, now, map[string]any{"name": t.Name, "role": t.Role, "file": true}))
		tx.Apply(change)
		return nil
	})
	if err != nil {
		return e.storeFault(err)
	}
	return nil
}

// prefixToken begins the ids of tokens, which are no secrets.
const prefixToken = "k_"

// CreateToken makes a bearer token. The secret is given once and kept nowhere.
func (e *Engine) CreateToken(ctx context.Context, a core.Actor, name string, role core.Role) (secret string, t core.Token, err error) {
	if err := e.mayAccess(ctx, a, name); err != nil {
		return "", t, err
	}
	var faults []core.FieldError
	if strings.TrimSpace(name) == "" || len(name) > 100 {
		faults = append(faults, core.FieldError{Path: "name", Message: "1 to 100 bytes"})
	}
	if !role.Valid() {
		faults = append(faults, core.FieldError{Path: "role", Message: "agent, operator or person:NAME"})
	}
	if person, ok := role.Person(); ok {
		if _, known := e.Policy().Find(person); !known {
			faults = append(faults, core.FieldError{Path: "role", Message: "nobody is known as " + person})
		}
	}
	if faults != nil {
		return "", t, core.Invalid(faults...)
	}
	now := e.now()
	secret = e.NewSecret()
	t = core.Token{ID: e.NewID(prefixToken, now), Hash: hash(secret), Name: name, Role: role, By: a.String(), CreatedAt: now}
	err = e.access(ctx, func(tx Tx) (core.Change, error) {
		for _, other := range tx.Tokens() {
			if other.Name == name && other.RevokedAt.IsZero() && !other.File {
				return core.Change{}, core.Refuse(core.CodeConflict, other.ID, "a token has this name already: revoke it or take another name")
			}
		}
		return core.Change{Tokens: []core.Token{t}, Events: []core.Event{
			accessEvent(core.EventTokenCreated, a, t.ID, now, map[string]any{"name": name, "role": role}),
		}}, nil
	})
	return secret, t, err
}

// RevokeToken ends a token, named by id or name, at once. One that ended before is left as it is.
func (e *Engine) RevokeToken(ctx context.Context, a core.Actor, which string) (core.Token, error) {
	var t core.Token
	if err := e.mayAccess(ctx, a, which); err != nil {
		return t, err
	}
	now := e.now()
	err := e.access(ctx, func(tx Tx) (core.Change, error) {
		all := tx.Tokens()
		i := slices.IndexFunc(all, func(x core.Token) bool { return x.ID == which || (x.Name == which && x.RevokedAt.IsZero()) })
		if i < 0 {
			return core.Change{}, core.Refuse(core.CodeNotFound, which, "no token has this id or name")
		}
		if t = all[i]; !t.RevokedAt.IsZero() {
			return core.Change{}, nil
		}
		if t.File {
			return core.Change{}, core.Refuse(core.CodeConflict, t.ID, "the operator's token ends with its file: remove operator.token and start again")
		}
		t.RevokedAt = now
		return core.Change{Tokens: []core.Token{t}, Events: []core.Event{accessEvent(core.EventTokenRevoked, a, t.ID, now, map[string]any{"name": t.Name})}}, nil
	})
	return t, err
}

// Tokens lists every token, without any secret.
func (e *Engine) Tokens(ctx context.Context, a core.Actor) ([]core.Token, error) {
	if err := e.mayAccess(ctx, a, "tokens"); err != nil {
		return nil, err
	}
	var out []core.Token
	err := e.view(ctx, func(r Reader) error { out = r.Tokens(); return nil })
	return out, err
}

// mayAccess is the authority over people and tokens; a refusal goes into the audit.
func (e *Engine) mayAccess(ctx context.Context, a core.Actor, subject string) error {
	return e.Authorize(ctx, a, core.ActPeople, subject)
}

// Authorize refuses what the authority table does not give to an actor by itself, without any relation
// to a record, and puts the refusal into the audit.
func (e *Engine) Authorize(ctx context.Context, a core.Actor, act core.Action, subject string) error {
	if core.May(a, act, core.Relation{}) {
		return nil
	}
	refusal := core.Refuse(core.CodeForbidden, subject, "you may not do this: it needs an administrator")
	if act == core.ActSee {
		refusal.Msg = "you may not see this: it is not yours, nor under what is yours"
	}
	refusal.Cause = string(act)
	err := e.access(ctx, func(Tx) (core.Change, error) {
		return core.Change{Events: []core.Event{accessEvent(core.EventRefused, a, subject, e.now(),
			map[string]any{"code": core.CodeForbidden, "action": act, "surface": a.Surface})}}, nil
	})
	if err != nil {
		return err
	}
	return refusal
}

func (e *Engine) access(ctx context.Context, fn func(Tx) (core.Change, error)) error {
	begin := e.Now()
	var change core.Change
	var refusal error
	err := e.Store.Update(ctx, func(tx Tx) error {
		if change, refusal = fn(tx); refusal == nil && !change.Empty() {
			tx.Apply(change)
		}
		return nil
	})
	if err != nil {
		return e.storeFault(err)
	}
	if refusal != nil {
		change = core.Change{}
	}
	e.committed(ctx, change, refusal, begin)
	return refusal
}

func accessEvent(typ string, a core.Actor, subject string, at time.Time, data map[string]any) core.Event {
	return core.Event{Type: typ, At: at, Actor: a.String(), Subject: subject, Data: data}
}
