package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"holdpoint/adapters/process"
	"holdpoint/core"
	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// PlanShowCmd shows the cards of a plan.
type PlanShowCmd struct {
	File     string            `arg:"" help:"The plan file."`
	As       string            `help:"The surface: text, slack or telegram." enum:"text,slack,telegram" default:"text" placeholder:"SURFACE"`
	Language string            `help:"en or fr; default the configuration's." enum:",en,fr" default:"" placeholder:"L"`
	Var      map[string]string `help:"Set a variable of the plan." placeholder:"K=V" mapsep:"none"`
}

// Run prints a card a checkpoint, as each is asked for once those before it are done.
func (c PlanShowCmd) Run(ctx context.Context, s std, g *Globals) error {
	if c.As != "text" {
		return usageError("--as " + c.As + " is not known yet: this program has no such surface so far; --as text shows the same card")
	}
	f, err := readPlan(c.File, c.Var)
	if err != nil {
		return err
	}
	cfg, err := g.load(s)
	if err != nil {
		return err
	}
	policy := cfg.policy()
	if err := f.plan.CheckPeople(policy, ""); err != nil {
		return f.fault(err)
	}
	o := summaries.Options{Lang: cfg.lang(), Zone: time.Local}
	if c.Language != "" {
		o.Lang = summaries.Lang(c.Language)
	}
	var cards []summaries.Card
	for i := range f.plan.Checkpoints {
		card, err := preview(ctx, f, policy, i, time.Now(), o)
		if err != nil {
			return err
		}
		cards = append(cards, card)
	}
	if g.JSON {
		return writeJSON(s.out, cards)
	}
	var p page
	for i, card := range cards {
		if i > 0 {
			p.line("")
		}
		p.line("%s", card.Text())
	}
	return p.to(s.out)
}

// preview makes the card of one checkpoint by the domain's own step, from a task in which all before it
// is done.
func preview(ctx context.Context, f planFile, policy core.Policy, i int, now time.Time, o summaries.Options) (summaries.Card, error) {
	plan := f.plan
	home, err := filepath.Abs(filepath.Dir(f.name))
	if err != nil {
		return summaries.Card{}, fmt.Errorf("reading the plan: %w", err)
	}
	for n := range plan.Checkpoints {
		if plan.Checkpoints[n].Workdir == "" {
			plan.Checkpoints[n].Workdir = home
		}
	}
	asker := core.Actor{Kind: core.ActorOperator, Name: "operator", File: true}
	t := core.Task{ID: "t_preview", Plan: plan, State: core.TaskFailed, Current: i, Round: 1, RequestedBy: asker, CreatedAt: now,
		Checkpoints: make([]core.Progress, len(plan.Checkpoints)), Rollback: core.Rollback{State: core.RollbackNone}}
	for n := range t.Checkpoints {
		t.Checkpoints[n].State = core.CheckpointPending
		if n < i {
			t.Checkpoints[n] = core.Progress{State: core.CheckpointSucceeded, Attempt: 1, Ran: true, StartedAt: now, EndedAt: now}
		}
	}
	snapshot := core.Snapshot{Task: t, Policy: policy}
	mint := core.Mint{ID: func(prefix string) string { return prefix + "preview" }, Code: func() string { return "K7M2QX" }}
	ch, err := core.Step(snapshot, core.Retry{Actor: asker}, now, mint)
	if need, ok := errors.AsType[*core.NeedFiles](err); ok {
		digests, err := process.Files{}.Digests(ctx, need.Workdir, need.Names)
		if err != nil {
			return summaries.Card{}, err
		}
		snapshot.Files = &core.Files{Workdir: need.Workdir, Names: need.Names, Digests: digests}
		ch, err = core.Step(snapshot, core.Retry{Actor: asker}, now, mint)
		if err != nil {
			return summaries.Card{}, err
		}
	} else if err != nil {
		return summaries.Card{}, err
	}
	a := ch.Approvals[len(ch.Approvals)-1]
	eligible := policy.Eligible(a.Subject.Approvers, a.Subject.AllowSelf, a.Requesters()...)
	return summaries.ForApproval(summaries.Input{Task: *ch.Task, Approval: a, Eligible: eligible, Now: now}, o), nil
}

// PlanSchemaCmd prints the schema of plan files.
type PlanSchemaCmd struct{}

// Run prints it.
func (PlanSchemaCmd) Run(s std) error {
	text, err := api.PlanSchema()
	if err != nil {
		return err
	}
	_, err = s.out.Write(text)
	return err
}
