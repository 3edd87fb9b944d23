package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"holdpoint/core"
	"holdpoint/inapp/api"
)

// ask sends a gate that looks once.
func (h *house) ask(body string) reply {
	h.t.Helper()
	return h.do("agent", http.MethodPost, "/api/v1/gate?wait=0s", body)
}

const deploy = `{"title":"Deploy","command":"./deploy.sh","request_id":"r","claim_id":"c"}`

// waits asks and gives the approval that waits.
func (h *house) waits(body string) api.Approval {
	h.t.Helper()
	var c api.Claimed
	h.ask(body).want(http.StatusAccepted, &c)
	if c.ExecutionID != "" || c.Approval.State != core.ApprovalPending || c.Approval.Waiter.State != "waiting" {
		h.t.Fatalf("asked: %+v", c)
	}
	return c.Approval
}

func TestEveryEndingOfAGate(t *testing.T) {
	for _, tc := range []struct {
		name string
		end  func(h *house, a api.Approval)
		code core.Code // "": approved and claimed
	}{
		{"approved", func(h *house, a api.Approval) { h.decide("ana", a.ID, `{"decision":"approve"}`).want(200, nil) }, ""},
		{"rejected", func(h *house, a api.Approval) {
			h.decide("bo", a.ID, `{"decision":"reject","reason":"after 22:00"}`).want(200, nil)
		}, core.CodeRejected},
		{"expired", func(h *house, _ api.Approval) { h.Clock.add(25 * time.Hour) }, core.CodeExpired},
		{"withdrawn", func(h *house, a api.Approval) {
			h.do("agent", "POST", "/api/v1/tasks/"+a.TaskID+"/cancel", `{"reason":"no longer"}`).want(200, nil)
		}, core.CodeCancelled},
		{"stopped", func(h *house, a api.Approval) {
			h.do("ana", "POST", "/api/v1/tasks/"+a.TaskID+"/stop", "").want(200, nil)
		}, core.CodeCancelled},
		{"claimed by somebody else", func(h *house, a api.Approval) {
			h.decide("ana", a.ID, `{"decision":"approve"}`).want(200, nil)
			h.do("ci", "POST", "/api/v1/approvals/"+a.ID+"/claim", `{"request_id":"c"}`).want(200, nil)
		}, core.CodeAlreadyClaimed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := open(t)
			a := h.waits(deploy)
			tc.end(h, a)
			if tc.code != "" {
				first, again := h.ask(deploy).refused(tc.code), h.ask(deploy).refused(tc.code)
				if first.Detail != again.Detail || first.Subject != a.ID {
					t.Errorf("refused with %+v, then %+v", first, again)
				}
				return
			}
			var first, again api.Claimed
			h.ask(deploy).want(200, &first)
			h.ask(deploy).want(200, &again)
			if first.ExecutionID == "" || first.ExecutionID != again.ExecutionID || first.Approval.Claim.ExecutionID != first.ExecutionID {
				t.Errorf("claimed %+v, then %+v", first, again)
			}
			h.ask(strings.Replace(deploy, `"claim_id":"c"`, `"claim_id":"d"`, 1)).refused(core.CodeAlreadyClaimed)
			h.ask(strings.Replace(deploy, `,"claim_id":"c"`, "", 1)).refused(core.CodeAlreadyClaimed)
			h.ask(strings.Replace(deploy, "./deploy.sh", "./other.sh", 1)).refused(core.CodeConflict)
		})
	}
}

func TestAGateWithoutCommandIsOverWithItsClaim(t *testing.T) {
	h := open(t)
	body := `{"title":"May I?","request_id":"r","claim_id":"c"}`
	a := h.waits(body)
	h.decide("ana", a.ID, `{"decision":"approve"}`).want(200, nil)
	h.ask(body).want(200, nil)
	if task := h.taskNow(a.TaskID); task.State != core.TaskCompleted {
		t.Errorf("the task is %s", task.State)
	}
	h.ask(body).want(200, nil)
}

func TestAGateAsAForm(t *testing.T) {
	h := open(t)
	send := func(form string) reply {
		return h.do("agent", http.MethodPost, "/api/v1/gate?wait=0s", form, "Content-Type", "application/x-www-form-urlencoded")
	}
	form := url.Values{"title": {"Deploy 4.2"}, "detail": {"to all"}, "risk": {"high"}, "rollback_notes": {"helm rollback"}, "command": {"./deploy.sh"},
		"approvers": {"ana, bo"}, "approvals_required": {"2"}, "expires_in": {"1h"}, "confirm": {"true"}, "request_id": {"r"}, "claim_id": {""}}
	var c api.Claimed
	send(form.Encode()).want(http.StatusAccepted, &c)
	a := c.Approval
	if a.Title != "Deploy 4.2" || a.Risk != core.RiskHigh || a.Required != 2 || a.Subject.Command.Line != "./deploy.sh" || a.Subject.Note != "helm rollback" ||
		len(a.Approvers) != 2 || a.ExpiresAt == nil || !a.ExpiresAt.Equal(h.Clock.Now().Add(time.Hour)) {
		t.Errorf("asked for %+v", a)
	}
	for _, tc := range []struct{ name, form, path string }{
		{"an unknown field", "title=a&colour=red", "colour"},
		{"no title", "detail=a", "title"},
		{"a field twice", "title=a&title=b", "title"},
		{"no number", "title=a&approvals_required=many", "approvals_required"},
		{"neither true nor false", "title=a&confirm=maybe", "confirm"},
		{"an unknown risk", "title=a&risk=none", "risk"},
		{"evidence", "title=a&evidence=abc", "evidence"},
		{"a duration that is none", "title=a&expires_in=soon", "expires_in"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := h.in(t).do("agent", http.MethodPost, "/api/v1/gate", tc.form, "Content-Type", "application/x-www-form-urlencoded").refused(core.CodeValidation)
			if len(p.Errors) != 1 || p.Errors[0].Path != tc.path || p.Errors[0].Line != 0 {
				t.Errorf("faults %+v, want one at %s without a place", p.Errors, tc.path)
			}
		})
	}
	h.do("agent", http.MethodPost, "/api/v1/gate", `{"title":"a","evidence":["x"]}`).refused(core.CodeValidation)
}

// A wait is answered when the decision comes, and not before.
func TestAGateWaitsForItsDecision(t *testing.T) {
	h := open(t)
	a := h.waits(deploy)
	done := make(chan reply, 1)
	go func() { done <- h.do("agent", http.MethodPost, "/api/v1/gate?wait=30s", deploy) }()
	h.decide("ana", a.ID, `{"decision":"approve"}`).want(200, nil)
	(<-done).want(200, nil)
	if task := h.taskNow(a.TaskID); task.State != core.TaskRunning || task.Sessions[0].State != core.SessionRunning {
		t.Errorf("the task is %s with %+v", task.State, task.Sessions)
	}
}

const byHand = `{"title":"Tell","workdir":"/srv","checkpoints":[{"title":"phone","detail":"call them"},{"title":"mail","command":"./mail.sh"}]}`

func TestOutsideWorkIsClaimedAndReported(t *testing.T) {
	h := open(t)
	task := h.start("agent", byHand)
	id := task.Approval.ID
	claim := func(who, body string) reply { return h.do(who, "POST", "/api/v1/approvals/"+id+"/claim", body) }
	var c api.Claimed
	claim("agent", `{"request_id":"1"}`).want(http.StatusAccepted, &c)
	claim("stranger-agent", `{"request_id":"1"}`).refused(core.CodeForbidden)
	h.decide("ana", id, `{"decision":"approve"}`).want(200, nil)
	claim("bo", `{"request_id":"1"}`).refused(core.CodeForbidden)
	claim("agent", `{"request_id":"1"}`).want(200, &c)
	claim("agent", `{"request_id":"1"}`).want(200, nil)
	claim("agent", `{"request_id":"2"}`).refused(core.CodeAlreadyClaimed)
	report := func(who, outcome, x string, index string) reply {
		return h.do(who, "POST", "/api/v1/tasks/"+task.ID+"/checkpoints/"+index+"/report", `{"execution_id":"`+x+`","outcome":"`+outcome+`","detail":"all reached"}`)
	}
	report("agent", "done", c.ExecutionID, "0").refused(core.CodeValidation)
	report("agent", "succeeded", "", "0").refused(core.CodeValidation)
	report("agent", "succeeded", c.ExecutionID, "1").refused(core.CodeNotFound)
	report("ana", "succeeded", c.ExecutionID, "0").refused(core.CodeForbidden)
	report("agent", "succeeded", c.ExecutionID, "0").want(200, &task)
	report("agent", "succeeded", c.ExecutionID, "0").want(200, nil)
	report("agent", "failed", c.ExecutionID, "0").refused(core.CodeConflict)
	if task.State != core.TaskAwaiting || task.Current.Index != 1 || task.Checkpoints[0].Summary != "all reached" {
		t.Errorf("reported: %+v", task)
	}
}

func TestAnEditedPlanIsAskedAnew(t *testing.T) {
	h := open(t)
	task := h.start("ci", plan)
	edit := func(body string, headers ...string) reply {
		return h.do("ci", http.MethodPatch, "/api/v1/tasks/"+task.ID+"/plan", body, headers...)
	}
	var same, other api.Task
	edit(plan).want(200, &same)
	if same.Approval.ID != task.Approval.ID {
		t.Error("the same plan has a fresh approval")
	}
	yaml := "title: Move orders\nworkdir: /srv/orders\ncheckpoints:\n  - {title: backup, run: ./backup2.sh, risk: low}\n"
	edit(yaml, "Content-Type", "application/yaml").want(200, &other)
	if other.Approval.ID == task.Approval.ID || len(other.Checkpoints) != 1 {
		t.Errorf("edited: %+v", other)
	}
	p := h.decide("ana", task.Approval.ID, `{"decision":"approve"}`).refused(core.CodeStale)
	if *p.ReplacedBy != other.Approval.ID {
		t.Errorf("replaced by %s, want %s", *p.ReplacedBy, other.Approval.ID)
	}
	var a api.Approval
	h.do("ci", "GET", "/api/v1/approvals/"+other.Approval.ID, "").want(200, &a)
	if len(a.Changes) == 0 {
		t.Error("the fresh one does not tell what changed")
	}
	bad := edit("title: a\nworkdir: rel\ncheckpoints: [{title: a}]\n", "Content-Type", "application/yaml").refused(core.CodeValidation)
	if len(bad.Errors) != 1 || bad.Errors[0].Path != "workdir" || bad.Errors[0].Line != 2 {
		t.Errorf("faults %+v", bad.Errors)
	}
	edit("").refused(core.CodeValidation)
}

func TestStopsOverTheAPI(t *testing.T) {
	h := open(t)
	task := h.start("agent", byHand)
	stop := func(who, body string) reply { return h.do(who, "POST", "/api/v1/tasks/"+task.ID+"/stop", body) }
	h.decide("ana", task.Approval.ID, `{"decision":"approve"}`).want(200, nil)
	var c api.Claimed
	h.do("agent", "POST", "/api/v1/approvals/"+task.Approval.ID+"/claim", "").want(200, &c)
	session := h.taskNow(task.ID).Sessions[0].ID
	stop("dora", "").refused(core.CodeForbidden)
	h.do("dora", "POST", "/api/v1/sessions/"+session+"/stop", "").refused(core.CodeForbidden)
	h.do("ana", "POST", "/api/v1/sessions/s_nothing/stop", "").refused(core.CodeNotFound)
	var d api.SessionDetail
	h.do("agent", "GET", "/api/v1/sessions/"+session, "").want(200, &d)
	if d.TaskID != task.ID || d.State != core.SessionRunning || d.Execution.ID != c.ExecutionID {
		t.Errorf("session %+v", d)
	}
	h.do("stranger-agent", "GET", "/api/v1/sessions/"+session, "").refused(core.CodeNotFound)
	h.do("ana", "GET", "/api/v1/sessions/nonsense", "").refused(core.CodeNotFound)
	var s api.TaskStop
	stop("ana", `{"reason":"enough"}`).want(200, &s)
	want := api.SessionStop{SessionID: session, StoppedSession: api.StoppedSession{Changed: true, FinalState: core.SessionCancelled, ExecutionID: c.ExecutionID}}
	if s.Status != "stopped" || len(s.Sessions) != 1 || s.Sessions[0] != want {
		t.Errorf("stopped: %+v", s)
	}
	now := h.taskNow(task.ID)
	if td := now.Sessions[0].Execution.Teardown; now.State != core.TaskReview || td.State != "pending" || td.Reason != "enough" {
		t.Errorf("then it is %s with teardown %+v", now.State, td)
	}
	stop("ana", "").want(200, &s)
	if again := h.taskNow(task.ID); s.Status != "not_running" || !again.UpdatedAt.Equal(now.UpdatedAt) {
		t.Errorf("stopped again: %+v, updated %s, then %s", s, now.UpdatedAt, again.UpdatedAt)
	}
	var one api.StoppedSession
	h.do("ana", "POST", "/api/v1/sessions/"+session+"/stop", "").want(200, &one)
	if one.Changed || one.FinalState != core.SessionCancelled {
		t.Errorf("the session again: %+v", one)
	}
}

// Two runs of one job come back at the same moment to a request that was approved meanwhile.
func TestTwoGatesAtOnceAndOneClaims(t *testing.T) {
	h := open(t)
	a := h.waits(deploy)
	h.decide("ana", a.ID, `{"decision":"approve"}`).want(200, nil)
	done := make(chan reply, 2)
	for _, run := range []string{"one", "two"} {
		go func() { done <- h.ask(strings.Replace(deploy, `"claim_id":"c"`, `"claim_id":"`+run+`"`, 1)) }()
	}
	first, second := <-done, <-done
	if first.StatusCode > second.StatusCode {
		first, second = second, first
	}
	first.want(200, nil)
	second.refused(core.CodeAlreadyClaimed)
}

func TestALateReportOfAnEarlierAttemptIsRefused(t *testing.T) {
	h := open(t)
	a := h.waits(deploy)
	h.decide("ana", a.ID, `{"decision":"approve"}`).want(200, nil)
	var c api.Claimed
	h.ask(deploy).want(200, &c)
	path := "/api/v1/tasks/" + a.TaskID + "/checkpoints/0/report"
	h.do("agent", "POST", path, `{"execution_id":"`+c.ExecutionID+`","outcome":"failed"}`).want(200, nil)
	h.do("agent", "POST", "/api/v1/tasks/"+a.TaskID+"/retry", "").want(200, nil)
	second := h.taskNow(a.TaskID).Approval.ID
	h.decide("ana", second, `{"decision":"approve"}`).want(200, nil)
	h.do("agent", "POST", "/api/v1/approvals/"+second+"/claim", "").want(200, nil)
	h.do("agent", "POST", path, `{"execution_id":"`+c.ExecutionID+`","outcome":"succeeded"}`).refused(core.CodeConflict)
	if now := h.taskNow(a.TaskID); now.State != core.TaskRunning {
		t.Errorf("the task is %s", now.State)
	}
}
