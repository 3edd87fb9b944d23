package core

import "time"

// Role is what a token may act as.
type Role string

// The roles of tokens; "person:NAME" makes a token act as that person.
const (
	RoleTokenAgent    Role = "agent"
	RoleTokenOperator Role = "operator"
	rolePersonPrefix       = "person:"
)

// PersonRole gives the role of a person's token.
func PersonRole(name string) Role { return Role(rolePersonPrefix + name) }

// Person gives the person behind a person's token role.
func (r Role) Person() (string, bool) {
	s := string(r)
	if len(s) <= len(rolePersonPrefix) || s[:len(rolePersonPrefix)] != rolePersonPrefix {
		return "", false
	}
	return s[len(rolePersonPrefix):], true
}

// Valid says that the role is one of the three kinds.
func (r Role) Valid() bool {
	_, person := r.Person()
	return person || r == RoleTokenAgent || r == RoleTokenOperator
}

// Token is a bearer token, of which only a hash is kept.
type Token struct {
	ID        string
	Hash      string // SHA-256 of the secret, hexadecimal
	Name      string
	Role      Role
	File      bool   // the operator.token of the data directory
	Session   string // agents: the session it is bound to
	Minted    bool   // by the daemon, for an agent that it started
	By        string
	CreatedAt time.Time
	RevokedAt time.Time
}

// SignIn is a one-time sign-in link, of which only a hash is kept.
type SignIn struct {
	Hash      string
	Person    string
	By        string
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    time.Time
}

// SignInLife is how long a sign-in link may be used, from section 11 of the contract.
const SignInLife = 10 * time.Minute

// WebSession is a person's signed-in browser, of which only a hash of the cookie is kept.
type WebSession struct {
	Hash      string
	ID        string
	Person    string
	CSRF      string // the token that every form of this session carries
	CreatedAt time.Time
	SeenAt    time.Time
	EndedAt   time.Time
}

// The life of a web session: after ASVS 7.3 half an hour without an open page, half a day in all.
const (
	WebSessionIdle     = 30 * time.Minute
	WebSessionAbsolute = 12 * time.Hour
)

// Valid says that the session still counts at a time.
func (w WebSession) Valid(now time.Time) bool {
	return w.EndedAt.IsZero() && now.Before(w.CreatedAt.Add(WebSessionAbsolute)) && now.Before(w.SeenAt.Add(WebSessionIdle))
}

// Request is the natural key of something that was asked for over the API: the same requester with
// the same request_id gets the same record, and a conflict where the body differs.
type Request struct {
	Requester string
	ID        string
	Digest    string // SHA-256 of the body as it was understood
	Record    string // the id of what it made
	At        time.Time
}
