package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"holdpoint/core"
	"holdpoint/planfile"
)

// StartTask is the body of POST /tasks.
type StartTask struct {
	Plan      core.PlanInput    `json:"plan" doc:"short form or long, as in a plan file"`
	Vars      map[string]string `json:"vars,omitempty" doc:"override or add to the plan's own"`
	RequestID string            `json:"request_id,omitempty" maxLength:"200" doc:"makes a repeat give the same record"`
	ParentID  string            `json:"parent_task_id,omitempty"`
}

// maxRequestID bounds a request id, in bytes.
const maxRequestID = 200

var startExample = map[string]any{
	"plan": map[string]any{"title": "Move orders to schema 42", "workdir": "/srv/orders", "checkpoints": []any{
		map[string]any{"title": "backup", "run": "./backup.sh", "risk": "low", "rollback_notes": "nothing to undo"},
		map[string]any{"title": "switch over", "run": "./switch.sh --to orders_v2", "risk": "high", "rollback_notes": "./switch.sh --to orders_v1"},
	}},
	"request_id": "orders-42",
}

// started is a start body that was read: the plan made, and where it stood in the text.
type started struct {
	StartTask
	plan   core.Plan
	prefix string // of the plan's fields in the text
}

// readStart reads the body of a start and makes the plan, or tells every fault with its place.
func readStart(data []byte, yaml bool) (started, error) {
	b := started{prefix: "plan"}
	if yaml && !enveloped(data) {
		b.prefix = ""
		if err := planfile.Decode(data, &b.Plan, planfile.Options{}); err != nil {
			return b, err
		}
		return b, b.make(data)
	}
	var measure struct {
		Plan json.RawMessage `json:"plan"`
	}
	if !yaml && json.Unmarshal(data, &measure) == nil && len(measure.Plan) > core.MaxPlanBytes {
		return b, core.Refuse(core.CodeTooLarge, "", "the plan is too large: %d KiB at most", core.MaxPlanBytes>>10)
	}
	if err := planfile.Decode(data, &b.StartTask, planfile.Options{JSON: !yaml, MaxBytes: maxPlanBody}); err != nil {
		return b, err
	}
	return b, b.make(data)
}

// enveloped tells the envelope from the bare plan, which has no field of that name.
func enveloped(data []byte) bool {
	var top map[string]any
	if planfile.Decode(data, &top, planfile.Options{}) != nil {
		return false
	}
	_, ok := top["plan"]
	return ok
}

func (b *started) make(data []byte) error {
	if b.prefix != "" && reflect.ValueOf(b.Plan).IsZero() {
		return core.Invalid(planfile.Place(data, "", []core.FieldError{{Path: "plan", Message: "say what is to be done: a plan, as in a plan file"}})...)
	}
	var faults []core.FieldError
	if len(b.RequestID) > maxRequestID || !printable(b.RequestID) {
		faults = planfile.Place(data, "", []core.FieldError{{Path: "request_id", Message: fmt.Sprintf("%d bytes of printable text at most", maxRequestID)}})
	}
	faults = append(faults, planfile.Place(data, b.prefix, overAPI(b.Plan))...)
	plan, err := core.NewPlan(b.Plan, b.Vars)
	if err != nil {
		refusal, ok := errors.AsType[*core.Error](b.placed(data, err))
		if !ok || refusal.Code != core.CodeValidation {
			return err
		}
		faults = append(faults, refusal.Fields...)
	}
	if faults != nil {
		return core.Invalid(planfile.Place(data, "", faults)...) // in the order of the text
	}
	b.plan = plan
	return nil
}

// placed gives faults of the plan their path and place in the body.
func (b *started) placed(data []byte, err error) error {
	e, ok := errors.AsType[*core.Error](err)
	if !ok || e.Code != core.CodeValidation {
		return err
	}
	placed := *e
	placed.Fields = nil
	for _, f := range e.Fields {
		prefix := b.prefix
		name, variable := strings.CutPrefix(f.Path, "vars.")
		if _, given := b.Vars[name]; variable && given || f.Path == "parent_task_id" {
			prefix = ""
		}
		placed.Fields = append(placed.Fields, planfile.Place(data, prefix, []core.FieldError{f})...)
	}
	return &placed
}

// overAPI refuses what only means something beside a plan file: paths that are relative to it.
func overAPI(in core.PlanInput) []core.FieldError {
	var faults []core.FieldError
	absolute := func(path, dir string) {
		if dir != "" && !filepath.IsAbs(dir) {
			faults = append(faults, core.FieldError{Path: path, Message: "over the API a directory is absolute, or left out for the record's own"})
		}
	}
	absolute("workdir", in.Workdir)
	for i, c := range in.Checkpoints {
		absolute(fmt.Sprintf("checkpoints[%d].workdir", i), c.Workdir)
		if c.PromptFile != "" {
			faults = append(faults, core.FieldError{Path: fmt.Sprintf("checkpoints[%d].prompt_file", i), Message: "files are not read over the API: send the text as prompt"})
		}
	}
	return faults
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}
