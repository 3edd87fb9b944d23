package api_test

import (
	"net/http"
	"strings"
	"testing"

	"holdpoint/core"
)

func TestHostileBodies(t *testing.T) {
	h := open(t)
	task := h.start("ci", plan)
	for name, tc := range map[string]struct {
		body, path   string
		line, column int
	}{
		"another letter case":    {`{"Decision":"approve"}`, "Decision", 1, 2},
		"a doubled field":        {"{\"decision\":\"reject\",\n \"decision\":\"approve\"}", "decision", 2, 2},
		"an unknown field":       {`{"decision":"approve","always":true}`, "always", 1, 23},
		"text behind":            {`{"decision":"approve"} {}`, "", 1, 24},
		"another type":           {`{"decision":1}`, "decision", 1, 13},
		"a text for true":        {`{"decision":"approve","confirm":"true"}`, "confirm", 1, 33},
		"half a surrogate":       {`{"decision":"approve","reason":"\ud800"}`, "reason", 1, 32},
		"no UTF-8":               {"{\"decision\":\"approve\",\"reason\":\"\xff\"}", "", 1, 33},
		"a NUL":                  {`{"decision":"approve","reason":"\u0000"}`, "reason", 1, 32},
		"a list":                 {`[]`, "", 1, 1},
		"nothing but space":      {"  ", "", 1, 1},
		"no JSON":                {`{decision:approve}`, "", 1, 2},
		"comments":               {`{"decision":"approve"/*always*/}`, "", 1, 22},
		"lists without end":      {strings.Repeat("[", 20000), "", 1, 10001},
		"a byte order mark":      {"\ufeff{}", "", 1, 1},
		"an unknown decision":    {`{"decision":"always"}`, "decision", 1, 13},
		"no decision":            {`{}`, "decision", 1, 1},
		"a reason without end":   {`{"decision":"reject","reason":"` + strings.Repeat("x", 4097) + `"}`, "reason", 1, 31},
		"the ending approval id": {`{"decision":"approve","id":"a_1"}`, "id", 1, 23},
	} {
		t.Run(name, func(t *testing.T) {
			p := h.decide("ana", task.Approval.ID, tc.body).refused(core.CodeValidation)
			if len(p.Errors) == 0 {
				t.Fatal("no faults are told")
			}
			if f := p.Errors[0]; f.Path != tc.path || f.Line != tc.line || f.Column != tc.column || f.Message == "" {
				t.Errorf("fault %s at %d:%d (%s), want %s at %d:%d", f.Path, f.Line, f.Column, f.Message, tc.path, tc.line, tc.column)
			}
		})
	}
	if now := h.taskNow(task.ID); now.Approval.State != core.ApprovalPending || now.Revision != task.Revision {
		t.Errorf("something was decided: %+v", now.Approval)
	}
}

func TestHighRiskAsksTwice(t *testing.T) {
	h := open(t)
	task := h.start("ci", `{"checkpoints":[{"title":"cut over","risk":"high"}]}`)
	p := h.decide("ana", task.Approval.ID, `{"decision":"approve"}`).refused(core.CodeValidation)
	if len(p.Errors) != 1 || p.Errors[0].Path != "confirm" {
		t.Errorf("faults: %+v", p.Errors)
	}
	h.decide("ana", task.Approval.ID, `{"decision":"approve","confirm":true}`).want(http.StatusOK, nil)
}

func TestFaultsOfPlans(t *testing.T) {
	h := open(t)
	long := strings.Repeat("x", core.MaxPlanBytes)
	for name, tc := range map[string]struct {
		body, path   string
		line, column int
	}{
		"a risk that nobody knows":   {"{\"plan\":{\"checkpoints\":[{\"title\":\"a\"},\n{\"title\":\"b\",\"risk\":\"huge\"}]}}", "plan.checkpoints[1].risk", 2, 21},
		"an unknown field":           {`{"plan":{"checkpoint_titles":["a"],"tittle":"x"}}`, "plan.tittle", 1, 36},
		"no plan":                    {`{}`, "plan", 1, 1},
		"plan is null":               {`{"plan":null}`, "plan", 1, 2},
		"no checkpoint":              {`{"plan":{"title":"x"}}`, "plan.checkpoints", 1, 2},
		"a relative directory":       {`{"plan":{"workdir":"orders","checkpoint_titles":["a"]}}`, "plan.workdir", 1, 20},
		"one of a checkpoint":        {`{"plan":{"checkpoints":[{"title":"a","workdir":"../x"}]}}`, "plan.checkpoints[0].workdir", 1, 48},
		"a prompt in a file":         {`{"plan":{"checkpoints":[{"title":"a","agent":"x","prompt_file":"/etc/passwd"}]}}`, "plan.checkpoints[0].prompt_file", 1, 64},
		"an approver nobody knows":   {`{"plan":{"checkpoint_titles":["a"],"approvers":["zoe"]}}`, "plan.approvers[0]", 1, 49},
		"more approvals than people": {`{"plan":{"checkpoint_titles":["a"],"approvals_required":3}}`, "plan.approvals_required", 1, 57},
		"a number for a text":        {`{"plan":{"checkpoint_titles":["a"]},"vars":{"version":4.20}}`, "vars.version", 1, 55},
		"a name for no variable":     {`{"plan":{"checkpoint_titles":["a"]},"vars":{"a b":"x"}}`, "vars.a b", 1, 51},
		"a parent nobody knows":      {`{"plan":{"checkpoint_titles":["a"]},"parent_task_id":"t_1"}`, "parent_task_id", 1, 54},
		"a request id with controls": {`{"plan":{"checkpoint_titles":["a"]},"request_id":"a\u001bb"}`, "request_id", 1, 50},
		"a field beside the plan":    {`{"plan":{"checkpoint_titles":["a"]},"planner":1}`, "planner", 1, 37},
	} {
		t.Run(name, func(t *testing.T) {
			p := h.do("ci", "POST", "/api/v1/tasks", tc.body).refused(core.CodeValidation)
			if len(p.Errors) == 0 {
				t.Fatal("no faults are told")
			}
			for _, f := range p.Errors {
				if f.Path == tc.path && f.Line == tc.line && f.Column == tc.column && f.Message != "" {
					return
				}
			}
			t.Errorf("faults %+v, want one of %s at %d:%d", p.Errors, tc.path, tc.line, tc.column)
		})
	}
	for name, body := range map[string]string{
		"a plan above 256 KiB": `{"plan":{"checkpoints":[{"title":"a","detail":"` + long + `"}]}}`,
		"a body above all":     `{"plan":{"title":"` + long + long + `"}}`,
	} {
		t.Run(name, func(t *testing.T) { h.do("ci", "POST", "/api/v1/tasks", body).refused(core.CodeTooLarge) })
	}
	t.Run("YAML above 256 KiB", func(t *testing.T) {
		h.do("ci", "POST", "/api/v1/tasks", "title: "+long+"\ncheckpoint_titles: [a]\n", "Content-Type", "application/yaml").refused(core.CodeTooLarge)
	})
	t.Run("a fault in bare YAML", func(t *testing.T) {
		p := h.do("ci", "POST", "/api/v1/tasks", "title: x\ncheckpoint_titles: [a, a]\n", "Content-Type", "application/yaml").refused(core.CodeValidation)
		if f := p.Errors[0]; f.Path != "checkpoint_titles[1]" || f.Line != 2 || f.Column != 24 {
			t.Errorf("fault %+v", f)
		}
	})
	if got := h.rows(); len(got) > 0 && got[len(got)-1].Type != core.EventTokenCreated {
		t.Errorf("a refused plan left %s", got[len(got)-1].Type)
	}
}

func TestMediaTypes(t *testing.T) {
	h := open(t)
	task := h.start("ci", plan)
	decision := "/api/v1/approvals/" + task.Approval.ID + "/decision"
	for name, header := range map[string][2]string{
		"none": {"Content-Type", ""}, "a form": {"Content-Type", "application/x-www-form-urlencoded"}, "text": {"Content-Type", "text/plain"},
		"YAML, which only plans are": {"Content-Type", "application/yaml"}, "another charset": {"Content-Type", "application/json; charset=latin1"},
		"like JSON": {"Content-Type", "application/json+x"}, "packed": {"Content-Encoding", "gzip"}, "broken": {"Content-Type", "application/json;;="},
	} {
		t.Run(name, func(t *testing.T) {
			h.do("ana", "POST", decision, `{"decision":"approve"}`, header[0], header[1]).refused("unsupported_media_type")
		})
	}
	h.do("ana", "POST", decision, `{"decision":"approve"}`, "Content-Type", "Application/JSON; charset=utf-8").want(http.StatusOK, nil)
}

func TestBodyIsReadBehindTheToken(t *testing.T) {
	h := open(t)
	body := &counted{}
	r, _ := http.NewRequestWithContext(t.Context(), "POST", "/api/v1/tasks", body)
	r.Header.Set("Content-Type", "application/json")
	if got := h.serve(r); got != http.StatusUnauthorized || body.n != 0 {
		t.Errorf("status %d, %d bytes of the body were read before", got, body.n)
	}
	r.Header.Set("Authorization", "Bearer "+operator)
	if got := h.serve(r); got != http.StatusRequestEntityTooLarge || body.n > 1<<20 {
		t.Errorf("status %d, %d bytes of an endless body were read", got, body.n)
	}
}

// counted is a body without end that says how much of it was read.
type counted struct{ n int }

func (c *counted) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	c.n += len(p)
	return len(p), nil
}
