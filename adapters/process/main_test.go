//go:build linux || darwin

package process_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"holdpoint/adapters/process"
)

// TestMain is three programs: the tests, the supervisor that they start, and a
// daemon that is there to be killed.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 {
		switch os.Args[1] {
		case "supervise":
			os.Exit(process.Supervise(os.Args[2]))
		case "daemon":
			os.Exit(daemon(os.Args[2]))
		}
	}
	os.Exit(m.Run())
}

// daemon launches the Spec on its standard input, says so, and lives on until
// it is killed.
func daemon(dir string) int {
	var s process.Spec
	if err := json.NewDecoder(os.Stdin).Decode(&s); err != nil {
		fmt.Println(err)
		return 1
	}
	if err := process.New(dir, slog.New(slog.DiscardHandler), supervisor()).Launch(context.Background(), s); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("launched")
	select {}
}

func supervisor() []string {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return []string{self, "supervise"}
}

// bench is one folder of executions with its runtime.
type bench struct {
	*process.Runtime
	dir string // steps/
	out string // a place for what steps leave
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "steps")
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	return &bench{Runtime: process.New(dir, log, supervisor()), dir: dir, out: t.TempDir()}
}

// sh is a Spec that runs a script, with $OUT as the place for what it leaves.
func (b *bench) sh(id, script string) process.Spec {
	return process.Spec{
		ID: id, Argv: []string{"/bin/sh", "-eu", "-c", script}, Dir: b.out, Grace: 10 * time.Second,
		Env: []string{
			"OUT=" + b.out, "PATH=" + os.Getenv("PATH"),
			"GORACE=atexit_sleep_ms=0", // else each supervisor of a race build lingers for a second
		},
	}
}

func (b *bench) launch(t *testing.T, s process.Spec) {
	t.Helper()
	t.Cleanup(func() { b.end(t, s.ID) })
	if err := b.Launch(t.Context(), s); err != nil {
		t.Fatalf("Launch: %v", err)
	}
}

// end leaves no process of a test behind.
func (b *bench) end(t *testing.T, id string) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := b.Stop(ctx, id, "the test is over", true); err != nil {
		t.Errorf("Stop at the end of the test: %v", err)
	}
}

// wait waits for the end, half a minute at most.
func (b *bench) wait(t *testing.T, id string) process.Sighting {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	now, err := b.Wait(ctx, id)
	if err != nil {
		t.Fatalf("Wait: %v (%+v)", err, now)
	}
	return now
}

// status waits for a status.
func (b *bench) status(t *testing.T, id string) process.Status {
	t.Helper()
	now := b.wait(t, id)
	if now.State != process.Ended || now.Status == nil {
		t.Fatalf("state %s, status %+v; want ended with a status", now.State, now.Status)
	}
	return *now.Status
}

func (b *bench) look(t *testing.T, id string) process.Sighting {
	t.Helper()
	now, err := b.Look(id)
	if err != nil {
		t.Fatalf("Look: %v", err)
	}
	return now
}

func (b *bench) log(t *testing.T, id string) string {
	t.Helper()
	file, err := b.OpenLog(id)
	if err != nil {
		t.Fatalf("OpenLog: %v", err)
	}
	defer file.Close()
	raw, err := io.ReadAll(file)
	if err != nil {
		t.Fatalf("read the log: %v", err)
	}
	return string(raw)
}

// fifo makes a named pipe in $OUT. Tests and steps wait for one another on it,
// so no test has to guess how long something takes.
func (b *bench) fifo(t *testing.T, name string) *os.File {
	t.Helper()
	path := filepath.Join(b.out, name)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// line waits for a line on a fifo.
func line(t *testing.T, fifo *os.File) string {
	t.Helper()
	if err := fifo.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	var said []byte
	for b := make([]byte, 1); b[0] != '\n'; {
		if _, err := fifo.Read(b); err != nil {
			t.Fatalf("the step did not say a line: %v", err)
		}
		said = append(said, b[0])
	}
	return strings.TrimSpace(string(said))
}

func say(t *testing.T, fifo *os.File) {
	t.Helper()
	if _, err := fifo.WriteString("go\n"); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// until waits for what nobody announces.
func until(t *testing.T, done func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	late := time.After(20 * time.Second)
	for !done() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("it did not come")
		}
	}
}
