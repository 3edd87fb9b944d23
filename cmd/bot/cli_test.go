package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// one is a command of the grammar.
type one struct {
	name  string
	help  string
	flags []string
	leaf  bool
}

// commands walks the grammar.
func commands(t *testing.T) []one {
	t.Helper()
	k, err := kong.New(&cli{}, kong.Name("holdpoint"))
	if err != nil {
		t.Fatal(err)
	}
	var out []one
	var walk func(n *kong.Node, path string)
	walk = func(n *kong.Node, path string) {
		c := one{name: path, help: n.Help, leaf: n.Leaf()}
		for _, group := range n.AllFlags(false) {
			for _, f := range group {
				c.flags = append(c.flags, f.Name)
			}
		}
		out = append(out, c)
		for _, child := range n.Children {
			walk(child, strings.TrimSpace(path+" "+child.Name))
		}
	}
	walk(k.Model.Node, "")
	return out
}

// invoke runs a command in this process.
func invoke(t *testing.T, environ []string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	s := std{in: strings.NewReader(""), out: &out, err: &errs, environ: func() []string { return environ }}
	status = run(t.Context(), args, s)
	return status, out.String(), errs.String()
}

func TestEveryCommandHasHelp(t *testing.T) {
	all := commands(t)
	if len(all) < 30 {
		t.Fatalf("found %d commands: is the grammar whole?", len(all))
	}
	for _, c := range all {
		t.Run("holdpoint "+c.name, func(t *testing.T) {
			status, out, errs := invoke(t, nil, append(strings.Fields(c.name), "--help")...)
			if status != exitOK || errs != "" {
				t.Errorf("ended with %d and said %q beside its help", status, errs)
			}
			if !strings.Contains(out, "Usage: holdpoint") || c.help != "" && !strings.Contains(strings.Join(strings.Fields(out), " "), c.help[:len(c.help)/2]) {
				t.Errorf("the help is %q", out)
			}
			if c.name != "" && c.help == "" {
				t.Error("the command does not say what it does")
			}
		})
	}
}

// The commands of section 11 of the contract that belong to governed tasks.
func TestTheCommandsOfTheContractAreThere(t *testing.T) {
	have := map[string]bool{}
	for _, c := range commands(t) {
		have[c.name] = true
	}
	for _, want := range []string{
		"serve", "plan check", "task start", "task list", "task show", "task watch", "task log", "task retry", "task resolve", "task cancel",
		"task pause", "task resume", "approvals", "approvals show", "approve", "reject", "signin", "person list", "token create", "token list",
		"token revoke", "check", "gate", "task edit", "task stop", "task rollback", "task report", "session show", "session stop", "plan show", "plan schema", "audit verify", "audit export", "backup", "restore", "doctor", "healthcheck", "version", "completion",
	} {
		if !have[want] {
			t.Errorf("holdpoint %s is not there", want)
		}
	}
}

func TestVersionAndCompletion(t *testing.T) {
	if status, out, _ := invoke(t, nil, "version"); status != exitOK || !strings.HasPrefix(out, "holdpoint ") {
		t.Errorf("version: %d, %q", status, out)
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		status, out, _ := invoke(t, nil, "completion", shell)
		if status != exitOK || !strings.Contains(out, "resolve") || !strings.Contains(out, "--token-file") {
			t.Errorf("completion %s: %d, %q", shell, status, out)
		}
	}
	if status, _, _ := invoke(t, nil, "completion", "tcsh"); status != exitUsage {
		t.Errorf("completion of an unknown shell ended with %d, want %d", status, exitUsage)
	}
}
