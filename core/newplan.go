package core

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// NewPlan turns what was written into a plan, or refuses it with every fault that the text alone
// shows (what depends on the people of the configuration is Plan.CheckPeople). vars override or add
// to the plan's own.
func NewPlan(in PlanInput, vars map[string]string) (Plan, error) {
	var f faults
	p := Plan{
		Title: in.Title, Objective: in.Objective, DoneWhen: in.DoneWhen, Workdir: in.Workdir,
		Env: in.Env, PassEnv: sortedSet(in.PassEnv), Vars: maps.Clone(in.Vars), Shell: in.Shell,
		Approvers: in.Approvers, AllowSelf: in.AllowSelf, OnBehalfOf: in.OnBehalfOf, Notify: in.Notify,
	}
	if len(vars) > 0 && p.Vars == nil {
		p.Vars = map[string]string{}
	}
	maps.Copy(p.Vars, vars)
	p.Kind = Kind(oneOf(&f, "task_kind", in.TaskKind, string(KindTask), string(KindGoal)))
	p.OnExpiry = OnExpiry(oneOf(&f, "on_expiry", in.OnExpiry, string(ExpiryHold), string(ExpiryRenew), string(ExpiryCancel)))
	p.Overlap = oneOf(&f, "overlap", in.Overlap, "skip", "allow", "replace")
	p.Required = positive(&f, "approvals_required", in.ApprovalsRequired, 1)
	p.MaxRounds = positive(&f, "max_rounds", in.MaxRounds, 0)
	p.ExpiresIn = span(&f, "expires_in", in.ExpiresIn, DefaultExpiresIn)
	p.UseWithin = span(&f, "use_within", in.UseWithin, 0)
	if len(p.Shell) == 0 {
		p.Shell = []string{"/bin/sh", "-eu", "-c"}
	}
	p.Cadence = cadence(&f, in.SummaryCadence)
	p.Escalate = escalate(&f, in.Escalate)
	checkNames(&f, "", in.Env, in.PassEnv, in.Approvers)
	checkEnvNames(&f, "vars", p.Vars)
	if p.Kind == KindGoal {
		required(&f, "objective", in.Objective, "a goal says what is to be reached")
		required(&f, "done_when", in.DoneWhen, "a goal says how it is seen to be reached: a command that exits with 0")
	} else if in.DoneWhen != "" || in.MaxRounds != nil {
		f.add("task_kind", "done_when and max_rounds belong to task_kind: goal")
	}
	p.Checkpoints = checkpoints(&f, in, p)
	if strings.TrimSpace(p.Title) == "" {
		p.Title = madeTitle(p)
	}
	checkText(&f, in)
	return p, f.err()
}

func checkpoints(f *faults, in PlanInput, p Plan) []Checkpoint {
	list, field := in.Checkpoints, "checkpoints"
	switch {
	case in.CheckpointTitles != nil && in.Checkpoints != nil:
		f.add("checkpoints", "give checkpoint_titles or checkpoints, not both")
		return nil
	case in.RollbackNotes != nil && in.Checkpoints != nil:
		f.add("rollback_notes", "with checkpoints each one carries its own rollback_notes")
		return nil
	case in.CheckpointTitles != nil:
		list, field = in.titles(f), "checkpoint_titles"
	}
	if len(list) == 0 {
		f.add(field, "a plan has at least one checkpoint")
	}
	if len(list) > MaxCheckpoints {
		f.add(field, "%d checkpoints: %d at most", len(list), MaxCheckpoints)
		return nil
	}
	out, seen := make([]Checkpoint, 0, len(list)), map[string]int{}
	for i, c := range list {
		path := fmt.Sprintf("%s[%d]", field, i)
		at := path
		if field == "checkpoints" {
			at = path + ".title"
		}
		title := strings.TrimSpace(c.Title)
		if first, twice := seen[title]; title == "" {
			f.add(at, "a checkpoint needs a title that is not blank")
		} else if twice {
			f.add(at, "the title %q stands already at %s[%d]: titles are unique", title, field, first)
		}
		seen[title] = i
		out = append(out, checkpoint(f, path, c, p))
	}
	return out
}

// checkpoint resolves one checkpoint against its plan, so that the rest of the program never has to.
func checkpoint(f *faults, path string, c CheckpointInput, p Plan) Checkpoint {
	out := Checkpoint{
		Title: strings.TrimSpace(c.Title), Detail: c.Detail, Run: c.Run, Command: c.Command, Agent: c.Agent, Prompt: c.Prompt,
		Note: strings.TrimSpace(c.RollbackNotes), RollbackRun: c.RollbackRun, Approvers: c.Approvers,
		Env: maps.Clone(p.Env), PassEnv: sortedSet(append(slices.Clone(p.PassEnv), c.PassEnv...)), Workdir: c.Workdir, Shell: c.Shell,
	}
	if len(c.Env) > 0 && out.Env == nil {
		out.Env = map[string]string{}
	}
	maps.Copy(out.Env, c.Env)
	out.Risk = Risk(oneOf(f, path+".risk", cmpOr(c.Risk, string(RiskMedium)), string(RiskLow), string(RiskMedium), string(RiskHigh)))
	out.Timeout = span(f, path+".timeout", c.Timeout, 0)
	out.StopGrace = span(f, path+".stop_grace", c.StopGrace, DefaultStopGrace)
	out.ExpiresIn = span(f, path+".expires_in", c.ExpiresIn, p.ExpiresIn)
	out.Required = positive(f, path+".approvals_required", c.ApprovalsRequired, p.Required)
	if c.Approvers == nil {
		out.Approvers = p.Approvers
	}
	if len(out.Shell) == 0 {
		out.Shell = p.Shell
	}
	if out.Workdir == "" {
		out.Workdir = p.Workdir
	}
	kinds := 0
	for _, has := range []bool{!c.Run.IsZero(), !c.Command.IsZero(), c.Agent != ""} {
		if has {
			kinds++
		}
	}
	if kinds > 1 {
		f.add(path, "run, command and agent exclude one another")
	}
	if c.Agent == "" && (c.Prompt != "" || c.PromptFile != "") {
		f.add(path+".prompt", "a prompt belongs to an agent")
	}
	if c.Prompt != "" && c.PromptFile != "" {
		f.add(path+".prompt", "give prompt or prompt_file, not both")
	}
	checkNames(f, path+".", c.Env, c.PassEnv, c.Approvers)
	return out
}
