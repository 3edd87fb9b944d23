package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"holdpoint/inapp/api"
	"holdpoint/store"
	"holdpoint/summaries"
)

// BackupCmd writes an archive.
type BackupCmd struct {
	File string `arg:"" help:"The archive to write; one that is there is replaced once the new one is whole." type:"path"`
}

// Run writes it; under its name it is whole and on disk.
func (c BackupCmd) Run(ctx context.Context, s std, g *Globals) error {
	err := g.either(ctx, s,
		func(client *api.Client) error { return c.live(ctx, client) },
		func(db *store.Store, cfg Config) error {
			return db.Backup(ctx, c.File, filepath.Join(cfg.DataDir, filesDir))
		})
	if err != nil {
		return err
	}
	s.say("written: %s; it holds the key, so keep it as the data directory is kept", summaries.Visible(c.File))
	return nil
}

// live takes the daemon's stream under another name, and gives it its own once it is there whole.
func (c BackupCmd) live(ctx context.Context, client *api.Client) error {
	f, err := os.CreateTemp(filepath.Dir(c.File), filepath.Base(c.File)+".*.tmp") // for its owner only
	if err != nil {
		return fmt.Errorf("writing the backup: %w", err)
	}
	err = client.Backup(ctx, f)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), c.File)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncFolder(filepath.Dir(c.File))
}

// syncFolder makes a new name in a folder durable.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("making the backup's name durable: %w", err)
	}
	return errors.Join(d.Sync(), d.Close())
}

// RestoreCmd makes a data directory out of an archive.
type RestoreCmd struct {
	File string `arg:"" help:"An archive that backup wrote." type:"path"`
}

// Run makes it, where there is no database yet.
func (c RestoreCmd) Run(ctx context.Context, s std, g *Globals) error {
	cfg, err := g.load(s)
	if err != nil {
		return err
	}
	if err := store.Restore(ctx, c.File, store.Options{Dir: cfg.DataDir}); err != nil {
		return err
	}
	s.say("restored into %s: the next start makes a new operator.token, and every tap from before is stale", summaries.Visible(cfg.DataDir))
	return nil
}
