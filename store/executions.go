package store

import (
	"cmp"

	"holdpoint/core"
)

var sessions = kind[core.Session]{
	bucket: bucketSessions,
	key:    func(s core.Session) []byte { return []byte(s.ID) },
	encode: encoder(toSession),
	decode: decoder(fromSession),
	entries: func(s core.Session) []entry {
		if s.TaskID == "" {
			return nil
		}
		return []entry{at(bucketSessionTask, joined(s.TaskID, s.ID))}
	},
	keeps: func(was, now core.Session) string {
		return cmp.Or(differs("the task", was.TaskID, now.TaskID), grows("the revision", was.Revision, now.Revision))
	},
}

var executions = kind[core.Execution]{
	bucket: bucketExecutions,
	key:    func(x core.Execution) []byte { return []byte(x.ID) },
	encode: encoder(toExecution),
	decode: decoder(fromExecution),
	entries: func(x core.Execution) []entry {
		var e []entry
		if x.TaskID != "" {
			e = append(e, at(bucketExecutionTask, joined(x.TaskID, x.ID)))
		}
		if x.Open() {
			e = append(e, at(bucketExecutionLive, []byte(x.ID)))
		}
		if due, ok := fromExecution(toExecution(x)).DueAt(); ok { // with times as they are stored
			e = append(e, at(bucketDeadlines, append(stamp(due), x.ID...)))
		}
		return e
	},
	keeps: func(was, now core.Execution) string {
		bad := cmp.Or(
			differs("the task", was.TaskID, now.TaskID),
			differs("the session", was.SessionID, now.SessionID),
			differs("the approval", was.ApprovalID, now.ApprovalID),
		)
		if bad != "" || was.Live() {
			return bad
		}
		return cmp.Or(differs("the end", was.State, now.State), differs("the outcome", was.Outcome, now.Outcome))
	},
}

// Session finds a session.
func (r reader) Session(id string) (core.Session, bool) { return sessions.get(r.tx, []byte(id)) }

// SessionsOf gives all sessions of a task, oldest first.
func (r reader) SessionsOf(task string) []core.Session {
	return sessions.group(r.tx, bucketSessionTask, task)
}

// Execution finds an execution.
func (r reader) Execution(id string) (core.Execution, bool) {
	return executions.get(r.tx, []byte(id))
}

// ExecutionsOf gives all executions of a task, oldest first.
func (r reader) ExecutionsOf(task string) []core.Execution {
	return executions.group(r.tx, bucketExecutionTask, task)
}

// OpenExecutions gives every execution whose end is not recorded or whose teardown is pending, oldest first.
func (r reader) OpenExecutions() []core.Execution {
	var out []core.Execution
	for id, value := range r.tx.Scan(bucketExecutionLive, nil, nil, false) {
		out = append(out, executions.follow(r.tx, entry{bucketExecutionLive, id, value}, id))
	}
	return out
}
