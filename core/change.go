package core

import (
	"fmt"
	"slices"
	"time"
)

// Snapshot is everything that a step may look at, read in one transaction.
type Snapshot struct {
	Task       Task
	Approval   Approval    // the task's current or last one; its ID is "" where there is none
	Addressed  Approval    // the one that a decision names
	Rollback   Approval    // the newest of the task's rollback
	Named      Execution   // the one that a report names
	Claim      *Claim      // of Approval, if it was used
	Parent     Actor       // who asked for the task above it; no kind where there is none
	Sessions   []Session   // of Executions
	Executions []Execution // the task's own, its live ones, and those whose teardown is pending or failed
	Policy     Policy
	Epoch      int64
	Files      *Files // nil until a step has asked for them
}

// Files are the digests of the files that a checkpoint's commands name, found outside the
// transaction. A step that needs them says so with NeedFiles and is run again.
type Files struct {
	Workdir string
	Names   []string
	Digests map[string]string
}

// NeedFiles is the error of a step that can't go on without the digests of these names.
type NeedFiles struct {
	Workdir string
	Names   []string
}

// Error says what is needed.
func (n *NeedFiles) Error() string {
	return fmt.Sprintf("digests of %d names in %s are needed", len(n.Names), n.Workdir)
}

// Change is everything that a step wants written, in one transaction. A step may return one together
// with a refusal: then it is written all the same (the audit's row, an expiry that was noticed).
type Change struct {
	Task        *Task
	Approvals   []Approval
	Claim       *Claim
	Sessions    []Session
	Executions  []Execution
	Cards       []Card
	Tokens      []Token
	SignIns     []SignIn
	WebSessions []WebSession
	Requests    []Request
	Touched     []string // approvals whose cards no longer show the truth
	Events      []Event
}

// Empty says that there is nothing to write.
func (c Change) Empty() bool {
	return c.Task == nil && c.Claim == nil && len(c.Approvals)+len(c.Sessions)+len(c.Executions)+len(c.Cards)+len(c.Tokens)+
		len(c.SignIns)+len(c.WebSessions)+len(c.Requests)+len(c.Touched)+len(c.Events) == 0
}

// Mint gives what is random: ids with a prefix (sortable by time) and codes that no kept approval has.
type Mint struct {
	ID   func(prefix string) string
	Code func() string
}

// The prefixes of ids, from section 10 of the contract.
const (
	PrefixTask       = "t_"
	PrefixApproval   = "a_"
	PrefixSession    = "s_"
	PrefixExecution  = "x_"
	PrefixRendezvous = "r_"
	PrefixBackground = "b_"
)

// draft is a step in the making: the task as it will be, and what is to be written with it.
type draft struct {
	s    Snapshot
	task Task
	cur  Approval // the current approval as it will be
	now  time.Time
	mint Mint
	ch   Change
}

func (d *draft) event(typ string, actor Actor, subject string, data map[string]any) {
	d.ch.Events = append(d.ch.Events, Event{Type: typ, At: d.now, Actor: actor.String(), Subject: subject, Task: d.task.ID, Data: data})
}

// move takes the task along the table.
func (d *draft) move(ev TaskEvent) error {
	to, err := Next(d.task.State, ev)
	if err != nil {
		refusal := err.(*Error) //nolint:errorlint // Next returns nothing else
		refusal.Subject = d.task.ID
		return refusal
	}
	d.task.State = to
	return nil
}

// write puts an approval into the change, once, in its newest form.
func (d *draft) write(a Approval) {
	a.Revision++
	if i := slices.IndexFunc(d.ch.Approvals, func(b Approval) bool { return b.ID == a.ID }); i >= 0 {
		a.Revision--
		d.ch.Approvals[i] = a
	} else {
		d.ch.Approvals = append(d.ch.Approvals, a)
	}
	if d.cur.ID == a.ID {
		d.cur = a
	}
	d.touch(a.ID)
}

func (d *draft) touch(approval string) {
	if approval != "" && !slices.Contains(d.ch.Touched, approval) {
		d.ch.Touched = append(d.ch.Touched, approval)
	}
}

// save puts the task into the change. Every change of a task is a change of its current card.
func (d *draft) save() {
	t := d.task
	t.Revision++
	t.UpdatedAt = d.now
	d.ch.Task = &t
	d.touch(t.ApprovalID)
	d.touch(t.Rollback.ApprovalID)
}
