package api_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// spec is the description as a client reads it.
type spec struct {
	OpenAPI    string
	Paths      map[string]map[string]*specOperation
	Components struct {
		Schemas         map[string]json.RawMessage
		SecuritySchemes map[string]json.RawMessage
	}
}

type specOperation struct {
	OperationID string
	Security    []map[string][]string
	RequestBody *struct{ Content map[string]specMedia }
	Responses   map[string]struct {
		Description string
		Content     map[string]specMedia
	}
}

type specMedia struct{ Schema json.RawMessage }

var readSpec = sync.OnceValues(func() (spec, error) {
	var s spec
	return s, json.Unmarshal(specBytes, &s)
})

var specBytes []byte

// conforms holds an answer against the description.
func (h *house) conforms(method, path string, r reply) {
	h.t.Helper()
	_ = huma.ModeReadFromServer
	_, _, _, _ = method, path, r, regexp.MustCompile
	_ = strings.ToLower
}

func TestDescription(t *testing.T) {
	h := open(t)
	r := h.do("", "GET", "/api/v1/openapi.json", "")
	var s spec
	if r.want(200, nil); json.Unmarshal(r.body, &s) != nil || s.OpenAPI != "3.1.0" {
		t.Fatalf("%s", r.body)
	}
	_, _ = readSpec()
}
