package examples_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"holdpoint/core"
	"holdpoint/inapp/api"
	"holdpoint/planfile"
)

// patience is how long a test waits for what has to happen.
const patience = 30 * time.Second

// binary is holdpoint, built once.
var binary string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "holdpoint-examples-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "holdpoint")
	if out, err := exec.Command("go", "build", "-o", binary, "../cmd/bot").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the program: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// job is one directory in which a script runs, and the daemon that it asks.
type job struct {
	t                *testing.T
	dir, url         string
	token            string
	operator, person *api.Client
}

func newJob(t *testing.T) *job {
	t.Helper()
	j := &job{t: t, dir: t.TempDir()}
	data := filepath.Join(j.dir, "data")
	cmd := exec.Command(binary, "serve", "--data", data, "--listen", "127.0.0.1:0")
	cmd.Dir, cmd.Env = j.dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + j.dir}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for lines := bufio.NewScanner(out); j.url == "" && lines.Scan(); {
		j.url, _ = strings.CutPrefix(lines.Text(), "serving  ")
		if !strings.HasPrefix(lines.Text(), "serving  ") {
			j.url = ""
		}
	}
	secret, err := os.ReadFile(filepath.Join(data, "operator.token"))
	if err != nil {
		t.Fatal(err)
	}
	j.token = strings.TrimSpace(string(secret))
	j.operator = j.client(j.token)
	made, err := j.operator.CreateToken(t.Context(), "owner", "person:owner")
	if err != nil {
		t.Fatal(err)
	}
	j.person = j.client(made.Secret)
	script, err := os.ReadFile("gate.sh")
	if err != nil {
		t.Fatal(err)
	}
	j.write("ci/gate.sh", string(script))
	j.write("deploy.sh", "#!/bin/sh\necho \"$1\" >>deployed\n")
	return j
}

func (j *job) client(token string) *api.Client {
	c, err := api.NewClient(j.url, token, nil)
	if err != nil {
		j.t.Fatal(err)
	}
	return c
}

func (j *job) write(name, text string) {
	j.t.Helper()
	path := filepath.Join(j.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)); err != nil {
		j.t.Fatal(err)
	}
}

// run starts a program in the job's directory; the returned function waits for it.
func (j *job) run(env []string, name string, args ...string) (end func() (status int, said string)) {
	j.t.Helper()
	ctx, cancel := context.WithTimeout(j.t.Context(), patience)
	cmd := exec.CommandContext(ctx, name, args...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = j.dir, &said, &said
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + j.dir, "HOLDPOINT_SERVER=" + j.url, "HOLDPOINT_TOKEN=" + j.token}, env...)
	if err := cmd.Start(); err != nil {
		j.t.Fatal(err)
	}
	return func() (int, string) {
		defer cancel()
		err := cmd.Wait()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			return exit.ExitCode(), said.String()
		}
		if err != nil {
			j.t.Fatal(err)
		}
		return 0, said.String()
	}
}

// decide waits for the one request that is pending and decides it.
func (j *job) decide(v core.Verdict) api.Approval {
	j.t.Helper()
	ctx, cancel := context.WithTimeout(j.t.Context(), patience)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		list, err := j.operator.Approvals(ctx, "pending", 10, "")
		if err != nil {
			j.t.Fatal(err)
		}
		if len(list.Items) == 1 {
			a, err := j.person.Decide(ctx, list.Items[0].ID, api.Decide{Decision: v, Reason: "as told", Confirm: true})
			if err != nil {
				j.t.Fatal(err)
			}
			return a
		}
		<-again.C
	}
}

func (j *job) deployed() string {
	b, err := os.ReadFile(filepath.Join(j.dir, "deployed"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		j.t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

// workflow takes the scripts out of the GitHub file, in their order.
func workflow(t *testing.T) string {
	var file struct {
		Jobs map[string]struct {
			Steps []struct {
				Run string `json:"run"`
			} `json:"steps"`
		} `json:"jobs"`
	}
	read(t, "github-actions/deploy.yml", &file)
	var out []string
	for _, s := range file.Jobs["deploy"].Steps {
		if s.Run != "" {
			out = append(out, "(\n"+s.Run+"\n)")
		}
	}
	return strings.Join(out, "\n")
}

func pipeline(t *testing.T) string {
	var file map[string]struct {
		Script []string `json:"script"`
	}
	read(t, "gitlab/gitlab-ci.yml", &file)
	return strings.Join(file["deploy"].Script, "\n")
}

// read reads a YAML file as the other side would, passing over what the test does not need.
func read(t *testing.T, name string, v any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := planfile.Decode(text, &all, planfile.Options{}); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatal(err)
	}
}

func TestExamples(t *testing.T) {
	github := []string{"GITHUB_REPOSITORY=a/b", "GITHUB_RUN_ID=7", "GITHUB_RUN_ATTEMPT=1", "GITHUB_REF_NAME=v4.2", "GITHUB_SHA=abc"}
	gitlab := []string{"CI_PROJECT_PATH=a/b", "CI_PIPELINE_ID=7", "CI_JOB_ID=8", "CI_COMMIT_TAG=v4.2", "CI_COMMIT_SHA=abc"}
	makefile, err := filepath.Abs("make/Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		env  []string
		args []string
	}{
		{"github-actions", github, []string{"sh", "-e", "-c", workflow(t)}},
		{"gitlab", gitlab, []string{"sh", "-e", "-c", pipeline(t)}},
		{"make", nil, []string{"make", "-f", makefile, "deploy", "VERSION=v4.2", "HOLDPOINT=" + binary}},
	} {
		t.Run(tc.name+" approved", func(t *testing.T) {
			t.Parallel()
			j := newJob(t)
			end := j.run(tc.env, tc.args[0], tc.args[1:]...)
			a := j.decide(core.Approve)
			if a.Title != "Deploy v4.2" || a.Subject.Note == "" {
				t.Errorf("asked for %q with the note %q", a.Title, a.Subject.Note)
			}
			if status, said := end(); status != 0 || j.deployed() != "v4.2" {
				t.Errorf("ended with %d, deployed %q:\n%s", status, j.deployed(), said)
			}
		})
		t.Run(tc.name+" rejected", func(t *testing.T) {
			t.Parallel()
			j := newJob(t)
			end := j.run(tc.env, tc.args[0], tc.args[1:]...)
			j.decide(core.Reject)
			if status, said := end(); status == 0 || j.deployed() != "" || !strings.Contains(said, "as told") {
				t.Errorf("ended with %d, deployed %q:\n%s", status, j.deployed(), said)
			}
		})
	}
}

var shBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// The loop of docs/gate.md, in plain sh, word by word.
func TestTheLoopOfTheDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/gate.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := shBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks of sh in docs/gate.md, want the loop and the report", len(blocks))
	}
	if lines := strings.Count(strings.TrimSpace(blocks[0][1]), "\n") + 1; lines > 10 {
		t.Errorf("the loop has %d lines, want ten", lines)
	}
	env := []string{"TITLE=Deploy & more", "JOB=job-1", "RUN=run-1"}
	withCommand := strings.Replace(blocks[0][1], `-d "request_id`, `-d "command=./deploy.sh" -d "request_id`, 1)
	for _, tc := range []struct {
		name, script string
		verdict      core.Verdict
		status       int
		state        core.TaskState
	}{
		{"approved", blocks[0][1] + "./deploy.sh x", core.Approve, 0, core.TaskCompleted},
		{"rejected", blocks[0][1] + "./deploy.sh x", core.Reject, 1, core.TaskRejected},
		{"with a command and its report", withCommand + "./deploy.sh x\n" + blocks[1][1], core.Approve, 0, core.TaskCompleted},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t)
			end := j.run(env, "sh", "-e", "-c", tc.script)
			a := j.decide(tc.verdict)
			status, said := end()
			task, err := j.operator.Task(t.Context(), a.TaskID)
			if err != nil || status != tc.status || task.State != tc.state || (j.deployed() == "x") != (tc.status == 0) {
				t.Errorf("ended with %d, the task %s, deployed %q, %v:\n%s", status, task.State, j.deployed(), err, said)
			}
		})
	}
}
