//go:build !failpoints

package failpoint_test

import (
	"testing"

	"holdpoint/failpoint"
)

// An ordinary build must not obey the variable, whoever sets it.
func TestHitDoesNothingInAnOrdinaryBuild(t *testing.T) {
	t.Setenv("HOLDPOINT_FAILPOINTS", "tapInTx=error;claimCommitted=exit")
	for _, name := range append(failpoint.Names(), "undeclared") {
		if err := failpoint.Hit(name); err != nil {
			t.Errorf("Hit(%q) = %v, want nil", name, err)
		}
	}
}
