package planfile_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holdpoint/core"
	"holdpoint/planfile"
)

// faultsOf gives the faults of a refusal and fails on any other error.
func faultsOf(t *testing.T, err error) []core.FieldError {
	t.Helper()
	refused, ok := errors.AsType[*core.Error](err)
	if !ok || refused.Code != core.CodeValidation || len(refused.Fields) == 0 {
		t.Fatalf("got error %v, want a validation error with faults", err)
	}
	return refused.Fields
}

// fault is one fault that a case expects: its path, its place and a few words of the message.
type fault struct {
	path         string
	line, column int
	words        string
}

func checkFaults(t *testing.T, text string, err error, wants ...fault) {
	t.Helper()
	got := faultsOf(t, err)
	if len(got) != len(wants) {
		t.Fatalf("got %d faults, want %d:\n%s", len(got), len(wants), planfile.Format("", err))
	}
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	for i, w := range wants {
		f := got[i]
		if f.Path != w.path || f.Line != w.line || f.Column != w.column {
			t.Errorf("got fault at %q %d:%d, want %q %d:%d (%s)", f.Path, f.Line, f.Column, w.path, w.line, w.column, f.Message)
		}
		if !strings.Contains(f.Message, w.words) {
			t.Errorf("got message %q, want %q in it", f.Message, w.words)
		}
		if source := strings.TrimSuffix(lines[f.Line-1], "\r"); f.Source != source && len(source) < 200 {
			t.Errorf("got source %q, want %q", f.Source, source)
		}
	}
}

func TestYAMLIsRefusedWithItsPlace(t *testing.T) {
	for _, c := range []struct {
		name, text string
		wants      []fault
	}{
		{"a second document", "title: a\n---\ntitle: b\n", []fault{{"", 2, 1, "second document"}}},
		{"an empty second document", "title: a\n---\n", []fault{{"", 2, 1, "second document"}}},
		{"text behind the document's end", "title: a\n...\ntitle: b\n", []fault{{"", 3, 1, "second document"}}},
		{"an unknown field", "title: a\ntitel: b\n", []fault{{"titel", 2, 1, "did you mean title?"}}},
		{"an unknown field in a checkpoint", "checkpoints:\n  - title: a\n    riks: low\n", []fault{{"checkpoints[0].riks", 3, 5, "did you mean risk?"}}},
		{"an unknown field in an escalation", "escalate: [{after: 1h, too: x}]\n", []fault{{"escalate[0].too", 1, 24, "did you mean to?"}}},
		{"a field in another letter case", "Title: a\n", []fault{{"Title", 1, 1, "did you mean title?"}}},
		{"a doubled field", "title: a\nrisk: low\ntitle: b\n", []fault{
			{"risk", 2, 1, "unknown here: known are allow_self,"}, {"title", 3, 1, "stands already at line 1, column 1"}}},
		{"a doubled field in a checkpoint", "checkpoints:\n- title: a\n  run: b\n  run: c\n", []fault{{"checkpoints[0].run", 4, 3, "stands already at line 3"}}},
		{"a doubled key of a map", "vars: {a: 1, 'a': 2}\n", []fault{{"vars.a", 1, 14, "stands already"}}},
		{"a doubled key behind an escape", "vars: {é: 1, \"\\u00e9\": 2}\n", []fault{{"vars.é", 1, 14, "stands already"}}},
		{"a list for a text", "title: [a]\n", []fault{{"title", 1, 8, "a text is wanted here, not a list"}}},
		{"a mapping for a text", "title: {a: b}\n", []fault{{"title", 1, 8, "a text is wanted here, not a mapping"}}},
		{"a text for a list", "approvers: ana\n", []fault{{"approvers", 1, 12, "a list is wanted here, not ana"}}},
		{"a text for a mapping", "env: 4\n", []fault{{"env", 1, 6, "a mapping is wanted here, not 4"}}},
		{"a list for a mapping", "checkpoints:\n- - a\n", []fault{{"checkpoints[0]", 2, 3, "a mapping is wanted"}}},
		{"a mapping for what runs", "checkpoints:\n- title: a\n  run: {a: b}\n", []fault{{"checkpoints[0].run", 3, 8, "a text or a list of texts"}}},
		{"a list in the list of what runs", "checkpoints:\n- title: a\n  run: [a, [b]]\n", []fault{{"checkpoints[0].run[1]", 3, 12, "a text is wanted"}}},
		{"a text for notes", "rollback_notes: none\n", []fault{{"rollback_notes", 1, 17, "a list of texts or a mapping"}}},
		{"a list as a note", "rollback_notes:\n  a: [b]\n", []fault{{"rollback_notes.a", 2, 6, "a text is wanted"}}},
		{"a fraction", "max_rounds: 1.5\n", []fault{{"max_rounds", 1, 13, "a whole number"}}},
		{"a number in another base", "max_rounds: 0x1F\n", []fault{{"max_rounds", 1, 13, "a whole number"}}},
		{"a number in quotes", "max_rounds: \"3\"\n", []fault{{"max_rounds", 1, 13, "without quotes"}}},
		{"a number too large", "max_rounds: 99999999999999999999\n", []fault{{"max_rounds", 1, 13, "64 bits"}}},
		{"yes for true", "allow_self: yes\n", []fault{{"allow_self", 1, 13, "true or false"}}},
		{"true in quotes", "allow_self: 'true'\n", []fault{{"allow_self", 1, 13, "true or false"}}},
		{"nothing in a list", "approvers: [ana, ~]\n", []fault{{"approvers[1]", 1, 18, "nothing stands here"}}},
		{"nothing in a map", "vars:\n  a:\n  b: c\n", []fault{{"vars.a", 2, 3, "nothing stands here"}}},
		{"an anchor", "title: &a b\n", []fault{{"title", 1, 8, "anchors"}}},
		{"an alias that nobody set", "title: *a\n", []fault{{"title", 1, 8, "aliases"}}},
		{"an alias", "title: &a b\nobjective: *a\n", []fault{{"title", 1, 8, "anchors"}, {"objective", 2, 12, "aliases"}}},
		{"a merge key", "vars:\n  <<: {a: b}\n", []fault{{"vars", 2, 3, "merge keys"}}},
		{"a tag", "title: !!binary aGk=\n", []fault{{"title", 1, 8, "tags"}}},
		{"a tag of one's own", "checkpoints: !x\n- title: a\n", []fault{{"checkpoints", 1, 14, "tags"}}},
		{"a directive", "%YAML 1.2\n---\ntitle: a\n", []fault{{"", 1, 1, "directives"}}},
		{"a list as a key", "? [a]\n: b\n", []fault{{"", 2, 1, "no YAML"}}},
		{"an open bracket", "title: [\n", []fault{{"", 1, 8, "']' not found"}}},
		{"an open quote", "title: a\nobjective: \"x\n", []fault{{"", 2, 12, "no YAML"}}},
		{"a mapping in a line", "title: a: b\n", []fault{{"", 1, 8, "no YAML"}}},
		{"a tab as indentation", "env:\n\ta: b\n", []fault{{"", 2, 1, "tabs"}}},
		{"a tab in a text without quotes", "title: a\tb\n", []fault{{"title", 1, 8, "a tab stands"}}},
		{"a tab in double quotes", "title: \"a\tb\"\n", []fault{{"", 1, 8, "write it as \\t"}}},
		{"a field behind an empty item", "checkpoints:\n- \ntitle: a\n", []fault{{"checkpoints[0]", 3, 1, "no further in than line 2"}}},
		{"a value below its key", "title:\na\n", []fault{{"title", 2, 1, "no further in than line 1"}}},
		{"an empty block text before an item", "shell:\n- |\n\n- a: |\n  b\n", []fault{{"", 4, 1, "is not seen as one"}}},
		{"a block text that begins crookedly", "title: |\n    \n   # a\n", []fault{{"title", 1, 8, "more blanks"}}},
		{"a block text that nobody can end", "vars:\n  a: |2\n  b\n", []fault{{"", 3, 3, "no YAML"}}},
		{"no UTF-8", "title: a\xffb\n", []fault{{"", 1, 9, "not UTF-8"}}},
		{"a NUL", "title: a\x00b\n", []fault{{"", 1, 9, "NUL"}}},
		{"an escaped NUL", "title: \"a\\0b\"\n", []fault{{"title", 1, 8, "NUL"}}},
		{"another control character", "title: a\x1b[31m\n", []fault{{"", 1, 9, "control character"}}},
		{"a byte order mark inside", "title: a\ufeff\n", []fault{{"", 1, 9, "byte order mark"}}},
		{"a lone carriage return", "title: a\rb\n", []fault{{"", 1, 9, "carriage return"}}},
		{"an empty text", "", []fault{{"", 1, 1, "empty"}}},
		{"only comments", "# a\n# b\n", []fault{{"", 1, 1, "empty"}}},
		{"only a document's beginning", "---\n", []fault{{"", 1, 1, "empty"}}},
		{"null", "~\n", []fault{{"", 1, 1, "a mapping is wanted here, not nothing"}}},
		{"a word", "hello\n", []fault{{"", 1, 1, "a mapping is wanted here, not hello"}}},
		{"a list", "- a\n", []fault{{"", 1, 1, "a mapping is wanted here, not a list"}}},
		{"all faults at once, columns in runes", "\ufefftitle: [é]\r\nvars: {é: 1, é: 2}\r\nmax_rounds: x\r\n", []fault{
			{"title", 1, 8, "a text"}, {"vars.é", 2, 14, "already"}, {"max_rounds", 3, 13, "a whole number"}}},
		{"places behind texts over several lines", "title: 'a\n\n  b'\nobjective: |\n  x\n\n\n\ndone_when: c\n  d\nworkdir: [a]\n", []fault{
			{"workdir", 11, 10, "a text"}}},
		{"the place of a text over several lines", "env: a\n  b\nvars: >-\n  x\n\n\n", []fault{{"env", 1, 6, "a mapping"}, {"vars", 3, 7, "a mapping"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := planfile.ParseInput([]byte(c.text))
			checkFaults(t, c.text, err, c.wants...)
			if diff := cmp.Diff(core.PlanInput{}, in); diff != "" {
				t.Errorf("a refused text left something behind:\n%s", diff)
			}
		})
	}
}

func TestScalarsKeepTheirSpelling(t *testing.T) {
	for _, spelled := range []string{
		"4.20", "4.0", "0x1F", "0o17", "017", "1e3", "1_000", "+1", "-0", ".5", ".inf", ".nan", "0b1",
		"true", "True", "yes", "no", "on", "off", "y", "2026-11-30", "2026-11-30T10:00:00Z", "12:30:45", "1.2.3",
		"a#b", "a:b", "https://x/y?z=1&w", "$(date) && echo", "x{y}", "é", "\u3164",
	} {
		t.Run(spelled, func(t *testing.T) {
			text := "title: " + spelled + "\nvars: {v: " + strings.NewReplacer("{", "", "}", "").Replace(spelled) + "}\nshell:\n- " + spelled + " # comment\n"
			in, err := planfile.ParseInput([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if in.Title != spelled || in.Shell[0] != spelled {
				t.Errorf("got %q and %q, want %q", in.Title, in.Shell[0], spelled)
			}
		})
	}
	in, err := planfile.ParseInput([]byte(`{"title": 4.20, "vars": {"a": 1e3, "b": true, "c": "\u00e9\/\ud83d\ude00"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(core.PlanInput{Title: "4.20", Vars: map[string]string{"a": "1e3", "b": "true", "c": "é/😀"}}, in); diff != "" {
		t.Errorf("a plan in JSON (-want +got):\n%s", diff)
	}
}

func TestNothingIsAnAbsentField(t *testing.T) {
	for _, nothing := range []string{"", "~", "null", "Null", "NULL"} {
		in, err := planfile.ParseInput([]byte("title: " + nothing + "\nvars: " + nothing + "\nmax_rounds: " + nothing + "\ncheckpoints: " + nothing + "\n"))
		if err != nil {
			t.Fatalf("%q: %v", nothing, err)
		}
		if diff := cmp.Diff(core.PlanInput{}, in); diff != "" {
			t.Errorf("%q is not absent:\n%s", nothing, diff)
		}
	}
	in, err := planfile.ParseInput([]byte("title: 'null'\nobjective: \"~\"\ndone_when: nULL\napprovers: []\nvars: {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := core.PlanInput{Title: "null", Objective: "~", DoneWhen: "nULL", Approvers: []string{}, Vars: map[string]string{}}
	if diff := cmp.Diff(want, in); diff != "" {
		t.Errorf("words like null (-want +got):\n%s", diff)
	}
}

func TestDecodeKeepsDefaultsAndTakesOtherTypes(t *testing.T) {
	type inner struct {
		Port uint16 `json:"port"`
		Name string `json:"name"`
	}
	type config struct {
		inner
		Keep  core.Duration            `json:"keep"`
		Limit *int64                   `json:"limit"`
		Ratio float64                  `json:"ratio"`
		By    map[string]*inner        `json:"by"`
		Raw   json.RawMessage          `json:"raw"`
		Any   any                      `json:"any"`
		Many  map[string]core.Duration `json:"many"`
		Skip  string                   `json:"-"`
		Named core.Risk                `json:"named"`
	}
	got := config{Skip: "kept", Ratio: 1, Named: core.RiskHigh}
	text := "port: 65535\nkeep: 2d\nlimit: -7\nby: {a: {port: 1, name: x}}\nraw: {a: [1, 4.20, x, true, ~]}\nany: [1, x, null]\nmany: {a: 1h}\nname: ~\n"
	if err := planfile.Decode([]byte(text), &got, planfile.Options{}); err != nil {
		t.Fatal(err)
	}
	two, _ := core.ParseDuration("2d", false)
	hour, _ := core.ParseDuration("1h", false)
	want := config{inner: inner{Port: 65535}, Keep: two, Limit: new(int64(-7)), Ratio: 1, By: map[string]*inner{"a": {1, "x"}},
		Raw: json.RawMessage(`{"a":[1,4.20,"x",true,null]}`), Any: []any{json.Number("1"), "x", nil},
		Many: map[string]core.Duration{"a": hour}, Skip: "kept", Named: core.RiskHigh}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(config{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	bad := "port: 65536\nkeep: 2 days\nratio: x\nmany: {a: [b]}\nby: {a: {prot: 1}}\nSkip: x\n"
	err := planfile.Decode([]byte(bad), &got, planfile.Options{})
	checkFaults(t, bad, err,
		fault{"port", 1, 7, "from 0, of at most 16 bits"}, fault{"keep", 2, 7, "no duration"}, fault{"ratio", 3, 8, "a number"},
		fault{"many.a", 4, 11, "a text"}, fault{"by.a.prot", 5, 10, "did you mean port?"}, fault{"Skip", 6, 1, "unknown"})
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(config{})); diff != "" {
		t.Errorf("a refused text changed the value:\n%s", diff)
	}
}
