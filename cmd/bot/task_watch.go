package main

import (
	"context"
	"fmt"
	"io"

	"holdpoint/core"
	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// TaskWatchCmd follows a task.
type TaskWatchCmd struct{ TaskID }

// Run prints a line a change until the task ends or is in review, and tells by the exit status which.
// A daemon that is away for a while is asked again.
func (c TaskWatchCmd) Run(ctx context.Context, s std, g *Globals) error {
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	after, err := newest(ctx, client)
	if err != nil {
		return err
	}
	w := watch{client: client, id: c.ID, out: s.out, json: g.JSON}
	if done, err := w.look(ctx); done || err != nil {
		return err
	}
	for e, err := range client.Events(ctx, after) {
		if err != nil {
			return err
		}
		if e.Task != w.last.ID {
			continue
		}
		if done, err := w.look(ctx); done || err != nil {
			return err
		}
	}
	s.say("no longer watching: the task goes on")
	return status(exitError)
}

// watch prints what changes of one task.
type watch struct {
	client *api.Client
	id     string
	out    io.Writer
	json   bool
	last   api.Task
	said   string // the last line, without its time
}

// look reads the task and prints it where it changed. done: it ended, with the exit status as the error.
func (w *watch) look(ctx context.Context) (done bool, err error) {
	t, err := w.client.Task(ctx, w.id)
	if err != nil {
		return false, w.patient(ctx, err)
	}
	changed := t.Revision != w.last.Revision || w.last.ID == ""
	w.last, w.id = t, t.ID
	if changed {
		if err := w.tell(); err != nil {
			return false, err
		}
	}
	code, ended := endings[t.State]
	switch {
	case !ended:
		return false, nil
	case code == exitOK:
		return true, nil
	}
	return true, status(code)
}

// patient lets a daemon that is away for a moment be: the stream comes again, and then there is more to
// look at.
func (w *watch) patient(ctx context.Context, err error) error {
	if w.last.ID != "" && ctx.Err() == nil && exitOf(err) == exitUnreachable {
		return nil
	}
	return err
}

func (w *watch) tell() error {
	t := w.last
	if w.json {
		return writeJSON(w.out, t)
	}
	line := fmt.Sprintf("%-17s  %d/%d %s%s", t.State, t.Current.Index+1, len(t.Checkpoints), summaries.Visible(t.Current.Title), attempt(t.Current))
	if a := t.Approval; a != nil && a.State == core.ApprovalPending {
		line += " · approve " + a.Code
	}
	if t.Reason != "" {
		line += " · " + summaries.Visible(t.Reason)
	}
	if line == w.said {
		return nil
	}
	w.said = line
	if _, err := fmt.Fprintf(w.out, "%s  %s\n", clock(t.UpdatedAt), line); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// newest finds the number of the newest audit row: twice as far each time until there is none, then
// half the way. What happens meanwhile is looked at once more.
func newest(ctx context.Context, client *api.Client) (int64, error) {
	behind := func(n int64) (bool, error) {
		page, err := client.Audit(ctx, n, 1)
		return len(page.Items) > 0 || page.Next != "", err
	}
	low, high := int64(0), int64(1)
	for ; ; low, high = high, high*2 {
		more, err := behind(high)
		if err != nil {
			return 0, err
		}
		if !more {
			break
		}
	}
	for low < high {
		mid := (low + high) / 2
		more, err := behind(mid)
		if err != nil {
			return 0, err
		}
		if more {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, nil
}
