package api

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"holdpoint/core"
)

// slack is how much longer than it was asked to wait an answer may take before the way to the daemon
// counts as cut.
const slack = 20 * time.Second

// within bounds one call that waits on the other side.
func within(ctx context.Context, wait time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, wait+slack, ErrUnreachable)
}

// Gate asks for an approval, waits for it up to a time of at most MostWait, and takes its use. ok: the
// work may begin. The endings come as refusals. It may be called again with the same ids.
func (c *Client) Gate(ctx context.Context, g Gate, wait time.Duration) (out Claimed, ok bool, err error) {
	ctx, cancel := within(ctx, wait)
	defer cancel()
	out, err = ask[Claimed](ctx, c, http.MethodPost, withQuery(at("/gate"), map[string]string{"wait": seconds(wait)}), g)
	return out, out.ExecutionID != "", err
}

// Claim takes the one use of an approval of outside work; ok as for Gate.
func (c *Client) Claim(ctx context.Context, id, requestID string, wait time.Duration) (out Claimed, ok bool, err error) {
	ctx, cancel := within(ctx, wait)
	defer cancel()
	path := withQuery(at("/approvals/%s/claim", id), map[string]string{"wait": seconds(wait)})
	out, err = ask[Claimed](ctx, c, http.MethodPost, path, ClaimApproval{RequestID: requestID})
	return out, out.ExecutionID != "", err
}

// Report tells how outside work ended.
func (c *Client) Report(ctx context.Context, task string, checkpoint int, r ReportWork) (Task, error) {
	return ask[Task](ctx, c, http.MethodPost, at("/tasks/%s/checkpoints/%s/report", task, strconv.Itoa(checkpoint)), r)
}

// Rollback asks for a checkpoint to be undone, behind an approval of its own.
func (c *Client) Rollback(ctx context.Context, task string, checkpoint int) (Task, error) {
	return ask[Task](ctx, c, http.MethodPost, at("/tasks/%s/checkpoints/%s/rollback", task, strconv.Itoa(checkpoint)), nil)
}

// EditPlan replaces what is left of a task's plan.
func (c *Client) EditPlan(ctx context.Context, task string, p core.PlanInput) (Task, error) {
	return ask[Task](ctx, c, http.MethodPatch, at("/tasks/%s/plan", task), p)
}

// StopTask stops a task. A stop that failed in part is a refusal that tells of each session.
func (c *Client) StopTask(ctx context.Context, task string, s StopTask) (TaskStop, error) {
	return ask[TaskStop](ctx, c, http.MethodPost, at("/tasks/%s/stop", task), s)
}

// StopSession stops one session.
func (c *Client) StopSession(ctx context.Context, id string, s StopSession) (StoppedSession, error) {
	return ask[StoppedSession](ctx, c, http.MethodPost, at("/sessions/%s/stop", id), s)
}

// Session shows one session.
func (c *Client) Session(ctx context.Context, id string) (SessionDetail, error) {
	return ask[SessionDetail](ctx, c, http.MethodGet, at("/sessions/%s", id), nil)
}
