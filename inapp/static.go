package inapp

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"

	"holdpoint/core"
)

//go:embed static
var staticFiles embed.FS

// assets are the files that pages load, under names with their digest: a new version is a new name, so
// each may be kept for ever.
type assets struct {
	byName map[string]asset
	Style  string // path
	Live   string
}

type asset struct {
	body []byte
	kind string
	etag string
}

func loadAssets() assets {
	a := assets{byName: map[string]asset{}}
	a.Style = a.add("style.css", "text/css; charset=utf-8")
	a.Live = a.add("live.js", "text/javascript; charset=utf-8")
	return a
}

func (a *assets) add(file, kind string) string {
	body, err := staticFiles.ReadFile("static/" + file)
	if err != nil {
		panic("inapp: a file that is compiled in is missing: " + file)
	}
	sum := sha256.Sum256(body)
	digest := hex.EncodeToString(sum[:8])
	ext := path.Ext(file)
	name := strings.TrimSuffix(file, ext) + "." + digest + ext
	a.byName[name] = asset{body: body, kind: kind, etag: `"` + digest + `"`}
	return "/static/" + name
}

// static serves the files, which hold nothing of anybody.
func (s *Server) static(v *visit) error {
	f, ok := s.assets.byName[v.r.PathValue("name")]
	if !ok {
		return core.Refuse(core.CodeNotFound, "", "no such file")
	}
	h := v.w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.etag)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	if v.r.Header.Get("If-None-Match") == f.etag {
		v.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	_, _ = v.w.Write(f.body) // a browser that went away needs no answer
	return nil
}
