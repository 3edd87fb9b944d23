package main

import (
	"context"
	"fmt"
	"io"

	"holdpoint/inapp/api"
	"holdpoint/store"
	"holdpoint/summaries"
)

// CheckCmd proves the store's invariants.
type CheckCmd struct{}

// Run prints the findings, and fails where there are any.
func (CheckCmd) Run(ctx context.Context, s std, g *Globals) error {
	checked, err := g.check(ctx, s)
	if err != nil {
		return err
	}
	return tell(s, g, checked, "the store is whole")
}

// check asks a live daemon, or looks itself.
func (g *Globals) check(ctx context.Context, s std) (checked api.Checked, err error) {
	err = g.either(ctx, s,
		func(client *api.Client) error { checked, err = client.Check(ctx); return err },
		func(db *store.Store, _ Config) error {
			checked.Findings, err = checker{db}.Check(ctx)
			checked.OK = len(checked.Findings) == 0
			return err
		})
	return checked, err
}

// tell prints what a check came to: its findings and the status of a failure, or that all is well.
func tell(s std, g *Globals, c api.Checked, well string) error {
	err := printChecked(s.out, g.JSON, c, well)
	if err == nil && !c.OK {
		s.say("%d findings: restore a backup, and keep this directory to look into", len(c.Findings))
		return status(exitError)
	}
	return err
}

func printChecked(w io.Writer, asJSON bool, c api.Checked, well string) error {
	if asJSON {
		if c.Findings == nil {
			c.Findings = []api.Finding{}
		}
		return writeJSON(w, c)
	}
	var p page
	for _, f := range c.Findings {
		record := ""
		if f.Record != "" {
			record = fmt.Sprintf(" %q", f.Record)
		}
		p.line("%s%s: %s", f.Check, record, summaries.Visible(f.Text))
	}
	if c.OK {
		p.line("%s", well)
	}
	return p.to(w)
}
