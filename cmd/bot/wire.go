package main

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"holdpoint/inapp"
	"holdpoint/inapp/api"
	"holdpoint/store"
)

// handler is the one door: the API under /api/v1, health at the root, pages for all else. letGo ends
// the API's streams, and answers its waits with what there is.
func (a *App) handler() (door http.Handler, letGo func()) {
	mux := http.NewServeMux()
	programs := a.api()
	programs.Register(mux)
	inapp.New(inapp.Options{
		Engine: a.engine, Logs: a.runtime, PublicURL: a.cfg.PublicURL, Zone: a.cfg.zone(), Language: a.cfg.Language, Logger: a.log,
	}).Register(mux)
	return mux, programs.Stop
}

// api wires the API.
func (a *App) api() *api.Server {
	return api.New(api.Options{
		Engine: a.engine, SignInURL: func(secret string) string { return a.cfg.url(a.addr.String()) + "/signin/" + secret },
		Logs: a.runtime, Backups: backups{a.store.DB, a.cfg.DataDir}, Checker: checker{a.store},
		Metrics: a.metrics.handler(), Version: versionText(), Language: a.cfg.lang(), Logger: a.log,
	})
}

// filesDir is where evidence lies beside the database.
const filesDir = "files"

// backups writes an archive beside the database, where it is checked, and hands it on.
type backups struct {
	db  *store.DB
	dir string
}

// Backup writes one whole archive.
func (b backups) Backup(ctx context.Context, w io.Writer) error {
	tmp := filepath.Join(b.dir, "backup-"+rand.Text()+".tmp")
	if err := b.db.Backup(ctx, tmp, filepath.Join(b.dir, filesDir)); err != nil {
		return err
	}
	defer os.Remove(tmp) //nolint:errcheck // a leftover *.tmp is no content
	f, err := os.Open(tmp)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	_, err = io.Copy(w, f)
	return err
}

// checker tells the store's findings in the API's words.
type checker struct{ store *store.Store }

// Check proves the store's invariants on one state of it.
func (c checker) Check(ctx context.Context) ([]api.Finding, error) {
	found, err := c.store.Check(ctx)
	out := make([]api.Finding, len(found))
	for i, f := range found {
		out[i] = api.Finding{Check: f.Check, Record: string(f.Key), Text: f.Text}
	}
	return out, err
}
