package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"holdpoint/core"
)

// Lookup finds the live execution of a session. core.ErrNoExecutionForSession, also wrapped, is the only
// natural absence; every other error means that nobody knows.
type Lookup interface {
	ExecutionForSession(ctx context.Context, session core.Session) (execution string, err error)
}

// StopResult is what stopping one session came to.
type StopResult struct {
	SessionID   string
	Changed     bool
	FinalState  core.SessionState // "" where there was nothing to look at
	ExecutionID string
}

// guards serialise what is done to one session within this process. The store's compare-and-set is what
// decides; a guard keeps two stops from looking up side by side.
type guards struct {
	mu    sync.Mutex
	locks map[string]*guard
}

type guard struct {
	mu   sync.Mutex
	refs int
}

func (g *guards) lock(id string) (unlock func()) {
	g.mu.Lock()
	if g.locks == nil {
		g.locks = map[string]*guard{}
	}
	one := g.locks[id]
	if one == nil {
		one = &guard{}
		g.locks[id] = one
	}
	one.refs++
	g.mu.Unlock()
	one.mu.Lock()
	return func() {
		one.mu.Unlock()
		g.mu.Lock()
		defer g.mu.Unlock()
		if one.refs--; one.refs == 0 {
			delete(g.locks, id)
		}
	}
}

// ExecutionForSession is the store's own look-up: what was claimed and has no recorded end is live.
func (e *Engine) ExecutionForSession(ctx context.Context, session core.Session) (string, error) {
	var id string
	err := e.view(ctx, func(r Reader) error {
		if x, ok := r.Execution(session.ExecutionID); ok && x.Live() {
			id = x.ID
		}
		return nil
	})
	if err == nil && id == "" {
		err = core.ErrNoExecutionForSession
	}
	return id, err
}

// StopSession asks one session to stop. Changed is true only once CANCELLED is on disk; the teardown then
// runs apart, whatever becomes of the caller.
func (e *Engine) StopSession(ctx context.Context, a core.Actor, session, reason string, force bool) (StopResult, error) {
	if session == "" {
		return StopResult{}, core.Invalid(core.FieldError{Path: "session_id", Message: "give the session's id"})
	}
	s, t, err := e.session(ctx, session)
	if err != nil {
		return StopResult{}, err
	}
	if err := e.may(ctx, a, core.ActStop, t); err != nil {
		return StopResult{}, err
	}
	return e.stopSession(ctx, a, s.ID, reason, force)
}

func (e *Engine) session(ctx context.Context, id string) (s core.Session, t core.Task, err error) {
	err = e.view(ctx, func(r Reader) error {
		var ok bool
		if s, ok = r.Session(id); !ok {
			return notFound(id, core.ErrSessionNotFound)
		}
		t, _ = r.Task(s.TaskID)
		return nil
	})
	return s, t, err
}

func notFound(id string, cause error) error {
	refusal := core.Refuse(core.CodeNotFound, id, "nothing is known under this id")
	refusal.Err = cause
	return refusal
}

// may asks the authority table before anything is done: the stopper is not called where it says no. Only
// a refusal is written.
func (e *Engine) may(ctx context.Context, a core.Actor, act core.Action, t core.Task) error {
	ask := core.AskMay{Actor: a, Action: act}
	var refused error
	err := e.view(ctx, func(r Reader) error {
		s := snapshot(r, t)
		s.Policy, s.Epoch = e.Policy(), r.Epoch()
		_, refused = core.Step(s, ask, e.now(), core.Mint{})
		return nil
	})
	if err != nil || refused == nil {
		return err
	}
	_, err = e.step(ctx, func(r Reader) (core.Snapshot, error) { return load(r, t.ID) }, ask)
	return err
}

// stopSession is the order of a stop: read again under the guard, look the execution up, write CANCELLED
// with the intent to tear down, publish, release.
func (e *Engine) stopSession(ctx context.Context, a core.Actor, session, reason string, force bool) (StopResult, error) {
	defer e.guards.lock(session)()
	out := StopResult{SessionID: session}
	s, t, err := e.session(ctx, session)
	if err != nil {
		return out, err
	}
	e.follows.disarm(s.ExecutionID)
	id, err := e.Lookup.ExecutionForSession(ctx, s)
	switch {
	case errors.Is(err, core.ErrNoExecutionForSession):
		return out, e.raise(ctx, a, t.ID, s.ExecutionID, force)
	case err == nil && id == "":
		err = core.ErrEmptyExecutionID
		fallthrough
	case err != nil:
		return out, unknown(session, err)
	}
	out.ExecutionID, out.FinalState = id, s.State
	if !s.State.Cancellable() {
		return out, e.raise(ctx, a, t.ID, id, force)
	}
	change, err := e.step(ctx, func(r Reader) (core.Snapshot, error) { return load(r, t.ID) },
		core.StopSession{Actor: a, SessionID: session, ExecutionID: id, Reason: reason, Force: force})
	if err != nil {
		return out, err // known not to be written, or nobody knows and the daemon ends: no teardown here
	}
	out.Changed = slices.ContainsFunc(change.Sessions, func(s core.Session) bool {
		return s.ID == session && s.State == core.SessionCancelled
	})
	if out.Changed {
		out.FinalState = core.SessionCancelled
		return out, hit("stopCommitted")
	}
	again, _, err := e.session(ctx, session) // a natural end won the race
	out.FinalState = again.State
	return out, err
}

// unknown is the answer where nobody could tell what a session runs.
func unknown(session string, cause error) error {
	refusal := core.Refuse(core.CodeUnavailable, session, "what this session runs could not be looked up: try again")
	refusal.Err = cause
	return refusal
}

// raise makes a pending graceful teardown forceful, where a stop is repeated with force.
func (e *Engine) raise(ctx context.Context, a core.Actor, task, execution string, force bool) error {
	if !force {
		return nil
	}
	_, err := e.step(ctx, func(r Reader) (core.Snapshot, error) { return load(r, task) },
		core.RaiseTeardown{Actor: a, ExecutionID: execution})
	return err
}
