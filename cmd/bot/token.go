package main

import (
	"context"
	"fmt"

	"holdpoint/core"
	"holdpoint/summaries"
)

// TokenCmd is the family of commands about tokens.
type TokenCmd struct {
	Create TokenCreateCmd `cmd:"" help:"Make a token and print it alone, this once."`
	List   TokenListCmd   `cmd:"" help:"List tokens, without their secrets."`
	Revoke TokenRevokeCmd `cmd:"" help:"End a token at once."`
}

// TokenCreateCmd makes a token.
type TokenCreateCmd struct {
	Name string `help:"What it is called in lists and in the audit." required:"" placeholder:"N"`
	Role string `help:"agent, operator or person:NAME. Only a person's token decides." required:"" placeholder:"ROLE"`
}

// Run prints the token alone on standard output.
func (c TokenCreateCmd) Run(ctx context.Context, s std, g *Globals) error {
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	t, err := client.CreateToken(ctx, c.Name, core.Role(c.Role))
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, t)
	}
	if _, err := fmt.Fprintln(s.out, t.Secret); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	s.say("%s is made; the token is not told again", t.ID)
	return nil
}

// TokenListCmd lists tokens.
type TokenListCmd struct{}

// Run prints a line a token.
func (TokenListCmd) Run(ctx context.Context, s std, g *Globals) error {
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	tokens, err := client.Tokens(ctx)
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, tokens)
	}
	var p page
	for _, t := range tokens {
		ended := ""
		if t.RevokedAt != nil {
			ended = " · ended " + clock(*t.RevokedAt)
		}
		p.line("%s  %-16s  %-16s  made %s by %s%s", t.ID, summaries.Visible(t.Name), summaries.Visible(string(t.Role)),
			clock(t.CreatedAt), summaries.Visible(t.CreatedBy), ended)
	}
	return p.to(s.out)
}

// TokenRevokeCmd ends a token.
type TokenRevokeCmd struct {
	Token string `arg:"" name:"id" help:"The token's id or name, as token list shows them; never the token itself."`
}

// Run says that it ended.
func (c TokenRevokeCmd) Run(ctx context.Context, s std, g *Globals) error {
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	t, err := client.RevokeToken(ctx, c.Token)
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, t)
	}
	var p page
	p.line("%s  %s has ended", t.ID, summaries.Visible(t.Name))
	return p.to(s.out)
}
