package api_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/inapp/api"
)

func TestUnauthorized(t *testing.T) {
	h := open(t)
	revoked := h.mint("revoked", core.RoleTokenOperator)
	h.do("ana", "DELETE", "/api/v1/tokens/revoked", "").want(http.StatusOK, nil)
	for name, header := range map[string]string{
		"no token": "", "an unknown token": "Bearer nobody", "a revoked token": "Bearer " + revoked, "another scheme": "Basic " + operator,
		"the token alone": operator, "an endless token": "Bearer " + strings.Repeat("x", 600),
	} {
		t.Run(name, func(t *testing.T) {
			r := h.do("", "GET", "/api/v1/tasks", "", "Authorization", header)
			r.refused(core.CodeUnauthorized)
			if got := r.Header.Get("WWW-Authenticate"); !strings.HasPrefix(got, "Bearer") {
				t.Errorf("WWW-Authenticate %q", got)
			}
		})
	}
	if log := h.Log.String(); strings.Contains(log, revoked) || strings.Contains(log, operator) {
		t.Error("a token stands in the log")
	}
}

func TestTokenOfAPersonWhoLeft(t *testing.T) {
	h := open(t)
	policy := h.Engine.Policy()
	policy.People = policy.People[1:]
	h.Engine.SetPolicy(policy)
	h.do("ana", "GET", "/api/v1/tasks", "").refused(core.CodeUnauthorized)
}

func TestRateLimited(t *testing.T) {
	h := open(t)
	for range api.MaxFailures {
		h.do("wrong", "GET", "/api/v1/tasks", "").refused(core.CodeUnauthorized)
	}
	r := h.do("wrong", "GET", "/api/v1/tasks", "")
	r.refused(core.CodeRateLimited)
	if r.Header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After %q, want 60", r.Header.Get("Retry-After"))
	}
	h.do("ci", "GET", "/api/v1/tasks", "").want(http.StatusOK, nil)
	h.do("wrong", "GET", "/healthz", "").refused(core.CodeRateLimited)
	h.Clock.add(api.FailureWindow)
	h.do("wrong", "GET", "/api/v1/tasks", "").refused(core.CodeUnauthorized)
}

func TestRoutes(t *testing.T) {
	h := open(t)
	for _, path := range []string{"/api/v1/", "/api/v1/nothing", "/api/v1/tasks/t_1/nothing", "/api/v2/tasks", "/api/v1/openapi.yaml", "/api/v1/docs", "/api/v1/schemas/Task"} {
		h.do("ci", "GET", path, "").refused(core.CodeNotFound)
	}
	for _, tc := range []struct{ method, path, allow string }{
		{"PUT", "/api/v1/tasks", "GET, HEAD, POST"},
		{"GET", "/api/v1/tasks/t_1/cancel", "POST"},
		{"GET", "/api/v1/approvals/a_1/decision", "POST"},
		{"POST", "/api/v1/approvals/a_1", "GET, HEAD"},
		{"DELETE", "/api/v1/audit", "GET, HEAD"},
		{"POST", "/healthz", "GET, HEAD"},
	} {
		r := h.do("ci", tc.method, tc.path, "")
		r.refused("method_not_allowed")
		if got := r.Header.Get("Allow"); got != tc.allow {
			t.Errorf("%s %s: Allow %q, want %q", tc.method, tc.path, got, tc.allow)
		}
	}
}

func TestNotFound(t *testing.T) {
	h := open(t)
	h.start("ci", plan)
	for _, one := range []struct{ method, path, body string }{
		{"GET", "/api/v1/tasks/t_00000000000000000000000000", ""},
		{"GET", "/api/v1/tasks/t_0", ""},
		{"GET", "/api/v1/tasks/t_1/log", ""},
		{"POST", "/api/v1/tasks/nobody/cancel", ""},
		{"POST", "/api/v1/tasks/nobody/retry", ""},
		{"POST", "/api/v1/tasks/nobody/resolve", `{"outcome":"done","reason":"r"}`},
		{"GET", "/api/v1/approvals/AAAAAA", ""},
		{"GET", "/api/v1/approvals/AAAAAA/wait?timeout=0s", ""},
		{"POST", "/api/v1/approvals/a_000000/decision", `{"decision":"approve"}`},
		{"DELETE", "/api/v1/tokens/nobody", ""},
		{"POST", "/api/v1/signin", `{"person":"nobody"}`},
	} {
		h.do("ana", one.method, one.path, one.body).refused(core.CodeNotFound)
	}
}

func TestQueries(t *testing.T) {
	h := open(t)
	for query, path := range map[string]string{
		"tasks?limit=0": "limit", "tasks?limit=201": "limit", "tasks?limit=ten": "limit", "tasks?state=open": "state", "tasks?limit=1&limit=2": "limit",
		"tasks?States=queued": "States", "tasks?cursor=a_1": "cursor", "approvals?state=Pending": "state", "approvals?cursor=t_1": "cursor",
		"tasks?limit=%zz": "query", "audit?after=-1": "after", "audit?limit=1001": "limit", "events?after=x": "after",
		"events?after=9999999999999999999": "after", "approvals/AAAAAA/wait?timeout=soon": "timeout", "approvals/AAAAAA/wait?timeout=-1s": "timeout",
	} {
		t.Run(query, func(t *testing.T) {
			p := h.do("ci", "GET", "/api/v1/"+query, "").refused(core.CodeValidation)
			if len(p.Errors) == 0 || p.Errors[0].Path != path || p.Errors[0].Message == "" {
				t.Errorf("faults %+v, want one at %s", p.Errors, path)
			}
		})
	}
}

func TestAnswersCarryTheirHeaders(t *testing.T) {
	h := open(t)
	for _, path := range []string{"/api/v1/tasks", "/api/v1/nothing", "/healthz", "/api/v1/openapi.json"} {
		r := h.do("ci", "GET", path, "", "X-Request-Id", "mine-1", "Origin", "https://elsewhere.example")
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "X-Request-Id": "mine-1", "Access-Control-Allow-Origin": ""} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %s %q, want %q", path, name, got, want)
			}
		}
	}
	for _, foreign := range []string{"", "a b", "x\r\ny", strings.Repeat("x", 65), "<script>"} {
		if got := h.do("ci", "GET", "/api/v1/tasks", "", "X-Request-Id", foreign).Header.Get("X-Request-Id"); got == foreign || len(got) < 20 {
			t.Errorf("the request id %q became %q", foreign, got)
		}
	}
	if !strings.Contains(h.Log.String(), "request_id=mine-1") {
		t.Error("the request id is not in the log")
	}
}

// broken is a store that takes no new work, once told to.
type broken struct {
	engine.Store
	err error
}

func (b *broken) UpdateNew(ctx context.Context, fn func(engine.Tx) error) error {
	if b.err != nil {
		return b.err
	}
	return b.Store.UpdateNew(ctx, fn)
}

func TestFaultsOfTheStore(t *testing.T) {
	var b *broken
	h := open(t, func(eo *engine.Options, _ *api.Options) { b = &broken{Store: eo.Store}; eo.Store = b })
	for code, err := range map[core.Code]error{
		core.CodeUnavailable: errors.New("secret detail: input/output error"),
		core.CodeDiskFull:    core.Refuse(core.CodeDiskFull, "", "there is no room for new work"),
	} {
		b.err = err
		p := h.do("ci", "POST", "/api/v1/tasks", `{"plan":`+plan+`}`).refused(code)
		if strings.Contains(p.Detail, "secret detail") {
			t.Errorf("the answer tells %q", p.Detail)
		}
	}
	if !strings.Contains(h.Log.String(), "secret detail") {
		t.Error("the log does not tell what lies under the fault")
	}
	b.err = nil
}

func TestInternalErrorsAreHidden(t *testing.T) {
	h := open(t, func(_ *engine.Options, ao *api.Options) {
		ao.Checker = checker{err: errors.New("/var/lib/x: secret detail")}
	})
	p := h.do("ana", "GET", "/api/v1/check", "").refused(core.CodeInternal)
	if strings.Contains(p.Detail, "secret") || !strings.Contains(h.Log.String(), "secret detail") || strings.Count(h.Log.String(), "secret detail") != 1 {
		t.Errorf("told %q; logged %s", p.Detail, h.Log.String())
	}
}

func TestApprovalThatRanOut(t *testing.T) {
	h := open(t)
	task := h.start("ci", strings.Replace(plan, `"title":"Move orders"`, `"title":"Move orders","expires_in":"1h"`, 1))
	h.Clock.add(time.Hour)
	var a api.Approval
	h.do("ana", "GET", "/api/v1/approvals/"+task.Approval.ID, "").want(http.StatusOK, &a)
	if a.State != core.ApprovalPending || a.ExpiresAt == nil {
		t.Errorf("at its end: %s, expires at %v", a.State, a.ExpiresAt)
	}
	h.Clock.add(time.Millisecond)
	h.do("ana", "GET", "/api/v1/approvals/"+task.Approval.ID, "").want(http.StatusOK, &a)
	if a.State != core.ApprovalExpired {
		t.Errorf("a millisecond later: %s", a.State)
	}
	p := h.decide("ana", task.Approval.ID, `{"decision":"approve"}`).refused(core.CodeStale)
	if p.ReplacedBy == nil || *p.ReplacedBy == "" || p.Cause != "expired" {
		t.Fatalf("stale: %+v", p)
	}
	h.do("ana", "GET", "/api/v1/approvals/"+*p.ReplacedBy, "").want(http.StatusOK, &a)
	if a.State != core.ApprovalPending {
		t.Errorf("the fresh one is %s", a.State)
	}
}
