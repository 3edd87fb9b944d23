package core

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

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
