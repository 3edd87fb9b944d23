package main

import (
	"strings"
	"testing"
)

const passed = `{"Action":"start","Package":"a"}
{"Action":"run","Package":"a","Test":"T"}
{"Action":"output","Package":"a","Test":"T","Output":"=== RUN   T\n"}
{"Action":"output","Package":"a","Test":"T","Output":"    a_test.go:1: chatter\n"}
{"Action":"output","Package":"a","Test":"T","Output":"--- PASS: T (0.00s)\n"}
{"Action":"pass","Package":"a","Test":"T"}
{"Action":"output","Package":"a","Output":"PASS\n"}
{"Action":"output","Package":"a","Output":"ok  \ta\t0.1s\n"}
{"Action":"pass","Package":"a"}
`

const skipped = `{"Action":"run","Package":"b","Test":"U"}
{"Action":"output","Package":"b","Test":"U","Output":"=== RUN   U\n"}
{"Action":"output","Package":"b","Test":"U","Output":"    b_test.go:2: no curl\n"}
{"Action":"output","Package":"b","Test":"U","Output":"--- SKIP: U (0.00s)\n"}
{"Action":"skip","Package":"b","Test":"U"}
{"Action":"output","Package":"b","Output":"ok  \tb\t0.2s\n"}
{"Action":"pass","Package":"b"}
`

const noTests = `{"Action":"output","Package":"c","Output":"?   \tc\t[no test files]\n"}
{"Action":"skip","Package":"c"}
`

const failed = `{"Action":"run","Package":"d","Test":"V"}
{"Action":"output","Package":"d","Test":"V","Output":"    d_test.go:3: got 1, want 2\n"}
{"Action":"output","Package":"d","Test":"V","Output":"--- FAIL: V (0.00s)\n"}
{"Action":"fail","Package":"d","Test":"V"}
{"Action":"output","Package":"d","Output":"FAIL\n"}
{"Action":"output","Package":"d","Output":"FAIL\td\t0.1s\n"}
{"Action":"fail","Package":"d"}
`

const panicked = `{"Action":"run","Package":"e","Test":"W"}
{"Action":"output","Package":"e","Test":"W","Output":"panic: boom\n"}
{"Action":"output","Package":"e","Output":"FAIL\te\t0.1s\n"}
{"Action":"fail","Package":"e"}
`

const unbuilt = `{"ImportPath":"f","Action":"build-output","Output":"f.go:1: undefined: x\n"}
{"ImportPath":"f","Action":"build-fail"}
{"Action":"output","Package":"f","Output":"FAIL\tf [build failed]\n"}
{"Action":"fail","Package":"f"}
`

func TestFilter(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		noSkip   bool
		want     string
		passes   bool
	}{
		{"a pass is one line", passed, true, "ok  \ta\t0.1s\n", true},
		{"a package without tests is no skip", passed + noTests, true, "ok  \ta\t0.1s\n?   \tc\t[no test files]\n", true},
		{"a skip is told", skipped, false, "ok  \tb\t0.2s\nSKIPPED b U (0.00s): b_test.go:2: no curl\n", true},
		{"a skip fails where none is allowed", skipped, true,
			"ok  \tb\t0.2s\nSKIPPED b U (0.00s): b_test.go:2: no curl\nFAILED: 1 skipped, and with HOLDPOINT_NO_SKIP=1 a skip is a failure: install what it asks for\n", false},
		{"a failure tells its story", failed, false,
			"    d_test.go:3: got 1, want 2\n--- FAIL: V (0.00s)\nFAIL\td\t0.1s\nFAILED: see above\n", false},
		{"a panic tells its story", panicked, false, "panic: boom\nFAIL\te\t0.1s\nFAILED: see above\n", false},
		{"what does not build fails", unbuilt, false,
			"f.go:1: undefined: x\nFAIL\tf [build failed]\nFAILED: see above\n", false},
		{"no test at all fails where none may be missing", noTests, true, "?   \tc\t[no test files]\nFAILED: no test ran\n", false},
		{"nothing fails there too", "", true, "FAILED: no test ran\n", false},
		{"a filter may match no test", noTests, false, "?   \tc\t[no test files]\n", true},
		{"what is not JSON is passed on", "go: downloading\n" + passed, false, "go: downloading\nok  \ta\t0.1s\n", true},
		{"a last line without an end", strings.TrimSuffix(passed, "\n"), false, "ok  \ta\t0.1s\n", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out strings.Builder
			passes, err := filter(strings.NewReader(tc.in), &out, tc.noSkip)
			if err != nil {
				t.Fatal(err)
			}
			if out.String() != tc.want {
				t.Errorf("printed\n%s\nwant\n%s", out.String(), tc.want)
			}
			if passes != tc.passes {
				t.Errorf("passes: %v, want %v", passes, tc.passes)
			}
		})
	}
}
