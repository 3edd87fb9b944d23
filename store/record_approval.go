package store

import (
	"cmp"
	"time"

	"holdpoint/core"
)

// approvalRecord is an approval as it is stored. The rule of compatibility stands in record.go.
type approvalRecord struct {
	header
	ID          string             `json:"id"`
	Kind        core.ApprovalKind  `json:"kind"`
	Code        string             `json:"code,omitempty"`
	State       core.ApprovalState `json:"state"`
	TaskID      string             `json:"task,omitempty"`
	Subject     core.Subject       `json:"subject"`
	Fingerprint string             `json:"fingerprint"`
	RequestedBy actorRecord        `json:"requested_by"`
	OnBehalfOf  string             `json:"on_behalf_of,omitempty"`
	RequestedAt millis             `json:"requested_at,omitempty"`
	ExpiresAt   millis             `json:"expires_at,omitempty"`
	UseWithin   int64              `json:"use_within_ms,omitempty"`
	ResolvedAt  millis             `json:"resolved_at,omitempty"`
	Reason      string             `json:"reason,omitempty"`
	Cause       string             `json:"cause,omitempty"`
	Decisions   []decisionRecord   `json:"decisions,omitempty"`
	ReplacedBy  string             `json:"replaced_by,omitempty"`
	Changes     []core.FieldChange `json:"changes,omitempty"`
	Warning     string             `json:"warning,omitempty"`
	Waiter      core.WaiterState   `json:"waiter,omitempty"` // absent: none
	WaiterSeen  millis             `json:"waiter_seen,omitempty"`
	Used        bool               `json:"used,omitempty"`
	Epoch       int64              `json:"epoch,omitempty"`
	Revision    int64              `json:"revision"`
}

// decisionRecord is one person's verdict inside an approval.
type decisionRecord struct {
	Person  string       `json:"person"`
	Surface string       `json:"surface,omitempty"`
	Verdict core.Verdict `json:"verdict"`
	Reason  string       `json:"reason,omitempty"`
	At      millis       `json:"at,omitempty"`
	Self    bool         `json:"self,omitempty"`
}

func toApproval(a core.Approval) approvalRecord {
	r := approvalRecord{
		header: current, ID: a.ID, Kind: a.Kind, Code: a.Code, State: a.State, TaskID: a.TaskID, Subject: a.Subject,
		Fingerprint: a.Fingerprint, RequestedBy: toActor(a.RequestedBy), OnBehalfOf: a.OnBehalfOf,
		RequestedAt: toMillis(a.RequestedAt), ExpiresAt: toMillis(a.ExpiresAt), UseWithin: time.Duration(a.UseWithin).Milliseconds(),
		ResolvedAt: toMillis(a.ResolvedAt), Reason: a.Reason, Cause: a.Cause, ReplacedBy: a.ReplacedBy, Changes: a.Changes,
		Warning: a.Warning, Waiter: a.Waiter.State, WaiterSeen: toMillis(a.Waiter.LastSeen), Used: a.Used, Epoch: a.Epoch, Revision: a.Revision,
	}
	for _, d := range a.Decisions {
		r.Decisions = append(r.Decisions, decisionRecord{d.Person, d.Surface, d.Verdict, d.Reason, toMillis(d.At), d.Self})
	}
	return r
}

func fromApproval(r approvalRecord) core.Approval {
	a := core.Approval{
		ID: r.ID, Kind: r.Kind, Code: r.Code, State: r.State, TaskID: r.TaskID, Subject: r.Subject,
		Fingerprint: r.Fingerprint, RequestedBy: r.RequestedBy.actor(), OnBehalfOf: r.OnBehalfOf,
		RequestedAt: r.RequestedAt.time(), ExpiresAt: r.ExpiresAt.time(), UseWithin: core.Duration(time.Duration(r.UseWithin) * time.Millisecond),
		ResolvedAt: r.ResolvedAt.time(), Reason: r.Reason, Cause: r.Cause, ReplacedBy: r.ReplacedBy, Changes: r.Changes,
		Warning: r.Warning, Waiter: core.Waiter{State: cmp.Or(r.Waiter, core.WaiterNone), LastSeen: r.WaiterSeen.time()}, Used: r.Used, Epoch: r.Epoch, Revision: r.Revision,
	}
	for _, d := range r.Decisions {
		a.Decisions = append(a.Decisions, core.Decision{Person: d.Person, Surface: d.Surface, Verdict: d.Verdict, Reason: d.Reason, At: d.At.time(), Self: d.Self})
	}
	return a
}

// claimRecord is the one use of an approval as it is stored.
type claimRecord struct {
	header
	ApprovalID  string      `json:"approval"`
	TaskID      string      `json:"task,omitempty"`
	By          actorRecord `json:"by"`
	At          millis      `json:"at,omitempty"`
	ExecutionID string      `json:"execution"`
	RequestID   string      `json:"request_id,omitempty"`
	Fingerprint string      `json:"fingerprint"`
}

func toClaim(c core.Claim) claimRecord {
	return claimRecord{current, c.ApprovalID, c.TaskID, toActor(c.By), toMillis(c.At), c.ExecutionID, c.RequestID, c.Fingerprint}
}

func fromClaim(r claimRecord) core.Claim {
	return core.Claim{ApprovalID: r.ApprovalID, TaskID: r.TaskID, By: r.By.actor(), At: r.At.time(),
		ExecutionID: r.ExecutionID, RequestID: r.RequestID, Fingerprint: r.Fingerprint}
}
