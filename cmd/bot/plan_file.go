package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"holdpoint/core"
	"holdpoint/inapp/api"
	"holdpoint/planfile"
)

// planFile is a plan file that was read: as it is to be sent, and as it was written.
type planFile struct {
	name  string
	text  []byte
	input core.PlanInput
	plan  core.Plan
}

// readPlan reads a plan file and makes it ready to be sent: directories count from the file, and files
// that it names for their text are read here.
func readPlan(name string, vars map[string]string) (planFile, error) {
	f := planFile{name: name}
	var err error
	if f.text, err = os.ReadFile(name); err != nil {
		return f, fmt.Errorf("reading the plan: %w", err)
	}
	if _, err := planfile.ParsePlan(f.text, vars); err != nil { // all faults of form and rules together
		return f, f.fault(err)
	}
	if f.input, err = planfile.ParseInput(f.text); err != nil {
		return f, f.fault(err)
	}
	if err := f.settle(); err != nil {
		return f, err
	}
	if f.plan, err = core.NewPlan(f.input, vars); err != nil {
		return f, f.fault(err)
	}
	return f, nil
}

// settle makes the plan mean the same wherever it is read.
func (f *planFile) settle() error {
	dir, err := filepath.Abs(filepath.Dir(f.name))
	if err != nil {
		return fmt.Errorf("reading the plan: %w", err)
	}
	absolute := func(path *string) {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(dir, *path)
		}
	}
	absolute(&f.input.Workdir)
	for i := range f.input.Checkpoints {
		c := &f.input.Checkpoints[i]
		absolute(&c.Workdir)
		if c.PromptFile == "" || c.Prompt != "" {
			continue // both is refused by the rules
		}
		absolute(&c.PromptFile)
		text, err := os.ReadFile(c.PromptFile)
		if err != nil {
			return f.fault(core.Invalid(core.FieldError{Path: fmt.Sprintf("checkpoints[%d].prompt_file", i), Message: err.Error()}))
		}
		c.Prompt, c.PromptFile = string(text), ""
	}
	return nil
}

// fault gives a refusal of the plan its place in the file. One by the daemon speaks of the request in
// which the plan was sent: its paths begin with plan, and its places are not the file's.
func (f planFile) fault(err error) error {
	refusal, ok := errors.AsType[*core.Error](err)
	if !ok || refusal.Code != core.CodeValidation {
		return err
	}
	faults := refusal.Fields
	if p, sent := errors.AsType[*api.Problem](err); sent {
		faults = make([]core.FieldError, len(p.Errors))
		for i, one := range p.Errors {
			faults[i] = core.FieldError{Path: strings.TrimPrefix(one.Path, "plan."), Message: one.Message}
		}
	}
	placed := *refusal
	placed.Fields = planfile.Place(f.text, "", faults)
	return &fileError{name: f.name, err: &placed}
}
