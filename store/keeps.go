package store

import (
	"cmp"
	"fmt"
)

// What must not change in a record is said by its kind, with the functions below. Each gives a sentence
// that names both values, or "" where all is well. A sentence stops the store: whoever asked for such a
// change has a bug, and nothing after it can be trusted.

// differs guards a field that stays as it was first written.
func differs[V comparable](field string, was, now V) string {
	if was == now {
		return ""
	}
	return fmt.Sprintf("%s was %v and may not become %v", field, was, now)
}

// grows guards a number that every change raises.
func grows[V cmp.Ordered](field string, was, now V) string {
	if now > was {
		return ""
	}
	return fmt.Sprintf("%s was %v and may only grow, not become %v", field, was, now)
}

// atLeast guards a number that never falls.
func atLeast[V cmp.Ordered](field string, was, now V) string {
	if now >= was {
		return ""
	}
	return fmt.Sprintf("%s was %v and may not fall to %v", field, was, now)
}

// once guards a field that is set once.
func once[V comparable](field string, was, now V) string {
	var unset V
	if was == unset {
		return ""
	}
	return differs(field, was, now)
}

// fixed guards a record that is written once.
func fixed[T any](was, now T) string {
	return fmt.Sprintf("it is written once: it was %+v and may not become %+v", was, now)
}
