package api

import (
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/summaries"
)

// Approval is one request to release one attempt of one checkpoint, as the API shows it. State is the
// state at the moment of reading.
type Approval struct {
	ID          string             `json:"id"`
	Kind        core.ApprovalKind  `json:"kind" enum:"step,rollback"`
	Code        string             `json:"code" doc:"for typing"`
	State       core.ApprovalState `json:"state" enum:"pending,approved,rejected,expired,superseded,cancelled"`
	TaskID      string             `json:"task_id"`
	Title       string             `json:"title" doc:"of the task"`
	Checkpoint  CheckpointRef      `json:"checkpoint"`
	Risk        core.Risk          `json:"risk" enum:"low,medium,high"`
	Attempt     int                `json:"attempt"`
	Round       int                `json:"round"`
	Fingerprint string             `json:"fingerprint"`
	Subject     core.Subject       `json:"subject" doc:"all that is shown and all that will run: what the fingerprint stands for"`
	Approvers   []string           `json:"approvers" doc:"the people who may decide it now"`
	AsWritten   []string           `json:"approvers_as_written" doc:"empty: every person with role approver"`
	Required    int                `json:"approvals_required"`
	Missing     []string           `json:"missing" doc:"those of approvers who have not decided"`
	RequestedBy string             `json:"requested_by" doc:"person:NAME, operator:NAME or agent:NAME"`
	OnBehalfOf  string             `json:"on_behalf_of"`
	RequestedAt time.Time          `json:"requested_at"`
	ExpiresAt   *time.Time         `json:"expires_at" doc:"null: never"`
	ResolvedAt  *time.Time         `json:"resolved_at"`
	Reason      string             `json:"reason"`
	Cause       string             `json:"cause" doc:"superseded and cancelled: why, in a word"`
	Decisions   []Decision         `json:"decisions"`
	Claim       *Claim             `json:"claim" doc:"its one use"`
	Waiter      Waiter             `json:"waiter"`
	Delivery    []Delivery         `json:"delivery"`
	ReplacedBy  string             `json:"replaced_by"`
	Changes     []core.FieldChange `json:"changes" doc:"what differs from the request before"`
	Warning     string             `json:"warning"`
	Guidance    string             `json:"guidance" doc:"what to do about it, in a sentence"`
}

// CheckpointRef names a checkpoint.
type CheckpointRef struct {
	Index int    `json:"index"`
	Title string `json:"title"`
}

// Decision is one person's verdict.
type Decision struct {
	Person   string       `json:"person"`
	Surface  string       `json:"surface"`
	Decision core.Verdict `json:"decision" enum:"approve,reject"`
	Reason   string       `json:"reason"`
	At       time.Time    `json:"at"`
	Self     bool         `json:"self" doc:"the person asked for the work"`
}

// Claim is the one use of an approval.
type Claim struct {
	By          string    `json:"by"`
	At          time.Time `json:"at"`
	ExecutionID string    `json:"execution_id"`
}

// Waiter is whoever waits for the approval outside. Steps that the daemon runs have none.
type Waiter struct {
	State    string     `json:"state" enum:"waiting,gone,none"`
	LastSeen *time.Time `json:"last_seen"`
}

// Delivery is how far one surface is with showing the approval.
type Delivery struct {
	Surface string     `json:"surface"`
	State   string     `json:"state" enum:"waiting,shown,failed"`
	At      *time.Time `json:"at"`
	Reason  string     `json:"reason"`
}

func (s *Server) approval(d engine.ApprovalDetail, lang summaries.Lang) Approval {
	a := d.Approval
	out := Approval{
		ID: a.ID, Kind: a.Kind, Code: a.Code, State: d.State(), TaskID: a.TaskID, Title: a.Subject.Plan,
		Checkpoint: CheckpointRef{Index: a.Subject.Index, Title: a.Subject.Title}, Risk: a.Subject.Risk,
		Attempt: a.Subject.Attempt, Round: a.Subject.Round, Fingerprint: a.Fingerprint, Subject: a.Subject,
		Approvers: list(d.Eligible), AsWritten: list(a.Subject.Approvers), Required: a.Subject.Required, Missing: list(d.Missing()),
		RequestedBy: a.RequestedBy.String(), OnBehalfOf: a.OnBehalfOf, RequestedAt: a.RequestedAt.UTC(),
		ExpiresAt: moment(a.ExpiresAt), ResolvedAt: moment(a.ResolvedAt), Reason: a.Reason, Cause: a.Cause,
		Decisions: []Decision{}, Waiter: waiter(s.Engine.Waiter(a)), Delivery: delivery(d), ReplacedBy: a.ReplacedBy,
		Changes: list(a.Changes), Warning: a.Warning, Guidance: summaries.Guidance(d.Task, a, d.Now, lang),
	}
	for _, one := range a.Decisions {
		out.Decisions = append(out.Decisions, Decision{Person: one.Person, Surface: one.Surface, Decision: one.Verdict, Reason: one.Reason, At: one.At.UTC(), Self: one.Self})
	}
	if c := d.Claim; c != nil {
		out.Claim = &Claim{By: c.By.String(), At: c.At.UTC(), ExecutionID: c.ExecutionID}
	}
	return out
}

// delivery tells of every surface. In the app an approval is shown from the moment at which it exists.
func delivery(d engine.ApprovalDetail) []Delivery {
	out := []Delivery{{Surface: core.SurfaceInApp, State: string(core.CardShown), At: moment(d.Approval.RequestedAt)}}
	for _, c := range d.Cards {
		if c.Surface != core.SurfaceInApp {
			out = append(out, Delivery{Surface: c.Surface, State: string(c.State), At: moment(c.At), Reason: c.Reason})
		}
	}
	return out
}

func waiter(w core.Waiter) Waiter {
	return Waiter{State: orElse(string(w.State), string(core.WaiterNone)), LastSeen: moment(w.LastSeen)}
}
