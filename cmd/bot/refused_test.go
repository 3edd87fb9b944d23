package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"holdpoint/inapp/api"
)

// served starts a daemon in this process, without a configuration, and proves its store at the end.
func served(t *testing.T) (app *App, client *api.Client, environ []string) {
	t.Helper()
	cfg, err := configured(t, "", nil, map[string]any{"listen": "127.0.0.1:0", "data_dir": filepath.Join(t.TempDir(), "data")})
	if err != nil {
		t.Fatal(err)
	}
	app = New(cfg, slog.New(slog.DiscardHandler))
	if err := app.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	url := "http://" + app.addr.String()
	token, err := readToken(filepath.Join(cfg.DataDir, tokenFile))
	if err != nil {
		t.Fatal(err)
	}
	if client, err = api.NewClient(url, token, nil); err != nil {
		t.Fatal(err)
	}
	environ = []string{"HOLDPOINT_SERVER=" + url, "HOLDPOINT_DATA_DIR=" + cfg.DataDir}
	t.Cleanup(func() {
		if err := app.Stop(context.Background()); err != nil {
			t.Errorf("the end of the daemon: %v", err)
		}
		var out bytes.Buffer
		s := std{out: &out, err: &out, environ: func() []string { return environ[1:] }}
		if status := run(context.Background(), []string{"check"}, s); status != exitOK {
			t.Errorf("the store after the test: %s", out.String())
		}
	})
	return app, client, environ
}

// stored gives all that a client sees of what was stored: tasks, approvals, and rows of the audit beside
// those that tell of a refusal.
func stored(t *testing.T, client *api.Client) string {
	t.Helper()
	tasks, err := client.Tasks(t.Context(), "", 200, "")
	if err != nil {
		t.Fatal(err)
	}
	approvals, err := client.Approvals(t.Context(), "", 200, "")
	if err != nil {
		t.Fatal(err)
	}
	audit, err := client.Audit(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	audit.Items = slices.DeleteFunc(audit.Items, func(e api.Event) bool { return e.Type == "refused" })
	text, err := json.Marshal([]any{tasks, approvals, audit})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var wanted = regexp.MustCompile(`^# want: (\S.*?):(?: (.+))?\n`)

// Each refusal of section 2 of the contract, as the command and as the API tell it: the same path, words
// and place, and nothing stored.
func TestBrokenPlansAreRefusedEverywhere(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(plansDir(t), "broken", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no broken plan found: %v", err)
	}
	_, client, environ := served(t)
	before := stored(t, client)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := wanted.FindSubmatch(text)
		if want == nil {
			t.Fatalf("%s: the first line is not `# want: PATH: WORDS`", name)
		}
		path, words := strings.TrimSuffix(string(want[1]), "-"), string(want[2])
		t.Run(name+" by plan check", func(t *testing.T) {
			refusedByCommand(t, environ, file, path, words, "plan", "check", file)
		})
		t.Run(name+" by task start", func(t *testing.T) {
			refusedByCommand(t, environ, file, path, words, "task", "start", file)
		})
		t.Run(name+" by the API", func(t *testing.T) { refusedByAPI(t, environ, text, path, words) })
	}
	if after := stored(t, client); after != before {
		t.Errorf("something was stored:\n%s\nbefore\n%s", after, before)
	}
}

func refusedByCommand(t *testing.T, environ []string, file, path, words string, args ...string) {
	t.Helper()
	status, out, errs := invoke(t, environ, args...)
	if status != exitError || out != "" {
		t.Errorf("ended with %d and answered %q, want %d and nothing", status, out, exitError)
	}
	place := regexp.MustCompile(regexp.QuoteMeta(file) + `:[1-9][0-9]*:[1-9][0-9]*: `)
	caret := regexp.MustCompile(`(?m)^ *\^$`)
	for what, ok := range map[string]bool{
		"the place": place.MatchString(errs), "a caret": caret.MatchString(errs),
		"the path": strings.Contains(errs, path), "the words": strings.Contains(errs, words),
	} {
		if !ok {
			t.Errorf("%s (%q, %q) is not in:\n%s", what, path, words, errs)
		}
	}
}

func refusedByAPI(t *testing.T, environ []string, plan []byte, path, words string) {
	t.Helper()
	token, err := readToken(filepath.Join(strings.TrimPrefix(environ[1], "HOLDPOINT_DATA_DIR="), tokenFile))
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimPrefix(environ[0], "HOLDPOINT_SERVER=") + api.Prefix + "/tasks"
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(plan))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/yaml")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var p api.Problem
	if err := json.Unmarshal(body, &p); err != nil || res.StatusCode != http.StatusUnprocessableEntity {
		t.Fatalf("got %s: %s", res.Status, body)
	}
	for _, f := range p.Errors {
		if f.Path == path && strings.Contains(f.Message, words) && f.Line > 0 && f.Column > 0 {
			return
		}
	}
	t.Errorf("got %s, want %q: %q with its place", body, path, words)
}

// What was told to be secret stays so: in the log at its most talkative, in the audit, in answers.
func TestPassedVariablesAreNamedAndNeverTold(t *testing.T) {
	const secret = "s3cr3t-of-the-daemon"
	t.Setenv("PGPASSWORD", secret)
	_, client, environ := served(t)
	plan := filepath.Join(t.TempDir(), "p.yaml")
	text := "pass_env: [PGPASSWORD]\ncheckpoints: [{title: a, run: 'true'}]\n"
	if err := os.WriteFile(plan, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	told := ""
	for _, args := range [][]string{{"task", "start", plan}, {"task", "start", plan, "--json"}, {"approvals", "--json"}, {"audit", "export"}} {
		status, out, errs := invoke(t, environ, args...)
		if status != exitOK {
			t.Fatalf("%v ended with %d: %s", args, status, errs)
		}
		told += out + errs
	}
	list, err := client.Approvals(t.Context(), "pending", 1, "")
	if err != nil {
		t.Fatal(err)
	}
	_, out, _ := invoke(t, environ, "approvals", "show", list.Items[0].ID)
	if !strings.Contains(out, "PGPASSWORD") {
		t.Errorf("%q does not name the variable", out)
	}
	if strings.Contains(told+out, secret) {
		t.Error("the value of a passed variable was told")
	}
}
