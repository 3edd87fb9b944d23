package planfile

import (
	"cmp"
	"fmt"
	"slices"

	"holdpoint/core"
)

// maxFaults bounds how many faults of one text are told: more help nobody, and a hostile text must
// not grow its answer.
const maxFaults = 50

// faults gathers what is wrong with a text.
type faults struct {
	text text
	list []core.FieldError
	more int // found beyond maxFaults
}

// add tells a fault of the value at p. A second one of the same value at the same place is left out:
// a number too large for any field need not be told to be no number for this one.
func (f *faults) add(p *path, at place, format string, args ...any) {
	if f.full() {
		f.more++
		return
	}
	f.place(core.FieldError{Path: p.String(), Message: fmt.Sprintf(format, args...)}, at)
}

// full says that no further message will be told, so that none need be made.
func (f *faults) full() bool { return len(f.list) == maxFaults }

// place completes a fault with its place and keeps it.
func (f *faults) place(fault core.FieldError, at place) {
	at = f.text.inside(at)
	fault.Line, fault.Column, fault.Source = at.line, at.column, f.text.source(at.line)
	told := slices.ContainsFunc(f.list, func(old core.FieldError) bool {
		return old.Path == fault.Path && old.Line == fault.Line && old.Column == fault.Column
	})
	if !told {
		f.list = append(f.list, fault)
	}
}

// err gives the refusal with all faults in the order of the text, or nil.
func (f *faults) err() error {
	if len(f.list) == 0 {
		return nil
	}
	e := core.Invalid(sorted(f.list)...)
	if f.more > 0 {
		e.Msg = fmt.Sprintf("%s (%d more faults are not shown)", e.Msg, f.more)
	}
	return e
}

// sorted puts faults into the order of the text; those without a place come last.
func sorted(list []core.FieldError) []core.FieldError {
	slices.SortStableFunc(list, func(a, b core.FieldError) int {
		if (a.Line == 0) != (b.Line == 0) {
			return b.Line - a.Line
		}
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return list
}
