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
	"sync/atomic"
	"testing"
	"time"

	"holdpoint/adapters/process"
)

// TestVoidAgainstLaunch lets both run for one id, with Void a little later each
// time, from before the supervisor is up to after it.
func TestVoidAgainstLaunch(t *testing.T) {
	t.Parallel()
	const rounds, lanes = 200, 8
	b := newBench(t)
	var voids, launches atomic.Int64
	var all sync.WaitGroup
	for lane := range lanes {
		all.Go(func() {
			began := time.Now()
			if err := b.Launch(t.Context(), b.sh(fmt.Sprintf("x_probe_%d", lane), "exit 0")); err != nil {
				t.Errorf("Launch: %v", err)
			}
			usual := time.Since(began)
			for i := range rounds / lanes {
				if b.voidAgainstLaunch(t, fmt.Sprintf("x_%d_%d", lane, i), usual*time.Duration(i)/20) {
					voids.Add(1)
				} else {
					launches.Add(1)
				}
			}
		})
	}
	all.Wait()
	t.Logf("void won %d, launch won %d", voids.Load(), launches.Load())
	if voids.Load() == 0 || launches.Load() == 0 {
		t.Errorf("void won %d, launch won %d of %d: that was no race", voids.Load(), launches.Load(), rounds)
	}
}

// voidAgainstLaunch is one round; it reports whether Void won.
func (b *bench) voidAgainstLaunch(t *testing.T, id string, later time.Duration) (voided bool) {
	s := b.sh(id, `: >"$OUT/`+id+`"`)
	var launched, failed error
	var both sync.WaitGroup
	both.Go(func() { launched = b.Launch(t.Context(), s) })
	both.Go(func() {
		<-time.After(later)
		voided, failed = b.Void(id)
	})
	both.Wait()
	now, err := b.Wait(t.Context(), id)
	ran := exists(filepath.Join(b.out, id))
	switch {
	case failed != nil || err != nil:
		t.Errorf("%s: Void: %v, Wait: %v", id, failed, err)
	case voided && errors.Is(launched, process.ErrVoid) && now.State == process.Void && !ran:
	case !voided && launched == nil && now.State == process.Ended && now.Status.Succeeded() && ran:
	default:
		t.Errorf("%s: void %v, launch %v, state %s, ran %v: want exactly one to win", id, voided, launched, now.State, ran)
	}
	return voided
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
