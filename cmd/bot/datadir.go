package main

import (
	"context"
	"errors"

	"holdpoint/store"
)

// DataFlags say which data directory a command looks at.
type DataFlags struct {
	Config string `help:"The configuration that names the data directory." placeholder:"FILE" type:"path"`
	Data   string `help:"The data directory." placeholder:"DIR" type:"path"`
}

// load reads the configuration with the flag laid over it.
func (d DataFlags) load(s std) (Config, error) {
	return loadConfig(d.Config, s.environ, map[string]any{"data_dir": d.Data})
}

// idle opens the store of a directory that no daemon serves, for reading. live is true where one does.
func idle(ctx context.Context, dir string) (db *store.DB, live bool, err error) {
	db, err = store.OpenReadOnly(ctx, store.Options{Dir: dir, AnyFilesystem: true})
	if errors.Is(err, store.ErrLocked) {
		return nil, true, nil
	}
	return db, false, err
}
