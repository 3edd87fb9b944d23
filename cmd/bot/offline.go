package main

import (
	"context"
	"errors"

	"holdpoint/inapp/api"
	"holdpoint/store"
)

// idle opens the store of a directory that no daemon serves, for reading. live is true where one does.
func idle(ctx context.Context, dir string) (db *store.DB, live bool, err error) {
	db, err = store.OpenReadOnly(ctx, store.Options{Dir: dir, AnyFilesystem: true})
	if errors.Is(err, store.ErrLocked) {
		return nil, true, nil
	}
	return db, false, err
}

// either does a thing that a live daemon does over its API, and that is done on the files where none
// serves them. A server that is named is asked in any case.
func (g *Globals) either(ctx context.Context, s std, live func(*api.Client) error, offline func(*store.Store, Config) error) error {
	if g.named(s) == "" {
		cfg, err := g.load(s)
		if err != nil {
			return err
		}
		db, served, err := idle(ctx, cfg.DataDir)
		if err != nil {
			return err
		}
		if !served {
			return errors.Join(offline(store.Records(db), cfg), db.Close())
		}
	}
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	return live(client)
}
