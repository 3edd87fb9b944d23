package planfile

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"holdpoint/core"
)

// ParsePlan reads a plan file, YAML or JSON, and makes the plan; vars override its own. Errors are
// *core.Error: CodeTooLarge above core.MaxPlanBytes, or CodeValidation with all that the text and
// core.NewPlan have against it, each with path, line, column and source, in the order of the text.
func ParsePlan(data []byte, vars map[string]string) (core.Plan, error) {
	in, doc, err := parseInput(data)
	if err != nil {
		return core.Plan{}, err
	}
	plan, err := core.NewPlan(in, vars)
	if err == nil {
		return plan, doc.faults.err()
	}
	refused, ok := errors.AsType[*core.Error](err)
	if !ok || refused.Code != core.CodeValidation {
		return core.Plan{}, err
	}
	for _, f := range refused.Fields {
		doc.addUnlessTold(f)
	}
	return core.Plan{}, doc.faults.err()
}

// ParseInput reads a plan file as it was written, before any rule of core has looked at it. Its
// errors are those of Decode.
func ParseInput(data []byte) (core.PlanInput, error) {
	in, doc, err := parseInput(data)
	if err == nil {
		err = doc.faults.err()
	}
	if err != nil {
		return core.PlanInput{}, err
	}
	return in, nil
}

// parseInput reads as much of a plan as can be read. A text that can't be read at all is an error;
// single faults are in the document.
func parseInput(data []byte) (core.PlanInput, *document, error) {
	var in core.PlanInput
	doc, err := read(data, Options{})
	if err != nil {
		return in, nil, err
	}
	if doc.root == nil || doc.root.kind != kindMap {
		doc.bind(reflect.ValueOf(&in).Elem(), Options{}) // tells that it is no mapping
		return in, nil, doc.faults.err()
	}
	doc.bind(reflect.ValueOf(&in).Elem(), Options{})
	return in, doc, nil
}

// addUnlessTold places a fault of core, unless the text already has one at that path, above or below
// it: what could not be read looks absent to core.
func (d *document) addUnlessTold(f core.FieldError) {
	within := func(inner, outer string) bool {
		rest, ok := strings.CutPrefix(inner, outer)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	told := slices.ContainsFunc(d.faults.list, func(old core.FieldError) bool {
		return within(f.Path, old.Path) || within(old.Path, f.Path)
	})
	if told {
		return
	}
	if d.faults.full() {
		d.faults.more++
		return
	}
	d.faults.place(f, locate(d.root, f.Path))
}
