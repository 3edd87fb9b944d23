package planfile_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"holdpoint/core"
	"holdpoint/planfile"
)

// FuzzDecode asks of any text: no panic, no hang, every fault inside the text with its own line, and
// nothing is taken in other words than it was written in.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(longForm), false)
	f.Add([]byte(located), false)
	for _, text := range hostile(300) {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	broken, err := os.ReadDir("../fixtures/plans/broken")
	if err != nil {
		f.Fatal(err)
	}
	for _, b := range broken {
		data, err := os.ReadFile("../fixtures/plans/broken/" + b.Name())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, false)
	}
	f.Fuzz(func(t *testing.T, data []byte, strict bool) {
		start := time.Now()
		var in core.PlanInput
		err := planfile.Decode(data, &in, planfile.Options{JSON: strict})
		if !strict {
			_, planErr := planfile.ParsePlan(data, nil)
			checkPlaces(t, data, planErr)
		}
		checkPlaces(t, data, err)
		var anything any
		checkPlaces(t, data, planfile.Decode(data, &anything, planfile.Options{JSON: strict}))
		planfile.Locate(data, "checkpoints[0].title")
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
		if err == nil {
			checkSpelling(t, data, in.Title)
		}
	})
}

func checkPlaces(t *testing.T, data []byte, err error) {
	t.Helper()
	if err == nil {
		return
	}
	refused, ok := errors.AsType[*core.Error](err)
	if !ok || refused.Code != core.CodeTooLarge && (refused.Code != core.CodeValidation || len(refused.Fields) == 0) {
		t.Fatalf("got error %v", err)
	}
	lines := bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n"))
	for _, f := range refused.Fields {
		if f.Line < 1 || f.Line > len(lines) {
			t.Fatalf("line %d of %d: %v", f.Line, len(lines), f)
		}
		line := strings.TrimSuffix(string(lines[f.Line-1]), "\r")
		if f.Column < 1 || f.Column > utf8.RuneCountInString(line)+1 {
			t.Fatalf("column %d of %q: %v", f.Column, line, f)
		}
		if f.Message == "" || !strings.HasPrefix(line, strings.TrimSuffix(f.Source, "…")) {
			t.Fatalf("source %q of %q: %v", f.Source, line, f)
		}
	}
	planfile.Format("f", err)
}

// checkSpelling says that the words of a text that was taken stand in what was given, unless escapes
// may have written them.
func checkSpelling(t *testing.T, data []byte, taken string) {
	t.Helper()
	if bytes.ContainsAny(data, `\'`) {
		return
	}
	for word := range strings.FieldsSeq(taken) {
		if !bytes.Contains(data, []byte(word)) {
			t.Fatalf("%q was made of %q", word, data)
		}
	}
}
