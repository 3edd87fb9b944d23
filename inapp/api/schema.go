package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"holdpoint/core"
)

// The types that read JSON themselves are described by hand.
type (
	execSchema  struct{}
	manySchema  struct{}
	notesSchema struct{}
)

func textSchema() *huma.Schema  { return &huma.Schema{Type: huma.TypeString} }
func textsSchema() *huma.Schema { return &huma.Schema{Type: huma.TypeArray, Items: textSchema()} }

func either(doc string, choices ...*huma.Schema) *huma.Schema {
	return &huma.Schema{Description: doc, AnyOf: choices}
}

// Schema describes core.Exec.
func (execSchema) Schema(huma.Registry) *huma.Schema {
	return either("a line for the shell, or a list for exec without one", textSchema(), textsSchema())
}

// Schema describes core.OneOrMany.
func (manySchema) Schema(huma.Registry) *huma.Schema {
	return either("one word or a list", textSchema(), textsSchema())
}

// Schema describes core.Notes.
func (notesSchema) Schema(huma.Registry) *huma.Schema {
	return either("by title, or a list in the order of the titles", textsSchema(),
		&huma.Schema{Type: huma.TypeObject, AdditionalProperties: textSchema()})
}

func aliases(r huma.Registry) {
	r.RegisterTypeAlias(reflect.TypeFor[core.Exec](), reflect.TypeFor[execSchema]())
	r.RegisterTypeAlias(reflect.TypeFor[core.OneOrMany](), reflect.TypeFor[manySchema]())
	r.RegisterTypeAlias(reflect.TypeFor[core.Notes](), reflect.TypeFor[notesSchema]())
}

// describe writes the description once, behind the last route.
func (s *Server) describe() {
	doc := s.api.OpenAPI()
	taken := s.taken()
	for name, schema := range doc.Components.Schemas.Map() {
		honest(schema)
		nullable(schema, doc.Components.Schemas.TypeFromRef(schemaPrefix+name))
		if !taken[schema] && schema.AdditionalProperties == false {
			schema.AdditionalProperties = nil
		}
	}
	var err error
	if s.spec, err = json.Marshal(doc); err != nil {
		panic(fmt.Sprintf("api: a description that can't be written: %v", err)) // made of our own types
	}
	s.mux.HandleFunc("GET "+Prefix+"/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", typeJSON)
		_, _ = w.Write(s.spec) // to a client that is gone there is nobody to tell
	})
}

const schemaPrefix = "#/components/schemas/"

// taken gives what bodies are made of. Only there an unknown field is refused: answers may get more fields,
// and a client that was made from this description has to pass over them.
func (s *Server) taken() map[*huma.Schema]bool {
	schemas, out := s.api.OpenAPI().Components.Schemas, map[*huma.Schema]bool{}
	var walk func(*huma.Schema)
	walk = func(one *huma.Schema) {
		if one != nil && one.Ref != "" {
			one = schemas.SchemaFromRef(one.Ref)
		}
		if one == nil || out[one] {
			return
		}
		out[one] = true
		walk(one.Items)
		for _, property := range one.Properties {
			walk(property)
		}
		for _, choice := range one.AnyOf {
			walk(choice)
		}
	}
	for _, item := range s.api.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Post, item.Patch} {
			if op == nil || op.RequestBody == nil {
				continue
			}
			for _, media := range op.RequestBody.Content {
				walk(media.Schema)
			}
		}
	}
	return out
}

// honest says of lists that they are never null: an empty one is [].
func honest(s *huma.Schema) {
	if s == nil {
		return
	}
	if s.Type == huma.TypeArray {
		s.Nullable = false
	}
	honest(s.Items)
	for _, property := range s.Properties {
		honest(property)
	}
}

// nullable says of records that may be absent that null stands there then; huma can't say it of what it
// describes by reference.
func nullable(s *huma.Schema, t reflect.Type) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return
	}
	for _, f := range reflect.VisibleFields(t) {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		record := f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() == reflect.Struct && f.Type.Elem() != reflect.TypeFor[time.Time]()
		if property, ok := s.Properties[name]; ok && record && !strings.Contains(rest, "omitempty") {
			s.Properties[name] = &huma.Schema{AnyOf: []*huma.Schema{property, {Type: "null"}}, Description: property.Description}
		}
	}
}

// moment gives a time as answers carry it: UTC, or null.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
