package process

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"

	"holdpoint/core/engine"
)

// Port is a Runtime as the engine calls it.
type Port struct {
	Runtime *Runtime
	// Lookup reads the daemon's own environment, for what a plan's pass_env names; nil means os.LookupEnv.
	Lookup func(string) (string, bool)
}

var _ engine.Runtime = Port{}

// Launch starts an execution. A working directory of the daemon's own is made where it is absent.
func (p Port) Launch(ctx context.Context, l engine.Launch) error {
	if l.MakeDir {
		if err := os.MkdirAll(l.Dir, 0o700); err != nil {
			return fmt.Errorf("making the working directory: %w", err)
		}
	}
	lookup := p.Lookup
	if lookup == nil {
		lookup = os.LookupEnv
	}
	err := p.Runtime.Launch(ctx, Spec{
		ID: l.ID, Argv: l.Argv, Dir: l.Dir, Timeout: l.Timeout, Grace: l.Grace,
		Env: StepEnv(lookup, maps.Clone(l.Env), l.PassEnv, l.Vars, l.Own),
	})
	if errors.Is(err, ErrVoid) || errors.Is(err, ErrUnsupported) {
		return fmt.Errorf("%w: %w", engine.ErrNeverRan, err)
	}
	return err
}

// Void makes sure that an execution which has not started never will.
func (p Port) Void(id string) (bool, error) { return p.Runtime.Void(id) }

// Stop ends every process of an execution.
func (p Port) Stop(ctx context.Context, id, reason string, force bool) error {
	return p.Runtime.Stop(ctx, id, reason, force)
}

// Look sees an execution now.
func (p Port) Look(id string) (engine.Sighting, error) { return translate(p.Runtime.Look(id)) }

// Wait returns once the execution is no longer live.
func (p Port) Wait(ctx context.Context, id string) (engine.Sighting, error) {
	return translate(p.Runtime.Wait(ctx, id))
}

var states = map[State]engine.SightingState{
	Never: engine.SeenNever, Void: engine.SeenVoid, Live: engine.SeenLive, Ended: engine.SeenEnded, Lost: engine.SeenLost,
}

func translate(s Sighting, err error) (engine.Sighting, error) {
	out := engine.Sighting{State: states[s.State]}
	if s.Status != nil {
		out.ExitCode, out.TimedOut, out.Stopped = s.Status.ExitCode, s.Status.TimedOut, s.Status.Stopped
		out.Message, out.Summary = s.Status.Message, s.Status.Summary
	}
	return out, err
}
