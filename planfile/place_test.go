package planfile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holdpoint/core"
	"holdpoint/planfile"
)

const located = `# a plan
title: a
rollback_notes:
  cut.over: x
  cut: y
  "a[0]": z
checkpoints:
  - title: a
    env: {é: x, B: y}

  -
    title: b
    run: |
      x
approvers: [ana,
  bo]
`

func TestLocateFindsAPath(t *testing.T) {
	for _, c := range []struct {
		path         string
		line, column int
	}{
		{"title", 2, 8},
		{"rollback_notes", 3, 1},
		{"rollback_notes.cut.over", 4, 13},
		{"rollback_notes.cut", 5, 8},
		{"rollback_notes.a[0]", 6, 11},
		{"rollback_notes.nobody", 3, 1},
		{"checkpoints", 7, 1},
		{"checkpoints[0]", 8, 5},
		{"checkpoints[0].env.B", 9, 20},
		{"checkpoints[0].timeout", 8, 5},
		{"checkpoints[1]", 12, 5},
		{"checkpoints[1].run", 13, 10},
		{"checkpoints[1].run[0]", 13, 10},
		{"checkpoints[2].title", 7, 1},
		{"approvers[1]", 16, 3},
		{"objective", 2, 1},
		{"", 2, 1},
		{"[", 2, 1},
		{"checkpoints[99999999999999999999]", 7, 1},
	} {
		t.Run(c.path, func(t *testing.T) {
			line, column, source, ok := planfile.Locate([]byte(located), c.path)
			if !ok || line != c.line || column != c.column {
				t.Errorf("got %d:%d %v, want %d:%d", line, column, ok, c.line, c.column)
			}
			if want := strings.Split(located, "\n")[c.line-1]; source != want {
				t.Errorf("got source %q, want %q", source, want)
			}
		})
	}
	if _, _, _, ok := planfile.Locate([]byte("a: [\n"), "a"); ok {
		t.Error("a text that can't be read has places")
	}
}

func TestPlaceCompletesFaults(t *testing.T) {
	body := []byte("{\"request_id\": \"r\",\n \"plan\": {\"title\": \"a\",\n  \"checkpoints\": [{\"title\": \"a\", \"risk\": \"lwo\"}]}}")
	got := planfile.Place(body, "plan", []core.FieldError{
		{Path: "checkpoints[0].risk", Message: "m"},
		{Path: "objective", Message: "n"},
		{Path: "", Message: "o"},
		{Path: "title", Line: 9, Column: 9, Message: "p"},
	})
	lines := strings.Split(string(body), "\n")
	want := []core.FieldError{
		{Path: "plan.objective", Line: 2, Column: 2, Message: "n", Source: lines[1]},
		{Path: "plan", Line: 2, Column: 2, Message: "o", Source: lines[1]},
		{Path: "plan.checkpoints[0].risk", Line: 3, Column: 42, Message: "m", Source: lines[2]},
		{Path: "plan.title", Line: 9, Column: 9, Message: "p"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	unread := planfile.Place([]byte("{"), "", []core.FieldError{{Path: "a", Message: "m"}})
	if diff := cmp.Diff([]core.FieldError{{Path: "a", Message: "m"}}, unread); diff != "" {
		t.Errorf("a text that can't be read (-want +got):\n%s", diff)
	}
}

func TestFormatShowsLineAndCaret(t *testing.T) {
	_, err := planfile.ParsePlan([]byte("title: é\nvars: {\"é\": ['\t'],\t\"b\": []}\n"), nil)
	want := `plan.yaml:1:1: checkpoints: a plan has at least one checkpoint
  title: é
  ^
plan.yaml:2:13: vars.é: a text is wanted here, not a list
  vars: {"é": ['	'],	"b": []}
              ^
plan.yaml:2:25: vars.b: a text is wanted here, not a list
  vars: {"é": ['	'],	"b": []}
                	   	     ^
`
	if diff := cmp.Diff(want, planfile.Format("plan.yaml", err)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, c := range []struct {
		name string
		err  error
		file string
		want string
	}{
		{"no error", nil, "f", ""},
		{"another error", errors.New("gone"), "f", "f: gone\n"},
		{"another error wrapped", fmt.Errorf("read: %w", core.Refuse(core.CodeTooLarge, "", "too large")), "", "read: too large\n"},
		{"no place", core.Invalid(core.FieldError{Path: "a", Message: "m"}), "f", "f: a: m\n"},
		{"no file", core.Invalid(core.FieldError{Path: "a", Line: 1, Column: 2, Message: "m", Source: "xy"}), "", "1:2: a: m\n  xy\n   ^\n"},
		{"a column behind the cut", core.Invalid(core.FieldError{Line: 1, Column: 9, Message: "m", Source: "xy…"}), "f", "f:1:9: m\n  xy…\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := planfile.Format(c.file, c.err); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestManyFaultsAndLongLinesAreCut(t *testing.T) {
	text := "vars: {" + strings.Repeat("é: [], ", 100) + "}\n"
	_, err := planfile.ParseInput([]byte(strings.ReplaceAll(text, "é", strings.Repeat("é", 100))))
	faults := faultsOf(t, err)
	if len(faults) != 50 || !strings.Contains(err.Error(), "more faults are not shown") || !strings.Contains(planfile.Format("f", err), "more faults are not shown") {
		t.Errorf("got %d faults: %.100v", len(faults), err)
	}
	for _, f := range faults {
		if n := len([]rune(f.Source)); n > 201 {
			t.Errorf("a source of %d runes", n)
		}
		if n := len([]rune(f.Path)); n > 80 {
			t.Errorf("a path of %d runes", n)
		}
	}
}
