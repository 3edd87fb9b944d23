package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"holdpoint/core"
)

// Checked is what a check of the store found.
type Checked struct {
	OK       bool      `json:"ok"`
	Findings []Finding `json:"findings"`
}

func (s *Server) storeRoutes() {
	handle(s, get("check", "/check", "Prove the store's invariants", "store"), []core.Code{core.CodeForbidden}, s.check)

	op := post("backup", "/backup", "Take a backup: one archive of database, key and files", "store")
	op.Description = "An answer that breaks off is no backup. The archive holds the key: keep it as the data directory is kept."
	op.Responses = map[string]*huma.Response{"200": {Description: "The archive",
		Content: map[string]*huma.MediaType{"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}}
	handleBody[nothing](s, op, bodyRule{limit: maxBody}, []core.Code{core.CodeForbidden, core.CodeDiskFull}, s.backup)
}

func (s *Server) check(ctx context.Context, _ *nothing) (*answer[Checked], error) {
	if err := s.Engine.Authorize(ctx, actorOf(ctx), core.ActSchedules, "check"); err != nil {
		return nil, err
	}
	if s.Checker == nil {
		return nil, core.Refuse(core.CodeUnavailable, "", "this daemon can't check its store")
	}
	found, err := s.Checker.Check(ctx)
	if err != nil {
		return nil, err
	}
	return answered(Checked{OK: len(found) == 0, Findings: list(found)}), nil
}

func (s *Server) backup(ctx context.Context, _ *nothing) (*streamed, error) {
	if _, err := decodeMaybe[nothing](ctx); err != nil {
		return nil, err
	}
	if err := s.Engine.Authorize(ctx, actorOf(ctx), core.ActSchedules, "backup"); err != nil {
		return nil, err
	}
	if s.Backups == nil {
		return nil, core.Refuse(core.CodeUnavailable, "", "this daemon takes no backups")
	}
	return &streamed{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		out := &archiveWriter{w: w}
		err := s.Backups.Backup(ctx, out)
		switch {
		case err != nil && out.begun:
			s.cut(ctx, err)
		case err != nil:
			s.write(w, r, problem(ctx, err))
		}
	}}, nil
}

// archiveWriter names the type once the first byte is there: until then a failure can still be told.
type archiveWriter struct {
	w     http.ResponseWriter
	begun bool
}

// Write begins the answer with the first bytes.
func (a *archiveWriter) Write(b []byte) (int, error) {
	if !a.begun {
		a.begun = true
		a.w.Header().Set("Content-Type", "application/octet-stream")
		a.w.Header().Set("Content-Disposition", `attachment; filename="holdpoint.backup"`)
	}
	return a.w.Write(b)
}
