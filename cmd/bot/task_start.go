package main

import (
	"context"
	"fmt"
	"strings"

	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// TaskStartCmd starts a plan.
type TaskStartCmd struct {
	Plan      string            `arg:"" help:"The plan file."`
	Var       map[string]string `help:"Set a variable of the plan." placeholder:"K=V" mapsep:"none"`
	RequestID string            `help:"Give the same task when it is asked for again under this id." placeholder:"R"`
}

// Run prints the task's id, and the code that releases its first step.
func (c TaskStartCmd) Run(ctx context.Context, s std, g *Globals) error {
	file, err := readPlan(c.Plan, c.Var)
	if err != nil {
		return err
	}
	client, cfg, err := g.client(s)
	if err != nil {
		return err
	}
	t, created, err := client.Start(ctx, api.StartTask{Plan: file.input, Vars: c.Var, RequestID: c.RequestID})
	if err != nil {
		return file.fault(err)
	}
	if !created {
		s.say("this request was made before: nothing new was started")
	}
	if g.JSON {
		return writeJSON(s.out, t)
	}
	base := cfg.PublicURL
	if base == "" {
		base = g.server(s, cfg)
	}
	var p page
	p.line("%s  %s", t.ID, summaries.Visible(t.Title))
	if t.Approval != nil {
		p.fact("gate", fmt.Sprintf("%d of %d: %s · approve %s", t.Current.Index+1, len(t.Checkpoints), summaries.Visible(t.Current.Title), t.Approval.Code))
	}
	p.fact("next", sentence(t.NextAction))
	p.fact("page", strings.TrimRight(base, "/")+"/tasks/"+t.ID)
	return p.to(s.out)
}
