package store

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
)

var approvals = kind[core.Approval]{
	bucket:  bucketApprovals,
	key:     func(a core.Approval) []byte { return []byte(a.ID) },
	encode:  encoder(toApproval),
	decode:  decoder(fromApproval),
	entries: approvalEntries,
	keeps: func(was, now core.Approval) string {
		return cmp.Or(
			differs("the task", was.TaskID, now.TaskID),
			differs("the code", was.Code, now.Code),
			differs("the fingerprint", was.Fingerprint, now.Fingerprint),
			differs("the epoch", was.Epoch, now.Epoch),
			grows("the revision", was.Revision, now.Revision),
			keepsOutcome(was, now),
			keepsDecisions(was, now),
		)
	},
}

func approvalEntries(a core.Approval) []entry {
	e := []entry{at(bucketApprovalState, joined(string(a.State), a.ID))}
	if a.TaskID != "" {
		e = append(e, at(bucketApprovalTask, joined(a.TaskID, a.ID)))
	}
	if a.Code != "" {
		e = append(e, entry{bucketApprovalCode, []byte(a.Code), []byte(a.ID)})
	}
	if due, ok := fromApproval(toApproval(a)).Deadline(); ok { // with times as they are stored
		e = append(e, at(bucketDeadlines, append(stamp(due), a.ID...)))
	}
	return e
}

// keepsOutcome says that an outcome was written over: an approved one may still be superseded or
// cancelled as long as it was not used, every other end stands.
func keepsOutcome(was, now core.Approval) string {
	withdrawn := now.State == core.ApprovalSuperseded || now.State == core.ApprovalCancelled
	switch {
	case was.Used && !now.Used:
		return "it was used and may not become unused"
	case was.State == core.ApprovalPending, was.State == core.ApprovalApproved && withdrawn && !was.Used:
		return ""
	}
	return differs("the outcome", was.State, now.State)
}

// keepsDecisions says that a verdict was lost or rewritten: they grow while the approval is pending, and
// an approve may be taken back by the same person's reject.
func keepsDecisions(was, now core.Approval) string {
	if was.State != core.ApprovalPending && len(now.Decisions) != len(was.Decisions) {
		return fmt.Sprintf("%d decisions settled it and may not become %d", len(was.Decisions), len(now.Decisions))
	}
	for _, old := range was.Decisions {
		i := slices.IndexFunc(now.Decisions, func(d core.Decision) bool { return d.Person == old.Person })
		if i < 0 {
			return "the decision of " + old.Person + " may not go"
		}
		takenBack := was.State == core.ApprovalPending && old.Verdict == core.Approve && now.Decisions[i].Verdict == core.Reject
		if !takenBack {
			if bad := differs("the decision of "+old.Person, old.Verdict, now.Decisions[i].Verdict); bad != "" {
				return bad
			}
		}
	}
	return ""
}

// Approval finds an approval.
func (r reader) Approval(id string) (core.Approval, bool) { return approvals.get(r.tx, []byte(id)) }

// ApprovalByCode finds an approval by the code that people type.
func (r reader) ApprovalByCode(code string) (core.Approval, bool) {
	id, ok := r.tx.Get(bucketApprovalCode, []byte(code))
	if !ok {
		return core.Approval{}, false
	}
	return approvals.follow(r.tx, entry{bucketApprovalCode, []byte(code), id}, id), true
}

// Approvals gives a page of approvals, newest first, by their stored state.
func (r reader) Approvals(q engine.ApprovalQuery) []core.Approval {
	return approvals.page(r.tx, bucketApprovalState, string(q.State), q.Before, q.Limit)
}

// ApprovalsOf gives all approvals of a task, oldest first.
func (r reader) ApprovalsOf(task string) []core.Approval {
	return approvals.group(r.tx, bucketApprovalTask, task)
}

// Due gives the approvals and executions whose deadline is not after now, at most limit of them, the oldest deadline
// first.
func (r reader) Due(now time.Time, limit int) []string {
	var out []string
	if limit <= 0 {
		return out
	}
	for key := range r.tx.Scan(bucketDeadlines, nil, nil, false) {
		due, id := deadline(key)
		if due.After(now) {
			break
		}
		if out = append(out, id); len(out) == limit {
			break
		}
	}
	return out
}

// NextDeadline gives the nearest of all deadlines, if there is one.
func (r reader) NextDeadline() (time.Time, bool) {
	for key := range r.tx.Scan(bucketDeadlines, nil, nil, false) {
		due, _ := deadline(key)
		return due, true
	}
	return time.Time{}, false
}

func deadline(key []byte) (due time.Time, approval string) {
	due, id, ok := stamped(key)
	if !ok {
		panic(tamper{tampered(bucketDeadlines, key, "the key holds no time")})
	}
	return due, string(id)
}
