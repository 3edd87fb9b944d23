package api_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"holdpoint/core"
	"holdpoint/inapp/api"
)

func TestClientTellsRefusalsByCode(t *testing.T) {
	h := open(t)
	c := h.client("ci")
	task, created, err := c.Start(t.Context(), api.StartTask{Plan: core.PlanInput{CheckpointTitles: []string{"a"},
		RollbackNotes: &core.Notes{ByTitle: map[string]string{"a": "undo a"}}}, RequestID: "r-1"})
	if err != nil || !created || task.Checkpoints[0].RollbackNotes != "undo a" {
		t.Fatalf("started: %+v, %v, %v", task, created, err)
	}
	if again, created, err := c.Start(t.Context(), api.StartTask{Plan: core.PlanInput{CheckpointTitles: []string{"a"},
		RollbackNotes: &core.Notes{ByTitle: map[string]string{"a": "undo a"}}}, RequestID: "r-1"}); err != nil || created || again.ID != task.ID {
		t.Errorf("started again: %s, %v, %v", again.ID, created, err)
	}
	_, err = c.Decide(t.Context(), task.Approval.ID, api.Decide{Decision: core.Approve})
	e, ok := errors.AsType[*core.Error](err)
	if !ok || e.Code != core.CodeForbidden || e.Msg == "" {
		t.Errorf("a program decides: %v", err)
	}
	if _, err = h.client("bo").Decide(t.Context(), task.Approval.ID, api.Decide{Decision: core.Reject, Reason: "no"}); err != nil {
		t.Fatal(err)
	}
	_, err = h.client("ana").Decide(t.Context(), task.Approval.ID, api.Decide{Decision: core.Approve})
	if e, ok := errors.AsType[*core.Error](err); !ok || e.Code != core.CodeAlreadyDecided || e.By != "bo" || !e.At.Equal(h.Clock.Now()) {
		t.Errorf("decided already: %v", err)
	}
	_, _, err = c.Start(t.Context(), api.StartTask{Plan: core.PlanInput{CheckpointTitles: []string{"a", "a"}}})
	if e, ok := errors.AsType[*core.Error](err); !ok || len(e.Fields) != 1 || e.Fields[0].Path != "plan.checkpoint_titles[1]" {
		t.Errorf("a doubled title: %v", err)
	}
}

func TestClientGoesEverywhere(t *testing.T) {
	h := open(t)
	ana, ci := h.client("ana"), h.client("operator")
	task := h.start("ci", plan)
	ok := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := ci.Pause(t.Context(), task.ID)
	ok("pause", err)
	_, err = ci.Resume(t.Context(), task.ID)
	ok("resume", err)
	page, err := ci.Tasks(t.Context(), "awaiting_approval", 10, "")
	if ok("tasks", err); len(page.Items) != 1 {
		t.Errorf("tasks: %+v", page)
	}
	approvals, err := ci.Approvals(t.Context(), "pending", 0, "")
	if ok("approvals", err); len(approvals.Items) != 1 {
		t.Errorf("approvals: %+v", approvals)
	}
	a, err := ci.Approval(t.Context(), task.Approval.Code)
	if ok("approval", err); a.ID != task.Approval.ID {
		t.Errorf("approval: %+v", a)
	}
	all, err := ana.DecideAll(t.Context(), []api.DecideOne{{ID: a.Code, Decide: api.Decide{Decision: core.Reject}}})
	if ok("decide all", err); all[0].Status != 200 {
		t.Errorf("decided: %+v", all)
	}
	_, err = ana.Retry(t.Context(), task.ID)
	ok("retry", err)
	ended, err := ana.Cancel(t.Context(), task.ID, "enough")
	if ok("cancel", err); !ended.Changed {
		t.Error("the cancel changed nothing")
	}
	shown, err := ci.Task(t.Context(), task.ID[:12])
	if ok("task", err); shown.State != core.TaskCancelled {
		t.Errorf("task: %s", shown.State)
	}
	if _, err = ana.Resolve(t.Context(), task.ID, api.ResolveTask{Outcome: "failed", Reason: "r"}); err == nil {
		t.Error("a cancelled task was resolved")
	}
	everybody, err := ana.People(t.Context())
	if ok("people", err); len(everybody) != len(people) {
		t.Errorf("people: %+v", everybody)
	}
	_, err = ana.CreateToken(t.Context(), "a b/c", core.RoleTokenAgent)
	ok("create a token", err)
	tokens, err := ana.Tokens(t.Context())
	if ok("tokens", err); len(tokens) < 2 {
		t.Errorf("tokens: %+v", tokens)
	}
	_, err = ana.RevokeToken(t.Context(), "a b/c")
	ok("revoke a token", err)
	link, err := ana.SignIn(t.Context(), "bo")
	if ok("sign in", err); link.URL == "" {
		t.Error("no link")
	}
	rows, err := ci.Audit(t.Context(), 2, 3)
	if ok("audit", err); len(rows.Items) != 3 || rows.Items[0].Seq != 3 || rows.Next != "5" {
		t.Errorf("audit: %+v", rows)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestUnreachable(t *testing.T) {
	c, err := api.NewClient("http://127.0.0.1:8420/", "secret-token", &http.Client{Transport: transport(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("connection refused")
	})})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Task(t.Context(), "t_1")
	if !errors.Is(err, api.ErrUnreachable) || !strings.Contains(err.Error(), "http://127.0.0.1:8420") || strings.Contains(err.Error(), "secret-token") {
		t.Errorf("error %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = c.Task(ended, "t_1"); !errors.Is(err, context.Canceled) || errors.Is(err, api.ErrUnreachable) {
		t.Errorf("of an ended context: %v", err)
	}
}

func TestClientFollowsNoRedirect(t *testing.T) {
	asked := 0
	c, err := api.NewClient("http://holdpoint.test", "secret-token", &http.Client{Transport: inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "http://elsewhere.test/", http.StatusTemporaryRedirect)
	})}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = c.Task(t.Context(), "t_1"); err == nil || asked != 1 {
		t.Errorf("asked %d times, %v", asked, err)
	}
	if e, ok := errors.AsType[*core.Error](err); !ok || e.Code != core.CodeUnavailable {
		t.Errorf("an answer of something else: %v", err)
	}
}

func TestAddressesOfServers(t *testing.T) {
	for _, bad := range []string{"", "holdpoint.test", "ftp://x", "http://", "http://user:pass@x", "http://x?y=z", "127.0.0.1:8420"} {
		if _, err := api.NewClient(bad, "", nil); err == nil || strings.Contains(err.Error(), "pass") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
