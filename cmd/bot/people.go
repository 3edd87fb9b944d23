package main

import (
	"context"
	"fmt"

	"holdpoint/summaries"
)

// PersonCmd is the family of commands about people.
type PersonCmd struct {
	List PersonListCmd `cmd:"" help:"List the people of the configuration."`
}

// PersonListCmd lists people.
type PersonListCmd struct{}

// Run prints a line a person.
func (PersonListCmd) Run(ctx context.Context, s std, g *Globals) error {
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	people, err := client.People(ctx)
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, people)
	}
	var p page
	for _, one := range people {
		p.line("%-16s  %-24s  %s", summaries.Visible(one.Name), seen(one.Roles), seen(one.Surfaces))
	}
	return p.to(s.out)
}

// SignInCmd makes a sign-in link.
type SignInCmd struct {
	Person string `help:"Whom it signs in." required:"" placeholder:"NAME"`
}

// Run prints the link alone on standard output.
func (c SignInCmd) Run(ctx context.Context, s std, g *Globals) error {
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	link, err := client.SignIn(ctx, c.Person)
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, link)
	}
	if _, err := fmt.Fprintln(s.out, link.URL); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	s.say("signs %s in, once, until %s: whoever has the link is that person", summaries.Visible(c.Person), clock(link.ExpiresAt))
	return nil
}
