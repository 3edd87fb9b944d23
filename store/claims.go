package store

import (
	"cmp"
	"fmt"

	"holdpoint/core"
)

var claims = kind[core.Claim]{
	bucket: bucketClaims,
	key:    func(c core.Claim) []byte { return []byte(c.ApprovalID) },
	encode: encoder(toClaim),
	decode: decoder(fromClaim),
	keeps:  fixed[core.Claim],
}

// Claim finds the one use of an approval.
func (r reader) Claim(approval string) (core.Claim, bool) { return claims.get(r.tx, []byte(approval)) }

// claim writes the use of an approval, which is on its way to the disk in the same change: approved, of
// the same task, with the same fingerprint.
func (w writer) claim(c core.Claim) {
	a, ok := w.Approval(c.ApprovalID)
	if !ok {
		panic(fmt.Sprintf("store: a claim by %s names approval %q, which is not there", c.By, c.ApprovalID))
	}
	if bad := cmp.Or(
		differs("the approval's state at the claim", core.ApprovalApproved, a.State),
		differs("the task", a.TaskID, c.TaskID),
		differs("the fingerprint", a.Fingerprint, c.Fingerprint),
	); bad != "" {
		panic(fmt.Sprintf("store: claim of %q: %s", c.ApprovalID, bad))
	}
	claims.put(w.tx, c)
}
