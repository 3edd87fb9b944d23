//go:build linux || darwin

package process_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"holdpoint/adapters/process"
)

func TestHowAStepEnds(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, script string
		change       func(*process.Spec)
		want         process.Status
		log          string
	}{
		{name: "success", script: "echo done", log: "done\n"},
		{name: "output and error output in one file", script: "echo a; echo b >&2; echo c", log: "a\nb\nc\n"},
		{name: "failure", script: "exit 3", want: process.Status{ExitCode: 3, Message: "exit status 3"}},
		{
			name: "ended by a signal", script: "kill -KILL $$",
			want: process.Status{ExitCode: 137, Signal: "SIGKILL", Message: "ended by SIGKILL"},
		},
		{
			name:   "a missing command is a failed step",
			change: func(s *process.Spec) { s.Argv = []string{"no-such-command"} },
			want:   process.Status{ExitCode: 127, Message: "command not found: no-such-command"},
		},
		{
			name:   "a missing file in workdir",
			change: func(s *process.Spec) { s.Argv = []string{"./none.sh"} },
			want:   process.Status{ExitCode: 127, Message: "command not found: ./none.sh (or the interpreter that it names)"},
		},
		{
			name:   "a directory as command",
			change: func(s *process.Spec) { s.Argv = []string{"/"} },
			want:   process.Status{ExitCode: 126, Message: "not executable: /"},
		},
		{
			name:   "a missing workdir",
			change: func(s *process.Spec) { s.Dir = "/no/such/dir" },
			want:   process.Status{ExitCode: 126, Message: "workdir /no/such/dir does not exist: make it, then retry"},
		},
		{
			name:   "a file as workdir",
			change: func(s *process.Spec) { s.Dir = "/dev/null" },
			want:   process.Status{ExitCode: 126, Message: "workdir /dev/null is no directory"},
		},
		{
			name: "the first line of the summary", script: `printf 'one row\r\nmore\n' >"$HOLDPOINT_SUMMARY"`,
			want: process.Status{Summary: "one row"},
		},
		{
			name: "a summary of a failed step", script: `echo 3 rows differ >"$HOLDPOINT_SUMMARY"; exit 1`,
			want: process.Status{ExitCode: 1, Message: "exit status 1", Summary: "3 rows differ"},
		},
		{
			name: "a summary that is no UTF-8", script: `printf 'a\377b' >"$HOLDPOINT_SUMMARY"`,
			want: process.Status{Summary: "a\uFFFDb"},
		},
		{
			name: "a summary that is too long, cut between characters", script: `i=0; printf x >"$HOLDPOINT_SUMMARY"
				while [ $i -lt 400 ]; do printf 'é'; i=$((i+1)); done >>"$HOLDPOINT_SUMMARY"`,
			want: process.Status{Summary: "x" + strings.Repeat("é", 249)},
		},
		{name: "a fifo in the place of the summary", script: `mkfifo "$HOLDPOINT_SUMMARY"`},
		{name: "a link in the place of the summary", script: `echo no >"$OUT/other"; ln -s "$OUT/other" "$HOLDPOINT_SUMMARY"`},
		{name: "no input", script: "cat; echo end", log: "end\n"},
		{
			name: "given input", script: "cat",
			change: func(s *process.Spec) { s.Stdin = []byte("a prompt\n") }, log: "a prompt\n",
		},
		{name: "binary output", script: `printf '\000\377\033[31m'`, log: "\x00\xff\x1b[31m"},
		{name: "nobody is at a terminal", script: `if (: </dev/tty) 2>/dev/null; then exit 9; fi`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			s := b.sh("x_1", tc.script)
			if tc.change != nil {
				tc.change(&s)
			}
			b.launch(t, s)
			got := b.status(t, "x_1")
			tc.want.OutputBytes = int64(len(tc.log))
			if diff := cmp.Diff(tc.want, got, cmpopts.IgnoreFields(process.Status{}, "StartedAt", "EndedAt")); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
			if got.StartedAt.IsZero() || got.EndedAt.Before(got.StartedAt) {
				t.Errorf("from %v to %v, want both, in order", got.StartedAt, got.EndedAt)
			}
			if succeeded := tc.want.ExitCode == 0; got.Succeeded() != succeeded {
				t.Errorf("Succeeded() = %v, want %v", got.Succeeded(), succeeded)
			}
			if tc.log != "" && b.log(t, "x_1") != tc.log {
				t.Errorf("log %q, want %q", b.log(t, "x_1"), tc.log)
			}
		})
	}
}

func TestTenMegabytesOfOutputAreKept(t *testing.T) {
	t.Parallel()
	const size = 10 << 20
	b := newBench(t)
	b.launch(t, b.sh("x_1", "dd if=/dev/zero bs=1048576 count=10 2>/dev/null; printf end"))
	if got := b.status(t, "x_1").OutputBytes; got != size+3 {
		t.Errorf("the status counts %d bytes, want %d", got, size+3)
	}
	if got, err := b.Size("x_1"); err != nil || got != size+3 {
		t.Errorf("Size = %d, %v; want %d", got, err, size+3)
	}
	file, err := b.OpenLog("x_1")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	tail := make([]byte, 4)
	if _, err := file.Seek(size-1, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Read(tail); err != nil || string(tail) != "\x00end" {
		t.Errorf("from offset %d: %q, %v; want the end", size-1, tail, err)
	}
}

func TestTheEnvironmentIsExactAndNotOnDisk(t *testing.T) {
	t.Parallel()
	const secret = "correct-horse-battery"
	b := newBench(t)
	ready, gate := b.fifo(t, "ready"), b.fifo(t, "gate")
	s := b.sh("x_1", `env >"$OUT/env"; echo up >"$OUT/ready"; read go <"$OUT/gate"`)
	s.Env = append(s.Env, "PGPASSWORD="+secret)
	b.launch(t, s)
	line(t, ready)
	noSecret := func(when string) {
		err := filepath.WalkDir(b.dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			if bytes.Contains(raw, []byte(secret)) {
				t.Errorf("%s: the secret stands in %s", when, path)
			}
			if info, err := d.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %s has mode %v, want it for its owner only", when, path, info.Mode())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	noSecret("while it runs")
	say(t, gate)
	b.status(t, "x_1")
	noSecret("after it")

	raw, err := os.ReadFile(filepath.Join(b.out, "env"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for l := range strings.Lines(string(raw)) {
		name, _, _ := strings.Cut(l, "=")
		// What a shell adds by itself.
		if name != "PWD" && name != "SHLVL" && name != "_" && name != "OLDPWD" {
			got = append(got, strings.TrimSuffix(l, "\n"))
		}
	}
	want := append(s.Env, "HOLDPOINT_SUMMARY="+filepath.Join(b.dir, "x_1", "summary"))
	if diff := cmp.Diff(want, got, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}
