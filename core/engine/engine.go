package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"holdpoint/core"
	"holdpoint/failpoint"
)

// Options is what an engine is made of. Store, Runtime, Files, NewID, NewCode, NewSecret and Workdir
// are required.
type Options struct {
	Store     Store
	Runtime   Runtime
	Files     Files
	Lookup    Lookup // of a session's live execution; default: the store's own
	Surfaces  []Surface
	Policy    core.Policy
	Now       func() time.Time                          // default time.Now
	NewID     func(prefix string, now time.Time) string // sortable by time
	NewCode   func() string                             // 6 characters of Crockford base32, at random
	NewSecret func() string                             // at least 128 bits
	Workdir   func(task string) string                  // where a task works whose plan names no directory
	Logger    *slog.Logger                              // default: none
	Observe   func(ctx context.Context, o Observation)  // called after every command, for metrics; may be nil
}

// Observation is what a command came to, for metrics.
type Observation struct {
	Change  core.Change
	Refusal error
	Took    time.Duration
}

// Engine takes commands and runs the loops. Make it with New, start its loops with Run.
type Engine struct {
	Options
	presence  presence
	policy    atomic.Pointer[core.Policy]
	hub       hub
	follows   follows
	guards    guards
	teardowns teardowns
	loops     sync.WaitGroup
}

// New makes an engine. It starts nothing.
func New(o Options) *Engine {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	e := &Engine{Options: o}
	if e.Lookup == nil {
		e.Lookup = e
	}
	e.SetPolicy(o.Policy)
	return e
}

// SetPolicy replaces people and rules. What is decided or claimed from now on is judged by them.
func (e *Engine) SetPolicy(p core.Policy) {
	if p.Limits.Running <= 0 {
		p.Limits.Running = DefaultRunning
	}
	e.policy.Store(&p)
}

// DefaultRunning is how many steps run at the same time where the configuration says nothing; it is the
// contract's example.
const DefaultRunning = 4

// Policy gives the people and rules in force.
func (e *Engine) Policy() core.Policy { return *e.policy.Load() }

// now is the clock as the records keep it: UTC, whole milliseconds.
func (e *Engine) now() time.Time { return e.Now().UTC().Truncate(time.Millisecond) }

// loader reads what a step may look at. Its refusal is the command's.
type loader func(Reader) (core.Snapshot, error)

// attempts bounds how often a step is run again because the files that it needs changed meanwhile.
const attempts = 5

// step is one command: load, decide, write, commit, wake. It returns what was written, and the refusal
// of the rules or the fault of the store.
func (e *Engine) step(ctx context.Context, load loader, cmd core.Command) (core.Change, error) {
	return e.stepIn(ctx, e.Store.Update, load, cmd, nil)
}

type update func(context.Context, func(Tx) error) error

// stepIn is step with the transaction to use and what else is to be written with the change.
func (e *Engine) stepIn(ctx context.Context, up update, load loader, cmd core.Command, also func(Tx, *core.Change)) (core.Change, error) {
	begin := e.Now()
	now := begin.UTC().Truncate(time.Millisecond)
	var files *core.Files
	for range attempts {
		var change core.Change
		var refusal error
		err := up(ctx, func(tx Tx) error {
			s, err := load(tx)
			if err != nil {
				refusal = err
				return nil //nolint:nilerr // a refusal is an answer, not a fault of the transaction
			}
			s.Policy, s.Epoch, s.Files = e.Policy(), tx.Epoch(), files
			if change, refusal = core.Step(s, cmd, now, e.mint(tx, now)); isNeed(refusal) {
				return nil
			}
			if refusal == nil && also != nil {
				also(tx, &change)
			}
			e.write(tx, change, now)
			return nil
		})
		if err != nil {
			return core.Change{}, e.storeFault(err)
		}
		need, ok := errors.AsType[*core.NeedFiles](refusal)
		if !ok {
			e.committed(ctx, change, refusal, begin)
			return change, refusal
		}
		if files, err = e.digest(ctx, need); err != nil {
			return core.Change{}, err
		}
	}
	return core.Change{}, core.Refuse(core.CodeUnavailable, "", "the record kept changing: try again")
}

func isNeed(err error) bool {
	_, ok := errors.AsType[*core.NeedFiles](err)
	return ok
}

func (e *Engine) digest(ctx context.Context, need *core.NeedFiles) (*core.Files, error) {
	sums, err := e.Files.Digests(ctx, need.Workdir, need.Names)
	if err != nil {
		r := core.Refuse(core.CodeUnavailable, "", "the files that the step names can't be read: mend that, then try again")
		r.Err = err
		return nil, r
	}
	return &core.Files{Workdir: need.Workdir, Names: need.Names, Digests: sums}, nil
}

// write applies a change and asks every surface for a new revision of the cards that it touched.
func (e *Engine) write(tx Tx, c core.Change, now time.Time) {
	for _, subject := range c.Touched {
		for _, s := range e.Surfaces {
			card, ok := tx.Card(s.Name(), subject)
			if !ok {
				card = core.Card{Surface: s.Name(), Subject: subject, At: now}
			}
			c.Cards = append(c.Cards, card.Touch(now))
		}
	}
	if !c.Empty() {
		tx.Apply(c)
	}
}

// mint gives ids and codes. A code is drawn again while a kept approval has it.
func (e *Engine) mint(tx Tx, now time.Time) core.Mint {
	return core.Mint{
		ID: func(prefix string) string { return e.NewID(prefix, now) },
		Code: func() string {
			for {
				code := e.NewCode()
				if _, taken := tx.ApprovalByCode(code); !taken {
					return code
				}
			}
		},
	}
}

// committed is what follows a commit: hints for those who wait, and a look for metrics.
func (e *Engine) committed(ctx context.Context, c core.Change, refusal error, begin time.Time) {
	if e.Observe != nil {
		e.Observe(ctx, Observation{Change: c, Refusal: refusal, Took: e.Now().Sub(begin)})
	}
	if c.Empty() {
		return
	}
	keys := []string{keyEvents}
	for _, a := range c.Approvals {
		keys = append(keys, a.ID)
	}
	if c.Task != nil {
		keys = append(keys, c.Task.ID)
	}
	if len(c.Approvals) > 0 || c.Claim != nil {
		keys = append(keys, keyWatchdog)
	}
	if c.Task != nil || len(c.Executions) > 0 {
		keys = append(keys, keyRunner)
	}
	if len(c.Touched) > 0 {
		keys = append(keys, keyCards)
	}
	e.hub.wake(keys...)
}

// storeFault turns a fault of the store into what a person may be told: never yes, never no.
func (e *Engine) storeFault(err error) error {
	if _, ok := errors.AsType[*core.Error](err); ok {
		return err
	}
	r := core.Refuse(core.CodeUnavailable, "", "this could not be confirmed: look again in a moment")
	r.Err = err
	return r
}

// hit drives a failpoint; an error there is a fault of the command.
func hit(name string) error {
	if err := failpoint.Hit(name); err != nil {
		return core.Refuse(core.CodeUnavailable, "", "%v", err)
	}
	return nil
}

// Run drives the loops until the context ends, and returns once all of them have.
func (e *Engine) Run(ctx context.Context) {
	e.loops.Go(func() { e.runner(ctx) })
	e.loops.Go(func() { e.watchdog(ctx) })
	e.loops.Go(func() { e.teardown(ctx) })
	e.loops.Go(func() { e.attendance(ctx) })
	for _, s := range e.Surfaces {
		e.loops.Go(func() { e.cards(ctx, s) })
	}
	e.loops.Wait()
	e.follows.wait()
	e.teardowns.wg.Wait()
}
