package core

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// faults gathers what is wrong with an input, each under its field's path, so that all of it is told
// at once.
type faults []FieldError

func (f *faults) add(path, format string, args ...any) {
	*f = append(*f, FieldError{Path: path, Message: fmt.Sprintf(format, args...)})
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return Invalid(f...)
}

func oneOf(f *faults, path, got string, allowed ...string) string {
	if got == "" {
		return allowed[0]
	}
	if !slices.Contains(allowed, got) {
		f.add(path, "%q is unknown: %s", got, strings.Join(allowed, ", "))
	}
	return got
}

func positive(f *faults, path string, got *int, def int) int {
	if got == nil {
		return def
	}
	if *got < 1 {
		f.add(path, "%d: a number from 1", *got)
	}
	return *got
}

func span(f *faults, path, got string, def Duration) Duration {
	if got == "" {
		return def
	}
	d, err := ParseDuration(got, strings.HasSuffix(path, "expires_in"))
	if err != nil {
		f.add(path, "%v", err)
	}
	return d
}

func required(f *faults, path, got, why string) {
	if strings.TrimSpace(got) == "" {
		f.add(path, "%s", why)
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

func sortedSet(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	out := slices.Clone(list)
	sort.Strings(out)
	return slices.Compact(out)
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
