package main

import (
	"fmt"
	"os"
	"path/filepath"

	"holdpoint/core"
	"holdpoint/planfile"
	"holdpoint/summaries"
)

// loadPlan reads a plan file and makes its directories absolute: they count from the file.
func loadPlan(file string, vars map[string]string) (core.Plan, error) {
	text, err := os.ReadFile(file) //nolint:gosec // the file that the caller names
	if err != nil {
		return core.Plan{}, fmt.Errorf("reading the plan: %w", err)
	}
	p, err := planfile.ParsePlan(text, vars)
	if err != nil {
		return core.Plan{}, &fileError{name: file, err: err}
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return core.Plan{}, fmt.Errorf("reading the plan: %w", err)
	}
	absolute := func(path *string) {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(dir, *path)
		}
	}
	absolute(&p.Workdir)
	for i := range p.Checkpoints {
		absolute(&p.Checkpoints[i].Workdir)
	}
	return p, nil
}

// PlanCmd looks at plan files.
type PlanCmd struct {
	Check PlanCheckCmd `cmd:"" help:"Say whether a plan file is right, and if not, where."`
}

// PlanCheckCmd says whether a plan file is right.
type PlanCheckCmd struct {
	File string            `arg:"" help:"The plan file."`
	Var  map[string]string `help:"Set a variable of the plan." placeholder:"K=V"`

	Config string `help:"Check approvers against the people of this configuration." placeholder:"FILE" type:"path"`
}

// Run tells the checkpoints of a plan that is right.
func (c PlanCheckCmd) Run(s std, g *Globals) error {
	p, err := loadPlan(c.File, c.Var)
	if err != nil {
		return err
	}
	cfg, err := loadConfig(c.Config, s.environ, nil)
	if err != nil {
		return err
	}
	if err := p.CheckPeople(cfg.policy(), ""); err != nil {
		return &fileError{name: c.File, err: place(c.File, err)}
	}
	if g.JSON {
		return writeJSON(s.out, p)
	}
	_, err = fmt.Fprintf(s.out, "%s: %s, %d checkpoints\n", summaries.Visible(p.Title), p.Kind, len(p.Checkpoints))
	for i, cp := range p.Checkpoints {
		note := "no rollback note"
		if cp.Note != "" {
			note = "undo: " + summaries.Visible(cp.Note)
		}
		_, err = fmt.Fprintf(s.out, "%3d  %s · %s · %s\n", i+1, summaries.Visible(cp.Title), cp.Risk, note)
	}
	return err
}

// place gives the faults of a rule their place in the file they came from.
func place(file string, err error) error {
	refusal, ok := err.(*core.Error)   //nolint:errorlint // straight from core
	text, readErr := os.ReadFile(file) //nolint:gosec // the file that the caller names
	if !ok || readErr != nil {
		return err
	}
	return core.Invalid(planfile.Place(text, "", refusal.Fields)...)
}
