package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/summaries"
)

// ServeCmd runs the daemon.
type ServeCmd struct {
	Listen    string   `help:"The address of page and API; port 0 takes a free one." placeholder:"ADDR"`
	Plan      []string `help:"Start this plan; its record goes on if it was started before and has not ended." placeholder:"FILE" type:"path"`
	LogFormat string   `help:"How to log: text or json." enum:"text,json" default:"text"`
	LogLevel  string   `help:"What to log: debug, info, warn or error." enum:"debug,info,warn,error" default:"info"`
}

// Run runs the daemon until the context ends.
func (c ServeCmd) Run(ctx context.Context, s std, g *Globals) error {
	cfg, err := loadConfig(g.Config, s.environ, map[string]any{"data_dir": g.Data, "listen": c.Listen})
	if err != nil {
		return err
	}
	app := New(cfg, c.logger(s))
	plans := make([]core.Plan, len(c.Plan))
	for i, file := range c.Plan {
		f, err := readPlan(file, nil)
		if err != nil {
			return err
		}
		if err := f.plan.CheckPeople(cfg.policy(), ""); err != nil {
			return f.fault(err)
		}
		plans[i] = f.plan
	}
	return app.Run(ctx, func() error { return c.ready(ctx, s, app, plans) })
}

func (c ServeCmd) logger(s std) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.LogLevel)) // one of the four that the flag takes
	opts := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(s.err, opts))
	}
	return slog.New(slog.NewTextHandler(s.err, opts))
}

// ready starts the plans and says where to go on.
func (c ServeCmd) ready(ctx context.Context, s std, app *App, plans []core.Plan) error {
	base := app.cfg.url(app.addr.String())
	if _, err := fmt.Fprintf(s.out, "serving  %s\n", base); err != nil {
		return err
	}
	for i, p := range plans {
		key, err := filepath.Abs(c.Plan[i])
		if err != nil {
			return err
		}
		t, created, err := app.engine.StartTask(ctx, engine.StartTask{Actor: operator, Plan: p, RequestID: "serve:" + key, Again: true})
		if err != nil {
			return fmt.Errorf("starting %s: %w", c.Plan[i], err)
		}
		verb := "started"
		if !created {
			verb = "goes on"
		}
		_, _ = fmt.Fprintf(s.out, "%s  %s · %s · %s\n", verb, t.ID, summaries.Visible(t.Plan.Title), t.State)
	}
	return c.invite(ctx, s, app, base)
}

// operator is who starts the plans of the command line: whoever can start the daemon is the operator.
var operator = core.Actor{Kind: core.ActorOperator, Name: "operator", File: true, Surface: "cli"}

// invite prints the sign-in link where nobody is configured; else it says how one is made.
func (c ServeCmd) invite(ctx context.Context, s std, app *App, base string) error {
	if app.cfg.People != nil {
		_, err := fmt.Fprintln(s.out, "sign in  holdpoint signin --person NAME")
		return err
	}
	secret, _, err := app.engine.NewSignIn(ctx, core.System(), ownerName)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "open     %s/signin/%s\n         signs in as %s, once, within 10 minutes (later: holdpoint signin --person %s)\n",
		base, secret, ownerName, ownerName)
	return err
}
