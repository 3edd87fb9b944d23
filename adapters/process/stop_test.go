//go:build linux || darwin

package process_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"holdpoint/adapters/process"
)

// deaf is a script whose grandchild, in the group or in one of its own, ignores
// TERM. It says the grandchild's pid.
const (
	deaf = `(trap '' TERM; exec sh -c 'echo $$ >"$OUT/ready"; while :; do sleep 1000; done') & wait`
	away = `set -m; ` + deaf
)

func pidFrom(t *testing.T, fifo *os.File) int {
	t.Helper()
	pid, err := strconv.Atoi(line(t, fifo))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// gone reports whether a process is dead; nobody is left to reap it, so a
// zombie would count as alive.
func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

func TestATimeoutEndsTheWholeGroup(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, script string }{
		{"a grandchild that ignores TERM", deaf},
		{"a grandchild in a group of its own", away},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			ready := b.fifo(t, "ready")
			s := b.sh("x_1", tc.script)
			s.Timeout, s.Grace = time.Second, 100*time.Millisecond
			b.launch(t, s)
			pid := pidFrom(t, ready)
			got := b.status(t, "x_1")
			if !got.TimedOut || got.Stopped || got.Succeeded() || got.Message != "timed out after 1s" {
				t.Errorf("status %+v, want timed out after 1s", got)
			}
			if took := got.EndedAt.Sub(got.StartedAt); took < s.Timeout+s.Grace {
				t.Errorf("ended after %v, want timeout and grace to pass", took)
			}
			if !gone(pid) {
				t.Errorf("the grandchild lives after the status was written")
			}
		})
	}
}

func TestStop(t *testing.T) {
	t.Parallel()
	const tidy = `trap ': >tidied; exit 0' TERM; echo $$ >"$OUT/ready"; while :; do sleep 1000 & wait $!; done`
	for _, tc := range []struct {
		name, script string
		force, halt  bool
		grace        time.Duration
		tidied       bool
		signal       string
	}{
		{name: "TERM lets the step tidy up", script: tidy, grace: 10 * time.Second, tidied: true},
		{name: "force is KILL at once", script: tidy, force: true, grace: time.Hour, signal: "SIGKILL"},
		{name: "no grace is KILL at once", script: tidy, signal: "SIGKILL"},
		{name: "KILL after the grace", script: deaf, grace: 100 * time.Millisecond, signal: "SIGTERM"},
		{name: "a halted step hears TERM", script: tidy, halt: true, grace: 10 * time.Second, tidied: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			ready := b.fifo(t, "ready")
			s := b.sh("x_1", tc.script)
			s.Grace = tc.grace
			b.launch(t, s)
			pid := pidFrom(t, ready)
			if tc.halt {
				if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
					t.Fatal(err)
				}
			}
			if err := b.Stop(t.Context(), "x_1", "wrong day", tc.force); err != nil {
				t.Fatalf("Stop: %v", err)
			}
			if !gone(pid) {
				t.Error("a process lives after Stop returned")
			}
			got := b.status(t, "x_1")
			if !got.Stopped || got.TimedOut || got.Succeeded() || got.Signal != tc.signal || got.Message != "stopped: wrong day" {
				t.Errorf("status %+v, want stopped by %q", got, tc.signal)
			}
			if tidied := exists(filepath.Join(b.out, "tidied")); tidied != tc.tidied {
				t.Errorf("tidied up: %v, want %v", tidied, tc.tidied)
			}
			if err := b.Stop(t.Context(), "x_1", "again", true); err != nil {
				t.Errorf("a repeat: %v", err)
			}
			if again := b.status(t, "x_1"); again != got {
				t.Errorf("a repeat changed the status to %+v", again)
			}
		})
	}
}

func TestAHaltedSupervisorDoesItsWork(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ready := b.fifo(t, "ready")
	b.launch(t, b.sh("x_1", `echo $$ >"$OUT/ready"; exec sleep 1000`))
	pid := pidFrom(t, ready)
	if err := syscall.Kill(b.look(t, "x_1").Pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := b.Stop(t.Context(), "x_1", "", false); err != nil {
		t.Fatalf("Stop: %v", err)
	}
	if !gone(pid) {
		t.Error("a process lives")
	}
	if got := b.status(t, "x_1"); !got.Stopped || got.Message != "stopped" {
		t.Errorf("status %+v, want stopped without a reason", got)
	}
}

func TestStopBeforeLaunchMakesItVoid(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if err := b.Stop(t.Context(), "x_1", "", false); err != nil {
		t.Fatal(err)
	}
	if got := b.look(t, "x_1").State; got != process.Void {
		t.Errorf("state %s, want void", got)
	}
	if err := b.Launch(t.Context(), b.sh("x_1", `: >"$OUT/ran"`)); !errors.Is(err, process.ErrVoid) {
		t.Errorf("Launch: %v, want ErrVoid", err)
	}
	if exists(filepath.Join(b.out, "ran")) {
		t.Error("a void execution ran")
	}
}

func TestForceRaisesAStopThatWaitsForItsGrace(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ready := b.fifo(t, "ready")
	s := b.sh("x_1", deaf)
	s.Grace = time.Hour
	b.launch(t, s)
	pid := pidFrom(t, ready)
	var patient sync.WaitGroup
	patient.Go(func() {
		if err := b.Stop(t.Context(), "x_1", "first", false); err != nil {
			t.Errorf("the patient stop: %v", err)
		}
	})
	until(t, func() bool { return exists(filepath.Join(b.dir, "x_1", "stop.json")) })
	if gone(pid) {
		t.Error("the grace was not kept")
	}
	if err := b.Stop(t.Context(), "x_1", "second", true); err != nil {
		t.Errorf("the forced stop: %v", err)
	}
	patient.Wait()
	if got := b.status(t, "x_1"); got.Message != "stopped: first" {
		t.Errorf("message %q, want the first reason", got.Message)
	}
}

func TestAStopSurvivesWhoAskedForIt(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		ask  func(*testing.T, *bench)
	}{
		{"asked, then the caller went away", func(t *testing.T, b *bench) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := b.Stop(ctx, "x_1", "gone", false); !errors.Is(err, context.Canceled) {
				t.Errorf("Stop: %v, want that it could not wait", err)
			}
		}},
		{"written, then the daemon died before the signal", func(t *testing.T, b *bench) {
			err := os.WriteFile(filepath.Join(b.dir, "x_1", "stop.json"), []byte(`{"reason":"gone"}`), 0o600)
			if err != nil {
				t.Fatal(err)
			}
		}},
		{"the supervisor itself was told to end", func(t *testing.T, b *bench) {
			if err := syscall.Kill(b.look(t, "x_1").Pid, syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			ready := b.fifo(t, "ready")
			s := b.sh("x_1", deaf)
			s.Grace = 50 * time.Millisecond
			b.launch(t, s)
			pid := pidFrom(t, ready)
			tc.ask(t, b)
			if got := b.status(t, "x_1"); !got.Stopped || got.Succeeded() {
				t.Errorf("status %+v, want stopped", got)
			}
			if !gone(pid) {
				t.Error("a process lives")
			}
		})
	}
}

func TestWhatAFinishedStepLeftRunningCanBeStopped(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ready := b.fifo(t, "ready")
	b.launch(t, b.sh("x_1", `sh -c 'echo $$ >"$OUT/ready"; exec sleep 1000' & echo started`))
	pidFrom(t, ready)
	if got := b.status(t, "x_1"); !got.Succeeded() {
		t.Fatalf("status %+v, want success", got)
	}
	// The supervisor lives for a moment after the status.
	until(t, func() bool { return b.look(t, "x_1").Members == 1 })
	if err := b.Remove("x_1"); !errors.Is(err, process.ErrLive) {
		t.Errorf("Remove: %v, want ErrLive", err)
	}
	if err := b.Stop(t.Context(), "x_1", "left over", false); err != nil {
		t.Fatalf("Stop: %v", err)
	}
	got := b.look(t, "x_1")
	if got.State != process.Ended || !got.Status.Succeeded() || got.Members != 0 {
		t.Errorf("%+v, want ended with success and nobody left", got)
	}
	if err := b.Remove("x_1"); err != nil {
		t.Errorf("Remove: %v", err)
	}
	if got := b.look(t, "x_1").State; got != process.Never {
		t.Errorf("after Remove: %s, want never", got)
	}
}
