package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// TaskStopCmd stops a task.
type TaskStopCmd struct {
	TaskID
	Reason string `help:"Why, for the record and for whoever is stopped." placeholder:"R"`
	Force  bool   `help:"Without a grace. Repeated, it raises a stop that is under way."`
	Tree   bool   `help:"Its children too, as far as possible."`
	Wait   bool   `help:"Wait until nothing of what was stopped lives any more."`
}

// Run prints what the stop came to. That there was nothing to stop is success too.
func (c TaskStopCmd) Run(ctx context.Context, s std, g *Globals) error {
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	out, err := client.StopTask(ctx, c.ID, api.StopTask{Reason: c.Reason, Force: c.Force, Tree: c.Tree})
	if err != nil {
		return err
	}
	if g.JSON {
		err = writeJSON(s.out, out)
	} else {
		err = printStop(s, out)
	}
	if err != nil || !c.Wait {
		return err
	}
	return c.gone(ctx, s, client)
}

func printStop(s std, out api.TaskStop) error {
	var p page
	p.line("%s", out.Status)
	for _, one := range out.Sessions {
		p.fact("session", one.SessionID+" "+stoppedText(one.StoppedSession))
	}
	p.fact("children", strings.Join(out.Children, ", "))
	return p.to(s.out)
}

func stoppedText(one api.StoppedSession) string {
	switch {
	case one.Changed:
		return fmt.Sprintf("%s · ending %s", one.FinalState, one.ExecutionID)
	case one.FinalState == "":
		return "nothing of it is live"
	}
	return string(one.FinalState) + " already"
}

// gone waits until no teardown of the task is pending, and tells one that failed.
func (c TaskStopCmd) gone(ctx context.Context, s std, client *api.Client) error {
	for said := false; ; {
		t, err := client.Task(ctx, c.ID)
		if err != nil && !api.WorthAgain(err) {
			return err
		}
		pending, failed := teardowns(t)
		switch {
		case err == nil && len(pending) == 0 && len(failed) > 0:
			return fmt.Errorf("not all could be ended: %s", strings.Join(failed, ", "))
		case err == nil && len(pending) == 0:
			return nil
		case err == nil && !said:
			said = true
			s.say("waiting until all is gone: %s", strings.Join(pending, ", "))
		}
		if pause(ctx, lookEach/4); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

func teardowns(t api.Task) (pending, failed []string) {
	for _, one := range t.Sessions {
		x := one.Execution
		switch {
		case x == nil:
		case x.Teardown.State == "pending":
			pending = append(pending, x.ID)
		case x.Teardown.State == "failed":
			failed = append(failed, x.ID+quoted(x.Teardown.Reason))
		}
	}
	return pending, failed
}

// SessionCmd is the family of commands about sessions.
type SessionCmd struct {
	Show SessionShowCmd `cmd:"" help:"Show a session and what it runs."`
	Stop SessionStopCmd `cmd:"" help:"Stop a session. Its task goes along once no other session of it works."`
}

// SessionShowCmd shows a session.
type SessionShowCmd struct {
	ID string `arg:"" help:"The session's id."`
}

// Run prints the session.
func (c SessionShowCmd) Run(ctx context.Context, s std, g *Globals) error {
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	d, err := client.Session(ctx, c.ID)
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, d)
	}
	var p page
	p.line("%s  %s", d.ID, summaries.Visible(d.Name))
	p.fact("state", string(d.State))
	p.fact("task", d.TaskID)
	if x := d.Execution; x != nil {
		p.fact("execution", fmt.Sprintf("%s %s %s%s", x.ID, x.State, x.Outcome, quoted(x.Message)))
		if x.Teardown.State != "none" {
			p.fact("teardown", teardownText(*x))
		}
	}
	p.fact("since", clock(d.UpdatedAt.Truncate(time.Second)))
	return p.to(s.out)
}

// SessionStopCmd stops a session.
type SessionStopCmd struct {
	ID     string `arg:"" help:"The session's id."`
	Reason string `help:"Why, for the record and for whoever is stopped." placeholder:"R"`
	Force  bool   `help:"Without a grace."`
}

// Run prints what the stop came to.
func (c SessionStopCmd) Run(ctx context.Context, s std, g *Globals) error {
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	out, err := client.StopSession(ctx, c.ID, api.StopSession{Reason: c.Reason, Force: c.Force})
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, out)
	}
	var p page
	p.line("%s", stoppedText(out))
	return p.to(s.out)
}
