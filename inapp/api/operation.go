package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"holdpoint/core"
)

// newHuma makes the part of huma that is used: routes with typed queries and answers, and the
// description. Its own page, schema links, other formats and bodies are not.
func newHuma(mux *http.ServeMux, version string) huma.API {
	registry := huma.NewMapRegistry(schemaPrefix, huma.DefaultSchemaNamer)
	aliases(registry)
	return humago.NewWithPrefix(mux, Prefix, huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{Title: "holdpoint", Version: orElse(version, "devel"),
				Description: "Governed tasks that wait at every checkpoint until a person releases it."},
			Components: &huma.Components{
				Schemas: registry,
				SecuritySchemes: map[string]*huma.SecurityScheme{"bearer": {Type: "http", Scheme: "bearer",
					Description: "A token of `holdpoint token create`. Only a person's token decides."}},
			},
		},
		Formats:                      map[string]huma.Format{typeJSON: asJSON, "json": asJSON}, // json is that of problem+json
		DefaultFormat:                typeJSON,
		RejectUnknownQueryParameters: true,
	})
}

// asJSON writes answers. Bodies are read in body.go, never by huma.
var asJSON = huma.Format{Marshal: func(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }, Unmarshal: json.Unmarshal}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// always are the codes that every path may give.
var always = []core.Code{core.CodeUnauthorized, core.CodeValidation, core.CodeRateLimited, core.CodeUnavailable, core.CodeInternal}

// handle registers one path: its description, its codes, and a handler whose errors become problems.
func handle[I, O any](s *Server, op huma.Operation, codes []core.Code, fn func(context.Context, *I) (*O, error)) {
	op.Security = []map[string][]string{{"bearer": {}}}
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	s.refusals(op.Responses, append(slices.Clone(always), codes...))
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := fn(ctx, in)
		if err != nil {
			return nil, s.refuse(ctx, err)
		}
		return out, nil
	})
}

// refusals describes the problem documents, one response a status.
func (s *Server) refusals(responses map[string]*huma.Response, codes []core.Code) {
	schema := s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem")
	words := map[string][]string{}
	for _, code := range codes {
		status := strconv.Itoa(StatusOf(code))
		words[status] = append(words[status], string(code))
	}
	for status, names := range words {
		slices.Sort(names)
		responses[status] = &huma.Response{
			Description: strings.Join(slices.Compact(names), ", "),
			Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: schema}},
		}
	}
}

// bodyRule says which bodies a path takes. One without an example may be left out.
type bodyRule struct {
	limit   int64
	yaml    bool
	example any
	form    bool
}

// handleBody is handle for a path that takes a body of type B, which the handler decodes.
func handleBody[B, I, O any](s *Server, op huma.Operation, rule bodyRule, codes []core.Code, fn func(context.Context, *I) (*O, error)) {
	types := []string{typeJSON}
	if rule.yaml {
		types = append(types, typeYAML)
	}
	if rule.form {
		types = append(types, typeForm)
	}
	op.Middlewares = append(op.Middlewares, s.takes(rule.limit, types...)...)
	handle(s, op, append(slices.Clone(codes), core.CodeTooLarge, codeMediaType), fn)
	described := &huma.RequestBody{Required: rule.example != nil, Content: map[string]*huma.MediaType{}}
	schema := s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[B](), true, op.OperationID+"Body")
	for _, name := range types {
		described.Content[name] = &huma.MediaType{Schema: schema, Example: rule.example}
	}
	bodied(s.api.OpenAPI().Paths[op.Path], op.Method).RequestBody = described // behind huma's back: it would read the body itself
}

// bodied gives a path's operation of a method that takes bodies.
func bodied(item *huma.PathItem, method string) *huma.Operation {
	if method == http.MethodPatch {
		return item.Patch
	}
	return item.Post
}

func get(id, path, summary, tag string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodGet, Path: path, Summary: summary, Tags: []string{tag}}
}

func post(id, path, summary, tag string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodPost, Path: path, Summary: summary, Tags: []string{tag}, DefaultStatus: http.StatusOK}
}

// answer is an answer with a body and nothing else.
type answer[T any] struct{ Body T }

func answered[T any](v T) *answer[T] { return &answer[T]{Body: v} }

// byID is the input of a path that names one record. Inputs are not embedded: huma passes over what is
// not exported.
type byID struct {
	ID string `path:"id" maxLength:"64" doc:"an id, or a unique prefix of one from 6 characters on"`
}

// nothing is the input of a path without parameters.
type nothing struct{}

// List is a page of a list. Next is the cursor of the next page, empty behind the last one.
type List[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"next"`
}
