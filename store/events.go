package store

import (
	"bytes"
	"encoding/json"
	"maps"

	"holdpoint/core"
)

// taskField is where the data of an audit's row names the task that the row belongs to.
const taskField = "_task"

// appendEvent puts an event into the audit, and its number beside the task that it belongs to.
func (w writer) appendEvent(e core.Event) {
	row := AuditRow{Type: e.Type, At: e.At, Actor: e.Actor, Subject: e.Subject}
	data := make(map[string]any, len(e.Data)+1)
	maps.Copy(data, e.Data)
	if e.Task != "" {
		data[taskField] = e.Task
	}
	if len(data) > 0 {
		row.Data = encode(data)
	}
	seq := w.tx.AppendAudit(row)
	if e.Task != "" {
		w.tx.Put(bucketTaskEvents, joined(e.Task, string(auditKey(seq))), present)
	}
}

// toEvent reads a row of the audit as an event. Numbers in its data are float64, as JSON has them.
func toEvent(a AuditEntry) core.Event {
	e := core.Event{Seq: int64(a.Seq), Type: a.Type, At: a.At, Actor: a.Actor, Subject: a.Subject}
	if len(a.Data) == 0 {
		return e
	}
	if err := json.Unmarshal(a.Data, &e.Data); err != nil {
		panic(unreadable(bucketAudit, auditKey(a.Seq), err))
	}
	e.Task, _ = e.Data[taskField].(string)
	delete(e.Data, taskField)
	if len(e.Data) == 0 {
		e.Data = nil
	}
	return e
}

// Events gives the events behind a number, oldest first, at most limit of them.
func (r reader) Events(after int64, limit int) []core.Event {
	return r.events(uint64(max(after, 0))+1, false, limit)
}

// EventsBefore gives the events before a number, newest first, at most limit of them; 0 begins at the
// newest.
func (r reader) EventsBefore(before int64, limit int) []core.Event {
	if before < 0 || before == 1 {
		return nil
	}
	return r.events(uint64(max(before-1, 0)), true, limit)
}

func (r reader) events(from uint64, reverse bool, limit int) []core.Event {
	var out []core.Event
	if limit <= 0 {
		return out
	}
	for a := range r.tx.Audit(from, reverse) {
		if out = append(out, toEvent(a)); len(out) == limit {
			break
		}
	}
	return out
}

// EventHead gives the number of the newest event, 0 if there is none.
func (r reader) EventHead() int64 {
	for a := range r.tx.Audit(0, true) {
		return int64(a.Seq)
	}
	return 0
}

// EventsOf gives the events of a task behind a number, oldest first, at most limit of them.
func (r reader) EventsOf(task string, after int64, limit int) []core.Event {
	var out []core.Event
	prefix := joined(task, "")
	from := append(bytes.Clone(prefix), auditKey(uint64(max(after, 0))+1)...)
	if limit <= 0 {
		return out
	}
	for key := range r.tx.Scan(bucketTaskEvents, prefix, from, false) {
		if out = append(out, r.eventAt(key, bytes.TrimPrefix(key, prefix), task)); len(out) == limit {
			break
		}
	}
	return out
}

// eventAt reads the row to which an entry of the index by task leads.
func (r reader) eventAt(key, number []byte, task string) core.Event {
	if seq, ok := auditNumber(number); ok {
		if stored, ok := r.tx.Get(bucketAudit, number); ok {
			a, err := decodeAudit(stored)
			if err != nil {
				panic(unreadable(bucketAudit, auditKey(seq), err))
			}
			if e := toEvent(a); e.Task == task {
				return e
			}
		}
	}
	panic(tamper{tampered(bucketTaskEvents, key, "the index leads to a row that does not know it")})
}
