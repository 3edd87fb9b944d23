//go:build failpoints && (linux || darwin)

package process_test

import (
	"errors"
	"path/filepath"
	"testing"

	"holdpoint/adapters/process"
)

// Each place at which a supervisor may die, and what is seen afterwards.
func TestTheSupervisorDiesAt(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		points string
		never  bool // Launch knows that nothing ran
		state  process.State
		ran    bool
	}{
		{points: "superviseBeforeStart=exit", never: true, state: process.Never},
		{points: "superviseBeforeStart=error", never: true, state: process.Never},
		{points: "superviseStarted=exit", state: process.Lost},
		{points: "superviseStarted=error", state: process.Lost},
		{points: "superviseBeforeStatus=exit", state: process.Lost, ran: true},
		{points: "superviseBeforeStatus=error", state: process.Lost, ran: true},
		{points: "superviseStatusWritten=exit", state: process.Ended, ran: true},
		{points: "superviseStatusWritten=error", state: process.Ended, ran: true},
	} {
		t.Run(tc.points, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			s := b.sh("x_1", `: >"$OUT/ran"`)
			s.Env = append(s.Env, "HOLDPOINT_FAILPOINTS="+tc.points)
			t.Cleanup(func() { b.end(t, "x_1") })
			if err := b.Launch(t.Context(), s); errors.Is(err, process.ErrNotStarted) != tc.never || err != nil && !tc.never {
				t.Errorf("Launch: %v, want ErrNotStarted: %v", err, tc.never)
			}
			if got := b.wait(t, "x_1").State; got != tc.state {
				t.Errorf("state %s, want %s", got, tc.state)
			}
			if ran := exists(filepath.Join(b.out, "ran")); ran != tc.ran {
				t.Errorf("ran: %v, want %v", ran, tc.ran)
			}
		})
	}
}
