package core

import "time"

// GateInput is what somebody who waits asks for in one line: one checkpoint of outside work.
type GateInput struct {
	Title             string   `json:"title"`
	Detail            string   `json:"detail,omitempty"`
	Risk              string   `json:"risk,omitempty"`
	RollbackNotes     string   `json:"rollback_notes,omitempty"`
	Command           Exec     `json:"command,omitzero"` // shown and fingerprinted, run by who claims
	Approvers         []string `json:"approvers,omitempty"`
	ApprovalsRequired *int     `json:"approvals_required,omitempty"`
	ExpiresIn         string   `json:"expires_in,omitempty"`
	OnBehalfOf        string   `json:"on_behalf_of,omitempty"`
}

// NewGatePlan makes the plan of a gate. Its faults carry the gate's own paths. A gate that nobody
// decided ends: whoever waits gets an answer.
func NewGatePlan(in GateInput) (Plan, error) {
	p, err := NewPlan(PlanInput{
		Title: in.Title, OnExpiry: string(ExpiryCancel), OnBehalfOf: in.OnBehalfOf, Approvers: in.Approvers,
		ApprovalsRequired: in.ApprovalsRequired, ExpiresIn: in.ExpiresIn,
		Checkpoints: []CheckpointInput{{Title: in.Title, Detail: in.Detail, Risk: in.Risk, Command: in.Command, RollbackNotes: in.RollbackNotes}},
	}, nil)
	refusal, ok := err.(*Error) //nolint:errorlint // NewPlan returns nothing else
	if !ok {
		return p, err
	}
	const prefix = "checkpoints[0]."
	for i, f := range refusal.Fields {
		if len(f.Path) > len(prefix) && f.Path[:len(prefix)] == prefix {
			refusal.Fields[i].Path = f.Path[len(prefix):]
		}
	}
	return p, refusal
}

// WaiterState says whether somebody still waits for an approval's answer.
type WaiterState string

// The states of a waiter.
const (
	WaiterNone    WaiterState = "none" // nobody waits by nature: the daemon runs the step, or a person looks
	WaiterWaiting WaiterState = "waiting"
	WaiterGone    WaiterState = "gone" // approving starts nothing until it returns
)

// Waiter is who waits for an approval's answer, and when it was last seen.
type Waiter struct {
	State    WaiterState
	LastSeen time.Time
}

// SeeWaiter records that whoever waits went away, or came back.
type SeeWaiter struct {
	Gone     bool
	LastSeen time.Time
}

func (SeeWaiter) command() {}

func (d *draft) seeWaiter(c SeeWaiter) error {
	a := d.s.Addressed
	want := WaiterWaiting
	if c.Gone {
		want = WaiterGone
	}
	if a.State != ApprovalPending || a.Waiter.State == WaiterNone || a.Waiter.State == want {
		return nil
	}
	a.Waiter = Waiter{State: want, LastSeen: c.LastSeen}
	d.write(a)
	d.event(EventWaiter, System(), a.ID, map[string]any{"state": want})
	return nil
}
