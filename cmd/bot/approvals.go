package main

import (
	"context"
	"errors"
	"fmt"

	"holdpoint/core"
	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// ApprovalsCmd is the family of commands that look at approvals.
type ApprovalsCmd struct {
	List ApprovalsListCmd `cmd:"" default:"withargs" help:"List approvals, newest first."`
	Show ApprovalsShowCmd `cmd:"" help:"Show all that a person approves: what will run, where, and how it is undone."`
}

// ApprovalID names one approval.
type ApprovalID struct {
	ID string `arg:"" name:"id" help:"The approval's id, a unique beginning of it, or its code."`
}

// ApprovalsListCmd lists approvals.
type ApprovalsListCmd struct {
	State string `help:"Only approvals in this state." enum:",pending,approved,rejected,expired,superseded,cancelled" default:"" placeholder:"STATE"`
	Limit int    `help:"So many at most; 1 to 200." default:"50" placeholder:"N"`
}

// Run prints a line an approval.
func (c ApprovalsListCmd) Run(ctx context.Context, s std, g *Globals) error {
	if err := checkLimit(c.Limit); err != nil {
		return err
	}
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	list, err := client.Approvals(ctx, c.State, c.Limit, "")
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, list)
	}
	var p page
	for _, a := range list.Items {
		p.line("%s  %s  %-10s  %-6s  %s · %s", a.ID, a.Code, a.State, a.Risk, summaries.Visible(a.Checkpoint.Title), summaries.Visible(a.Title))
	}
	if list.Next != "" {
		s.say("there are more: --limit shows up to 200, --state fewer kinds")
	}
	return p.to(s.out)
}

// ApprovalsShowCmd shows an approval.
type ApprovalsShowCmd struct{ ApprovalID }

// Run prints the approval with all that its fingerprint stands for.
func (c ApprovalsShowCmd) Run(ctx context.Context, s std, g *Globals) error {
	client, cfg, err := g.client(s)
	if err != nil {
		return err
	}
	a, err := client.Approval(ctx, c.ID)
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, a)
	}
	return printApproval(s, a, cfg.lang())
}

// ApproveCmd releases a step.
type ApproveCmd struct {
	ApprovalID
	Reason  string `help:"What you looked at, for the record." placeholder:"R"`
	Confirm bool   `help:"Be sure: high risk asks for this."`
}

// Run prints where the approval stands then.
func (c ApproveCmd) Run(ctx context.Context, s std, g *Globals) error {
	return decide(ctx, s, g, c.ID, api.Decide{Decision: core.Approve, Reason: c.Reason, Confirm: c.Confirm})
}

// RejectCmd refuses a step.
type RejectCmd struct {
	ApprovalID
	Reason  string `help:"Why; it is shown to who asked." required:"" placeholder:"R"`
	Confirm bool   `help:"Be sure: high risk asks for this."`
}

// Run prints where the approval stands then.
func (c RejectCmd) Run(ctx context.Context, s std, g *Globals) error {
	return decide(ctx, s, g, c.ID, api.Decide{Decision: core.Reject, Reason: c.Reason, Confirm: c.Confirm})
}

func decide(ctx context.Context, s std, g *Globals, id string, d api.Decide) error {
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	a, err := client.Decide(ctx, id, d)
	if refusal, ok := errors.AsType[*core.Error](err); ok && refusal.Code == core.CodeForbidden && g.TokenFile == "" && s.getenv(envToken) == "" {
		return fmt.Errorf("%w\nthis was the operator's token: make one with holdpoint token create --name N --role person:NAME and bring it by --token-file or HOLDPOINT_TOKEN", err)
	}
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, a)
	}
	var p page
	p.line("%s  %s · %s", a.State, summaries.Visible(a.Checkpoint.Title), sentence(a.Guidance))
	return p.to(s.out)
}
