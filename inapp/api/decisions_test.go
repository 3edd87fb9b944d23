package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/inapp/api"
)

func TestDecision(t *testing.T) {
	h := open(t)
	task := h.start("ci", `{"title":"Move","checkpoint_titles":["a","b"],"approvals_required":2,"on_behalf_of":"dora"}`)
	path := "/api/v1/approvals/" + task.Approval.ID
	r := h.do("dora", "GET", path, "")
	for _, field := range []string{`"decisions":[]`, `"claim":null`, `"resolved_at":null`, `"waiter":{"state":"none","last_seen":null}`, `"approvers":["ana","bo"]`,
		`"approvers_as_written":[]`, `"on_behalf_of":"dora"`, `"requested_by":"operator:ci"`, `"delivery":[{"surface":"inapp","state":"shown","at":"2026-03-02T14:38:00Z","reason":""}]`} {
		if !strings.Contains(string(r.body), field) {
			t.Errorf("no %s in %s", field, r.body)
		}
	}
	var a api.Approval
	h.decide("ana", strings.ToLower(task.Approval.Code), `{"decision":"approve","reason":"looks right"}`).want(http.StatusOK, &a)
	if a.State != core.ApprovalPending || len(a.Missing) != 1 || a.Missing[0] != "bo" || a.Decisions[0].Reason != "looks right" {
		t.Errorf("after the first of two: %+v", a)
	}
	before := len(h.rows())
	h.decide("ana", task.Approval.ID[:12], `{"decision":"approve"}`).want(http.StatusOK, &a)
	if a.Decisions[0].Reason != "looks right" || len(h.rows()) != before {
		t.Error("a repeat changed something")
	}
	h.decide("bo", task.Approval.ID, `{"decision":"reject","reason":"after 22:00"}`).want(http.StatusOK, &a)
	if a.State != core.ApprovalRejected || a.Reason != "after 22:00" || a.ResolvedAt == nil {
		t.Errorf("rejected: %+v", a)
	}
	p := h.decide("ana", task.Approval.ID, `{"decision":"reject"}`).refused(core.CodeAlreadyDecided)
	if p.By == nil || *p.By != "bo" || p.At == nil || !p.At.Equal(h.Clock.Now()) {
		t.Errorf("already decided: %+v", p)
	}
	var page api.List[api.Approval]
	h.do("ana", "GET", "/api/v1/approvals?state=rejected", "").want(http.StatusOK, &page)
	if len(page.Items) != 1 || page.Items[0].ID != a.ID || page.Next != "" {
		t.Errorf("list: %+v", page)
	}
}

func TestCancelledApprovalIsStale(t *testing.T) {
	h := open(t)
	task := h.start("ci", plan)
	h.do("ana", "POST", "/api/v1/tasks/"+task.ID+"/cancel", "").want(http.StatusOK, nil)
	p := h.decide("ana", task.Approval.ID, `{"decision":"approve"}`).refused(core.CodeStale)
	if p.ReplacedBy == nil || *p.ReplacedBy != "" || p.Cause != "cancelled" {
		t.Errorf("stale: %+v", p)
	}
}

func TestBatchOfDecisions(t *testing.T) {
	h := open(t)
	low, high, own := h.start("ci", plan), h.start("ci", `{"checkpoints":[{"title":"a","risk":"high"}]}`), h.start("ana", plan)
	var got []api.Decided
	h.do("ana", "POST", "/api/v1/approvals/decisions", fmt.Sprintf(`[{"id":%q,"decision":"approve"},{"id":%q,"decision":"approve"},
		{"id":%q,"decision":"approve"},{"id":"a_000000","decision":"approve"},{"id":%q,"decision":"reject"}]`,
		low.Approval.Code, high.Approval.ID, own.Approval.ID, low.Approval.ID)).want(http.StatusOK, &got)
	var told []string
	for _, one := range got {
		if (one.Approval == nil) == (one.Problem == nil) {
			t.Errorf("%s: an approval and a problem, or neither", one.ID)
		}
		if one.Problem != nil {
			told = append(told, fmt.Sprint(one.Status, " ", one.Problem.Code))
		} else {
			told = append(told, fmt.Sprint(one.Status, " ", one.Approval.State))
		}
	}
	if want := "200 approved, 422 validation, 403 forbidden, 404 not_found, 409 already_decided"; strings.Join(told, ", ") != want {
		t.Errorf("told %s, want %s", strings.Join(told, ", "), want)
	}
	if f := got[1].Problem.Errors; len(f) != 1 || f[0].Path != "[1].confirm" {
		t.Errorf("fault of the second: %+v", f)
	}
	h.do("ana", "POST", "/api/v1/approvals/decisions", `[]`).want(http.StatusOK, &got)
	h.do("ana", "POST", "/api/v1/approvals/decisions", `[{"id":"a","decision":"approve","Confirm":true}]`).refused(core.CodeValidation)
	h.do("ana", "POST", "/api/v1/approvals/decisions", "["+strings.Repeat(`{"id":"a"},`, 100)+`{"id":"a"}]`).refused(core.CodeValidation)
}

// TestFiftyDecisions lets two people press both buttons fifty times at once: one outcome, told alike.
func TestFiftyDecisions(t *testing.T) {
	h := open(t)
	task := h.start("ci", plan)
	type told struct {
		who, decision string
		r             reply
	}
	all := make(chan told, 50)
	var wg sync.WaitGroup
	for i := range 50 {
		who, decision := []string{"ana", "bo"}[i%2], []string{"approve", "reject"}[i/2%2]
		wg.Go(func() { all <- told{who, decision, h.decide(who, task.Approval.ID, `{"decision":"`+decision+`"}`)} })
	}
	wg.Wait()
	close(all)
	var end api.Approval
	h.do("ana", "GET", "/api/v1/approvals/"+task.Approval.ID, "").want(http.StatusOK, &end)
	if len(end.Decisions) != 1 {
		t.Fatalf("decisions: %+v", end.Decisions)
	}
	won := end.Decisions[0]
	for one := range all {
		if one.who == won.Person && one.decision == string(won.Decision) {
			var a api.Approval
			if one.r.want(http.StatusOK, &a); a.State != end.State {
				t.Errorf("%s of %s is told %s, want %s", one.decision, one.who, a.State, end.State)
			}
			continue
		}
		if p := one.r.refused(core.CodeAlreadyDecided); *p.By != won.Person || !p.At.Equal(won.At) {
			t.Errorf("%s of %s is told of %s at %v, want %s at %v", one.decision, one.who, *p.By, p.At, won.Person, won.At)
		}
	}
	if want := map[core.Verdict]core.ApprovalState{core.Approve: core.ApprovalApproved, core.Reject: core.ApprovalRejected}[won.Decision]; end.State != want {
		t.Errorf("%s ended %s", won.Decision, end.State)
	}
}

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t)
		task := h.start("ci", plan)
		for query, want := range map[string]time.Duration{"": api.DefaultWait, "?timeout=5s": 5 * time.Second, "?timeout=0s": 0, "?timeout=10m": api.MostWait} {
			var a api.Approval
			begin := time.Now()
			h.do("ci", "GET", "/api/v1/approvals/"+task.Approval.ID+"/wait"+query, "").want(http.StatusOK, &a)
			if got := time.Since(begin); got != want || a.State != core.ApprovalPending {
				t.Errorf("%q: %s after %v, want pending after %v", query, a.State, got, want)
			}
		}
		time.AfterFunc(7*time.Second, func() { h.decide("ana", task.Approval.ID, `{"decision":"approve"}`) })
		begin := time.Now()
		a, err := h.client("ci").Wait(t.Context(), task.Approval.Code)
		if err != nil || a.State != core.ApprovalApproved || time.Since(begin) != 7*time.Second {
			t.Errorf("the client waited %v for %s, %v", time.Since(begin), a.State, err)
		}
		other := h.start("ci", plan)
		time.AfterFunc(3*time.Second, h.Server.Stop)
		begin = time.Now()
		h.do("ci", "GET", "/api/v1/approvals/"+other.Approval.ID+"/wait", "").want(http.StatusOK, &a)
		if a.State != core.ApprovalPending || time.Since(begin) != 3*time.Second {
			t.Errorf("at a stop: %s after %v", a.State, time.Since(begin))
		}
	})
}
