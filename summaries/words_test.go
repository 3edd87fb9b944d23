package summaries

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"holdpoint/core"
)

// every walks all texts of a language's words, under their names.
func every(v reflect.Value, name string, visit func(name, text string)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			every(v.Field(i), name+"."+v.Type().Field(i).Name, visit)
		}
	case reflect.Array:
		for i := range v.Len() {
			every(v.Index(i), name+"."+string(rune('A'+i)), visit)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			every(v.MapIndex(k), name+"."+k.String(), visit)
		}
	default:
		visit(name, v.String())
	}
}

func textsOf(w words) map[string]string {
	all := map[string]string{}
	every(reflect.ValueOf(w), "", func(name, text string) { all[name] = text })
	return all
}

func TestEveryLanguageSaysEverything(t *testing.T) {
	verbs := regexp.MustCompile(`%\[\d\][sd]`)
	en, fr := textsOf(english), textsOf(french)
	if got, want := slices.Sorted(maps.Keys(fr)), slices.Sorted(maps.Keys(en)); !slices.Equal(got, want) {
		t.Errorf("French has the names\n%v\nEnglish has\n%v", got, want)
	}
	for name, text := range en {
		for lang, said := range map[string]string{"English": text, "French": fr[name]} {
			if strings.TrimSpace(said) == "" && name != ".Page.Thousands" {
				t.Errorf("%s says nothing for %s", lang, name)
			}
			if strings.Contains(verbs.ReplaceAllString(said, ""), "%") {
				t.Errorf("%s has a verb without a number in %s: %q", lang, name, said)
			}
			if Visible(said) != said {
				t.Errorf("%s would be shown escaped in %s: %q", lang, name, Visible(said))
			}
		}
		used := func(s string) []string {
			return slices.Compact(slices.Sorted(slices.Values(verbs.FindAllString(s, -1))))
		}
		if got, want := used(fr[name]), used(text); !slices.Equal(got, want) {
			t.Errorf("French uses %v in %s, English %v", got, name, want)
		}
	}
}

func TestEveryStateHasAWord(t *testing.T) {
	for _, w := range []words{english, french} {
		for _, s := range core.TaskStates() {
			if w.TaskStates[string(s)] == "" {
				t.Errorf("no word for the task state %s", s)
			}
		}
		for _, f := range allFlags {
			if w.Warn.Flags[string(f)] == "" {
				t.Errorf("no word for the flag %q", f)
			}
		}
		for _, m := range []struct {
			name  string
			known map[string]string
			want  []string
		}{
			{"approval", w.ApprovalStates, []string{"pending", "approved", "rejected", "expired", "superseded", "cancelled"}},
			{"checkpoint", w.CheckpointStates, []string{"pending", "awaiting_approval", "approved", "running", "succeeded", "failed", "rejected"}},
			{"rollback", w.RollbackStates, []string{"none", "noted", "awaiting_approval", "running", "done", "failed"}},
			{"risk", w.Risks, []string{"low", "medium", "high"}},
		} {
			if got := slices.Sorted(maps.Keys(m.known)); !slices.Equal(got, slices.Sorted(slices.Values(m.want))) {
				t.Errorf("the %s states with a word are %v, want %v", m.name, got, m.want)
			}
		}
	}
}

// Whatever of a request can change has a name on the card: core tells the fields, this holds that none
// is told by its name in the code alone.
func TestEveryFieldThatCanChangeHasAWord(t *testing.T) {
	x, m := core.Exec{Line: "x"}, map[string]string{"x": "x"}
	full := core.Subject{
		Plan: "x", Objective: "x", DoneWhen: "x", Title: "x", Detail: "x", Risk: "x", Run: x, Command: x, Agent: "x", Prompt: "x",
		Shell: []string{"x"}, Env: m, PassEnv: []string{"x"}, Vars: m, Workdir: "x", Files: m, Timeout: core.Duration(1e9),
		StopGrace: core.Duration(1e9), Note: "x", RollbackRun: x, Evidence: []string{"x"}, Approvers: []string{"x"}, Required: 1, AllowSelf: true,
	}
	changes := core.Differences(core.Subject{}, full)
	if len(changes) < 20 {
		t.Fatalf("core tells %d changes, want one for each field", len(changes))
	}
	for _, c := range changes {
		if english.Fields[c.Field] == "" || french.Fields[c.Field] == "" {
			t.Errorf("no word for the field %s", c.Field)
		}
	}
}
