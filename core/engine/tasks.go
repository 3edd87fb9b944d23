package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"holdpoint/core"
)

// StartTask asks for a plan to become a record.
type StartTask struct {
	Actor     core.Actor
	Plan      core.Plan // directories are absolute or empty
	RequestID string    // "": every call makes a record of its own
	ParentID  string
	// Again: a record that the request id made before goes on, whatever the plan says by now, unless it
	// is completed or cancelled; then a new one is made. It is how the daemon's own --plan is started.
	Again bool
	// Waited: whoever asks waits for the answer, and a card says so when it went away.
	Waited bool
}

// StartTask makes the record of a plan at its first gate. created is false where the same requester
// has asked with the same request id and plan before: then it is the record of that time.
func (e *Engine) StartTask(ctx context.Context, c StartTask) (t core.Task, created bool, err error) {
	taskID := e.NewID(core.PrefixTask, e.now())
	digest := planDigest(c)
	e.place(&c.Plan, taskID)
	var was core.Request
	found := func(r Reader) error {
		if c.RequestID == "" {
			return nil
		}
		var ok bool
		if was, ok = r.Request(c.Actor.String(), c.RequestID); !ok {
			return nil
		}
		if t, ok := r.Task(was.Record); c.Again && ok && (t.State == core.TaskCompleted || t.State == core.TaskCancelled) {
			return nil
		}
		return errSeen
	}
	ld := func(r Reader) (core.Snapshot, error) {
		if err := found(r); err != nil {
			return core.Snapshot{}, err
		}
		return core.Snapshot{}, e.mayParent(r, c)
	}
	change, err := e.stepIn(ctx, e.Store.UpdateNew, ld,
		core.StartTask{Actor: c.Actor, ID: taskID, Plan: c.Plan, RequestID: c.RequestID, ParentID: c.ParentID, Waited: c.Waited},
		func(_ Tx, ch *core.Change) {
			if c.RequestID != "" {
				ch.Requests = append(ch.Requests, core.Request{Requester: c.Actor.String(), ID: c.RequestID, Digest: digest, Record: taskID, At: ch.Task.CreatedAt})
			}
		})
	if err == errSeen { //nolint:errorlint // our own, passed through as it is
		if was.Digest != digest && !c.Again {
			return core.Task{}, false, core.Refuse(core.CodeConflict, was.Record, "this request_id was used for another plan: take a new one")
		}
		d, err := e.Task(ctx, c.Actor, was.Record)
		return d.Task, false, err
	}
	if err != nil {
		return core.Task{}, false, err
	}
	return *change.Task, true, nil
}

// errSeen ends a transaction in which a request id was found.
var errSeen = core.Refuse(core.CodeConflict, "", "this request was made before")

// place gives a plan that names no directory the record's own.
func (e *Engine) place(p *core.Plan, task string) {
	own := e.Workdir(task)
	p.Checkpoints = slices.Clone(p.Checkpoints)
	if p.Workdir == "" {
		p.Workdir = own
	}
	for i := range p.Checkpoints {
		if p.Checkpoints[i].Workdir == "" {
			p.Checkpoints[i].Workdir = p.Workdir
		}
	}
}

func (e *Engine) mayParent(r Reader, c StartTask) error {
	if c.ParentID == "" {
		return nil
	}
	parent, ok := r.Task(c.ParentID)
	if !ok || !sees(r, c.Actor, parent) {
		return core.Invalid(core.FieldError{Path: "parent_task_id", Message: "no such task"})
	}
	return nil
}

func planDigest(c StartTask) string {
	b, err := json.Marshal(struct {
		Plan   core.Plan
		Parent string
	}{c.Plan, c.ParentID})
	if err != nil {
		panic(fmt.Sprintf("engine: a plan that can't be written as JSON: %v", err)) // strings, ints and maps only
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// on runs a command of a task, and gives the task as it is afterwards. Who may is the rules' to say, so that
// the refusal stands in the audit.
func (e *Engine) on(ctx context.Context, text string, cmd core.Command) (core.Task, bool, error) {
	var before core.Task
	change, err := e.step(ctx, func(r Reader) (core.Snapshot, error) {
		s, err := load(r, text)
		before = s.Task
		return s, err
	}, cmd)
	if change.Task != nil {
		return *change.Task, true, err
	}
	return before, false, err
}

// Retry asks for another attempt behind a fresh approval.
func (e *Engine) Retry(ctx context.Context, a core.Actor, task string) (core.Task, error) {
	t, _, err := e.on(ctx, task, core.Retry{Actor: a})
	return t, err
}

// Resolve takes a person's word on a record in review.
func (e *Engine) Resolve(ctx context.Context, a core.Actor, task string, done bool, reason string) (core.Task, error) {
	t, _, err := e.on(ctx, task, core.Resolve{Actor: a, Done: done, Reason: reason})
	return t, err
}

// Pause holds a record that does nothing at the moment.
func (e *Engine) Pause(ctx context.Context, a core.Actor, task string) (core.Task, error) {
	t, _, err := e.on(ctx, task, core.Pause{Actor: a})
	return t, err
}

// Resume lets a paused record go on where it was.
func (e *Engine) Resume(ctx context.Context, a core.Actor, task string) (core.Task, error) {
	t, _, err := e.on(ctx, task, core.Resume{Actor: a})
	return t, err
}

// Cancel ends a record that does nothing at the moment; changed is false for a terminal one, which is
// left as it is.
func (e *Engine) Cancel(ctx context.Context, a core.Actor, task, reason string) (t core.Task, changed bool, err error) {
	return e.on(ctx, task, core.Cancel{Actor: a, Reason: reason})
}
