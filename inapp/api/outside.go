package api

import (
	"context"
	"errors"
	"net/http"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/planfile"
)

// ReportWork tells how outside work ended.
type ReportWork struct {
	ExecutionID string `json:"execution_id" doc:"of the claim"`
	Outcome     string `json:"outcome" enum:"succeeded,failed"`
	Detail      string `json:"detail,omitempty" maxLength:"4096" doc:"a line for the next card, or why it failed"`
}

// atCheckpoint is the input of a path that names one checkpoint of a task.
type atCheckpoint struct {
	ID    string `path:"id" maxLength:"64" doc:"an id, or a unique prefix of one from 6 characters on"`
	Index int    `path:"index" minimum:"0" maximum:"99" doc:"from 0"`
}

func (s *Server) outsideRoutes() {
	codes := []core.Code{core.CodeNotFound, core.CodeForbidden, core.CodeConflict}
	handleBody[ReportWork](s, post("report-checkpoint", "/tasks/{id}/checkpoints/{index}/report", "Report how outside work ended", "tasks"),
		bodyRule{limit: maxBody, example: ReportWork{ExecutionID: "x_01JDXR6Q8V9M2K4T7W3B5N0CZD", Outcome: "succeeded", Detail: "12,403,118 rows"}},
		append([]core.Code{core.CodeCancelled}, codes...), s.report)
	handleBody[nothing](s, post("rollback-checkpoint", "/tasks/{id}/checkpoints/{index}/rollback", "Ask for a checkpoint to be undone, behind an approval of its own", "tasks"),
		bodyRule{limit: maxBody}, codes, s.rollback)
	edit := post("edit-plan", "/tasks/{id}/plan", "Replace what is left of a task's plan", "tasks")
	edit.Method = http.MethodPatch
	edit.Description = "The body is the plan itself, whole. Checkpoints that ran stay as they are. An approval whose fingerprint stays the same " +
		"stays valid; another one is superseded by a fresh one that tells what changed."
	handleBody[core.PlanInput](s, edit, bodyRule{limit: maxPlanBody, yaml: true, example: startExample["plan"]},
		append([]core.Code{core.CodeDiskFull}, codes...), s.editPlan)
}

func (s *Server) report(ctx context.Context, in *atCheckpoint) (*answer[Task], error) {
	body, err := decode[ReportWork](ctx)
	if err != nil {
		return nil, err
	}
	if body.Outcome != "succeeded" && body.Outcome != "failed" {
		return nil, core.Invalid(core.FieldError{Path: "outcome", Message: "succeeded or failed"})
	}
	if body.ExecutionID == "" {
		return nil, core.Invalid(core.FieldError{Path: "execution_id", Message: "give the one that the claim answered with"})
	}
	t, err := s.Engine.Report(ctx, engine.Report{Actor: actorOf(ctx), Task: in.ID, Checkpoint: in.Index,
		ExecutionID: body.ExecutionID, Succeeded: body.Outcome == "succeeded", Detail: body.Detail})
	return s.changed(ctx, t, err)
}

// changed shows a task after a command.
func (s *Server) changed(ctx context.Context, t core.Task, err error) (*answer[Task], error) {
	if err != nil {
		return nil, err
	}
	view, err := s.showTask(ctx, t.ID)
	return answered(view), err
}

func (s *Server) rollback(ctx context.Context, in *atCheckpoint) (*answer[Task], error) {
	if _, err := decodeMaybe[nothing](ctx); err != nil {
		return nil, err
	}
	t, err := s.Engine.Rollback(ctx, actorOf(ctx), in.ID, in.Index)
	return s.changed(ctx, t, err)
}

func (s *Server) editPlan(ctx context.Context, in *byID) (*answer[Task], error) {
	plan, err := readEdit(callOf(ctx))
	if err != nil {
		return nil, err
	}
	t, err := s.Engine.EditPlan(ctx, actorOf(ctx), in.ID, plan)
	return s.changed(ctx, t, err)
}

// readEdit reads the plan of an edit, or tells every fault with its place.
func readEdit(c *call) (core.Plan, error) {
	var in core.PlanInput
	if err := planfile.Decode(c.body, &in, planfile.Options{JSON: !c.yaml}); err != nil {
		return core.Plan{}, err
	}
	faults := overAPI(in)
	plan, err := core.NewPlan(in, nil)
	if err != nil {
		refusal, ok := errors.AsType[*core.Error](err)
		if !ok || refusal.Code != core.CodeValidation {
			return plan, err
		}
		faults = append(faults, refusal.Fields...)
	}
	if faults != nil {
		return plan, core.Invalid(planfile.Place(c.body, "", faults)...)
	}
	return plan, nil
}
