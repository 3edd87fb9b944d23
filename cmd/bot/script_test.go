package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"holdpoint/inapp/api"
)

// TestMain makes this binary holdpoint itself when it is called by that name: by the stories, and by a
// daemon of theirs that starts a step's supervisor.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"holdpoint": main})
}

// patience is how long a story waits for what has to happen.
const patience = 30 * time.Second

func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each command of a race build lingers for a second
			env.Setenv("TZ", "UTC")
			env.Setenv("BAD", "t_red\x1b[31m")
			env.Setenv("ESC", "[\x1b\u202e\u200b\u2066]")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"daemon": daemon, "stop": stopDaemon, "status": exitsWith, "json": fromJSON, "await": await, "personal": personal,
			"spawn": spawn, "ended": ended, "signal": sendSignal, "pending": awaitTitle, "decide": decideOn, "file": awaitFile, "gone": gone, "rolled": rolled,
		},
	})
}

func plansDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../fixtures/plans")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// running is the daemon of one story.
type running struct {
	cmd *exec.Cmd
	err *os.File
}

// current is each story's daemon, by its directory.
var current sync.Map

// daemon starts `holdpoint serve` on a free port with a data directory of its own, waits until it
// serves, and points the environment at it.
func daemon(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("! daemon: use status")
	}
	data := ts.Getenv("HOLDPOINT_DATA_DIR")
	if data == "" {
		data = ts.MkAbs("data")
		ts.Setenv("HOLDPOINT_DATA_DIR", data)
	}
	errs, err := os.OpenFile(ts.MkAbs("daemon.log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	ts.Check(err)
	path, err := exec.LookPath("holdpoint")
	ts.Check(err)
	cmd := exec.Command(path, append([]string{"serve", "--listen", "127.0.0.1:0", "--log-level", "debug"}, args...)...)
	cmd.Dir, cmd.Stderr = ts.MkAbs("."), errs
	cmd.Env = []string{"PATH=" + ts.Getenv("PATH"), "TZ=UTC", "GORACE=atexit_sleep_ms=0", "HOLDPOINT_DATA_DIR=" + data, "TMPDIR=" + ts.Getenv("TMPDIR")}
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	r := &running{cmd: cmd, err: errs}
	current.Store(ts.Getenv("WORK"), r)
	ts.Defer(func() { r.end(syscall.SIGKILL) })
	lines := bufio.NewScanner(out)
	var said strings.Builder
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if url, ok := strings.CutPrefix(lines.Text(), "serving  "); ok {
			ts.Setenv("HOLDPOINT_SERVER", url)
			ts.Setenv("ADDRESS", strings.TrimPrefix(url, "http://"))
		}
		if strings.HasPrefix(lines.Text(), "sign in") || strings.HasPrefix(lines.Text(), "open") {
			go func() {
				for lines.Scan() { // until it ends
				}
			}()
			ts.Check(os.WriteFile(ts.MkAbs("daemon.out"), []byte(said.String()), 0o600))
			return
		}
	}
	log, _ := os.ReadFile(ts.MkAbs("daemon.log"))
	ts.Fatalf("the daemon ended before it served: %s%s", said.String(), log)
}

// end ends the daemon, once, and gives what it ended with.
func (r *running) end(sig syscall.Signal) error {
	if r.cmd.ProcessState != nil {
		return nil
	}
	_ = r.cmd.Process.Signal(sig)
	return errors.Join(r.cmd.Wait(), r.err.Close())
}

// stopDaemon ends the daemon in good order: stop [kill].
func stopDaemon(ts *testscript.TestScript, _ bool, args []string) {
	r, ok := current.Load(ts.Getenv("WORK"))
	if !ok {
		ts.Fatalf("no daemon was started")
	}
	sig := syscall.SIGTERM
	if len(args) > 0 && args[0] == "kill" {
		sig = syscall.SIGKILL
	}
	if err := r.(*running).end(sig); sig == syscall.SIGTERM {
		ts.Check(err)
	}
}

// exitsWith runs a command and wants one exit status: status 7 holdpoint approve K7M2QX.
func exitsWith(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s ended with %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// fromJSON takes a value out of the JSON that was printed last: json CODE approval.code.
func fromJSON(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: json VARIABLE PATH")
	}
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &v))
	for name := range strings.SplitSeq(args[1], ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[name]
		case []any:
			i, err := strconv.Atoi(name)
			ts.Check(err)
			v = at[i]
		}
	}
	ts.Setenv(args[0], fmt.Sprint(v))
}

// await waits until a task is in a state, and puts the code of its approval into CODE: await STATE ID.
func await(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: await STATE ID")
	}
	token, err := readToken(filepath.Join(ts.Getenv("HOLDPOINT_DATA_DIR"), tokenFile))
	ts.Check(err)
	client, err := api.NewClient(ts.Getenv("HOLDPOINT_SERVER"), token, nil)
	ts.Check(err)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		task, err := client.Task(ctx, args[1])
		ts.Check(err)
		if string(task.State) == args[0] || task.Approval != nil && string(task.Approval.State) == args[0] {
			if task.Approval != nil {
				ts.Setenv("CODE", task.Approval.Code)
				ts.Setenv("APPROVAL", task.Approval.ID)
			}
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			ts.Fatalf("the task is %s, want %s", task.State, args[0])
		}
	}
}

// personal makes a token of a person and puts it into a file: personal NAME FILE.
func personal(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: personal NAME FILE")
	}
	ts.Check(ts.Exec("holdpoint", "token", "create", "--name", args[1], "--role", "person:"+args[0]))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(ts.ReadFile("stdout")), 0o600))
}
