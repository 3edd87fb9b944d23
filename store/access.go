package store

import (
	"cmp"
	"slices"

	"holdpoint/core"
)

var tokens = kind[core.Token]{
	bucket: bucketTokens,
	key:    func(t core.Token) []byte { return []byte(t.Hash) },
	encode: encoder(toToken),
	decode: decoder(fromToken),
	keeps: func(was, now core.Token) string {
		return cmp.Or(differs("the id", was.ID, now.ID), differs("the role", was.Role, now.Role),
			differs("the session", was.Session, now.Session), once("the revocation", toMillis(was.RevokedAt), toMillis(now.RevokedAt)))
	},
}

var signIns = kind[core.SignIn]{
	bucket: bucketSignIns,
	key:    func(s core.SignIn) []byte { return []byte(s.Hash) },
	encode: encoder(toSignIn),
	decode: decoder(fromSignIn),
	keeps: func(was, now core.SignIn) string {
		return cmp.Or(differs("the person", was.Person, now.Person), once("the use", toMillis(was.UsedAt), toMillis(now.UsedAt)))
	},
}

var webSessions = kind[core.WebSession]{
	bucket: bucketWebSessions,
	key:    func(w core.WebSession) []byte { return []byte(w.Hash) },
	encode: encoder(toWebSession),
	decode: decoder(fromWebSession),
	entries: func(w core.WebSession) []entry {
		return []entry{at(bucketWebSessionOwner, joined(w.Person, w.Hash))}
	},
	keeps: func(was, now core.WebSession) string {
		return cmp.Or(differs("the person", was.Person, now.Person), once("the end", toMillis(was.EndedAt), toMillis(now.EndedAt)))
	},
}

// Token finds a token by the hash of its secret.
func (r reader) Token(hash string) (core.Token, bool) { return tokens.get(r.tx, []byte(hash)) }

// Tokens gives all tokens, revoked ones too, oldest first.
func (r reader) Tokens() []core.Token {
	var out []core.Token
	for key, value := range r.tx.Scan(bucketTokens, nil, nil, false) {
		out = append(out, tokens.read(key, value))
	}
	slices.SortFunc(out, func(a, b core.Token) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// SignIn finds a sign-in link by the hash of its secret.
func (r reader) SignIn(hash string) (core.SignIn, bool) { return signIns.get(r.tx, []byte(hash)) }

// WebSession finds a web session by the hash of its cookie.
func (r reader) WebSession(hash string) (core.WebSession, bool) {
	return webSessions.get(r.tx, []byte(hash))
}

// WebSessions gives all web sessions of a person, ended ones too, oldest first.
func (r reader) WebSessions(person string) []core.WebSession {
	out := webSessions.group(r.tx, bucketWebSessionOwner, person)
	slices.SortStableFunc(out, func(a, b core.WebSession) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return out
}
