package core

import "slices"

// ActorKind is the kind of whoever gives a command.
type ActorKind string

// The kinds of actors. Only a person decides.
const (
	ActorPerson   ActorKind = "person"
	ActorOperator ActorKind = "operator" // a token of role operator: scripts and the command line
	ActorAgent    ActorKind = "agent"    // a token of role agent
	ActorSystem   ActorKind = "system"   // the daemon's own loops
)

// Actor is whoever gives a command, as authenticated by the surface that took it.
type Actor struct {
	Kind    ActorKind
	Name    string   // a person's name, or a token's
	Roles   []string // of a person, from the newest configuration
	File    bool     // the operator.token of the data directory
	Session string   // agent: the session that its token is bound to, "" if none
	Minted  bool     // agent: minted by this daemon for an agent that it started
	Surface string   // where the command came from
}

// System is the daemon itself: expiry, claims of the runner, ends of executions.
func System() Actor { return Actor{Kind: ActorSystem, Name: "holdpoint"} }

// String names the actor for records and the audit: "person:ana", "operator:ci".
func (a Actor) String() string {
	if a.Kind == ActorSystem {
		return string(ActorSystem)
	}
	return string(a.Kind) + ":" + a.Name
}

// Person gives the person's name, "" for programs.
func (a Actor) Person() string {
	if a.Kind == ActorPerson {
		return a.Name
	}
	return ""
}

func (a Actor) has(role string) bool {
	return slices.Contains(a.Roles, role)
}
