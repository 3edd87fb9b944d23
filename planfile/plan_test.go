package planfile_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holdpoint/core"
	"holdpoint/planfile"
)

func TestPlanIsRefusedWithItsPlace(t *testing.T) {
	titles := "checkpoint_titles: [backup, cut over]\n"
	for _, c := range []struct {
		name, text string
		wants      []fault
	}{
		{"unknown kind", titles + "task_kind: job\n", []fault{{"task_kind", 2, 12, `"job" is unknown: task, goal`}}},
		{"no checkpoint", "task_kind: task\n", []fault{{"checkpoints", 1, 1, "at least one"}}},
		{"an empty list of checkpoints", "title: a\ncheckpoints: []\n", []fault{{"checkpoints", 2, 1, "at least one"}}},
		{"a blank title", "checkpoint_titles: [backup, ' ']\n", []fault{{"checkpoint_titles[1]", 1, 29, "not blank"}}},
		{"no title", "checkpoints:\n  - run: a\n", []fault{{"checkpoints[0].title", 2, 5, "not blank"}}},
		{"a duplicate title", "checkpoints:\n  - {title: a}\n  - {title: a}\n", []fault{{"checkpoints[1].title", 3, 13, "stands already"}}},
		{"more notes than titles", titles + "rollback_notes: [a, b, c]\n", []fault{{"rollback_notes", 2, 1, "3 notes for 2 titles"}}},
		{"a note for an unknown title", titles + "rollback_notes:\n  cut.over[1]: x\n", []fault{{"rollback_notes.cut.over[1]", 3, 16, "no checkpoint has the title"}}},
		{"titles and checkpoints together", titles + "checkpoints:\n- title: a\n", []fault{{"checkpoints", 2, 1, "not both"}}},
		{"a bad duration", titles + "expires_in: 4 hours\n", []fault{{"expires_in", 2, 13, "no duration"}}},
		{"a bad duration of a checkpoint", "checkpoints:\n- title: a\n  timeout: 1.5h\n", []fault{{"checkpoints[0].timeout", 3, 12, "no duration"}}},
		{"a bad cadence", titles + "summary_cadence: sometimes\n", []fault{{"summary_cadence", 2, 18, "no cadence"}}},
		{"a bad cadence of several", titles + "summary_cadence:\n- before_each\n- every 5\n", []fault{{"summary_cadence[1]", 4, 3, "no duration"}}},
		{"no approval required", titles + "approvals_required: 0\n", []fault{{"approvals_required", 2, 21, "a number from 1"}}},
		{"an empty approver list", titles + "approvers: []\n", []fault{{"approvers", 2, 1, "lets nobody approve"}}},
		{"a goal without objective and done_when", titles + "task_kind: goal\n", []fault{{"objective", 1, 1, "a goal"}, {"done_when", 1, 1, "a goal"}}},
		{"over 100 checkpoints", "checkpoint_titles:\n" + strings.Repeat("- a\n", 101), []fault{{"checkpoint_titles", 1, 1, "100 at most"}}},
		{"run and command together", "checkpoints:\n- title: a\n  run: b\n  command: c\n", []fault{{"checkpoints[0]", 2, 3, "exclude one another"}}},
		{"faults of the text and of the plan together", "checkpoints:\n- title: [a]\n  riks: low\n  risk: lwo\nexpires_in: x\n", []fault{
			{"checkpoints[0].title", 2, 10, "a text"}, {"checkpoints[0].riks", 3, 3, "risk"},
			{"checkpoints[0].risk", 4, 9, "low, medium, high"}, {"expires_in", 5, 13, "no duration"}}},
		{"in JSON", "{\"checkpoint_titles\": [\"a\"],\n \"expires_in\": 4}", []fault{{"expires_in", 2, 16, "no duration"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := planfile.ParsePlan([]byte(c.text), nil)
			checkFaults(t, c.text, err, c.wants...)
		})
	}
}

const longForm = `
title: Bring p99 under 200 ms
task_kind: goal
objective: p99 of /orders under 200 ms for 10 minutes
done_when: ./check-p99.sh
max_rounds: 3
workdir: .
env: {PGHOST: db1}
pass_env: [PGPASSWORD]
vars: {version: 4.20}
shell: [/bin/sh, -eu, -c]
summary_cadence: [before_each, every 30m]
approvers: [ana, "role:dba"]
approvals_required: 1
allow_self: false
expires_in: 4h
use_within: 1h
on_expiry: hold
escalate: [{after: 30m, to: "role:lead"}]
overlap: skip
on_behalf_of: lea
notify: [lea]
checkpoints:
  - title: backup
    detail: Dump orders (12 GB) to backups/
    risk: low
    run: |
      ./backup.sh
      sync
    timeout: 30m
    stop_grace: 10s
    rollback_notes: nothing to undo
    rollback_run: ""
  - title: cut over
    agent: release-bot
    prompt: Switch the traffic
    approvals_required: 2
  - title: tell the customers
    command: [./mail.sh, --now]
`

func TestPlanIsTheSameInYAMLAndJSON(t *testing.T) {
	in, err := planfile.ParseInput([]byte(longForm))
	if err != nil {
		t.Fatal(planfile.Format("plan.yaml", err))
	}
	if in.Vars["version"] != "4.20" || in.Checkpoints[0].Run.Line != "./backup.sh\nsync\n" || len(in.Checkpoints[2].Command.Args) != 2 {
		t.Errorf("got %+v", in)
	}
	written, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	again, err := planfile.ParseInput(written)
	if err != nil {
		t.Fatal(planfile.Format("plan.json", err))
	}
	if diff := cmp.Diff(in, again); diff != "" {
		t.Errorf("-YAML +JSON:\n%s", diff)
	}
	var strict core.PlanInput
	if err := planfile.Decode(written, &strict, planfile.Options{JSON: true}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in, strict); diff != "" {
		t.Errorf("-YAML +body:\n%s", diff)
	}
	plan, err := planfile.ParsePlan([]byte(longForm), map[string]string{"version": "4.21", "more": "x"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"version": "4.21", "more": "x"}, plan.Vars); diff != "" {
		t.Errorf("vars (-want +got):\n%s", diff)
	}
}

func TestFixturesAreGoodPlans(t *testing.T) {
	for _, file := range glob(t, "../fixtures/plans/*.yaml") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := planfile.ParsePlan(data, nil); err != nil {
			t.Errorf("%s", planfile.Format(file, err))
		}
	}
}

// TestBrokenFixturesAreRefused reads the first line of each broken plan: "# want: PATH: words", with
// - for the path of the whole text. Those with "# needs: people" are good as far as their text goes.
func TestBrokenFixturesAreRefused(t *testing.T) {
	for _, file := range glob(t, "../fixtures/plans/broken/*.yaml") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			head, rest, _ := strings.Cut(string(data), "\n")
			path, words, ok := strings.Cut(strings.TrimPrefix(head, "# want: "), ":")
			if !ok {
				t.Fatalf("the first line %q says no path and no words", head)
			}
			if path == "-" {
				path = ""
			}
			_, err = planfile.ParsePlan(data, nil)
			if strings.HasPrefix(rest, "# needs: people") {
				if err != nil {
					t.Errorf("its text alone is good, got %s", planfile.Format(file, err))
				}
				return
			}
			for _, f := range faultsOf(t, err) {
				if f.Path == path && strings.Contains(f.Message, strings.TrimSpace(words)) && f.Line > 0 && f.Column > 0 {
					return
				}
			}
			t.Errorf("no fault at %q says %q:\n%s", path, words, planfile.Format(file, err))
		})
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixture at %s (%v)", pattern, err)
	}
	return files
}
