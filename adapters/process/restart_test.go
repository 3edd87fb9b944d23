//go:build linux || darwin

package process_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"holdpoint/adapters/process"
)

// launchByDaemon has another process launch the execution and kills it.
func (b *bench) launchByDaemon(t *testing.T, s process.Spec) {
	t.Helper()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(supervisor()[0], "daemon", b.dir)
	cmd.Stdin = bytes.NewReader(raw)
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.end(t, s.ID) })
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if got, err := bufio.NewReader(said).ReadString('\n'); got != "launched\n" {
		t.Errorf("the daemon said %q, %v", got, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the daemon ended well, want it killed")
	}
}

func TestAStepIsFoundAgainAfterItsDaemonDied(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ready, gate := b.fifo(t, "ready"), b.fifo(t, "gate")
	s := b.sh("x_1", `echo before; echo up >"$OUT/ready"; read go <"$OUT/gate"; echo after; echo 7 rows >"$HOLDPOINT_SUMMARY"`)
	b.launchByDaemon(t, s)
	line(t, ready)
	now := b.look(t, "x_1")
	if now.State != process.Live || now.Pid == 0 || now.Members != 0 {
		t.Fatalf("%+v, want live under its supervisor", now)
	}
	if err := b.Remove("x_1"); err == nil {
		t.Error("Remove of a live execution was not refused")
	}
	if err := b.Launch(t.Context(), s); err != nil {
		t.Errorf("a second Launch: %v", err)
	}
	say(t, gate)
	if got := b.status(t, "x_1"); !got.Succeeded() || got.Summary != "7 rows" {
		t.Errorf("status %+v, want success with its summary", got)
	}
	if log := b.log(t, "x_1"); log != "before\nafter\n" {
		t.Errorf("log %q, want one run's", log)
	}
}

func TestTheTimeoutIsKeptWhileNoDaemonRuns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ready := b.fifo(t, "ready")
	s := b.sh("x_1", deaf)
	s.Timeout, s.Grace = 300*time.Millisecond, 50*time.Millisecond
	b.launchByDaemon(t, s)
	pid := pidFrom(t, ready)
	if got := b.status(t, "x_1"); !got.TimedOut {
		t.Errorf("status %+v, want timed out", got)
	}
	if !gone(pid) {
		t.Error("a process lives")
	}
}

func TestLaunchIsIdempotent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.sh("x_1", `echo ran >>"$OUT/runs"`)
	b.launch(t, s)
	for range 3 {
		b.status(t, "x_1")
		if err := b.Launch(t.Context(), s); err != nil {
			t.Errorf("a repeat: %v", err)
		}
	}
	if raw, err := os.ReadFile(filepath.Join(b.out, "runs")); err != nil || string(raw) != "ran\n" {
		t.Errorf("runs: %q, %v; want one", raw, err)
	}
}

// kill kills one process that a test knows the pid of.
func kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

func TestTheMachineLostTheStep(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ready := b.fifo(t, "ready")
	b.launch(t, b.sh("x_1", `echo $$ >"$OUT/ready"; exec sleep 1000`))
	pid := pidFrom(t, ready)
	kill(t, b.look(t, "x_1").Pid)
	kill(t, -pid)
	if got := b.wait(t, "x_1"); got.State != process.Lost || got.Status != nil {
		t.Errorf("%+v, want lost", got)
	}
	if err := b.Launch(t.Context(), b.sh("x_1", `: >"$OUT/again"`)); err != nil || exists(filepath.Join(b.out, "again")) {
		t.Errorf("a second Launch: %v, want that it does nothing", err)
	}
	if err := b.Stop(t.Context(), "x_1", "", false); err != nil {
		t.Errorf("Stop of what is lost: %v", err)
	}
}

func TestTheSupervisorAloneDies(t *testing.T) {
	t.Parallel()
	const script = `(echo up >"$OUT/ready"; read go <"$OUT/gate"; echo still here; echo said >"$OUT/ready"; read go <"$OUT/gate")`
	orphaned := func(t *testing.T) (b *bench, ready, gate *os.File) {
		b = newBench(t)
		ready, gate = b.fifo(t, "ready"), b.fifo(t, "gate")
		b.launch(t, b.sh("x_1", script))
		line(t, ready)
		kill(t, b.look(t, "x_1").Pid)
		until(t, func() bool { return b.look(t, "x_1").Members > 0 })
		if got := b.look(t, "x_1"); got.State != process.Live {
			t.Fatalf("%+v, want live while a member lives", got)
		}
		return b, ready, gate
	}
	t.Run("the step writes on, and is lost when it ended", func(t *testing.T) {
		t.Parallel()
		b, ready, gate := orphaned(t)
		say(t, gate)
		line(t, ready)
		if log := b.log(t, "x_1"); log != "still here\n" {
			t.Errorf("log %q, want what was written without a supervisor", log)
		}
		say(t, gate)
		if got := b.wait(t, "x_1"); got.State != process.Lost {
			t.Errorf("%+v, want lost", got)
		}
	})
	t.Run("the step can be stopped", func(t *testing.T) {
		t.Parallel()
		b, _, _ := orphaned(t)
		if err := b.Stop(t.Context(), "x_1", "", false); err != nil {
			t.Fatalf("Stop: %v", err)
		}
		if got := b.look(t, "x_1"); got.State != process.Lost {
			t.Errorf("%+v, want lost", got)
		}
	})
}

// A pid, a session and a group that were given to a stranger are not ours.
func TestAStrangerWithThePidIsLeftAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.sh("x_1", "exit 0")
	b.launch(t, s)
	b.status(t, "x_1")
	stranger := exec.Command("sleep", "1000")
	stranger.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- stranger.Wait() }()
	t.Cleanup(func() { _ = stranger.Process.Kill() })

	start := filepath.Join(b.dir, "x_1", "start")
	raw, err := os.ReadFile(start)
	if err != nil {
		t.Fatal(err)
	}
	var who map[string]any
	if err := json.Unmarshal(raw, &who); err != nil {
		t.Fatal(err)
	}
	write := func(change map[string]any) {
		maps.Copy(who, change)
		raw, err := json.Marshal(who)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(start, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(b.dir, "x_1", "status.json")); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name   string
		change map[string]any
	}{
		{"another start time", map[string]any{"pid": stranger.Process.Pid, "start": 1}},
		{"another boot", map[string]any{"epoch": "another"}},
	} {
		write(tc.change)
		if got := b.look(t, "x_1").State; got != process.Lost {
			t.Errorf("%s: %s, want lost", tc.name, got)
		}
		if err := b.Stop(t.Context(), "x_1", "", true); err != nil {
			t.Errorf("%s: Stop: %v", tc.name, err)
		}
	}
	select {
	case err := <-ended:
		t.Errorf("the stranger was hit: %v", err)
	default:
	}
}

func TestWhatCannotBeReadIsAnErrorAndNotLost(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"start", "status.json"} {
		for _, content := range []string{"", "{", `"void"`, "void"} {
			b := newBench(t)
			b.launch(t, b.sh("x_1", "exit 0"))
			b.status(t, "x_1")
			path := filepath.Join(b.dir, "x_1", file)
			sound, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := b.Look("x_1"); err == nil || !strings.Contains(err.Error(), "damaged") {
				t.Errorf("%s with %q: %+v, %v; want an error that says damaged", file, content, got, err)
			}
			if err := os.WriteFile(path, sound, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A daemon that dies while it launches leaves its supervisor a broken pipe.
func TestALaunchGoesOnWhenNobodyListens(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.sh("x_1", "echo ran")
	prepared := process.New(b.dir, slog.New(slog.DiscardHandler), []string{"/bin/false"}).Launch(t.Context(), s)
	if !errors.Is(prepared, process.ErrNotStarted) {
		t.Fatalf("Launch: %v, want ErrNotStarted", prepared)
	}
	listen, tell, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := listen.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(supervisor()[0], "supervise", filepath.Join(b.dir, "x_1"))
	cmd.Env, cmd.Stdout = s.Env, tell
	if err := errors.Join(cmd.Run(), tell.Close()); err != nil {
		t.Errorf("the supervisor: %v", err)
	}
	if got := b.status(t, "x_1"); !got.Succeeded() || b.log(t, "x_1") != "ran\n" {
		t.Errorf("status %+v, want success", got)
	}
}
