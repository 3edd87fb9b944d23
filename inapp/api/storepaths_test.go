package api_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/inapp/api"
)

func TestCheck(t *testing.T) {
	var c checker
	h := open(t, func(_ *engine.Options, ao *api.Options) { ao.Checker = &c })
	got, err := h.client("ana").Check(t.Context())
	if err != nil || !got.OK || got.Findings == nil {
		t.Errorf("a whole store: %+v, %v", got, err)
	}
	c.found = []api.Finding{{Check: "audit", Record: "7", Text: "row 9 follows row 7"}}
	if got, err = h.client("ci").Check(t.Context()); err != nil || got.OK || len(got.Findings) != 1 || got.Findings[0] != c.found[0] {
		t.Errorf("a broken store: %+v, %v", got, err)
	}
	open(t).do("ana", "GET", "/api/v1/check", "").refused(core.CodeUnavailable)
}

func TestBackup(t *testing.T) {
	for name, tc := range map[string]struct {
		archive archive
		code    core.Code // of the refusal
		cut     bool
	}{
		"whole":                     {archive{text: "the archive"}, "", false},
		"failed before it began":    {archive{err: errors.New("no room for the copy")}, core.CodeInternal, false},
		"refused before it began":   {archive{err: core.Refuse(core.CodeDiskFull, "", "no room for the copy")}, core.CodeDiskFull, false},
		"broken off in the middle":  {archive{text: "half", err: errors.New("input/output error")}, "", true},
		"nothing that could be one": {archive{}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t, func(_ *engine.Options, ao *api.Options) { ao.Backups = tc.archive })
			var got bytes.Buffer
			err := h.client("ci").Backup(t.Context(), &got)
			refusal, refused := errors.AsType[*core.Error](err)
			switch {
			case tc.code != "":
				if !refused || refusal.Code != tc.code {
					t.Errorf("error %v, want %s", err, tc.code)
				}
			case tc.cut:
				if err == nil {
					t.Error("half an archive was taken for a whole one")
				}
			case err != nil || got.String() != tc.archive.text:
				t.Errorf("got %q, %v", got.String(), err)
			}
		})
	}
}

func TestHealth(t *testing.T) {
	metrics := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) })
	}
	var b *stolen
	h := open(t, func(eo *engine.Options, ao *api.Options) {
		b = &stolen{Store: eo.Store}
		eo.Store = b
		ao.Metrics, ao.MetricsDetail = metrics("few"), metrics("all")
		eo.Surfaces = []engine.Surface{&silent{}}
	})
	h.start("ci", plan)
	for _, path := range []string{"/healthz", "/readyz"} {
		if r := h.do("", "GET", path, ""); r.StatusCode != 200 || strings.TrimSpace(string(r.body)) != `{"status":"ok"}` {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
		}
	}
	got, err := h.client("ci").Health(t.Context())
	if err != nil || got.Version != "test" || got.Pending != 1 || len(got.Untold) != 1 || got.Untold[0].Surface != "silent" {
		t.Errorf("in detail: %+v, %v", got, err)
	}
	if agents, err := h.client("agent").Health(t.Context()); err != nil || agents.Version != "" {
		t.Errorf("an agent is told %+v, %v", agents, err)
	}
	if few, all := h.do("", "GET", "/metrics", ""), h.do("ci", "GET", "/metrics", ""); string(few.body) != "few" || string(all.body) != "all" {
		t.Errorf("metrics: %q without a token, %q with one", few.body, all.body)
	}
	if err := h.client("").Ready(t.Context()); err != nil {
		t.Errorf("ready: %v", err)
	}
	h.do("wrong", "GET", "/metrics", "").refused(core.CodeUnauthorized)
	b.stolen = true
	for _, path := range []string{"/healthz", "/readyz"} {
		if r := h.do("", "GET", path, ""); r.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s of a daemon without its store: %d %s", path, r.StatusCode, r.body)
		}
	}
	if h.client("").Ready(t.Context()) == nil {
		t.Error("a daemon without its store is ready")
	}
}

// stolen is a store whose file somebody took away, once told to.
type stolen struct {
	engine.Store
	stolen bool
}

func (s *stolen) StillMine() error {
	if s.stolen {
		return errors.New("the file is not mine any more")
	}
	return nil
}

// silent is a surface that shows nothing: its loop does not run here.
type silent struct{}

func (silent) Name() string                                         { return "silent" }
func (silent) Show(context.Context, engine.Showing) (string, error) { return "", nil }
