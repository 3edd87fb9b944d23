package api_test

import (
	"net/http"
	"testing"

	"holdpoint/core"
	"holdpoint/inapp/api"
)

func TestStartShowDecide(t *testing.T) {
	h := open(t)
	task := h.start("ci", plan)
	if task.State != core.TaskAwaiting || task.Approval == nil || task.Approval.State != core.ApprovalPending {
		t.Fatalf("started: %+v", task)
	}
	var a api.Approval
	h.decide("ana", task.Approval.Code, `{"decision":"approve"}`).want(http.StatusOK, &a)
	if a.State != core.ApprovalApproved || len(a.Decisions) != 1 || a.Decisions[0].Person != "ana" || a.Decisions[0].Surface != "api" {
		t.Fatalf("decided: %+v", a)
	}
}
