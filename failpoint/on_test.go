//go:build failpoints

package failpoint_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"holdpoint/failpoint"
)

// childVariable names what the child process is to hit, in order.
const childVariable = "HOLDPOINT_TEST_HITS"

// TestMain is both sides: the test, and the child that hits points, since only
// a process of its own can be killed.
func TestMain(m *testing.M) {
	hits, isChild := os.LookupEnv(childVariable)
	if !isChild {
		os.Exit(m.Run())
	}
	defer fmt.Println("deferred")
	for name := range strings.SplitSeq(hits, " ") {
		start := time.Now()
		err := failpoint.Hit(name)
		fmt.Printf("%s: %v", name, err)
		if waited := time.Since(start); waited >= 50*time.Millisecond {
			fmt.Print(" after a while")
		}
		fmt.Println()
	}
}

func TestHitObeysTheEnvironment(t *testing.T) {
	for _, tc := range []struct {
		name, points, hits, want string
		killed                   bool
	}{
		{"nothing armed", "", "tapInTx", "tapInTx: <nil>\ndeferred\n", false},
		{"another one armed", "tapCommitted=exit", "tapInTx", "tapInTx: <nil>\ndeferred\n", false},
		{"error at every hit", "tapInTx=error", "tapInTx tapInTx",
			"tapInTx: failpoint tapInTx\ntapInTx: failpoint tapInTx\ndeferred\n", false},
		{"error at the second hit alone", "tapInTx=2*error", "tapInTx tapInTx tapInTx",
			"tapInTx: <nil>\ntapInTx: failpoint tapInTx\ntapInTx: <nil>\ndeferred\n", false},
		{"exit runs nothing more", "tapInTx=exit", "tapVerified tapInTx tapCommitted", "tapVerified: <nil>\n", true},
		{"exit at the second hit", "tapInTx=2*exit", "tapInTx tapInTx", "tapInTx: <nil>\n", true},
		{"sleep", "tapInTx=sleep(60ms)", "tapInTx", "tapInTx: <nil> after a while\ndeferred\n", false},
		{"several, with spaces and an empty entry", "tapInTx=error; ;tapCommitted=exit;", "tapInTx tapCommitted",
			"tapInTx: failpoint tapInTx\n", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, _, err := runChild(t, tc.points, tc.hits)
			if out != tc.want {
				t.Errorf("the child printed %q, want %q", out, tc.want)
			}
			if got := killed(err); got != tc.killed {
				t.Errorf("killed by SIGKILL: %v (%v), want %v", got, err, tc.killed)
			}
		})
	}
}

func TestWhatCannotBeReadPanics(t *testing.T) {
	for _, tc := range []struct{ name, points, hits, want string }{
		{"an undeclared hit", "", "nowhere", `"nowhere" is hit but not declared`},
		{"an undeclared name in the environment", "nowhere=exit", "tapInTx", `"nowhere" is not declared`},
		{"a name twice", "tapInTx=exit;tapInTx=error", "tapInTx", "tapInTx stands twice"},
		{"no action", "tapInTx", "tapInTx", `"" is no action`},
		{"an unknown action", "tapInTx=explode", "tapInTx", `"explode" is no action`},
		{"a sleep without a unit", "tapInTx=sleep(5)", "tapInTx", "sleep takes a duration"},
		{"a sleep that is not closed", "tapInTx=sleep(5s", "tapInTx", "sleep takes a duration"},
		{"a sleep backwards", "tapInTx=sleep(-5s)", "tapInTx", "sleep takes a duration"},
		{"the zeroth hit", "tapInTx=0*exit", "tapInTx", "a number from 1"},
		{"a count that is no number", "tapInTx=x*exit", "tapInTx", "a number from 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, stderr, err := runChild(t, tc.points, tc.hits)
			if err == nil || killed(err) {
				t.Fatalf("the child ended with %v, want a panic", err)
			}
			if !strings.Contains(stderr, "panic:") || !strings.Contains(stderr, tc.want) {
				t.Errorf("stderr is %q, want a panic with %q", stderr, tc.want)
			}
		})
	}
}

func runChild(t *testing.T, points, hits string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+hits, "HOLDPOINT_FAILPOINTS="+points,
		"GORACE=atexit_sleep_ms=0") // else each child of a race build lingers for a second
	var out, errOut strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err = cmd.Run()
	return out.String(), errOut.String(), err
}

func killed(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
