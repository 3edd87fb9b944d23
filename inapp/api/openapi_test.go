package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// conforms holds an answer against the description: its status, its type, its shape.
func (h *house) conforms(method, path string, r reply) {
	h.t.Helper()
	op, schemas := h.Server.Described(httptest.NewRequest(method, path, nil))
	if op == nil {
		return
	}
	described, ok := op.Responses[strconv.Itoa(r.StatusCode)]
	if !ok {
		h.t.Errorf("%s %s answers %d, which is not described", method, path, r.StatusCode)
		return
	}
	mediaType, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	media, ok := described.Content[mediaType]
	if !ok {
		h.t.Errorf("%s %s answers %d as %q, which is not described", method, path, r.StatusCode, mediaType)
		return
	}
	if !strings.HasSuffix(mediaType, "json") {
		return
	}
	var v any
	if err := json.Unmarshal(r.body, &v); err != nil {
		h.t.Errorf("%s %s: %v in %s", method, path, err, r.body)
		return
	}
	var found huma.ValidateResult
	huma.Validate(schemas, media.Schema, huma.NewPathBuffer([]byte{}, 0), huma.ModeReadFromServer, v, &found)
	for _, fault := range found.Errors {
		h.t.Errorf("%s %s answers %d unlike its description: %v in %s", method, path, r.StatusCode, fault, r.body)
	}
}

type description struct {
	OpenAPI    string `json:"openapi"`
	Paths      map[string]map[string]described
	Components struct {
		Schemas         map[string]any
		SecuritySchemes map[string]map[string]string
	}
}

type described struct {
	OperationID string
	Security    []map[string][]string
	Parameters  []struct{ Name, In string }
	RequestBody *struct {
		Content map[string]struct {
			Example any
			Schema  any
		}
	}
	Responses map[string]struct{ Content map[string]any }
}

// paths is every path of the API that this program has.
var paths = []string{
	"GET /approvals", "GET /approvals/{id}", "GET /approvals/{id}/wait", "GET /audit", "GET /check", "GET /events", "GET /people", "GET /tasks",
	"GET /tasks/{id}", "GET /tasks/{id}/log", "GET /tokens", "POST /approvals/decisions", "POST /approvals/{id}/decision", "POST /backup",
	"POST /signin", "POST /tasks", "POST /tasks/{id}/cancel", "POST /tasks/{id}/pause", "POST /tasks/{id}/resolve", "POST /tasks/{id}/resume",
	"POST /tasks/{id}/retry", "POST /tokens", "DELETE /tokens/{id}",
	"POST /gate", "POST /approvals/{id}/claim", "POST /tasks/{id}/checkpoints/{index}/report", "POST /tasks/{id}/checkpoints/{index}/rollback",
	"PATCH /tasks/{id}/plan", "POST /tasks/{id}/stop", "POST /sessions/{id}/stop", "GET /sessions/{id}",
}

func TestDescription(t *testing.T) {
	h := open(t)
	r := h.do("", http.MethodGet, "/api/v1/openapi.json", "")
	var d description
	if err := json.Unmarshal(r.body, &d); err != nil || r.StatusCode != 200 || d.OpenAPI != "3.1.0" {
		t.Fatalf("status %d, version %q, %v", r.StatusCode, d.OpenAPI, err)
	}
	if got := d.Components.SecuritySchemes["bearer"]; got["type"] != "http" || got["scheme"] != "bearer" {
		t.Errorf("security schemes: %v", d.Components.SecuritySchemes)
	}
	var got []string
	ids := map[string]bool{}
	for path, item := range d.Paths {
		for method, op := range item {
			name := strings.ToUpper(method) + " " + path
			got = append(got, name)
			if ids[op.OperationID] || op.OperationID == "" {
				t.Errorf("%s: the operation id %q is empty or doubled", name, op.OperationID)
			}
			ids[op.OperationID] = true
			checkOperation(t, name, op)
		}
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(paths))
	if !slices.Equal(got, want) {
		t.Errorf("paths:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, ref := range references(r.body) {
		if _, ok := d.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")]; !ok {
			t.Errorf("%s leads nowhere", ref)
		}
	}
	for name, want := range map[string]any{"StartTask": false, "PlanInput": false, "CheckpointInput": false, "Decide": false, "Task": nil, "Approval": nil, "Problem": nil} {
		schema, _ := d.Components.Schemas[name].(map[string]any)
		if got := schema["additionalProperties"]; schema == nil || got != want {
			t.Errorf("%s says additionalProperties %v, want %v", name, got, want)
		}
	}
	if strings.Contains(string(r.body), "$schema") {
		t.Error("the description has $schema fields, which no answer carries")
	}
}

func checkOperation(t *testing.T, name string, op described) {
	t.Helper()
	if len(op.Security) != 1 || op.Security[0]["bearer"] == nil {
		t.Errorf("%s: security %v, want the bearer token", name, op.Security)
	}
	for _, status := range []string{"401", "422", "429", "500", "503"} {
		if _, ok := op.Responses[status].Content["application/problem+json"]; !ok {
			t.Errorf("%s: %s is not described as a problem", name, status)
		}
	}
	if _, ok := op.Responses["default"]; ok {
		t.Errorf("%s: has a default answer, want each status named", name)
	}
	inPath := strings.Contains(name, "{id}")
	declared := slices.ContainsFunc(op.Parameters, func(p struct{ Name, In string }) bool { return p.In == "path" && p.Name == "id" })
	if inPath != declared {
		t.Errorf("%s: the id is in the path %v, declared %v", name, inPath, declared)
	}
	if strings.HasPrefix(name, "POST") && (op.RequestBody == nil || op.RequestBody.Content["application/json"].Schema == nil) {
		t.Errorf("%s: has no described body", name)
	}
}

// references gives every $ref of a description.
func references(doc []byte) []string {
	var out []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				if text, ok := value.(string); ok && key == "$ref" {
					out = append(out, text)
				}
				walk(value)
			}
		case []any:
			for _, one := range v {
				walk(one)
			}
		}
	}
	var v any
	if json.Unmarshal(doc, &v) == nil {
		walk(v)
	}
	return out
}

// Examples in the description are requests that the API takes.
func TestExamplesAreTaken(t *testing.T) {
	h := open(t)
	var d description
	if err := json.Unmarshal(h.do("", http.MethodGet, "/api/v1/openapi.json", "").body, &d); err != nil {
		t.Fatal(err)
	}
	body := func(path string) string {
		b, err := json.Marshal(d.Paths[path]["post"].RequestBody.Content["application/json"].Example)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	h.do("ci", http.MethodPost, "/api/v1/tasks", body("/tasks")).want(http.StatusCreated, nil)
	h.do("operator", http.MethodPost, "/api/v1/signin", body("/signin")).want(http.StatusCreated, nil)
	task := h.start("dora", plan)
	h.decide("ana", task.Approval.ID, body("/approvals/{id}/decision")).want(http.StatusOK, nil)
	h.do("ana", http.MethodPost, "/api/v1/approvals/decisions", body("/approvals/decisions")).want(http.StatusOK, nil)
}
