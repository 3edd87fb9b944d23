package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"holdpoint/core"
	"holdpoint/inapp/api"
)

// GateCmd asks for one approval and runs one command on it, here.
type GateCmd struct {
	Title        string   `help:"What is to be approved." required:"" placeholder:"T"`
	Detail       string   `help:"More about it; - reads it from standard input." placeholder:"D"`
	Rollback     string   `help:"How to undo it." placeholder:"N"`
	Risk         string   `help:"low, medium or high; default medium." enum:",low,medium,high" default:"" placeholder:"R"`
	Approver     []string `help:"Who may approve it, a person or role:NAME; may stand several times. None: everybody with role approver." sep:"none" placeholder:"P"`
	Approvals    *int     `help:"How many people have to approve; default 1." placeholder:"N"`
	ExpiresIn    string   `help:"How long it may be decided, such as 4h, or never; default 24h." placeholder:"D"`
	RequestID    string   `help:"Attach to the request that was made under this id before; without it each run makes its own." placeholder:"R"`
	Attach       []string `help:"Evidence; not taken yet." sep:"none" placeholder:"F"`
	PassStatus   bool     `help:"End with the command's own status where it fails."`
	RefuseStatus int      `help:"End with this status for every ending but approved, as the hooks of agents want it." placeholder:"N"`
	Cmd          []string `arg:"" optional:"" help:"What to run once it is approved, behind --. Without it the approval is success."`
}

// maxDetail bounds what is read from standard input as a detail; the daemon bounds the whole plan.
const maxDetail = core.MaxPlanBytes

// Run asks, waits, claims, runs the command and reports how it ended.
func (c GateCmd) Run(ctx context.Context, s std, g *Globals) error {
	if c.RefuseStatus < 0 || c.RefuseStatus > 255 {
		return usageError("--refuse-status takes an exit status from 1 to 255")
	}
	released, err := c.run(ctx, s, g)
	if err == nil || released || c.RefuseStatus == 0 {
		return err
	}
	if _, said := errors.AsType[status](err); !said {
		exitStatus(s, err)
	}
	return status(c.RefuseStatus)
}

// run says whether the step was released, and with which error it ended.
func (c GateCmd) run(ctx context.Context, s std, g *Globals) (released bool, err error) {
	request, err := c.request(s)
	if err != nil {
		return false, err
	}
	client, _, err := g.client(s)
	if err != nil {
		return false, err
	}
	// From here on signals are ours: before the claim they withdraw, behind it they are the command's.
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	w := gate{client: client, request: request, lines: newLines(s)}
	claimed, err := w.wait(ctx)
	w.lines.still()
	if err != nil {
		return false, err
	}
	out := gateResult{Claimed: claimed, Outcome: "approved"}
	if len(c.Cmd) == 0 {
		w.lines.say("approved", "%s", deciders(claimed.Approval))
	} else {
		err = w.work(ctx, c, signals, &out)
	}
	if g.JSON {
		err = errors.Join(err, writeJSON(s.out, out))
	}
	return out.Outcome != "withdrawn", err
}

// gateResult is the answer of a gate in JSON.
type gateResult struct {
	api.Claimed
	Outcome string `json:"outcome"`
	Exit    int    `json:"exit_status"`
}

// request makes what is asked for out of the flags.
func (c GateCmd) request(s std) (api.Gate, error) {
	if len(c.Attach) > 0 {
		return api.Gate{}, usageError("--attach is not known yet: evidence is not taken so far")
	}
	detail := c.Detail
	if detail == "-" {
		text, err := io.ReadAll(io.LimitReader(s.in, maxDetail+1))
		if err != nil {
			return api.Gate{}, fmt.Errorf("reading the detail: %w", err)
		}
		if len(text) > maxDetail {
			return api.Gate{}, fmt.Errorf("the detail is too large: %d KiB at most", maxDetail>>10)
		}
		detail = string(text)
	}
	g := api.Gate{
		GateInput: core.GateInput{Title: c.Title, Detail: detail, Risk: c.Risk, RollbackNotes: c.Rollback, Command: core.Exec{Args: c.Cmd},
			Approvers: c.Approver, ApprovalsRequired: c.Approvals, ExpiresIn: c.ExpiresIn},
		RequestID: c.RequestID, ClaimID: rand.Text(),
	}
	if g.RequestID == "" {
		g.RequestID = rand.Text()
	}
	return g, nil
}

// gate is one run of the command: what it asked for, and how far it is.
type gate struct {
	client   *api.Client
	request  api.Gate
	lines    *lines
	approval api.Approval // as it was seen last
	reached  bool         // the daemon answered once
}

// How long one look takes, and how long it rests after a daemon that was away. The first looks are short:
// who was told is known a moment after the request.
const (
	waitOnce  = 30 * time.Second
	firstLook = time.Second
	rest      = 500 * time.Millisecond
	mostRest  = 5 * time.Second
)

// wait asks until it is approved and claimed. It comes back by the request's own id, whatever became of
// the daemon or of the way to it meanwhile.
func (w *gate) wait(ctx context.Context) (api.Claimed, error) {
	look, away := time.Duration(0), time.Duration(0)
	for first := true; ; first = false {
		asking := ctx
		if first { // so that what is withdrawn is known
			asking = context.WithoutCancel(ctx)
		}
		c, released, err := w.client.Gate(asking, w.request, look)
		switch {
		case released:
			if w.approval.ID != c.Approval.ID { // decided before the first look
				w.lines.asked(c.Approval)
				w.lines.sent(c.Approval)
			}
			w.approval = c.Approval
			return c, nil
		case err == nil:
			w.reached, away = true, 0
			look = w.tell(c.Approval)
		case ctx.Err() != nil:
		case superseded(err):
			look = 0
		case api.WorthAgain(err) && (w.reached || !refusedDial(err)):
			if away == 0 {
				w.lines.say("away", "the daemon does not answer; it is asked again")
			}
			away = min(2*away+rest, mostRest)
			pause(ctx, away)
		default:
			return c, w.ended(err)
		}
		if ctx.Err() != nil {
			return w.withdraw() //nolint:contextcheck // the signal that ends the context is why it is withdrawn
		}
	}
}

// tell prints what is new about the request, and says how long the next look may take.
func (w *gate) tell(a api.Approval) time.Duration {
	if w.approval.ID != a.ID { // the first one, or a fresh one in its place
		w.lines.asked(a)
	}
	w.approval = a
	if !w.lines.sent(a) {
		return firstLook
	}
	w.lines.waiting()
	return waitOnce
}

func (w *gate) hasCommand() bool { return len(w.request.Command.Args) > 0 }

// superseded says that a fresh request stands in the place of the one that was waited for: the same
// request id leads to it.
func superseded(err error) bool {
	refusal, ok := errors.AsType[*core.Error](err)
	return ok && refusal.Code == core.CodeStale && refusal.ReplacedBy != ""
}

// refusedDial says that nobody listens there: nothing was sent.
func refusedDial(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
