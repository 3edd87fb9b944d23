package main

import (
	"context"
	"fmt"
	"time"

	"holdpoint/inapp/api"
)

// HealthcheckCmd asks a daemon whether it is healthy.
type HealthcheckCmd struct{}

// healthWithin bounds how long a healthy daemon may take to say so.
const healthWithin = 5 * time.Second

// Run asks without a token: 0 healthy, 1 not, 69 nobody answers.
func (HealthcheckCmd) Run(ctx context.Context, s std, g *Globals) error {
	cfg, err := g.load(s)
	if err != nil {
		return err
	}
	h, err := healthy(ctx, g.server(s, cfg))
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, h)
	}
	_, err = fmt.Fprintln(s.out, h.Status)
	return err
}

// healthy asks the daemon at an address; no error means that it is well.
func healthy(ctx context.Context, server string) (api.Health, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, healthWithin, fmt.Errorf("%w at %s: no answer within %s", api.ErrUnreachable, server, healthWithin))
	defer cancel()
	client, err := api.NewClient(server, "", nil)
	if err != nil {
		return api.Health{}, err
	}
	return client.Health(ctx)
}
