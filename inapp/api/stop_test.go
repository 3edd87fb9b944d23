package api_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/inapp/api"
)

type blind struct{}

func (blind) ExecutionForSession(context.Context, core.Session) (string, error) {
	return "", errors.New("the secret look-up broke")
}

// A stop that failed is told as such, with what became of each session, and may be tried again.
func TestAStopThatFailsTellsOfEachSession(t *testing.T) {
	h := open(t, func(eo *engine.Options, _ *api.Options) { eo.Lookup = blind{} })
	task := h.start("agent", byHand)
	h.decide("ana", task.Approval.ID, `{"decision":"approve"}`).want(200, nil)
	h.do("agent", "POST", "/api/v1/approvals/"+task.Approval.ID+"/claim", "").want(200, nil)
	session := h.taskNow(task.ID).Sessions[0].ID
	p := h.do("ana", "POST", "/api/v1/tasks/"+task.ID+"/stop", "").refused(core.CodeUnavailable)
	if len(p.Sessions) != 1 || p.Sessions[0].SessionID != session || p.Sessions[0].Changed || strings.Contains(p.Detail, "secret") {
		t.Errorf("refused: %+v", p)
	}
	one := h.do("ana", "POST", "/api/v1/sessions/"+session+"/stop", "").refused(core.CodeUnavailable)
	if strings.Contains(one.Detail, "secret") {
		t.Errorf("refused: %+v", one)
	}
	if now := h.taskNow(task.ID); now.State != core.TaskRunning || now.Sessions[0].State != core.SessionRunning {
		t.Errorf("the task is %s with %+v", now.State, now.Sessions)
	}
}
