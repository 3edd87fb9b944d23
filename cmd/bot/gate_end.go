package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"holdpoint/core"
	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// withdrawWithin bounds how long it is tried to withdraw a request.
const withdrawWithin = 10 * time.Second

// withdraw takes the request back. A claim of ours that was on its way is given back.
func (w *gate) withdraw() (api.Claimed, error) {
	w.lines.still()
	ctx, cancel := context.WithTimeoutCause(context.Background(), withdrawWithin, api.ErrUnreachable)
	defer cancel()
	if w.approval.ID == "" { // whether it was made is not known: its own id leads to it
		c, _, err := w.client.Gate(ctx, w.request, 0)
		if err != nil {
			return c, w.ended(err)
		}
		w.approval = c.Approval
	}
	done, err := w.client.Cancel(ctx, w.approval.TaskID, "withdrawn by whoever waited for it")
	refusal, _ := errors.AsType[*core.Error](err)
	switch {
	case err == nil && !done.Changed && done.State != core.TaskCancelled:
		w.lines.say(string(done.State), "%s", sentence(done.NextAction))
		if code := endings[done.State]; code != exitOK {
			return api.Claimed{}, status(code)
		}
		return api.Claimed{Approval: w.approval}, nil
	case err == nil:
		w.lines.say("withdrawn", "nothing ran")
		return api.Claimed{}, status(exitStopped)
	case refusal != nil && refusal.Code == core.CodeConflict:
		c, released, err := w.client.Gate(ctx, w.request, 0)
		if released && w.hasCommand() {
			return c, w.giveBack(c)
		}
		return c, err
	}
	return api.Claimed{}, fmt.Errorf("the request could not be withdrawn and stays open: %w", err)
}

// giveBack reports work that was claimed and that nobody began.
func (w *gate) giveBack(c api.Claimed) error {
	w.lines.still()
	ctx, cancel := context.WithTimeoutCause(context.Background(), withdrawWithin, api.ErrUnreachable)
	defer cancel()
	_, err := w.client.Report(ctx, c.Approval.TaskID, c.Approval.Checkpoint.Index,
		api.ReportWork{ExecutionID: c.ExecutionID, Outcome: "failed", Detail: "withdrawn before the command was started"})
	if err != nil {
		return fmt.Errorf("it was approved, nothing ran, and that could not be reported: %w", err)
	}
	w.lines.say("withdrawn", "it was approved already; nothing ran")
	return status(exitStopped)
}

// ended tells an ending that releases nothing, and maps it. What is no ending is an error like any other.
func (w *gate) ended(err error) error {
	refusal, ok := errors.AsType[*core.Error](err)
	if !ok {
		return err
	}
	name, known := map[core.Code]string{core.CodeRejected: "rejected", core.CodeExpired: "expired", core.CodeCancelled: "cancelled",
		core.CodeStale: "stale", core.CodeAlreadyDecided: "stale", core.CodeAlreadyClaimed: "used"}[refusal.Code]
	if !known {
		return err
	}
	text := summaries.Visible(refusal.Msg)
	if refusal.Code == core.CodeAlreadyClaimed {
		text += fmt.Sprintf(" (%s, %s)", summaries.Visible(refusal.By), clock(refusal.At))
	}
	w.lines.say(name, "%s", text)
	return status(exits[refusal.Code])
}
