package core_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"holdpoint/core"
)

// fullSubject has something in every field.
func fullSubject() core.Subject {
	return core.Subject{
		Kind: core.ApproveStep, Work: core.KindGoal, Plan: "Move orders", Objective: "p99 under 200 ms", DoneWhen: "./check.sh",
		Index: 3, Title: "switch over", Detail: "12 GB", Risk: core.RiskHigh, Run: core.Exec{Line: "./switch.sh --to v2"},
		Command: core.Exec{Args: []string{"./mail.sh", "a b"}}, Agent: "bot", Prompt: "switch", Shell: []string{"/bin/sh", "-eu", "-c"},
		Env: map[string]string{"PGHOST": "db1", "A": "1"}, PassEnv: []string{"PGPASSWORD", "TOKEN"}, Vars: map[string]string{"version": "4.20"},
		Workdir: "/srv/orders", Files: map[string]string{"./switch.sh": "sha256:ab"}, Timeout: core.Duration(time.Hour),
		StopGrace: core.DefaultStopGrace, Note: "./switch.sh --to v1", RollbackRun: core.Exec{Line: "./undo.sh"},
		Evidence: []string{"sha256:1", "sha256:2"}, Approvers: []string{"ana", "role:dba"}, Required: 2, AllowSelf: true, Attempt: 2, Round: 3,
	}
}

// TestTheFingerprintNeverChangesByAccident: approvals that are pending while the program is replaced must
// still hold afterwards. Where these two values change, every one of them is superseded.
func TestTheFingerprintNeverChangesByAccident(t *testing.T) {
	least := core.Subject{Kind: core.ApproveStep, Work: core.KindTask, Plan: "p", Title: "t", Risk: core.RiskMedium, Required: 1, Attempt: 1, Round: 1}
	for name, tc := range map[string]struct {
		s    core.Subject
		want string
	}{
		"with every field set": {fullSubject(), "v1:c7470190d49bf14accee2097cb3646c26ca7ac6148016c28b3f45da9709aa943"},
		"with the least":       {least, "v1:493087bb6eed536ce443e0d631809c6261ae4be952b56736486856721248b039"},
	} {
		if got := tc.s.Fingerprint(); got != tc.want {
			t.Errorf("%s: the fingerprint is %s, it was %s", name, got, tc.want)
		}
	}
}

// leaves calls fn with a setter for every value inside a subject: each field, each element, each key.
func leaves(v reflect.Value, path string, fn func(path string, change func())) {
	x, exec := reflect.TypeAssert[core.Exec](v)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if exec && len(x.Args) > 0 && v.Type().Field(i).Name == "Line" {
				continue // a list is run, and a line beside it never is
			}
			leaves(v.Field(i), path+"."+v.Type().Field(i).Name, fn)
		}
	case reflect.Slice:
		fn(path+" one more", func() { v.Set(reflect.Append(v, reflect.ValueOf("zz").Convert(v.Type().Elem()))) })
		for i := range v.Len() {
			leaves(v.Index(i), path+"[]", fn)
		}
	case reflect.Map:
		fn(path+" another key", func() { v.SetMapIndex(reflect.ValueOf("zz"), reflect.ValueOf("")) })
		for _, k := range v.MapKeys() {
			fn(path+" another value", func() { v.SetMapIndex(k, reflect.ValueOf("zz")) })
			fn(path+" a key less", func() { v.SetMapIndex(k, reflect.Value{}) })
		}
	case reflect.String:
		fn(path, func() { v.SetString(v.String() + "x") })
		fn(path+" with a space", func() { v.SetString(v.String() + " ") })
		fn(path+" empty", func() { v.SetString("") })
	case reflect.Int, reflect.Int64:
		step := int64(1)
		if v.Type() == reflect.TypeFor[core.Duration]() {
			step = int64(time.Second) // plans know no less
		}
		fn(path, func() { v.SetInt(v.Int() + step) })
	case reflect.Bool:
		fn(path, func() { v.SetBool(!v.Bool()) })
	default:
		panic("a field of a kind that this test does not know: " + path)
	}
}

func TestAnyChangeOfAnyFieldChangesTheFingerprint(t *testing.T) {
	seen := map[string]string{fullSubject().Fingerprint(): "nothing"}
	fields := map[string]bool{}
	count := 0
	s := fullSubject()
	leaves(reflect.ValueOf(&s).Elem(), "", func(string, func()) { count++ })
	for i := range count {
		s, at := fullSubject(), 0
		leaves(reflect.ValueOf(&s).Elem(), "", func(path string, change func()) {
			if at++; at-1 != i {
				return
			}
			change()
			got := s.Fingerprint()
			if was, twice := seen[got]; twice && !sameChange(was, path) {
				t.Errorf("%s gives the fingerprint of %s", path, was)
			}
			seen[got] = path
			fields[strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(". [", r) })[0]] = true
		})
	}
	if n := reflect.TypeFor[core.Subject]().NumField(); len(fields) != n {
		t.Errorf("%d of %d fields were changed: %v", len(fields), n, slices.Sorted(maps.Keys(fields)))
	}
}

// sameChange: maps are walked in any order, so that the same change may be met twice.
func sameChange(a, b string) bool { return a == b && strings.Contains(a, " a") }

// TestNoFieldShiftsIntoAnother: what moves over a border between two fields, elements or kinds is not the
// same subject.
func TestNoFieldShiftsIntoAnother(t *testing.T) {
	with := func(change func(*core.Subject)) core.Subject {
		s := core.Subject{Kind: core.ApproveStep, Title: "t", Required: 1, Attempt: 1, Round: 1}
		change(&s)
		return s
	}
	list := map[string]core.Subject{
		"title ab":                 with(func(s *core.Subject) { s.Title = "ab" }),
		"title a, detail b":        with(func(s *core.Subject) { s.Title, s.Detail = "a", "b" }),
		"title a,detail:b":         with(func(s *core.Subject) { s.Title = `a","detail":"b` }),
		"run a b":                  with(func(s *core.Subject) { s.Run = core.Exec{Line: "a b"} }),
		"run [a b]":                with(func(s *core.Subject) { s.Run = core.Exec{Args: []string{"a b"}} }),
		"run [a, b]":               with(func(s *core.Subject) { s.Run = core.Exec{Args: []string{"a", "b"}} }),
		`run ["a","b"] as a line`:  with(func(s *core.Subject) { s.Run = core.Exec{Line: `["a","b"]`} }),
		"run of one empty word":    with(func(s *core.Subject) { s.Run = core.Exec{Args: []string{""}} }),
		"command a b":              with(func(s *core.Subject) { s.Command = core.Exec{Line: "a b"} }),
		"rollback run a b":         with(func(s *core.Subject) { s.RollbackRun = core.Exec{Line: "a b"} }),
		"env A=B":                  with(func(s *core.Subject) { s.Env = map[string]string{"A": "B"} }),
		"vars A=B":                 with(func(s *core.Subject) { s.Vars = map[string]string{"A": "B"} }),
		"files A=B":                with(func(s *core.Subject) { s.Files = map[string]string{"A": "B"} }),
		"env A=B C=":               with(func(s *core.Subject) { s.Env = map[string]string{"A": "B", "C": ""} }),
		"env AB=":                  with(func(s *core.Subject) { s.Env = map[string]string{"AB": ""} }),
		"pass_env A":               with(func(s *core.Subject) { s.PassEnv = []string{"A"} }),
		"approvers A":              with(func(s *core.Subject) { s.Approvers = []string{"A"} }),
		"approvers A,B":            with(func(s *core.Subject) { s.Approvers = []string{"A,B"} }),
		"approvers A and B":        with(func(s *core.Subject) { s.Approvers = []string{"A", "B"} }),
		"evidence A":               with(func(s *core.Subject) { s.Evidence = []string{"A"} }),
		"attempt 2":                with(func(s *core.Subject) { s.Attempt = 2 }),
		"round 2":                  with(func(s *core.Subject) { s.Round = 2 }),
		"required 2":               with(func(s *core.Subject) { s.Required = 2 }),
		"shell a b":                with(func(s *core.Subject) { s.Shell = []string{"a b"} }),
		"shell a, b":               with(func(s *core.Subject) { s.Shell = []string{"a", "b"} }),
		"a line separator":         with(func(s *core.Subject) { s.Title = "a\u2028b" }),
		"its escape written out":   with(func(s *core.Subject) { s.Title = `a\u2028b` }),
		"an angle bracket":         with(func(s *core.Subject) { s.Title = "<b>" }),
		"an angle bracket escaped": with(func(s *core.Subject) { s.Title = `\u003cb\u003e` }),
	}
	seen := map[string]string{}
	for name, s := range list {
		got := s.Fingerprint()
		if other, twice := seen[got]; twice {
			t.Errorf("%s and %s have one fingerprint", name, other)
		}
		seen[got] = name
	}
}

func TestTheOrderOfSetLikeListsDoesNotCount(t *testing.T) {
	s := fullSubject()
	slices.Reverse(s.PassEnv)
	slices.Reverse(s.Approvers)
	slices.Reverse(s.Evidence)
	s.Approvers = append(s.Approvers, s.Approvers[0])
	if s.Fingerprint() != fullSubject().Fingerprint() {
		t.Error("another order, or a name twice, is another fingerprint")
	}
	if !slices.Equal(s.Approvers, []string{"role:dba", "ana", "role:dba"}) {
		t.Errorf("the fingerprint changed what it was given: %v", s.Approvers)
	}
	s = fullSubject()
	slices.Reverse(s.Shell)
	if s.Fingerprint() == fullSubject().Fingerprint() {
		t.Error("the order of a command's words does not count")
	}
	empty, absent := fullSubject(), fullSubject()
	empty.Env, empty.Evidence, absent.Env, absent.Evidence = map[string]string{}, []string{}, nil, nil
	if empty.Fingerprint() != absent.Fingerprint() {
		t.Error("an empty list and none are two fingerprints")
	}
}

func TestTheFingerprintIsAFunctionOfTheSubjectAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		s, other := fullSubject(), fullSubject()
		keys := rapid.MapOf(text, text).Draw(t, "env")
		s.Env, other.Env = keys, map[string]string{}
		for _, k := range slices.Backward(slices.Sorted(maps.Keys(keys))) {
			other.Env[k] = keys[k]
		}
		s.Title = text.Draw(t, "title")
		other.Title = s.Title
		if s.Fingerprint() != other.Fingerprint() {
			t.Fatal("two equal subjects have two fingerprints")
		}
		if other.Title = text.Draw(t, "another title"); (s.Title == other.Title) != (s.Fingerprint() == other.Fingerprint()) {
			t.Fatalf("titles %q and %q, fingerprints equal %t", s.Title, other.Title, s.Fingerprint() == other.Fingerprint())
		}
	})
}

func TestDifferencesNameWhatChangedAndNothingElse(t *testing.T) {
	was, now := fullSubject(), fullSubject()
	now.Run.Line, now.Env, now.Attempt, now.Round = "./switch.sh --to v3", map[string]string{"A": "1"}, 9, 9
	got := core.Differences(was, now)
	want := []core.FieldChange{
		{Field: "run", Was: "./switch.sh --to v2", Now: "./switch.sh --to v3"},
		{Field: "env", Was: `{"A":"1","PGHOST":"db1"}`, Now: `{"A":"1"}`},
	}
	if !slices.Equal(got, want) {
		t.Errorf("differences are %+v, want %+v", got, want)
	}
	if same := core.Differences(was, fullSubject()); len(same) != 0 {
		t.Errorf("of two equal subjects the differences are %+v", same)
	}
}

// TestEveryFieldIsToldApart: a change that makes another fingerprint is shown on the card that asks
// afresh, save attempt, round and index, which every fresh request may change.
func TestEveryFieldIsToldApart(t *testing.T) {
	typ := reflect.TypeFor[core.Subject]()
	for i := range typ.NumField() {
		f := typ.Field(i)
		if slices.Contains([]string{"Attempt", "Round", "Index", "Kind", "Work"}, f.Name) {
			continue
		}
		was, now := fullSubject(), fullSubject()
		reflect.ValueOf(&now).Elem().Field(i).SetZero()
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		got := core.Differences(was, now)
		if len(got) != 1 || got[0].Field != name {
			t.Errorf("without %s the differences are %+v", f.Name, got)
		}
	}
}
