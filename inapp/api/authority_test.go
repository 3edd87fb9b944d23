package api_test

import (
	"context"
	"net/http"
	"slices"
	"testing"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/inapp/api"
)

type checker struct {
	found []api.Finding
	err   error
}

func (c checker) Check(context.Context) ([]api.Finding, error) { return c.found, c.err }

// TestAuthority goes through the rows of section 4 that these paths give: who may, and who may not with
// the refusal in the audit.
func TestAuthority(t *testing.T) {
	everybody := []string{"ana", "bo", "chloe", "dora", "operator", "ci", "agent", "stranger-agent"}
	for _, row := range []struct {
		name         string
		method, path string
		body         string
		may          []string
		hidden       []string // who is told not_found, as of an id that nobody has
	}{
		{"see", "GET", "/tasks/{task}", "", []string{"ana", "bo", "chloe", "dora", "operator", "ci", "agent"}, []string{"stranger-agent"}},
		{"see the log", "GET", "/tasks/{task}/log", "", []string{"ana", "bo", "chloe", "dora", "operator", "ci", "agent"}, []string{"stranger-agent"}},
		{"see an approval", "GET", "/approvals/{approval}", "", []string{"ana", "bo", "chloe", "dora", "operator", "ci", "agent"}, []string{"stranger-agent"}},
		{"start", "POST", "/tasks", `{"plan":` + plan + `}`, everybody, nil},
		{"retry", "POST", "/tasks/{rejected}/retry", "", []string{"ana", "bo", "chloe", "dora", "operator", "ci", "agent"}, nil},
		{"decide", "POST", "/approvals/{approval}/decision", `{"decision":"approve"}`, []string{"ana", "bo"}, nil},
		{"resolve", "POST", "/tasks/{task}/resolve", `{"outcome":"done","reason":"r"}`, []string{"ana", "bo"}, nil},
		{"pause", "POST", "/tasks/{task}/pause", "", []string{"ana", "bo", "chloe", "operator", "ci"}, nil},
		{"resume", "POST", "/tasks/{task}/resume", "", []string{"ana", "bo", "chloe", "operator", "ci"}, nil},
		{"cancel", "POST", "/tasks/{task}/cancel", "", []string{"ana", "bo", "chloe", "operator", "ci", "agent"}, nil},
		{"check", "GET", "/check", "", []string{"ana", "operator", "ci"}, nil},
		{"backup", "POST", "/backup", "", []string{"ana", "operator", "ci"}, nil},
		{"people", "GET", "/people", "", []string{"ana", "bo", "chloe", "dora", "operator", "ci"}, nil},
		{"list tokens", "GET", "/tokens", "", []string{"ana", "operator"}, nil},
		{"create a token", "POST", "/tokens", `{"name":"new","role":"agent"}`, []string{"ana", "operator"}, nil},
		{"revoke a token", "DELETE", "/tokens/{victim}", "", []string{"ana", "operator"}, nil},
		{"sign-in link", "POST", "/signin", `{"person":"bo"}`, []string{"ana", "operator"}, nil},
	} {
		h := open(t, func(_ *engine.Options, ao *api.Options) { ao.Checker, ao.Backups = checker{}, archive{text: "archive"} })
		for _, who := range everybody {
			t.Run(row.name+"/"+who, func(t *testing.T) {
				h := h.in(t)
				path := "/api/v1" + h.fill(row.path)
				before := len(h.rows())
				r := h.do(who, row.method, path, row.body)
				switch {
				case slices.Contains(row.hidden, who):
					r.refused(core.CodeNotFound)
				case slices.Contains(row.may, who):
					if r.StatusCode == http.StatusForbidden || r.StatusCode == http.StatusNotFound || r.StatusCode >= 500 {
						t.Errorf("status %d, want that it may: %s", r.StatusCode, r.body)
					}
				default:
					r.refused(core.CodeForbidden)
					rows := h.rows()
					if last := rows[len(rows)-1]; len(rows) != before+1 || last.Type != core.EventRefused {
						t.Errorf("%d rows more, the last %s, want one refusal", len(rows)-before, last.Type)
					}
				}
			})
		}
	}
}

// fill puts the agent's own task, its approval, or a rejected task of its into a path.
func (h *house) fill(path string) string {
	h.t.Helper()
	own := h.start("agent", plan)
	if path == "/tasks/{rejected}/retry" {
		h.decide("ana", own.Approval.ID, `{"decision":"reject"}`).want(http.StatusOK, nil)
	}
	if path == "/tokens/{victim}" {
		name := "victim-" + own.ID
		h.mint(name, core.RoleTokenAgent)
		return replace(path, "{victim}", name)
	}
	return replace(path, "{task}", own.ID, "{rejected}", own.ID, "{approval}", own.Approval.ID)
}

func TestAskingIsNotDeciding(t *testing.T) {
	h := open(t)
	task := h.start("ana", plan)
	p := h.decide("ana", task.Approval.ID, `{"decision":"approve"}`).refused(core.CodeForbidden)
	if p.Detail == "" || p.Subject != task.Approval.ID {
		t.Errorf("problem: %+v", p)
	}
	onBehalf := h.start("ci", `{"checkpoint_titles":["a"],"on_behalf_of":"ana"}`)
	h.decide("ana", onBehalf.Approval.ID, `{"decision":"approve"}`).refused(core.CodeForbidden)
	h.decide("bo", onBehalf.Approval.ID, `{"decision":"approve"}`).want(http.StatusOK, nil)
}

func TestAgentSeesItsOwnAlone(t *testing.T) {
	h := open(t)
	h.start("ci", plan)
	own := h.start("agent", plan)
	var child api.Task
	h.do("ci", "POST", "/api/v1/tasks", `{"plan":`+plan+`,"parent_task_id":"`+own.ID+`"}`).want(http.StatusCreated, &child)
	var page api.List[api.Task]
	h.do("agent", "GET", "/api/v1/tasks", "").want(http.StatusOK, &page)
	if len(page.Items) != 2 || page.Items[0].ID != child.ID || page.Items[1].ID != own.ID {
		t.Errorf("an agent sees %d tasks, want its own and its child", len(page.Items))
	}
	var rows api.List[api.Event]
	h.do("agent", "GET", "/api/v1/audit", "").want(http.StatusOK, &rows)
	for _, row := range rows.Items {
		if row.Task != own.ID && row.Task != child.ID {
			t.Errorf("an agent sees %s of %q", row.Type, row.Task)
		}
	}
	if len(rows.Items) == 0 {
		t.Error("an agent does not see what happened to its own")
	}
}

func TestGetChangesNothing(t *testing.T) {
	h := open(t)
	task := h.start("ci", plan)
	before := len(h.rows())
	for _, path := range []string{"/tasks", "/tasks/" + task.ID, "/tasks/" + task.ID + "/log", "/approvals", "/approvals/" + task.Approval.ID,
		"/approvals/" + task.Approval.Code + "/wait?timeout=0s", "/people", "/tokens", "/audit"} {
		h.do("ana", "GET", "/api/v1"+path, "").want(http.StatusOK, nil)
	}
	if now := h.taskNow(task.ID); now.Revision != task.Revision || len(h.rows()) != before {
		t.Errorf("revision %d, was %d; %d rows, were %d", now.Revision, task.Revision, len(h.rows()), before)
	}
}
