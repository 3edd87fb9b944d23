package process_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"holdpoint/adapters/process"
)

func TestStepEnv(t *testing.T) {
	t.Parallel()
	daemon := map[string]string{
		"PATH": "/bin", "HOME": "/home/ops", "LANG": "fr_FR.UTF-8", "TZ": "", "PGPASSWORD": "geheim",
		"LD_PRELOAD": "x.so", "HOLDPOINT_TOKEN": "t", "SLACK_BOT_TOKEN": "xoxb", "TELEGRAM_BOT_TOKEN": "1:a",
	}
	type names = map[string]string
	for _, tc := range []struct {
		name                 string
		env, vars, holdpoint names
		passEnv              []string
		want                 []string
	}{
		{
			name: "of the daemon's only those that are set of PATH HOME LANG TZ TMPDIR",
			want: []string{"HOME=/home/ops", "LANG=fr_FR.UTF-8", "PATH=/bin", "TZ="},
		},
		{
			name: "what pass_env names, and nothing where it is not set", passEnv: []string{"PGPASSWORD", "PGUSER"},
			want: []string{"HOME=/home/ops", "LANG=fr_FR.UTF-8", "PATH=/bin", "PGPASSWORD=geheim", "TZ="},
		},
		{
			name:    "later ones win: vars, env, pass_env, HOLDPOINT_",
			vars:    names{"A": "vars", "B": "vars", "PATH": "/vars", "HOLDPOINT_TASK": "forged"},
			env:     names{"B": "env", "PGPASSWORD": "env", "PGUSER": "env"},
			passEnv: []string{"PGPASSWORD", "PGUSER"}, holdpoint: names{"HOLDPOINT_TASK": "t_1"},
			want: []string{
				"A=vars", "B=env", "HOLDPOINT_TASK=t_1", "HOME=/home/ops", "LANG=fr_FR.UTF-8",
				"PATH=/vars", "PGPASSWORD=geheim", "PGUSER=env", "TZ=",
			},
		},
		{
			name:    "the daemon's own secrets are not passed on, even when named",
			passEnv: []string{"HOLDPOINT_TOKEN", "SLACK_BOT_TOKEN", "TELEGRAM_BOT_TOKEN"},
			want:    []string{"HOME=/home/ops", "LANG=fr_FR.UTF-8", "PATH=/bin", "TZ="},
		},
		{
			name: "names that no environment can carry are left out",
			vars: names{"": "x", "A=B": "x", "N\x00": "x", "ok": "a=b"},
			want: []string{"HOME=/home/ops", "LANG=fr_FR.UTF-8", "PATH=/bin", "TZ=", "ok=a=b"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			lookup := func(name string) (string, bool) { v, set := daemon[name]; return v, set }
			got := process.StepEnv(lookup, tc.env, tc.passEnv, tc.vars, tc.holdpoint)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("environment (-want +got):\n%s", diff)
			}
		})
	}
}
