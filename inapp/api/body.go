package api

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"holdpoint/core"
	"holdpoint/planfile"
)

// The bounds of bodies. A plan may have its 256 KiB, and its envelope some room for variables.
const (
	maxBody      = 64 << 10
	maxPlanBody  = core.MaxPlanBytes + 64<<10
	maxBatchBody = maxBatch * 8 << 10
	bodyTime     = 30 * time.Second // for a body to arrive
)

const (
	typeJSON = "application/json"
	typeYAML = "application/yaml"
	typeForm = "application/x-www-form-urlencoded"
)

// takes is the room in which a body is read: after the token, before anything is parsed, in bounds, and
// only of a type that the path takes.
func (s *Server) takes(limit int64, types ...string) huma.Middlewares {
	return huma.Middlewares{func(ctx huma.Context, next func(huma.Context)) {
		r, w := humago.Unwrap(ctx)
		c := callOf(r.Context())
		var err error
		if c.body, err = s.readBody(w, r, limit); err == nil && (len(c.body) > 0 || r.Header.Get("Content-Type") != "") {
			var name string
			name, err = mediaType(r, types)
			c.yaml, c.form = name == typeYAML, name == typeForm
		}
		if err != nil {
			s.write(w, r, problem(r.Context(), err))
			return
		}
		next(ctx)
	}}
}

func (s *Server) readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	tooLarge := core.Refuse(core.CodeTooLarge, "", "the body is too large: %d KiB at most", limit>>10)
	if r.ContentLength > limit {
		return nil, tooLarge
	}
	rc := http.NewResponseController(w)
	if rc.SetReadDeadline(time.Now().Add(bodyTime)) == nil { // a writer without deadlines has its own way
		defer func() { _ = rc.SetReadDeadline(time.Time{}) }() // the same writer took one above
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, tooLarge
	}
	if err != nil {
		return nil, core.Invalid(core.FieldError{Message: "the body did not arrive whole: send it again"})
	}
	return body, nil
}

// mediaType checks the Content-Type and gives its name.
func mediaType(r *http.Request, types []string) (name string, err error) {
	refusal := core.Refuse(codeMediaType, "", "the body has to be %s", strings.Join(types, " or "))
	if enc := r.Header.Get("Content-Encoding"); enc != "" && enc != "identity" {
		return "", refusal
	}
	values := r.Header.Values("Content-Type")
	if len(values) != 1 {
		return "", refusal
	}
	name, params, err := mime.ParseMediaType(values[0])
	if err != nil || !slices.Contains(types, name) {
		return "", refusal
	}
	if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
		return "", refusal
	}
	return name, nil
}

// decode reads the JSON body strictly: exact names, each once, nothing unknown, nothing behind it.
func decode[B any](ctx context.Context) (B, error) {
	var b B
	err := planfile.Decode(callOf(ctx).body, &b, planfile.Options{JSON: true})
	return b, err
}

// decodeMaybe is decode for a body that may be left out.
func decodeMaybe[B any](ctx context.Context) (B, error) {
	if len(callOf(ctx).body) == 0 {
		var b B
		return b, nil
	}
	return decode[B](ctx)
}
