package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/inapp/api"
)

func TestStartedTask(t *testing.T) {
	h := open(t)
	r := h.do("ana", "POST", "/api/v1/tasks", `{"plan":`+plan+`}`)
	var got api.Task
	r.want(http.StatusCreated, &got)
	if want := "/api/v1/tasks/" + got.ID; r.Header.Get("Location") != want {
		t.Errorf("Location %q, want %q", r.Header.Get("Location"), want)
	}
	if got.State != core.TaskAwaiting || got.Kind != core.KindTask || got.Title != "Move orders" || got.RequestedBy != "person:ana" {
		t.Errorf("task: %+v", got)
	}
	if want := (api.Current{Index: 0, Title: "backup", Attempt: 1, Round: 1}); got.Current != want {
		t.Errorf("current %+v, want %+v", got.Current, want)
	}
	if len(got.Checkpoints) != 2 || got.Checkpoints[0].State != core.CheckpointAwaiting || got.Checkpoints[1].State != core.CheckpointPending {
		t.Errorf("checkpoints: %+v", got.Checkpoints)
	}
	if got.NextAction == "" || got.Approval == nil || got.Approval.Guidance == "" || got.Rollback.State != core.RollbackNone {
		t.Errorf("outputs: %q, %+v, %+v", got.NextAction, got.Approval, got.Rollback)
	}
	for _, field := range []string{`"completed_checkpoints":[]`, `"sessions":[]`, `"children":[]`, `"parent_task_id":""`, `"started_at":null`} {
		if !strings.Contains(string(r.body), field) {
			t.Errorf("no %s in %s", field, r.body)
		}
	}
	if french := h.do("bo", "GET", "/api/v1/tasks/"+got.ID, ""); strings.Contains(string(french.body), got.NextAction) {
		t.Errorf("%q is told to a French person too", got.NextAction)
	}
}

func TestSameRequestID(t *testing.T) {
	h := open(t)
	body := func(plan string) string { return `{"plan":` + plan + `,"request_id":"orders-42"}` }
	var first, again api.Task
	h.do("ci", "POST", "/api/v1/tasks", body(plan)).want(http.StatusCreated, &first)
	h.do("ci", "POST", "/api/v1/tasks", body(plan)).want(http.StatusOK, &again)
	if first.ID != again.ID {
		t.Errorf("a repeat made %s beside %s", again.ID, first.ID)
	}
	h.do("ci", "POST", "/api/v1/tasks", body(strings.Replace(plan, "backup", "dump", 1))).refused(core.CodeConflict)
	var other api.Task
	h.do("ana", "POST", "/api/v1/tasks", body(plan)).want(http.StatusCreated, &other)
	if other.ID == first.ID {
		t.Error("another requester's request id gave the same record")
	}
}

func TestStartInYAML(t *testing.T) {
	h := open(t)
	for name, tc := range map[string]struct{ body, want string }{
		"the bare plan":                    {"title: Move\nworkdir: /srv\ncheckpoint_titles: [backup, validate]\n", "backup"},
		"the envelope":                     {"plan:\n  checkpoint_titles: [backup]\nvars: {version: 4.20}\nrequest_id: y-1\n", "backup"},
		"the pack's short form":            {"task_kind: task\ncheckpoint_titles: [a, b]\nrollback_notes: {a: undo a}\nsummary_cadence: before_each\n", "a"},
		"JSON, which is YAML as well":      {`{"plan":` + plan + `}`, "backup"},
		"with a charset in the media type": {"checkpoint_titles: [only]\n", "only"},
	} {
		t.Run(name, func(t *testing.T) {
			var got api.Task
			h.do("ci", "POST", "/api/v1/tasks", tc.body, "Content-Type", "application/yaml; charset=UTF-8").want(http.StatusCreated, &got)
			if got.Current.Title != tc.want {
				t.Errorf("waits at %q, want %q", got.Current.Title, tc.want)
			}
		})
	}
}

func TestPagesOfTasks(t *testing.T) {
	h := open(t)
	var want []string
	for i := range 5 {
		want = append(want, h.start("ci", strings.Replace(plan, "Move orders", fmt.Sprint("Move ", i), 1)).ID)
		h.Clock.add(1e6)
	}
	slices.Reverse(want)
	var got []string
	for cursor, pages := "", 0; ; pages++ {
		var page api.List[api.Task]
		h.do("ci", "GET", "/api/v1/tasks?limit=2&state=awaiting_approval&cursor="+cursor, "").want(http.StatusOK, &page)
		for _, one := range page.Items {
			got = append(got, one.ID)
		}
		if cursor = page.Next; cursor == "" || pages > 5 {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages: %v, want %v", got, want)
	}
	h.do("ci", "GET", "/api/v1/tasks?state=completed", "").want(http.StatusOK, &api.List[api.Task]{})
}

func TestLifeOfATask(t *testing.T) {
	h := open(t)
	stop := h.run()
	defer stop()
	task := h.start("ci", plan)
	h.decide("ana", task.Approval.ID, `{"decision":"approve"}`).want(http.StatusOK, nil)
	var execution string
	h.until(func() bool {
		now := h.taskNow(task.ID)
		if now.State == core.TaskRunning && len(now.Sessions) == 1 && now.Sessions[0].Execution.State == core.ExecStarted {
			execution = now.Sessions[0].Execution.ID
		}
		return execution != ""
	})
	h.do("ana", "POST", "/api/v1/tasks/"+task.ID+"/cancel", "").refused(core.CodeConflict)
	h.Runtime.end(execution, engine.Sighting{State: engine.SeenEnded, Summary: "12 rows"})
	h.until(func() bool { return h.taskNow(task.ID).Current.Index == 1 })
	now := h.taskNow(task.ID)
	if now.State != core.TaskAwaiting || !slices.Equal(now.Completed, []string{"backup"}) || now.Approval.ID == task.Approval.ID {
		t.Errorf("after the first step: %+v", now)
	}
	if now.Checkpoints[0].Summary != "12 rows" || now.Sessions[0].Execution.Teardown.State != "none" {
		t.Errorf("the first step: %+v, %+v", now.Checkpoints[0], now.Sessions[0].Execution)
	}
	h.decide("ana", now.Approval.ID, `{"decision":"approve","confirm":true}`).want(http.StatusOK, nil)
	h.until(func() bool { return h.taskNow(task.ID).State == core.TaskRunning })
	h.until(func() bool { return len(h.taskNow(task.ID).Sessions) == 2 })
	h.Runtime.end(h.taskNow(task.ID).Sessions[1].Execution.ID, engine.Sighting{State: engine.SeenLost})
	h.until(func() bool { return h.taskNow(task.ID).State == core.TaskReview })
	h.do("ci", "POST", "/api/v1/tasks/"+task.ID+"/resolve", `{"outcome":"done","reason":"seen"}`).refused(core.CodeForbidden)
	h.do("ana", "POST", "/api/v1/tasks/"+task.ID+"/resolve", `{"outcome":"maybe","reason":"seen"}`).refused(core.CodeValidation)
	var done api.Task
	h.do("ana", "POST", "/api/v1/tasks/"+task.ID+"/resolve", `{"outcome":"done","reason":"the new table is there"}`).want(http.StatusOK, &done)
	if done.State != core.TaskCompleted || len(done.Completed) != 2 {
		t.Errorf("resolved: %+v", done)
	}
}

func TestActionsOfATask(t *testing.T) {
	h := open(t)
	task := h.start("ci", plan)
	path := "/api/v1/tasks/" + task.ID
	var got api.Task
	h.do("chloe", "POST", path+"/pause", "").want(http.StatusOK, &got)
	if got.State != core.TaskPaused {
		t.Errorf("paused: %s", got.State)
	}
	h.decide("ana", task.Approval.ID, `{"decision":"approve"}`).refused(core.CodeConflict)
	h.do("chloe", "POST", path+"/pause", `{}`).refused(core.CodeConflict)
	h.do("chloe", "POST", path+"/resume", "").want(http.StatusOK, &got)
	if got.State != core.TaskAwaiting {
		t.Errorf("resumed: %s", got.State)
	}
	h.do("chloe", "POST", path+"/retry", "").refused(core.CodeConflict)
	h.do("chloe", "POST", path+"/resume", "").refused(core.CodeConflict)
	h.decide("ana", task.Approval.ID, `{"decision":"reject","reason":"after 22:00"}`).want(http.StatusOK, nil)
	if now := h.taskNow(task.ID); now.State != core.TaskRejected || now.Rollback.State != core.RollbackNoted || now.Reason != "after 22:00" {
		t.Errorf("rejected: %+v", now)
	}
	h.do("dora", "POST", path+"/retry", "").want(http.StatusOK, &got)
	if got.State != core.TaskAwaiting || got.Current.Attempt != 2 || got.Approval.ID == task.Approval.ID {
		t.Errorf("retried: %+v", got)
	}
	var ended api.Cancelled
	h.do("chloe", "POST", path+"/cancel", `{"reason":"not today"}`).want(http.StatusOK, &ended)
	if !ended.Changed || ended.State != core.TaskCancelled || ended.Reason != "not today" {
		t.Errorf("cancelled: %+v", ended)
	}
	before := len(h.rows())
	h.do("chloe", "POST", path+"/cancel", "").want(http.StatusOK, &ended)
	if ended.Changed || len(h.rows()) != before {
		t.Errorf("cancelled again: changed %v, %d rows more", ended.Changed, len(h.rows())-before)
	}
}
