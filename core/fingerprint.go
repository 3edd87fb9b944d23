package core

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Subject is all that a person is shown and all that will run. Its canonical JSON is what the
// fingerprint stands for: the fields keep their order, maps are sorted by key, set-like lists are
// sorted. A field that is added later must be omitted when it is empty, so that older fingerprints hold.
type Subject struct {
	Kind        ApprovalKind      `json:"kind"`
	Work        Kind              `json:"work"`
	Plan        string            `json:"plan"`
	Objective   string            `json:"objective,omitempty"`
	DoneWhen    string            `json:"done_when,omitempty"`
	Index       int               `json:"index"`
	Title       string            `json:"title"`
	Detail      string            `json:"detail,omitempty"`
	Risk        Risk              `json:"risk"`
	Run         Exec              `json:"run,omitzero"`
	Command     Exec              `json:"command,omitzero"`
	Agent       string            `json:"agent,omitempty"`
	Prompt      string            `json:"prompt,omitempty"`
	Shell       []string          `json:"shell,omitempty"`
	Env         map[string]string `json:"env,omitempty"`
	PassEnv     []string          `json:"pass_env,omitempty"`
	Vars        map[string]string `json:"vars,omitempty"`
	Workdir     string            `json:"workdir,omitempty"`
	Files       map[string]string `json:"files,omitempty"` // digest by name, of the files in workdir that the commands name
	Timeout     Duration          `json:"timeout,omitempty"`
	StopGrace   Duration          `json:"stop_grace,omitempty"`
	Note        string            `json:"rollback_notes,omitempty"`
	RollbackRun Exec              `json:"rollback_run,omitzero"`
	Evidence    []string          `json:"evidence,omitempty"`
	Approvers   []string          `json:"approvers,omitempty"` // as written, not resolved to people
	Required    int               `json:"approvals_required"`
	AllowSelf   bool              `json:"allow_self,omitempty"`
	Attempt     int               `json:"attempt"`
	Round       int               `json:"round"`
}

// Fingerprint gives "v1:" and the SHA-256 of the subject's canonical JSON, in hexadecimal.
func (s Subject) Fingerprint() string {
	sum := sha256.Sum256(s.canonical())
	return "v1:" + hex.EncodeToString(sum[:])
}

func (s Subject) canonical() []byte {
	s.PassEnv, s.Approvers, s.Evidence = sortedSet(s.PassEnv), sortedSet(s.Approvers), sortedSet(s.Evidence)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(fmt.Sprintf("core: a subject that can't be written as JSON: %v", err)) // strings, ints and maps only
	}
	return bytes.TrimSpace(b.Bytes())
}

// subject gives what an approval of a checkpoint would show now. files are the digests that the caller
// found for FileNames.
func (t Task) subject(kind ApprovalKind, checkpoint int, files map[string]string) Subject {
	c, p := t.Plan.Checkpoints[checkpoint], t.Checkpoints[checkpoint]
	return Subject{
		Kind: kind, Work: t.Plan.Kind, Plan: t.Plan.Title, Objective: t.Plan.Objective, DoneWhen: t.Plan.DoneWhen,
		Index: checkpoint, Title: c.Title, Detail: c.Detail, Risk: c.Risk, Run: c.Run, Command: c.Command, Agent: c.Agent, Prompt: c.Prompt,
		Shell: c.Shell, Env: c.Env, PassEnv: c.PassEnv, Vars: t.Plan.Vars, Workdir: c.Workdir, Files: files,
		Timeout: c.Timeout, StopGrace: c.StopGrace, Note: c.Note, RollbackRun: c.RollbackRun,
		Approvers: c.Approvers, Required: c.Required, AllowSelf: t.Plan.AllowSelf, Attempt: p.Attempt, Round: t.Round,
	}
}

// FileNames gives the words of the commands of a checkpoint (run, rollback_run, and a goal's
// done_when) that may name files: the caller digests those that are files inside the working
// directory. What a script reads besides, what stands on PATH and what a variable expands to is not
// found here; docs/concepts say so.
func (t Task) FileNames(index int) []string {
	c := t.Plan.Checkpoints[index]
	var out []string
	for _, x := range []Exec{c.Run, c.RollbackRun, {Line: t.Plan.DoneWhen}} {
		out = append(out, words(x)...)
	}
	return sortedSet(out)
}

// words splits a command where a shell would, without evaluating anything: white space, quotes and
// operators part words, and so does = (as in --config=a.yaml).
func words(x Exec) []string {
	list := x.Args
	if x.Line != "" {
		list = []string{x.Line}
	}
	var out []string
	for _, text := range list {
		out = append(out, strings.FieldsFunc(text, func(r rune) bool {
			return strings.ContainsRune(" \t\r\n\"'`;&|<>(){}=$,", r)
		})...)
		if len(x.Args) > 0 {
			out = append(out, text) // a list's word may hold a space of its own
		}
	}
	return slices.DeleteFunc(out, func(w string) bool { return w == "" || strings.HasPrefix(w, "-") || len(w) > 4096 })
}

// Differences tells, field by field, what changed from one subject to the next, in the order of
// Subject's fields. Values are as they stand in the canonical JSON, texts without quotes.
func Differences(was, now Subject) []FieldChange {
	a, b := flat(was), flat(now)
	out := []FieldChange{}
	for _, name := range fieldOrder {
		if a[name] != b[name] {
			out = append(out, FieldChange{Field: name, Was: a[name], Now: b[name]})
		}
	}
	return out
}

// fieldOrder is what Differences looks at; attempt and round change with every fresh request and are
// told apart from it.
var fieldOrder = []string{
	"plan", "objective", "done_when", "title", "detail", "risk", "run", "command", "agent", "prompt", "shell", "env", "pass_env", "vars",
	"workdir", "files", "timeout", "stop_grace", "rollback_notes", "rollback_run", "evidence", "approvers", "approvals_required", "allow_self",
}

func flat(s Subject) map[string]string {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(s.canonical(), &raw); err != nil {
		panic(fmt.Sprintf("core: canonical JSON that can't be read back: %v", err)) // written a line above
	}
	out := make(map[string]string, len(raw))
	for name := range maps.Keys(raw) {
		var text string
		if json.Unmarshal(raw[name], &text) == nil {
			out[name] = text
			continue
		}
		out[name] = string(raw[name])
	}
	return out
}
