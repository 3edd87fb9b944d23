package process

import (
	"maps"
	"slices"
	"strings"
)

// inherited is all that a step gets of the daemon's environment without being
// asked (contract, section 2).
var inherited = []string{"PATH", "HOME", "LANG", "TZ", "TMPDIR"}

// daemonSecrets are never handed to a step, not even when a plan's pass_env
// names them; neither is anything called HOLDPOINT_….
var daemonSecrets = []string{"SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "TELEGRAM_BOT_TOKEN"}

// StepEnv builds the whole environment of a step: PATH, HOME, LANG, TZ and
// TMPDIR as lookup has them, then vars, env, what passEnv names, and the
// HOLDPOINT_ variables, later ones in the place of earlier ones. Nothing else
// of the daemon's environment is in it, and none of the daemon's own secrets
// even if passEnv names them. The result is sorted and has no name twice. Names
// that no environment can carry (empty, with `=` or NUL) are left out.
func StepEnv(lookup func(string) (string, bool), env map[string]string, passEnv []string,
	vars map[string]string, holdpoint map[string]string,
) []string {
	all := map[string]string{}
	take := func(names []string) {
		for _, name := range names {
			if value, set := lookup(name); set {
				all[name] = value
			}
		}
	}
	take(inherited)
	maps.Copy(all, vars)
	maps.Copy(all, env)
	take(slices.DeleteFunc(slices.Clone(passEnv), isDaemonSecret))
	maps.Copy(all, holdpoint)

	lines := make([]string, 0, len(all))
	for name, value := range all {
		if name != "" && !strings.ContainsAny(name, "=\x00") {
			lines = append(lines, name+"="+value)
		}
	}
	slices.Sort(lines)
	return lines
}

func isDaemonSecret(name string) bool {
	return strings.HasPrefix(name, "HOLDPOINT_") || slices.Contains(daemonSecrets, name)
}
