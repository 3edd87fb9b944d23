package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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
			return nil
		}
		return core.ErrNoExecutionForSession
	})
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
	if err := e.mayStop(ctx, a, t); err != nil {
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

// mayStop is the authority over a stop. The stopper is not called where it says no.
func (e *Engine) mayStop(ctx context.Context, a core.Actor, t core.Task) error {
	_, err := e.step(ctx, func(r Reader) (core.Snapshot, error) { return load(r, t.ID) }, core.MayStop{Actor: a})
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
	id, err := e.Lookup.ExecutionForSession(ctx, s)
	switch {
	case errors.Is(err, core.ErrNoExecutionForSession):
		return out, nil
	case err != nil:
		return out, fmt.Errorf("looking up what session %s runs: %w", session, err)
	case id == "":
		return out, fmt.Errorf("looking up what session %s runs: %w", session, core.ErrEmptyExecutionID)
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
	if err := hit("stopCommitted"); err != nil {
		return out, err
	}
	out.Changed = slices.ContainsFunc(change.Sessions, func(s core.Session) bool {
		return s.ID == session && s.State == core.SessionCancelled
	})
	if out.Changed {
		out.FinalState = core.SessionCancelled
		return out, nil
	}
	again, _, err := e.session(ctx, session) // a natural end won the race
	out.FinalState = again.State
	return out, err
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

// StopTask asks for everything of a task to stop.
type StopTask struct {
	Actor  core.Actor
	Task   string
	Reason string
	Force  bool
	Tree   bool // its children too, best-effort
}

// TaskStop is what stopping a task came to. Stopped means that CANCELLED is on disk, with the teardown
// under way, or that a record at a gate was cancelled.
type TaskStop struct {
	Stopped  bool
	Sessions []StopResult
	Children []string
}

// StopTask stops the sessions of a task in the order of their ids, all of them even after a failure. A
// failure is an error that joins them all; what was accepted stays cancelled and is torn down.
func (e *Engine) StopTask(ctx context.Context, c StopTask) (TaskStop, error) {
	out := TaskStop{Sessions: []StopResult{}, Children: []string{}}
	d, err := e.Task(ctx, System(), c.Task)
	if err != nil {
		return out, err
	}
	if err := e.mayStop(ctx, c.Actor, d.Task); err != nil {
		return out, err
	}
	out.Children = append(out.Children, d.Children...)
	switch d.Task.State {
	case core.TaskAwaiting, core.TaskQueued, core.TaskPaused:
		_, changed, err := e.on(ctx, d.Task.ID, core.Cancel{Actor: c.Actor, Reason: c.Reason, Stop: true})
		if refusal, ok := errors.AsType[*core.Error](err); !ok || refusal.Code != core.CodeConflict {
			out.Stopped = changed
			return out, errors.Join(err, e.tree(ctx, c, d.Children))
		} // it was claimed meanwhile: its session is stopped like any other
	}
	err = e.stopSessions(ctx, c, d.Task.ID, &out)
	return out, errors.Join(err, e.tree(ctx, c, d.Children))
}

// System is the actor of what the engine reads for itself.
func System() core.Actor { return core.System() }

// stopSessions stops what works, and again what began meanwhile, until nothing new is found.
func (e *Engine) stopSessions(ctx context.Context, c StopTask, task string, out *TaskStop) error {
	var failed []error
	tried := map[string]bool{}
	for {
		var next []core.Session
		err := e.view(ctx, func(r Reader) error {
			for _, s := range r.SessionsOf(task) {
				x, ok := r.Execution(s.ExecutionID)
				raise := c.Force && ok && x.Teardown.State == core.TeardownPending && !x.Teardown.Force
				if !tried[s.ID] && (s.State.Cancellable() || raise) {
					next = append(next, s)
				}
			}
			return nil
		})
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		if len(next) == 0 {
			break
		}
		for _, s := range next {
			tried[s.ID] = true
			one, err := e.stopSession(ctx, c.Actor, s.ID, c.Reason, c.Force)
			if err != nil {
				failed = append(failed, fmt.Errorf("session %s: %w", s.ID, err))
			}
			out.Sessions = append(out.Sessions, one)
			out.Stopped = out.Stopped || one.Changed
		}
	}
	if len(failed) == 0 {
		return nil
	}
	out.Stopped = false
	refusal := core.Refuse(core.CodeUnavailable, task, "not everything could be stopped: try again")
	refusal.Err = errors.Join(failed...)
	return refusal
}

// tree stops the children of a stopped task, as far as it can: their failures are logged, and do not
// unsay the stop above them.
func (e *Engine) tree(ctx context.Context, c StopTask, children []string) error {
	if !c.Tree {
		return nil
	}
	for _, child := range children {
		if err := e.StopBestEffort(ctx, child, c.Reason, c.Force); err != nil && !errors.Is(err, core.ErrExecutionNotFound) {
			e.Logger.Warn("a child could not be stopped", slog.String("task", child), slog.Any("error", err))
		}
	}
	return nil
}

// StopBestEffort stops what is left of a task and of all under it, for completion, hand-over and trees:
// it goes on after failures, and partial success is success. core.ErrExecutionNotFound: there was nothing
// to stop. It too tears nothing down whose CANCELLED is not on disk.
func (e *Engine) StopBestEffort(ctx context.Context, task, reason string, force bool) error {
	out, err := e.StopTask(ctx, StopTask{Actor: System(), Task: task, Reason: reason, Force: force, Tree: true})
	some := out.Stopped || slices.ContainsFunc(out.Sessions, func(s StopResult) bool { return s.Changed })
	switch {
	case some:
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("task %s: %w", task, core.ErrExecutionNotFound)
}
