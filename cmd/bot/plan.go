package main

import (
	"holdpoint/summaries"
)

// PlanCmd looks at plan files.
type PlanCmd struct {
	Check  PlanCheckCmd  `cmd:"" help:"Say whether a plan file is right, and if not, where."`
	Show   PlanShowCmd   `cmd:"" help:"Show the cards that people would get of a plan."`
	Schema PlanSchemaCmd `cmd:"" help:"Print the JSON Schema of plan files, for editors."`
}

// PlanCheckCmd says whether a plan file is right.
type PlanCheckCmd struct {
	File string            `arg:"" help:"The plan file."`
	Var  map[string]string `help:"Set a variable of the plan." placeholder:"K=V" mapsep:"none"`
}

// Run tells the checkpoints of a plan that is right.
func (c PlanCheckCmd) Run(s std, g *Globals) error {
	f, err := readPlan(c.File, c.Var)
	if err != nil {
		return err
	}
	cfg, err := g.load(s) // for the people whom it may name
	if err != nil {
		return err
	}
	p := f.plan
	if err := p.CheckPeople(cfg.policy(), ""); err != nil {
		return f.fault(err)
	}
	if g.JSON {
		return writeJSON(s.out, p)
	}
	var out page
	out.line("%s: %s, %d checkpoints", summaries.Visible(p.Title), p.Kind, len(p.Checkpoints))
	for i, cp := range p.Checkpoints {
		out.line("%3d  %s · %s · %s", i+1, summaries.Visible(cp.Title), cp.Risk, undo(cp.Note))
	}
	return out.to(s.out)
}

func undo(text string) string {
	if text == "" {
		return note(text)
	}
	return "undo: " + note(text)
}
