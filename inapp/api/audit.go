package api

import (
	"context"
	"time"

	"holdpoint/core"
)

// Event is one row of the audit.
type Event struct {
	Seq     int64          `json:"seq" doc:"from 1, without gaps in the store"`
	At      time.Time      `json:"at"`
	Type    string         `json:"type" example:"approval.decided"`
	Actor   string         `json:"actor" example:"person:ana"`
	Subject string         `json:"subject" doc:"the id of the record that it is about"`
	Task    string         `json:"task" doc:"the task that the record belongs to"`
	Data    map[string]any `json:"data"`
}

type auditInput struct {
	After string `query:"after" maxLength:"19" pattern:"^[0-9]+$" doc:"only rows behind this number; default 0: from the first"`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

func (s *Server) auditRoutes() {
	op := get("audit", "/audit", "Read the audit, oldest first", "events")
	op.Description = "next is what to give as after for the rows that follow; it is empty when there are none yet."
	handle(s, op, nil, s.audit)
}

func (s *Server) audit(ctx context.Context, in *auditInput) (*answer[List[Event]], error) {
	after, err := (&eventInput{After: in.After}).start()
	if err != nil {
		return nil, err
	}
	rows, err := s.Engine.Events(ctx, actorOf(ctx), after, in.Limit+1)
	if err != nil {
		return nil, err
	}
	page := List[Event]{Items: []Event{}}
	if len(rows) > in.Limit {
		rows = rows[:in.Limit]
		page.Next = number(rows[in.Limit-1].Seq)
	}
	for _, row := range rows {
		if row.Type != "" { // else a row that the reader may not see
			page.Items = append(page.Items, event(row))
		}
	}
	return answered(page), nil
}

func event(e core.Event) Event {
	if e.Data == nil {
		e.Data = map[string]any{}
	}
	return Event{Seq: e.Seq, At: e.At.UTC(), Type: e.Type, Actor: e.Actor, Subject: e.Subject, Task: e.Task, Data: e.Data}
}
