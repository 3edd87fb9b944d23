package planfile_test

import (
	"errors"
	"testing"

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

func TestSmoke(t *testing.T) {
	for _, s := range []string{
		"a: 1\n---\nb: 2\n", "title: 4.20\nriks: 3\nvars: {a: 0x1F, b: 1e3, c: yes, d: 2026-11-30, e: ~, f: null, g: 'null', h: true, i: .inf, j: 1_000, k: 0o17, l: +1, m: 010}\n",
		"", "# only\n", "---\n", "a: &x b\nc: *x\n", "<<: {a: b}\n", "title: !!binary aGk=\n", "%YAML 1.2\n---\ntitle: x\n", "title: a\n...\n", "title: a\n...\nb: c\n", "title: a\n---\n",
		"title: a\ntitle: b\nvars: {a: 1, a: 2}\n", "title: [\n", "title: \"x\n", "\ttitle: x\n", "checkpoints:\n- title: x\n  run: {a: b}\n- title: y\n  run: [a, [b], 4.20]\n  env: [a]\n",
		"title: |\n  a\n  b\n\n\ndetail: >\n  x\n", "- a\n", "hello", "? a\n: b\n", "? [a]\n: b\n", "\"max_rounds\": 1.5\nallow_self: yes\napprovals_required: \"1\"\n", "title: \"a\\0b\"\n", "rollback_notes:\nescalate:\n  - after: 5m\n    too: x\n", "title: a: b\n", "title: 'a\n\n  b'\nvars:\n  a: \"x\n   y\"\n  b: x\n   y\n  c: &d\n",
	} {
		_, err := planfile.ParseInput([]byte(s))
		t.Logf("%q\n%s", s, planfile.Format("f.yaml", err))
	}
}
