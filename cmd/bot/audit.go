package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/inapp/api"
	"holdpoint/store"
)

// AuditCmd is the family of commands about the audit.
type AuditCmd struct {
	Verify AuditVerifyCmd `cmd:"" help:"Prove that no row of the audit was changed, left out or put in."`
	Export AuditExportCmd `cmd:"" help:"Print the audit as JSON Lines, oldest row first."`
}

// AuditVerifyCmd proves the audit's chain.
type AuditVerifyCmd struct{}

// notAudit are the checks that speak of records alone. All the others bear on the audit: pages and
// seals that do not hold leave nothing proven.
var notAudit = []string{"records", "indexes", "approvals", "tasks", "claims", "executions", "references"}

// Run prints what is wrong with the chain, and fails where something is.
func (AuditVerifyCmd) Run(ctx context.Context, s std, g *Globals) error {
	checked, err := g.check(ctx, s)
	if err != nil {
		return err
	}
	checked.Findings = slices.DeleteFunc(checked.Findings, func(f api.Finding) bool { return slices.Contains(notAudit, f.Check) })
	checked.OK = len(checked.Findings) == 0
	return tell(s, g, checked, "the audit is whole")
}

// AuditExportCmd prints the audit.
type AuditExportCmd struct {
	After int64 `help:"Only rows behind this number." default:"0" placeholder:"SEQ"`
}

// auditPage is how many rows are read at a time.
const auditPage = 500

// Run prints a row a line; JSON Lines with and without --json.
func (c AuditExportCmd) Run(ctx context.Context, s std, g *Globals) error {
	out := bufio.NewWriter(s.out)
	err := g.either(ctx, s,
		func(client *api.Client) error { return c.live(ctx, client, out) },
		func(db *store.Store, _ Config) error { return c.offline(ctx, db, out) })
	return errors.Join(err, out.Flush())
}

func (c AuditExportCmd) live(ctx context.Context, client *api.Client, w io.Writer) error {
	for after := c.After; ; {
		page, err := client.Audit(ctx, after, auditPage)
		if err != nil {
			return err
		}
		if err := writeRows(w, page.Items); err != nil {
			return err
		}
		if page.Next == "" {
			return nil
		}
		if _, err := fmt.Sscan(page.Next, &after); err != nil {
			return fmt.Errorf("the server gave %q as the next row: %w", page.Next, err)
		}
	}
}

func (c AuditExportCmd) offline(ctx context.Context, db *store.Store, w io.Writer) error {
	for after := c.After; ; {
		var rows []core.Event
		err := db.View(ctx, func(r engine.Reader) error { rows = r.Events(after, auditPage); return nil })
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := writeRows(w, exported(rows)); err != nil {
			return err
		}
		after = rows[len(rows)-1].Seq
	}
}

// exported gives rows the form in which the API tells them.
func exported(rows []core.Event) []api.Event {
	out := make([]api.Event, len(rows))
	for i, e := range rows {
		if e.Data == nil {
			e.Data = map[string]any{}
		}
		out[i] = api.Event{Seq: e.Seq, At: e.At.UTC(), Type: e.Type, Actor: e.Actor, Subject: e.Subject, Task: e.Task, Data: e.Data}
	}
	return out
}

func writeRows(w io.Writer, rows []api.Event) error {
	enc := json.NewEncoder(w)
	for _, row := range rows {
		if err := enc.Encode(row); err != nil {
			return fmt.Errorf("writing the answer: %w", err)
		}
	}
	return nil
}
