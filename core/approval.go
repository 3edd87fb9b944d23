package core

import "time"

// ApprovalState is the state of an approval as it is stored. Whether a pending one has run out is a
// function of the clock: ask State with a time.
type ApprovalState string

// The states of section 4 of the contract.
const (
	ApprovalPending    ApprovalState = "pending"
	ApprovalApproved   ApprovalState = "approved"
	ApprovalRejected   ApprovalState = "rejected"
	ApprovalExpired    ApprovalState = "expired"
	ApprovalSuperseded ApprovalState = "superseded"
	ApprovalCancelled  ApprovalState = "cancelled"
)

// ApprovalKind says what an approval releases.
type ApprovalKind string

// The kinds of approvals.
const (
	ApproveStep     ApprovalKind = "step"
	ApproveRollback ApprovalKind = "rollback"
)

// Verdict is what a person says.
type Verdict string

// The verdicts. There is no "always".
const (
	Approve Verdict = "approve"
	Reject  Verdict = "reject"
)

// Decision is one person's verdict on one approval.
type Decision struct {
	Person  string
	Surface string
	Verdict Verdict
	Reason  string
	At      time.Time
	Self    bool // the person asked for the work; allowed by plan and configuration, shown on the card
}

// FieldChange is a field that differs between the last request and this one, for the card.
type FieldChange struct {
	Field string `json:"field"`
	Was   string `json:"was"`
	Now   string `json:"now"`
}

// Approval is one request to release one attempt of one checkpoint. What it shows never changes
// (Subject); its outcome is written once.
type Approval struct {
	ID          string
	Kind        ApprovalKind
	Code        string // 6 characters of Crockford base32, unique among all that are kept
	State       ApprovalState
	TaskID      string
	Subject     Subject // all that is shown and all that will run
	Fingerprint string
	RequestedBy Actor
	OnBehalfOf  string
	RequestedAt time.Time
	ExpiresAt   time.Time // zero: never. At it the approval is still valid, one millisecond later it is not
	UseWithin   Duration
	ResolvedAt  time.Time
	Reason      string
	Cause       string // superseded and cancelled: why, a word from a closed set
	Decisions   []Decision
	ReplacedBy  string
	Changes     []FieldChange // what differs from the approval before it
	Warning     string        // an older process of this task may still live, and the like
	Waiter      Waiter
	Used        bool  // its one claim was written
	Epoch       int64 // of the store; a restore makes every older one stale
	Revision    int64
}

// Overdue says that a pending approval has run out: one millisecond after ExpiresAt, not at it.
func (a Approval) Overdue(now time.Time) bool {
	return a.State == ApprovalPending && !a.ExpiresAt.IsZero() && now.Sub(a.ExpiresAt) >= time.Millisecond
}

// StateAt gives the state as it is at a time: a pending one that ran out is expired, written or not.
func (a Approval) StateAt(now time.Time) ApprovalState {
	if a.Overdue(now) {
		return ApprovalExpired
	}
	return a.State
}

// UnusedAt says that an approved one was not claimed within its time.
func (a Approval) UnusedAt(now time.Time) bool {
	return a.State == ApprovalApproved && !a.Used && a.UseWithin > 0 && now.Sub(a.ResolvedAt.Add(a.UseWithin.Std())) >= time.Millisecond
}

// By gives the person's decision on the approval, if there is one.
func (a Approval) By(person string) (Decision, bool) {
	for _, d := range a.Decisions {
		if d.Person == person {
			return d, true
		}
	}
	return Decision{}, false
}

// Approvals counts the distinct people who approved.
func (a Approval) Approvals() int {
	n := 0
	for _, d := range a.Decisions {
		if d.Verdict == Approve {
			n++
		}
	}
	return n
}

// Decider gives the decision that settled an approval: the reject, or the last approve.
func (a Approval) Decider() Decision {
	var last Decision
	for _, d := range a.Decisions {
		if d.Verdict == Reject {
			return d
		}
		last = d
	}
	return last
}

// Requesters gives the people who asked for the work.
func (a Approval) Requesters() []string {
	var out []string
	for _, name := range []string{a.RequestedBy.Person(), a.OnBehalfOf} {
		if name != "" {
			out = append(out, name)
		}
	}
	return out
}

// Deadline gives the moment at which the watchdog has to look at the approval again: the first
// millisecond after its end while pending, or after its use_within while approved. The store keeps an
// index by it. An approval that is settled has none.
func (a Approval) Deadline() (time.Time, bool) {
	switch {
	case a.State == ApprovalPending && !a.ExpiresAt.IsZero():
		return a.ExpiresAt.Add(time.Millisecond), true
	case a.State == ApprovalApproved && !a.Used && a.UseWithin > 0:
		return a.ResolvedAt.Add(a.UseWithin.Std() + time.Millisecond), true
	}
	return time.Time{}, false
}
