package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// Described gives the operation that a request would reach, and the schemas; nil if it reaches none
// that is described.
func (s *Server) Described(r *http.Request) (*huma.Operation, huma.Registry) {
	_, pattern := s.mux.Handler(r)
	doc := s.api.OpenAPI()
	for path, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Delete} {
			if op != nil && pattern == op.Method+" "+Prefix+path {
				return op, doc.Components.Schemas
			}
		}
	}
	return nil, nil
}
