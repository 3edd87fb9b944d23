package store

import "holdpoint/core"

// tokenRecord is a bearer token as it is stored: its hash, never its secret. The rule of compatibility
// stands in record.go.
type tokenRecord struct {
	header
	ID        string    `json:"id"`
	Hash      string    `json:"hash"`
	Name      string    `json:"name,omitempty"`
	Role      core.Role `json:"role"`
	File      bool      `json:"file,omitempty"`
	Session   string    `json:"session,omitempty"`
	Minted    bool      `json:"minted,omitempty"`
	By        string    `json:"by,omitempty"`
	CreatedAt millis    `json:"created_at,omitempty"`
	RevokedAt millis    `json:"revoked_at,omitempty"`
}

func toToken(t core.Token) tokenRecord {
	return tokenRecord{current, t.ID, t.Hash, t.Name, t.Role, t.File, t.Session, t.Minted, t.By, toMillis(t.CreatedAt), toMillis(t.RevokedAt)}
}

func fromToken(r tokenRecord) core.Token {
	return core.Token{ID: r.ID, Hash: r.Hash, Name: r.Name, Role: r.Role, File: r.File, Session: r.Session, Minted: r.Minted,
		By: r.By, CreatedAt: r.CreatedAt.time(), RevokedAt: r.RevokedAt.time()}
}

// signInRecord is a one-time sign-in link as it is stored: its hash.
type signInRecord struct {
	header
	Hash      string `json:"hash"`
	Person    string `json:"person"`
	By        string `json:"by,omitempty"`
	CreatedAt millis `json:"created_at,omitempty"`
	ExpiresAt millis `json:"expires_at,omitempty"`
	UsedAt    millis `json:"used_at,omitempty"`
}

func toSignIn(s core.SignIn) signInRecord {
	return signInRecord{current, s.Hash, s.Person, s.By, toMillis(s.CreatedAt), toMillis(s.ExpiresAt), toMillis(s.UsedAt)}
}

func fromSignIn(r signInRecord) core.SignIn {
	return core.SignIn{Hash: r.Hash, Person: r.Person, By: r.By, CreatedAt: r.CreatedAt.time(), ExpiresAt: r.ExpiresAt.time(), UsedAt: r.UsedAt.time()}
}

// webSessionRecord is a signed-in browser as it is stored: the hash of its cookie.
type webSessionRecord struct {
	header
	Hash      string `json:"hash"`
	ID        string `json:"id,omitempty"`
	Person    string `json:"person"`
	CSRF      string `json:"csrf,omitempty"`
	CreatedAt millis `json:"created_at,omitempty"`
	SeenAt    millis `json:"seen_at,omitempty"`
	EndedAt   millis `json:"ended_at,omitempty"`
}

func toWebSession(w core.WebSession) webSessionRecord {
	return webSessionRecord{current, w.Hash, w.ID, w.Person, w.CSRF, toMillis(w.CreatedAt), toMillis(w.SeenAt), toMillis(w.EndedAt)}
}

func fromWebSession(r webSessionRecord) core.WebSession {
	return core.WebSession{Hash: r.Hash, ID: r.ID, Person: r.Person, CSRF: r.CSRF,
		CreatedAt: r.CreatedAt.time(), SeenAt: r.SeenAt.time(), EndedAt: r.EndedAt.time()}
}

// requestRecord is what was asked for under a request_id, as it is stored.
type requestRecord struct {
	header
	Requester string `json:"requester"`
	ID        string `json:"id"`
	Digest    string `json:"digest"`
	Record    string `json:"record"`
	At        millis `json:"at,omitempty"`
}

func toRequest(q core.Request) requestRecord {
	return requestRecord{current, q.Requester, q.ID, q.Digest, q.Record, toMillis(q.At)}
}

func fromRequest(r requestRecord) core.Request {
	return core.Request{Requester: r.Requester, ID: r.ID, Digest: r.Digest, Record: r.Record, At: r.At.time()}
}
