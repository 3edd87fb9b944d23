package store

import (
	"cmp"

	"holdpoint/core"
	"holdpoint/core/engine"
)

var tasks = kind[core.Task]{
	bucket: bucketTasks,
	key:    func(t core.Task) []byte { return []byte(t.ID) },
	encode: encoder(toTask),
	decode: decoder(fromTask),
	entries: func(t core.Task) []entry {
		e := []entry{at(bucketTaskState, joined(string(t.State), t.ID))}
		if t.Rollback.State == core.RollbackAwaiting || t.Rollback.State == core.RollbackRunning {
			e = append(e, at(bucketTaskRollback, []byte(t.ID)))
		}
		if t.ParentID != "" {
			e = append(e, at(bucketTaskParent, joined(t.ParentID, t.ID)))
		}
		return e
	},
	keeps: func(was, now core.Task) string {
		return cmp.Or(
			differs("the parent", was.ParentID, now.ParentID),
			grows("the revision", was.Revision, now.Revision),
			onwards(was.State, now.State),
		)
	},
}

// onwards says that a terminal state is left on a way that the table of transitions does not have.
func onwards(was, now core.TaskState) string {
	if !was.Terminal() || was == now {
		return ""
	}
	for _, ev := range core.TaskEvents() {
		if to, err := core.Next(was, ev); err == nil && to == now {
			return ""
		}
	}
	return differs("the terminal state", was, now)
}

// Task finds a task.
func (r reader) Task(id string) (core.Task, bool) { return tasks.get(r.tx, []byte(id)) }

// Tasks gives a page of tasks, newest first.
func (r reader) Tasks(q engine.TaskQuery) []core.Task {
	return tasks.page(r.tx, bucketTaskState, string(q.State), q.Before, q.Limit)
}

// TasksIn gives the ids of all tasks of a state, oldest first.
func (r reader) TasksIn(state core.TaskState) []string {
	return r.tails(bucketTaskState, string(state))
}

// RollingBack gives the ids of the tasks whose rollback waits or runs, oldest first.
func (r reader) RollingBack() []string {
	var out []string
	for key := range r.tx.Scan(bucketTaskRollback, nil, nil, false) {
		out = append(out, string(key))
	}
	return out
}

// Children gives the ids of the tasks under a task, oldest first.
func (r reader) Children(task string) []string { return r.tails(bucketTaskParent, task) }

var requests = kind[core.Request]{
	bucket: bucketRequests,
	key:    func(q core.Request) []byte { return joined(q.Requester, q.ID) },
	encode: encoder(toRequest),
	decode: decoder(fromRequest),
	keeps: func(was, now core.Request) string {
		if was.Record != now.Record { // a plan that is given again after its end makes a record anew
			return ""
		}
		return fixed(was, now)
	},
}

// Request finds what a requester asked for under a request_id.
func (r reader) Request(requester, id string) (core.Request, bool) {
	return requests.get(r.tx, joined(requester, id))
}
