package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/planfile"
)

// Gate is the body of POST /gate: one risky thing that whoever asks does itself, once it is approved.
type Gate struct {
	core.GateInput
	Evidence  []string `json:"evidence,omitempty" doc:"not taken yet"`
	Confirm   bool     `json:"confirm,omitempty" doc:"taken and of no effect: to ask releases nothing"`
	RequestID string   `json:"request_id,omitempty" maxLength:"200" doc:"the same one attaches to the same request; without it every call makes a new one"`
	ClaimID   string   `json:"claim_id,omitempty" maxLength:"200" doc:"the same one gets the same 200 again, also when the first answer was lost"`
}

// Claimed is the answer to a gate and to a claim. While the approval waits, ExecutionID is empty.
type Claimed struct {
	Approval    Approval `json:"approval"`
	ExecutionID string   `json:"execution_id" doc:"of the work that may begin now; reports name it"`
}

// claimAnswer is 200 once it may begin, 202 while it waits.
type claimAnswer struct {
	Status int
	Body   Claimed
}

type gateInput struct {
	Wait string `query:"wait" maxLength:"32" doc:"such as 30s, which is the default; 60s at most, 0s looks once"`
}

var gateExample = map[string]any{
	"title": "Deploy 4.2", "rollback_notes": "helm rollback web 17", "command": "./deploy.sh", "request_id": "deploy-4.2", "claim_id": "job-118",
}

// endings are the codes of an approval that releases nothing to whoever waits.
var endings = []core.Code{core.CodeRejected, core.CodeExpired, core.CodeCancelled, core.CodeStale, core.CodeAlreadyClaimed, core.CodeConflict}

func (s *Server) gateRoutes() {
	op := post("gate", "/gate", "Ask for one approval, wait for it, and take its one use", "gate")
	op.Description = "Answers 200 once it is approved and claimed, 202 while it waits: send the same again. As a form, approvers may stand " +
		"several times. Without command the claim ends the work as succeeded; with it, report how it ended."
	codes := append([]core.Code{core.CodeForbidden, core.CodeNotFound, core.CodeDiskFull}, endings...)
	handleBody[Gate](s, op, bodyRule{limit: maxPlanBody, form: true, example: gateExample}, codes, s.gate)
	s.waiting("/gate")
	claim := post("claim-approval", "/approvals/{id}/claim", "Take the one use of an approval of outside work", "approvals")
	handleBody[ClaimApproval](s, claim, bodyRule{limit: maxBody}, append([]core.Code{core.CodeForbidden, core.CodeNotFound}, endings...), s.claim)
	s.waiting("/approvals/{id}/claim")
}

// waiting describes the answer of a path while the approval waits.
func (s *Server) waiting(path string) {
	responses := s.api.OpenAPI().Paths[path].Post.Responses
	responses["202"] = &huma.Response{Description: "It still waits: ask again", Content: responses["200"].Content}
}

func (s *Server) gate(ctx context.Context, in *gateInput) (*claimAnswer, error) {
	timeout, err := waitTime("wait", in.Wait, DefaultWait)
	if err != nil {
		return nil, err
	}
	g, err := readGate(callOf(ctx))
	if err != nil {
		return nil, err
	}
	plan, err := core.NewGatePlan(g.GateInput)
	if err != nil {
		return nil, err
	}
	return s.claimed(ctx, g.RequestID, func(ctx context.Context) (engine.Claimed, error) {
		return s.Engine.Gate(ctx, engine.Gate{Actor: actorOf(ctx), Plan: plan, RequestID: g.RequestID, ClaimID: g.ClaimID, Timeout: timeout})
	})
}

// claimed answers with what a claim came to. Where the daemon stops while somebody waits, it is told as
// it is, and the next call goes on.
func (s *Server) claimed(ctx context.Context, again string, claim func(context.Context) (engine.Claimed, error)) (*claimAnswer, error) {
	waiting, cancel := s.whileServing(ctx)
	defer cancel()
	c, err := claim(waiting)
	if err != nil && ctx.Err() == nil && waiting.Err() != nil {
		err = core.Refuse(core.CodeUnavailable, again, "the daemon stops: ask again in a moment")
		if c.Approval.Approval.ID != "" {
			err = nil
		}
	}
	if err != nil {
		return nil, err
	}
	out := &claimAnswer{Status: http.StatusAccepted, Body: Claimed{Approval: s.approval(c.Approval, s.language(actorOf(ctx))), ExecutionID: c.ExecutionID}}
	if c.ExecutionID != "" {
		out.Status = http.StatusOK
	}
	return out, nil
}

// readGate reads the body of a gate, JSON or a form.
func readGate(c *call) (Gate, error) {
	var g Gate
	text := c.body
	if c.form {
		c.body = nil // faults of a form have a name and no place
		var err error
		if text, err = formText(string(text)); err != nil {
			return g, err
		}
	}
	if err := planfile.Decode(text, &g, planfile.Options{JSON: true, MaxBytes: maxPlanBody}); err != nil {
		if refusal, ok := errors.AsType[*core.Error](err); c.form && ok {
			return g, unplaced(refusal)
		}
		return g, err
	}
	var faults []core.FieldError
	add := func(path, message string) { faults = append(faults, core.FieldError{Path: path, Message: message}) }
	if strings.TrimSpace(g.Title) == "" {
		add("title", "say what is to be approved")
	}
	if len(g.Evidence) > 0 {
		add("evidence", "evidence is not taken yet: leave it out")
	}
	for name, id := range map[string]string{"request_id": g.RequestID, "claim_id": g.ClaimID} {
		if len(id) > maxRequestID || !printable(id) {
			add(name, "200 bytes of printable text at most")
		}
	}
	if faults != nil {
		return g, core.Invalid(faults...)
	}
	return g, nil
}

func unplaced(e *core.Error) error {
	out := *e
	out.Fields = nil
	for _, f := range e.Fields {
		out.Fields = append(out.Fields, core.FieldError{Path: f.Path, Message: f.Message})
	}
	return &out
}

// formText makes the JSON that a form stands for. Lists may be given by repeating their field, or with
// commas.
func formText(body string) ([]byte, error) {
	form, err := url.ParseQuery(body)
	if err != nil {
		return nil, core.Invalid(core.FieldError{Message: "the body is no form: name=value, joined by &, with % where it needs one"})
	}
	out := map[string]any{}
	var faults []core.FieldError
	for name, values := range form {
		switch name {
		case "approvers", "evidence":
			out[name] = words(values)
			continue
		case "confirm":
			if out[name], err = strconv.ParseBool(values[0]); err != nil {
				faults = append(faults, core.FieldError{Path: name, Message: "true or false"})
			}
		case "approvals_required":
			if out[name], err = strconv.Atoi(values[0]); err != nil {
				faults = append(faults, core.FieldError{Path: name, Message: "a number from 1"})
			}
		default:
			out[name] = values[0]
		}
		if len(values) > 1 {
			faults = append(faults, core.FieldError{Path: name, Message: "it is given more than once"})
		}
	}
	if faults != nil {
		return nil, core.Invalid(faults...)
	}
	for _, name := range []string{"detail", "risk", "rollback_notes", "command", "expires_in", "request_id", "claim_id"} {
		if out[name] == "" {
			delete(out, name) // a field of a form that was left empty was left out
		}
	}
	return json.Marshal(out)
}

// words are the values of a list: one each, or several with commas between.
func words(values []string) []string {
	var out []string
	for _, v := range values {
		for one := range strings.SplitSeq(v, ",") {
			out = append(out, strings.TrimSpace(one))
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// ClaimApproval is the body of a claim.
type ClaimApproval struct {
	RequestID string `json:"request_id,omitempty" maxLength:"200" doc:"the same one gets the same answer again"`
}

type claimInput struct {
	ID   string `path:"id" maxLength:"64" doc:"an id, a unique prefix of one from 6 characters on, or a code"`
	Wait string `query:"wait" maxLength:"32" doc:"such as 30s; 60s at most; without it it looks once"`
}

func (s *Server) claim(ctx context.Context, in *claimInput) (*claimAnswer, error) {
	timeout, err := waitTime("wait", in.Wait, time.Duration(0))
	if err != nil {
		return nil, err
	}
	body, err := decodeMaybe[ClaimApproval](ctx)
	if err != nil {
		return nil, err
	}
	if len(body.RequestID) > maxRequestID || !printable(body.RequestID) {
		return nil, core.Invalid(core.FieldError{Path: "request_id", Message: "200 bytes of printable text at most"})
	}
	return s.claimed(ctx, in.ID, func(ctx context.Context) (engine.Claimed, error) {
		return s.Engine.WaitAndClaim(ctx, engine.Claim{Actor: actorOf(ctx), Approval: in.ID, RequestID: body.RequestID}, timeout)
	})
}
