package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"holdpoint/core"
	"holdpoint/inapp/api"
)

// background is a command of a story that runs beside it.
type background struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
	want     int
}

// spawned are the stories' background commands, by directory and name.
var spawned sync.Map

func (b *background) key(ts *testscript.TestScript, name string) string {
	return ts.Getenv("WORK") + " " + name
}

// spawn runs holdpoint beside the story: spawn STATUS NAME ARG...
func spawn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: spawn STATUS NAME ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	path, err := exec.LookPath("holdpoint")
	ts.Check(err)
	b := &background{cmd: exec.Command(path, args[2:]...), want: want}
	b.cmd.Dir, b.cmd.Stdout, b.cmd.Stderr = ts.MkAbs("."), &b.out, &b.err
	b.cmd.WaitDelay = time.Second
	for _, name := range []string{"PATH", "TZ", "GORACE", "HOLDPOINT_DATA_DIR", "HOLDPOINT_SERVER", "TMPDIR"} {
		b.cmd.Env = append(b.cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(b.cmd.Start())
	spawned.Store(b.key(ts, args[1]), b)
	ts.Defer(func() { _ = b.cmd.Process.Kill() })
}

func named(ts *testscript.TestScript, name string) *background {
	b, ok := spawned.Load((*background)(nil).key(ts, name))
	if !ok {
		ts.Fatalf("nothing was spawned as %s", name)
	}
	return b.(*background)
}

// ended waits for what was spawned, and wants its status: ended NAME.
func ended(ts *testscript.TestScript, _ bool, args []string) {
	b := named(ts, args[0])
	err := b.cmd.Wait()
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	ts.Logf("[%s]\n%s%s", args[0], b.out.String(), b.err.String())
	if got != b.want {
		ts.Fatalf("%s ended with %d, want %d", args[0], got, b.want)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".err"), b.err.Bytes(), 0o600))
}

var signals = map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "USR1": syscall.SIGUSR1, "KILL": syscall.SIGKILL}

// sendSignal sends one to what was spawned: signal NAME INT.
func sendSignal(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(named(ts, args[0]).cmd.Process.Signal(signals[args[1]]))
}

func until(ts *testscript.TestScript, what string, ok func() bool) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for !ok() {
		select {
		case <-again.C:
		case <-ctx.Done():
			ts.Fatalf("waited in vain: %s", what)
		}
	}
}

func operatorOf(ts *testscript.TestScript, file string) *api.Client {
	token, err := readToken(file)
	ts.Check(err)
	client, err := api.NewClient(ts.Getenv("HOLDPOINT_SERVER"), token, nil)
	ts.Check(err)
	return client
}

// awaitTitle waits until a request whose title begins so is pending: pending TITLE.
func awaitTitle(ts *testscript.TestScript, _ bool, args []string) {
	client := operatorOf(ts, filepath.Join(ts.Getenv("HOLDPOINT_DATA_DIR"), tokenFile))
	until(ts, args[0]+" is pending", func() bool {
		list, err := client.Approvals(context.Background(), "pending", 50, "")
		ts.Check(err)
		for _, a := range list.Items {
			if strings.HasPrefix(a.Checkpoint.Title, args[0]) {
				ts.Setenv("APPROVAL", a.ID)
				ts.Setenv("TASK", a.TaskID)
				return true
			}
		}
		return false
	})
}

// decideOn decides as the owner once it is pending: decide approve|reject TITLE.
func decideOn(ts *testscript.TestScript, neg bool, args []string) {
	awaitTitle(ts, neg, args[1:])
	person := operatorOf(ts, ts.MkAbs("owner.token"))
	_, err := person.Decide(context.Background(), ts.Getenv("APPROVAL"), api.Decide{Decision: core.Verdict(args[0]), Reason: "as told", Confirm: true})
	ts.Check(err)
}

// awaitFile waits until a file is there and not empty.
func awaitFile(ts *testscript.TestScript, _ bool, args []string) {
	until(ts, args[0]+" is written", func() bool {
		info, err := os.Stat(ts.MkAbs(args[0]))
		return err == nil && info.Size() > 0
	})
}

// gone waits until the process whose id a file holds is no more.
func gone(ts *testscript.TestScript, _ bool, args []string) {
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	until(ts, "the process is gone", func() bool { return dead(pid) })
}

// dead says that a process is gone, or only waits to be seen off by its parent.
func dead(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && strings.HasPrefix(state, "Z")
}

// rolled waits until a task's rollback is in a state: rolled ID STATE.
func rolled(ts *testscript.TestScript, _ bool, args []string) {
	client := operatorOf(ts, filepath.Join(ts.Getenv("HOLDPOINT_DATA_DIR"), tokenFile))
	until(ts, "the rollback is "+args[1], func() bool {
		t, err := client.Task(context.Background(), args[0])
		ts.Check(err)
		return string(t.Rollback.State) == args[1]
	})
}
