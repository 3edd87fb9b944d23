package failpoint_test

import (
	"regexp"
	"slices"
	"testing"

	"holdpoint/failpoint"
)

func TestNamesAreDistinctWords(t *testing.T) {
	names := failpoint.Names()
	if len(names) == 0 {
		t.Fatal("no failpoint is declared")
	}
	word := regexp.MustCompile(`^[a-z][A-Za-z]+$`)
	for _, name := range names {
		if !word.MatchString(name) {
			t.Errorf("%q: a name is one word in camel case, so that it needs no quoting in the environment", name)
		}
	}
	slices.Sort(names)
	if compact := slices.Compact(slices.Clone(names)); len(compact) != len(names) {
		t.Errorf("a name is declared twice: %v", names)
	}
}

func TestNamesBelongToTheCaller(t *testing.T) {
	failpoint.Names()[0] = "changed"
	if failpoint.Names()[0] == "changed" {
		t.Error("a caller changed the registry through the slice of Names")
	}
}
