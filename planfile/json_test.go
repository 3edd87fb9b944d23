package planfile_test

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"holdpoint/core"
	"holdpoint/planfile"
)

// body is a request body of the kinds that the API has.
type body struct {
	Decision string          `json:"decision"`
	Confirm  bool            `json:"confirm"`
	Count    *int            `json:"count"`
	Ratio    float64         `json:"ratio"`
	Plan     *core.PlanInput `json:"plan"`
	Final    json.RawMessage `json:"final"`
	Evidence []string        `json:"evidence"`
}

func TestJSONBodiesAreRefusedWithTheirPlace(t *testing.T) {
	for _, c := range []struct {
		name, text string
		wants      []fault
	}{
		{"a doubled field", `{"confirm":true,"confirm":false}`, []fault{{"confirm", 1, 17, "stands already at line 1, column 2"}}},
		{"a doubled field behind an escape", `{"confirm":true,"\u0063onfirm":false}`, []fault{{"confirm", 1, 17, "already"}}},
		{"a doubled field deep inside", `{"final":[{"a":{"b":1,"b":2}}]}`, []fault{{"final[0].a.b", 1, 23, "already"}}},
		{"another letter case", `{"Confirm":true}`, []fault{{"Confirm", 1, 2, "did you mean confirm?"}}},
		{"an unknown field", "{\n  \"reasn\": \"x\",\n  \"plan\": {\"tilte\": \"y\"}\n}", []fault{
			{"reasn", 2, 3, "known are confirm, count"}, {"plan.tilte", 3, 12, "did you mean title?"}}},
		{"trailing text", `{"confirm":true} x`, []fault{{"", 1, 18, "behind the value"}}},
		{"a second value", "{}\n{}", []fault{{"", 2, 1, "behind the value"}}},
		{"a comment", "{} // x", []fault{{"", 1, 4, "behind the value"}}},
		{"a trailing comma", `{"confirm":true,}`, []fault{{"", 1, 17, "no JSON"}}},
		{"single quotes", `{'confirm':true}`, []fault{{"", 1, 2, "no JSON"}}},
		{"YAML", "confirm: true\n", []fault{{"", 1, 1, "no JSON"}}},
		{"nothing", "", []fault{{"", 1, 1, "empty"}}},
		{"blanks", " \n ", []fault{{"", 1, 1, "empty"}}},
		{"an early end", `{"confirm":true`, []fault{{"", 1, 16, "ends too early"}}},
		{"a list", `[]`, []fault{{"", 1, 1, "a mapping is wanted here, not a list"}}},
		{"null", `null`, []fault{{"", 1, 1, "a mapping is wanted here, not nothing"}}},
		{"NaN", `{"ratio":NaN}`, []fault{{"", 1, 10, "no JSON"}}},
		{"a number too large", `{"ratio":1e309}`, []fault{{"ratio", 1, 10, "too large"}}},
		{"a number too large where any JSON may stand", `{"final":[1e309]}`, []fault{{"final[0]", 1, 11, "too large"}}},
		{"a number too long", `{"final":1` + strings.Repeat("0", 200) + `}`, []fault{{"final", 1, 10, "201 characters"}}},
		{"a number with a leading zero", `{"count":01}`, []fault{{"", 1, 11, "no JSON"}}},
		{"a fraction", `{"count":1.0}`, []fault{{"count", 1, 10, "a whole number"}}},
		{"an exponent", `{"count":1e2}`, []fault{{"count", 1, 10, "a whole number"}}},
		{"a number in quotes", `{"count":"1"}`, []fault{{"count", 1, 10, "without quotes"}}},
		{"a number for a text", `{"decision":1}`, []fault{{"decision", 1, 13, "a text in quotes"}}},
		{"true for a text", `{"plan":{"vars":{"a":true}}}`, []fault{{"plan.vars.a", 1, 22, "a text in quotes"}}},
		{"a number for what runs", `{"plan":{"checkpoints":[{"title":"a","run":["x",1]}]}}`, []fault{{"plan.checkpoints[0].run[1]", 1, 49, "a text in quotes"}}},
		{"a text for true", `{"confirm":"true"}`, []fault{{"confirm", 1, 12, "true or false"}}},
		{"null in a list", `{"evidence":["a",null]}`, []fault{{"evidence[1]", 1, 18, "nothing stands here"}}},
		{"a NUL in a text", `{"decision":"a\u0000"}`, []fault{{"decision", 1, 13, "NUL"}}},
		{"a NUL in a key", `{"final":{"a\u0000":1}}`, []fault{{"final.a\x00", 1, 11, "NUL"}}},
		{"half a surrogate pair", `{"decision":"\ud83d"}`, []fault{{"decision", 1, 13, "surrogate"}}},
		{"a raw NUL", "{\"decision\":\"a\x00\"}", []fault{{"", 1, 15, "no JSON"}}},
		{"no UTF-8", "{\"decision\":\"é\xff\"}", []fault{{"", 1, 15, "not UTF-8"}}},
		{"a byte order mark", "\ufeff{}", []fault{{"", 1, 1, "byte order mark"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got body
			err := planfile.Decode([]byte(c.text), &got, planfile.Options{JSON: true})
			checkFaults(t, c.text, err, c.wants...)
			if diff := cmp.Diff(body{}, got); diff != "" {
				t.Errorf("a refused body left something behind:\n%s", diff)
			}
		})
	}
}

func TestJSONBodyIsTaken(t *testing.T) {
	var got body
	text := "{\"decision\": \"\\ud83d\\ude00 \\ufffd \ufffd\", \"confirm\": true, \"count\": null, \"ratio\": 1e-3,\r\n\t\"final\": {\"a\": [1.50, null, \"<&>\"]}, \"evidence\": [], \"plan\": {\"checkpoints\": [{\"title\": \"a\", \"run\": [\"x\", \"\"]}]}}\n"
	if err := planfile.Decode([]byte(text), &got, planfile.Options{JSON: true}); err != nil {
		t.Fatal(err)
	}
	want := body{Decision: "😀 \ufffd \ufffd", Confirm: true, Ratio: 1e-3, Final: json.RawMessage(`{"a":[1.50,null,"<&>"]}`), Evidence: []string{},
		Plan: &core.PlanInput{Checkpoints: []core.CheckpointInput{{Title: "a", Run: core.Exec{Args: []string{"x", ""}}}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// hostile are texts made to cost more than they weigh.
func hostile(n int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, n/len(s)) }
	return map[string]string{
		"brackets":            fill("["),
		"braces":              fill(`{"a":`),
		"yaml braces":         fill("{a: "),
		"closed brackets":     fill("[")[:n/2] + fill("]")[:n/2],
		"dashes":              fill("- "),
		"question marks":      fill("? "),
		"anchors":             fill("&a "),
		"tags":                fill("!a "),
		"digits":              `{"final":` + fill("9") + `}`,
		"a long key":          `{"` + fill("k") + `":1}`,
		"unknown fields":      "{" + fill(`"x":1,`) + `"y":1}`,
		"empty lines":         "- |\n" + fill("\n"),
		"blank lines":         "- |\n" + fill("  \n"),
		"runs of empty lines": "- |\n" + fill("  x\n"+strings.Repeat("\n", 49)),
		"entries":             fill("a:\n"),
		"entries with values": fill("a: b\n"),
		"aliases":             "a: &a [x,x,x]\nb: &b [*a,*a,*a]\nc: [" + fill("*b,") + "*b]\n",
		"documents":           fill("---\n"),
		"an open quote":       `"` + fill(`\\`),
		"a long line":         "a: [" + fill(strings.Repeat("é ", 50)+", ") + "[]]",
		"a long line of tabs": "a: [" + fill(strings.Repeat("é ", 50)+",\t") + "[]]",
		"steps":               staircase(n),
	}
}

// staircase is a mapping that lies one deeper on every line.
func staircase(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n-i-3; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestHostileTextsAreRefusedAtOnceInLittleMemory(t *testing.T) {
	for _, c := range []struct {
		name string
		size int
		opts planfile.Options
	}{
		{"as JSON bodies of 1 MiB", 1<<20 - 100, planfile.Options{JSON: true}},
		{"as plans of 256 KiB", core.MaxPlanBytes - 100, planfile.Options{}},
	} {
		for name, text := range hostile(c.size) {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				start := time.Now()
				err := planfile.Decode([]byte(text), &body{}, c.opts)
				took := time.Since(start)
				runtime.ReadMemStats(&after)
				if err == nil {
					t.Fatal("it was taken")
				}
				if took > 10*time.Second {
					t.Errorf("the refusal took %v", took)
				}
				if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 400 {
					t.Errorf("the refusal allocated %d MiB", got)
				}
				if fields := faultsOf(t, err); len(fields) > 50 {
					t.Errorf("%d faults are told", len(fields))
				}
				if n := len(planfile.Format("f", err)); n > 64<<10 {
					t.Errorf("the refusal is %d bytes long", n)
				}
				t.Logf("%v, %d MiB: %.120s", took, (after.TotalAlloc-before.TotalAlloc)>>20, err)
			})
		}
	}
}

func TestSizeIsBounded(t *testing.T) {
	for _, c := range []struct {
		name string
		size int
		opts planfile.Options
		code core.Code
	}{
		{"a plan of 256 KiB", core.MaxPlanBytes, planfile.Options{}, ""},
		{"a plan of one byte more", core.MaxPlanBytes + 1, planfile.Options{}, core.CodeTooLarge},
		{"YAML is never larger", core.MaxPlanBytes + 1, planfile.Options{MaxBytes: 1 << 20}, core.CodeTooLarge},
		{"a body of 1 MiB", 1 << 20, planfile.Options{JSON: true}, ""},
		{"a body of one byte more", 1<<20 + 1, planfile.Options{JSON: true}, core.CodeTooLarge},
		{"a limit of one's own", 101, planfile.Options{JSON: true, MaxBytes: 100}, core.CodeTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := `{"decision": "` + strings.Repeat("x", c.size-16) + `"}`
			if !c.opts.JSON {
				text = "decision: " + strings.Repeat("x", c.size-10)
			}
			err := planfile.Decode([]byte(text), &body{}, c.opts)
			refused, ok := errors.AsType[*core.Error](err)
			if (c.code == "") != (err == nil) || ok && refused.Code != c.code {
				t.Errorf("got %.200v, want %q", err, c.code)
			}
		})
	}
}
