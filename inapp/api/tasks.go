package api

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/summaries"
)

type taskList struct {
	State  string `query:"state" enum:"queued,running,awaiting_approval,paused,review,completed,failed,rejected,cancelled"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
	Cursor string `query:"cursor" maxLength:"64" doc:"next of the page before"`
}

type startAnswer struct {
	Status   int
	Location string `header:"Location"`
	Body     Task
}

func (s *Server) taskRoutes() {
	start := post("start-task", "/tasks", "Start a plan: it becomes a record that waits at its first gate", "tasks")
	start.DefaultStatus = http.StatusCreated
	start.Description = "As JSON the envelope; as YAML the same envelope, or the bare plan. The same request_id of the same requester " +
		"gives the same record with status 200, and conflict with another plan. Directories are absolute."
	handleBody[StartTask](s, start, bodyRule{limit: maxPlanBody, yaml: true, example: startExample}, []core.Code{core.CodeForbidden, core.CodeConflict, core.CodeDiskFull}, s.startTask)
	op := s.api.OpenAPI().Paths["/tasks"].Post
	op.Responses["200"] = &huma.Response{Description: "The same request_id was used before: the record of that time",
		Content: op.Responses["201"].Content}

	asYAML := op.RequestBody.Content[typeYAML]
	bare := s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[core.PlanInput](), true, "PlanInput")
	op.RequestBody.Content[typeYAML] = &huma.MediaType{Schema: either("the envelope, or the bare plan", asYAML.Schema, bare)}

	handle(s, get("list-tasks", "/tasks", "List tasks, newest first", "tasks"), nil, s.listTasks)
	handle(s, get("get-task", "/tasks/{id}", "Show a task", "tasks"), []core.Code{core.CodeNotFound, core.CodeForbidden}, s.getTask)
}

func (s *Server) startTask(ctx context.Context, _ *nothing) (*startAnswer, error) {
	c := callOf(ctx)
	body, err := readStart(c.body, c.yaml)
	if err != nil {
		return nil, err
	}
	t, created, err := s.Engine.StartTask(ctx, engine.StartTask{Actor: c.actor, Plan: body.plan, RequestID: body.RequestID, ParentID: body.ParentID})
	if err != nil {
		return nil, body.placed(c.body, err)
	}
	out := &startAnswer{Status: http.StatusOK, Location: Prefix + "/tasks/" + t.ID}
	if created {
		out.Status = http.StatusCreated
	}
	out.Body, err = s.showTask(ctx, t.ID)
	return out, err
}

func (s *Server) listTasks(ctx context.Context, in *taskList) (*answer[List[Task]], error) {
	if err := cursor(core.PrefixTask, in.Cursor); err != nil {
		return nil, err
	}
	found, err := s.Engine.Tasks(ctx, actorOf(ctx), engine.TaskQuery{State: core.TaskState(in.State), Before: in.Cursor, Limit: in.Limit + 1})
	if err != nil {
		return nil, err
	}
	page := List[Task]{Items: []Task{}}
	if len(found) > in.Limit {
		found = found[:in.Limit]
		page.Next = found[in.Limit-1].ID
	}
	for _, t := range found {
		view, err := s.showTask(ctx, t.ID)
		if e, ok := errors.AsType[*core.Error](err); ok && e.Code == core.CodeNotFound {
			continue // it went between the two looks
		}
		if err != nil {
			return nil, err
		}
		page.Items = append(page.Items, view)
	}
	return answered(page), nil
}

// cursor refuses what can't be the next of a list.
func cursor(prefix, text string) error {
	if text == "" || strings.HasPrefix(text, prefix) {
		return nil
	}
	return core.Invalid(core.FieldError{Path: "cursor", Message: "give what stood in next, or leave it out"})
}

func (s *Server) getTask(ctx context.Context, in *byID) (*answer[Task], error) {
	t, err := s.showTask(ctx, in.ID)
	return answered(t), err
}

func (s *Server) showTask(ctx context.Context, id string) (Task, error) {
	d, err := s.Engine.Task(ctx, actorOf(ctx), id)
	if err != nil {
		return Task{}, err
	}
	return s.task(d, s.language(actorOf(ctx))), nil
}

// language is the person's own, else the configuration's.
func (s *Server) language(a core.Actor) summaries.Lang {
	if p, ok := s.Engine.Policy().Find(a.Person()); ok && p.Language != "" {
		if own, err := summaries.ParseLang(p.Language); err == nil {
			return own
		}
	}
	return s.Language
}

// number writes an audit number as a cursor.
func number(n int64) string { return strconv.FormatInt(n, 10) }
