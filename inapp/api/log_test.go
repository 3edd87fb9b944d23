package api_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/inapp/api"
)

// ran takes a task through its first step, which fails, and a second attempt that still runs.
func (h *house) ran(t *testing.T) (task api.Task, first, second string) {
	t.Helper()
	task = h.start("ci", plan)
	running := func(n int) string {
		var id string
		h.until(func() bool {
			now := h.taskNow(task.ID)
			if len(now.Sessions) == n && now.Sessions[n-1].Execution.State == core.ExecStarted {
				id = now.Sessions[n-1].Execution.ID
			}
			return id != ""
		})
		return id
	}
	h.decide("ana", task.Approval.ID, `{"decision":"approve"}`).want(http.StatusOK, nil)
	first = running(1)
	h.Logs.put(first, "one\n\x1b[31mred\n")
	h.Runtime.end(first, engine.Sighting{State: engine.SeenEnded, ExitCode: 3})
	h.until(func() bool { return h.taskNow(task.ID).State == core.TaskFailed })
	h.do("ci", "POST", "/api/v1/tasks/"+task.ID+"/retry", "").want(http.StatusOK, &task)
	h.Clock.add(1e6)
	h.decide("ana", task.Approval.ID, `{"decision":"approve"}`).want(http.StatusOK, nil)
	return task, first, running(2)
}

func TestLog(t *testing.T) {
	h := open(t)
	defer h.run()()
	task, first, second := h.ran(t)
	path := "/api/v1/tasks/" + task.ID + "/log"
	r := h.do("ana", "GET", path, "")
	want := "== \"backup\" attempt 1 round 1 · " + first + " · failed\none\n\x1b[31mred\n\n== \"backup\" attempt 2 round 1 · " + second + " · started\n\n"
	if r.want(http.StatusOK, nil); string(r.body) != want || r.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("as %s:\n%q\nwant\n%q", r.Header.Get("Content-Type"), r.body, want)
	}
	h.Logs.put(second, "copying…\n")
	for _, tc := range []struct {
		query, body, next, live string
	}{
		{"?execution=" + first, "one\n\x1b[31mred\n", "13", "false"},
		{"?execution=" + first + "&offset=4", "\x1b[31mred\n", "13", "false"},
		{"?execution=" + first + "&offset=13", "", "13", "false"},
		{"?execution=" + first + "&offset=99", "", "99", "false"},
		{"?execution=" + second, "copying…\n", "11", "true"},
	} {
		r := h.do("ana", "GET", path+tc.query, "")
		r.want(http.StatusOK, nil)
		if string(r.body) != tc.body || r.Header.Get(api.LogNext) != tc.next || r.Header.Get(api.LogLive) != tc.live {
			t.Errorf("%s: %q, next %s, live %s", tc.query, r.body, r.Header.Get(api.LogNext), r.Header.Get(api.LogLive))
		}
	}
	if r := h.do("ana", "GET", path+"?checkpoint=1", ""); len(r.body) != 0 {
		t.Errorf("of a checkpoint that never ran: %q", r.body)
	}
	h.do("ana", "GET", path+"?checkpoint=one", "").refused(core.CodeValidation)
	h.do("ana", "GET", path+"?offset=4", "").refused(core.CodeValidation)
	h.do("ana", "GET", path+"?execution=x_1", "").refused(core.CodeNotFound)

	var got bytes.Buffer
	next, live, err := h.client("ana").LogPart(t.Context(), task.ID, second, 0, &got)
	if err != nil || next != 11 || !live || got.String() != "copying…\n" {
		t.Errorf("the client read %q up to %d, live %v, %v", got.String(), next, live, err)
	}
	all, err := h.client("ana").Log(t.Context(), task.ID, "0")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(all)
	if err != nil || !strings.Contains(string(text), "copying…") || all.Close() != nil {
		t.Errorf("the client read %q, %v", text, err)
	}
}
