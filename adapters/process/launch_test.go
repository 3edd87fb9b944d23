//go:build linux || darwin

package process_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"holdpoint/adapters/process"
)

// TestVoidAgainstLaunch lets both run for one id, with Void a little later each
// time, from before the supervisor is up to after it.
func TestVoidAgainstLaunch(t *testing.T) {
	t.Parallel()
	const rounds = 200
	b := newBench(t)
	began := time.Now()
	b.launch(t, b.sh("x_probe", "exit 0"))
	usual := time.Since(began)

	voids, launches := 0, 0
	for i := range rounds {
		id := fmt.Sprintf("x_%d", i)
		s := b.sh(id, "")
		s.Argv = []string{"/bin/sh", "-c", `: >"$OUT/` + id + `"`}
		var launched, failed error
		var voided bool
		var both sync.WaitGroup
		both.Go(func() { launched = b.Launch(t.Context(), s) })
		both.Go(func() {
			<-time.After(usual * time.Duration(i%20) / 14)
			voided, failed = b.Void(id)
		})
		both.Wait()
		now := b.wait(t, id)
		ran := exists(filepath.Join(b.out, id))
		switch {
		case failed != nil:
			t.Fatalf("round %d: Void: %v", i, failed)
		case voided && errors.Is(launched, process.ErrVoid) && now.State == process.Void && !ran:
			voids++
		case !voided && launched == nil && now.State == process.Ended && now.Status.Succeeded() && ran:
			launches++
		default:
			t.Fatalf("round %d: void %v, launch %v, state %s, ran %v: want exactly one to win", i, voided, launched, now.State, ran)
		}
	}
	t.Logf("void won %d, launch won %d", voids, launches)
	if voids == 0 || launches == 0 {
		t.Errorf("void won %d, launch won %d of %d: that was no race", voids, launches, rounds)
	}
}

func TestLaunchesOfOneIDAtTheSameTimeRunItOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.sh("x_1", `echo ran >>"$OUT/runs"`)
	t.Cleanup(func() { b.end(t, "x_1") })
	var all sync.WaitGroup
	for range 4 {
		// Each its own runtime, as after a restart.
		other := process.New(b.dir, slog.New(slog.DiscardHandler), supervisor())
		all.Go(func() {
			if err := other.Launch(t.Context(), s); err != nil {
				t.Errorf("Launch: %v", err)
			}
		})
	}
	all.Wait()
	b.status(t, "x_1")
	if raw, err := os.ReadFile(filepath.Join(b.out, "runs")); err != nil || string(raw) != "ran\n" {
		t.Errorf("runs: %q, %v; want one", raw, err)
	}
}

func TestNothingRanForCertain(t *testing.T) {
	t.Parallel()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tc := range []struct {
		name   string
		ctx    context.Context
		self   []string
		change func(*process.Spec)
		want   string
	}{
		{name: "no id", change: func(s *process.Spec) { s.ID = "" }, want: "1 to 100"},
		{name: "an id that leaves the folder", change: func(s *process.Spec) { s.ID = "../x" }, want: "letters"},
		{name: "no command", change: func(s *process.Spec) { s.Argv = nil }, want: "no command"},
		{name: "a relative workdir", change: func(s *process.Spec) { s.Dir = "." }, want: "absolute"},
		{name: "a negative timeout", change: func(s *process.Spec) { s.Timeout = -1 }, want: "negative"},
		{name: "an environment with NUL", change: func(s *process.Spec) { s.Env = []string{"A=\x00"} }, want: "supervisor"},
		{name: "no supervisor to start", self: []string{"/no/such/binary"}, want: "start the supervisor"},
		{name: "a supervisor that dies", self: []string{"/bin/false"}, want: "supervisor.log"},
		{name: "a caller who has gone", ctx: gone, want: "canceled"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			self := tc.self
			if self == nil {
				self = supervisor()
			}
			s := b.sh("x_1", "exit 0")
			if tc.change != nil {
				tc.change(&s)
			}
			ctx := tc.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			err := process.New(b.dir, slog.New(slog.DiscardHandler), self).Launch(ctx, s)
			if !errors.Is(err, process.ErrNotStarted) || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("Launch: %v, want ErrNotStarted with %q", err, tc.want)
			}
			if got := b.look(t, "x_1").State; got != process.Never {
				t.Errorf("state %s, want never", got)
			}
			b.launch(t, b.sh("x_1", "exit 0"))
			if got := b.status(t, "x_1"); !got.Succeeded() {
				t.Errorf("launched again: %+v, want success", got)
			}
		})
	}
}

func TestWhatWasNeverHeardOf(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if got := b.wait(t, "x_1"); got.State != process.Never {
		t.Errorf("state %s, want never", got.State)
	}
	if n, err := b.Size("x_1"); n != 0 || err != nil {
		t.Errorf("Size = %d, %v; want 0", n, err)
	}
	if _, err := b.OpenLog("x_1"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("OpenLog: %v, want that there is none", err)
	}
	if err := b.Remove("x_1"); err != nil {
		t.Errorf("Remove: %v", err)
	}
	if _, err := b.Look("../x_1"); err == nil {
		t.Error("Look left its folder")
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ready := b.fifo(t, "ready")
	b.launch(t, b.sh("x_1", `echo up >"$OUT/ready"; exec sleep 1000`))
	line(t, ready)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if got, err := b.Wait(ctx, "x_1"); !errors.Is(err, context.DeadlineExceeded) || got.State != process.Live {
		t.Errorf("Wait: %s, %v; want live and the context's error", got.State, err)
	}
}
