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

func (f *faults) add(p *path, at place, format string, args ...any) {
	if len(f.list) == maxFaults {
		f.more++
		return
	}
	at = f.text.inside(at)
	f.list = append(f.list, core.FieldError{
		Path: p.String(), Line: at.line, Column: at.column,
		Message: fmt.Sprintf(format, args...), Source: f.text.source(at.line),
	})
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
