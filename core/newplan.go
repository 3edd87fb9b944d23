package core

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/robfig/cron/v3"
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

// checkNames looks at what a plan and a checkpoint have in common: environment and approvers.
func checkNames(f *faults, prefix string, env map[string]string, passEnv, approvers []string) {
	checkEnvNames(f, prefix+"env", env)
	for i, name := range passEnv {
		path := fmt.Sprintf("%spass_env[%d]", prefix, i)
		checkEnvName(f, path, name)
		if secretEnv(name) {
			f.add(path, "%s is the daemon's own secret and is never handed to a step", name)
		}
	}
	if approvers != nil && len(approvers) == 0 {
		f.add(prefix+"approvers", "an empty list lets nobody approve: name people or roles, or leave it out")
	}
	for i, name := range approvers {
		if strings.TrimSpace(name) == "" || name == "role:" {
			f.add(fmt.Sprintf("%sapprovers[%d]", prefix, i), "an approver is a person's name or role:NAME")
		}
	}
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func checkEnvNames(f *faults, path string, env map[string]string) {
	for _, name := range sortedKeys(env) {
		checkEnvName(f, path+"."+name, name)
		if strings.HasPrefix(name, "HOLDPOINT_") {
			f.add(path+"."+name, "names that begin with HOLDPOINT_ are set by the daemon")
		}
		if text := env[name]; !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			f.add(path+"."+name, "the value is not valid UTF-8, or holds a NUL byte")
		}
	}
}

func checkEnvName(f *faults, path, name string) {
	if !envName.MatchString(name) {
		f.add(path, "%q is no name of an environment variable: letters, digits and _, not a digit first", name)
	}
}

// secretEnv names what the daemon itself is configured with; section 12 of the contract lists it.
func secretEnv(name string) bool {
	switch name {
	case "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "TELEGRAM_BOT_TOKEN":
		return true
	}
	return strings.HasPrefix(name, "HOLDPOINT_")
}

func cadence(f *faults, list []string) []string {
	if list == nil {
		return []string{"before_each"}
	}
	if len(list) == 0 {
		f.add("summary_cadence", "an empty list: leave it out for before_each")
	}
	for i, c := range list {
		if err := checkCadence(c); err != nil {
			path := "summary_cadence"
			if len(list) > 1 {
				path = fmt.Sprintf("summary_cadence[%d]", i)
			}
			f.add(path, "%v", err)
		}
	}
	return list
}

func checkCadence(c string) error {
	switch c {
	case "before_each", "after_each", "on_change":
		return nil
	}
	if d, ok := strings.CutPrefix(c, "every "); ok {
		_, err := ParseDuration(strings.TrimSpace(d), false)
		return err
	}
	if expr, ok := strings.CutPrefix(c, "cron "); ok {
		return checkCron(strings.TrimSpace(expr))
	}
	return fmt.Errorf("%q is no cadence: before_each, after_each, on_change, every DURATION or cron with 5 fields", c)
}

// checkCron takes five plain fields; the parser's own extras (TZ=, @every) are not part of the
// contract and stay out because only these five fields are asked for.
func checkCron(expr string) error {
	if n := len(strings.Fields(expr)); n != 5 || strings.Contains(expr, "=") {
		return fmt.Errorf("cron %q: give 5 fields (minute hour day month weekday)", expr)
	}
	parser := cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)
	if _, err := parser.Parse(expr); err != nil {
		return fmt.Errorf("cron %q: %w", expr, err)
	}
	return nil
}

func escalate(f *faults, in []EscalateInput) []Escalation {
	var out []Escalation
	for i, e := range in {
		path := fmt.Sprintf("escalate[%d]", i)
		if e.After == "" {
			f.add(path+".after", "say after how long")
		}
		if len(e.To) == 0 {
			f.add(path+".to", "say to whom")
		}
		out = append(out, Escalation{After: span(f, path+".after", e.After, 0), To: e.To})
	}
	return out
}

// checkText refuses bytes that are no UTF-8: a fingerprint over them could not be told apart.
func checkText(f *faults, in PlanInput) {
	texts := map[string]string{"title": in.Title, "objective": in.Objective, "done_when": in.DoneWhen, "workdir": in.Workdir}
	for i, c := range in.Checkpoints {
		p := fmt.Sprintf("checkpoints[%d].", i)
		texts[p+"title"], texts[p+"detail"], texts[p+"run"] = c.Title, c.Detail, c.Run.Line+strings.Join(c.Run.Args, "")
		texts[p+"rollback_notes"], texts[p+"prompt"] = c.RollbackNotes, c.Prompt
		texts[p+"command"] = c.Command.Line + strings.Join(c.Command.Args, "")
		texts[p+"rollback_run"] = c.RollbackRun.Line + strings.Join(c.RollbackRun.Args, "")
	}
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		if !utf8.ValidString(texts[path]) {
			f.add(path, "the text is not valid UTF-8")
		}
		if strings.ContainsRune(texts[path], 0) {
			f.add(path, "the text holds a NUL byte, which no command can carry")
		}
	}
}

func madeTitle(p Plan) string {
	if p.Kind == KindGoal && p.Objective != "" {
		return p.Objective
	}
	titles := make([]string, len(p.Checkpoints))
	for i, c := range p.Checkpoints {
		titles[i] = c.Title
	}
	return strings.Join(titles, " → ")
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
