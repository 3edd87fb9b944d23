package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"holdpoint/store"
	"holdpoint/summaries"
)

// DoctorCmd looks at everything that a daemon needs, and says what to do about what is wrong.
type DoctorCmd struct{}

// finding is one line of the doctor's.
type finding struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

// Run looks, tells, and fails where something is wrong.
func (DoctorCmd) Run(ctx context.Context, s std, g *Globals) error {
	cfg, err := g.load(s)
	if err != nil {
		return err
	}
	found := []finding{{"configuration", true, fmt.Sprintf("data in %s, page on %s", cfg.DataDir, cfg.Listen)}}
	found = append(found, people(cfg), directory(cfg.DataDir))
	data, live := database(ctx, cfg.DataDir)
	found = append(found, data, door(ctx, g.server(s, cfg), cfg, live), shell())
	if g.JSON {
		err = writeJSON(s.out, found)
	}
	bad := 0
	for _, f := range found {
		mark := "ok  "
		if !f.OK {
			mark, bad = "BAD ", bad+1
		}
		if !g.JSON {
			_, err = fmt.Fprintf(s.out, "%s %-14s %s\n", mark, f.What, summaries.Visible(f.Text))
		}
	}
	if err == nil && bad > 0 {
		return status(exitError)
	}
	return err
}

func people(cfg Config) finding {
	p := cfg.policy()
	able := p.Resolve(nil)
	if len(able) == 0 {
		return finding{"people", false, "nobody has the role approver: a plan that names no approvers is refused; give somebody the role"}
	}
	return finding{"people", true, fmt.Sprintf("%d people, %d of them approve where a plan names nobody", len(p.People), len(able))}
}

// directory looks at who may read the data directory: whoever can is the operator.
func directory(dir string) finding {
	info, err := os.Stat(dir)
	if err != nil {
		return finding{"data directory", true, "not there yet: the first start makes it"}
	}
	open := ""
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || (d.IsDir() && filepath.Base(path) == "steps" && path != dir) {
			return fs.SkipDir // a step's own files are its own matter; their folder is closed
		}
		if fi, err := d.Info(); err == nil && fi.Mode().Perm()&0o077 != 0 && open == "" {
			open = path
		}
		return nil
	})
	if info.Mode().Perm()&0o077 != 0 {
		open = dir
	}
	if open != "" {
		return finding{"data directory", false, open + " can be read by others, who then are operators too: chmod go= it"}
	}
	return finding{"data directory", true, "for its owner only"}
}

// database checks a store that no daemon serves; a live daemon proves its own (holdpoint check).
func database(ctx context.Context, dir string) (finding, bool) {
	if _, err := os.Stat(filepath.Join(dir, "holdpoint.db")); err != nil {
		return finding{"database", true, "not there yet: the first start makes it"}, false
	}
	db, live, err := idle(ctx, dir)
	switch {
	case live:
		return finding{"database", true, "a daemon serves it (holdpoint check proves it)"}, true
	case err != nil:
		return finding{"database", false, err.Error()}, false
	}
	defer db.Close() //nolint:errcheck // opened for reading
	list, err := store.Records(db).Check(ctx)
	if err != nil {
		return finding{"database", false, err.Error()}, false
	}
	if len(list) > 0 {
		return finding{"database", false, fmt.Sprintf("%d findings, the first: %s; restore a backup", len(list), list[0])}, false
	}
	return finding{"database", true, "whole"}, false
}

// door asks the daemon's own health where one runs, else whether its address could be opened.
func door(ctx context.Context, server string, cfg Config, live bool) finding {
	if live {
		if _, err := healthy(ctx, server); err != nil {
			return finding{"page and API", false, err.Error()}
		}
		return finding{"page and API", true, "the daemon answers on " + server}
	}
	l, err := listen(ctx, cfg.Listen)
	if err != nil {
		return finding{"page and API", false, err.Error()}
	}
	_ = l.Close() // it was opened to see that it can be
	return finding{"page and API", true, cfg.Listen + " is free"}
}

func shell() finding {
	path, err := exec.LookPath("sh")
	if err != nil {
		return finding{"shell", false, "no sh on PATH: steps that are one line need it, or a plan that names another shell"}
	}
	return finding{"shell", true, path}
}
