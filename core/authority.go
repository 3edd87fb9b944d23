package core

// Action is one row of the authority table in section 4 of the contract.
type Action string

// The rows of the authority table.
const (
	ActSee               Action = "see"
	ActStart             Action = "start"
	ActEdit              Action = "edit"
	ActRetry             Action = "retry"
	ActDecide            Action = "decide"
	ActResolve           Action = "resolve"
	ActRollback          Action = "rollback"
	ActStop              Action = "stop"
	ActCancel            Action = "cancel"
	ActPause             Action = "pause"
	ActResume            Action = "resume"
	ActClaim             Action = "claim"
	ActReport            Action = "report"
	ActWithdraw          Action = "withdraw"
	ActSession           Action = "session"            // sessions, ask, background plan; report or cancel these
	ActBackgroundCommand Action = "background_command" // a bare command in the background
	ActFinal             Action = "final"
	ActSchedules         Action = "schedules" // schedules, reload, backup, check
	ActPeople            Action = "people"    // people, tokens, sign-in links, away of others
)

// Actions lists every row, in the table's order.
func Actions() []Action {
	return []Action{
		ActSee, ActStart, ActEdit, ActRetry, ActDecide, ActResolve, ActRollback, ActStop, ActCancel, ActPause, ActResume,
		ActClaim, ActReport, ActWithdraw, ActSession, ActBackgroundCommand, ActFinal, ActSchedules, ActPeople,
	}
}

// Relation says how an actor stands to what the command is about. All false for a stranger.
type Relation struct {
	Approver  bool // a person who may decide its approval now
	Requester bool // asked for it, or it was asked for on behalf of
	Own       bool // agent: its own task or session
	Child     bool // agent: a task under its own, at any depth
	Direct    bool // agent: a direct child of its own
	Asked     bool // agent: the session that was asked
}

// May is the one place that decides who may do what. What it doesn't name is refused.
func May(a Actor, act Action, r Relation) bool {
	switch a.Kind {
	case ActorSystem:
		return act != ActDecide && act != ActResolve && act != ActRollback && act != ActFinal
	case ActorPerson:
		return personMay(a, act, r)
	case ActorOperator:
		return operatorMay(a, act)
	case ActorAgent:
		return agentMay(a, act, r)
	}
	return false
}

func personMay(a Actor, act Action, r Relation) bool {
	switch act {
	case ActSee, ActStart, ActEdit, ActRetry:
		return true
	case ActDecide, ActResolve, ActRollback:
		return r.Approver
	case ActStop, ActCancel, ActPause, ActResume:
		return r.Approver || a.has(RoleAdmin) || a.has(RoleOperator)
	case ActClaim, ActReport, ActWithdraw:
		return r.Requester
	case ActSchedules, ActPeople:
		return a.has(RoleAdmin)
	}
	return false
}

func operatorMay(a Actor, act Action) bool {
	switch act {
	case ActSee, ActStart, ActEdit, ActRetry, ActStop, ActCancel, ActPause, ActResume, ActClaim, ActReport,
		ActSession, ActBackgroundCommand, ActSchedules:
		return true
	case ActPeople:
		return a.File
	}
	return false
}

func agentMay(a Actor, act Action, r Relation) bool {
	switch act {
	case ActSee:
		return r.Own || r.Child
	case ActStart:
		return true // what it starts is its own
	case ActEdit, ActRetry, ActWithdraw:
		return r.Own
	case ActStop, ActCancel, ActPause, ActResume:
		return r.Direct
	case ActClaim, ActReport:
		return r.Requester
	case ActSession:
		return r.Own
	case ActBackgroundCommand:
		return a.Minted && r.Own
	case ActFinal:
		return r.Asked
	}
	return false
}
