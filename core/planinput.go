package core

import (
	"encoding/json"
	"slices"
)

// PlanInput is a plan as people write it, short form or long, before any rule has looked at it.
// Durations are texts here; an absent field is the zero value, a list that was given empty is not nil.
type PlanInput struct {
	Title             string            `json:"title,omitempty"`
	TaskKind          string            `json:"task_kind,omitempty"`
	Objective         string            `json:"objective,omitempty"`
	DoneWhen          string            `json:"done_when,omitempty"`
	MaxRounds         *int              `json:"max_rounds,omitempty"`
	Workdir           string            `json:"workdir,omitempty"`
	Env               map[string]string `json:"env,omitempty"`
	PassEnv           []string          `json:"pass_env,omitempty"`
	Vars              map[string]string `json:"vars,omitempty"`
	Shell             []string          `json:"shell,omitempty"`
	SummaryCadence    OneOrMany         `json:"summary_cadence,omitempty"`
	Approvers         []string          `json:"approvers,omitempty"`
	ApprovalsRequired *int              `json:"approvals_required,omitempty"`
	AllowSelf         bool              `json:"allow_self,omitempty"`
	ExpiresIn         string            `json:"expires_in,omitempty"`
	UseWithin         string            `json:"use_within,omitempty"`
	OnExpiry          string            `json:"on_expiry,omitempty"`
	Escalate          []EscalateInput   `json:"escalate,omitempty"`
	Overlap           string            `json:"overlap,omitempty"`
	OnBehalfOf        string            `json:"on_behalf_of,omitempty"`
	Notify            []string          `json:"notify,omitempty"`
	CheckpointTitles  []string          `json:"checkpoint_titles,omitempty"`
	RollbackNotes     *Notes            `json:"rollback_notes,omitempty"`
	Checkpoints       []CheckpointInput `json:"checkpoints,omitempty"`
}

// CheckpointInput is one checkpoint of the long form as it was written.
type CheckpointInput struct {
	Title             string            `json:"title"`
	Detail            string            `json:"detail,omitempty"`
	Risk              string            `json:"risk,omitempty"`
	Run               Exec              `json:"run,omitzero"`
	Command           Exec              `json:"command,omitzero"`
	Agent             string            `json:"agent,omitempty"`
	Prompt            string            `json:"prompt,omitempty"`
	PromptFile        string            `json:"prompt_file,omitempty"`
	Timeout           string            `json:"timeout,omitempty"`
	StopGrace         string            `json:"stop_grace,omitempty"`
	RollbackNotes     string            `json:"rollback_notes,omitempty"`
	RollbackRun       Exec              `json:"rollback_run,omitzero"`
	Approvers         []string          `json:"approvers,omitempty"`
	ApprovalsRequired *int              `json:"approvals_required,omitempty"`
	ExpiresIn         string            `json:"expires_in,omitempty"`
	Env               map[string]string `json:"env,omitempty"`
	PassEnv           []string          `json:"pass_env,omitempty"`
	Workdir           string            `json:"workdir,omitempty"`
	Shell             []string          `json:"shell,omitempty"`
}

// EscalateInput is one rung of an escalation as it was written.
type EscalateInput struct {
	After string    `json:"after"`
	To    OneOrMany `json:"to"`
}

// OneOrMany is a list that may be written as one word.
type OneOrMany []string

// UnmarshalJSON reads a string or a list of strings.
func (l *OneOrMany) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*l = make(OneOrMany, 1)
		return json.Unmarshal(b, &(*l)[0])
	}
	return json.Unmarshal(b, (*[]string)(l))
}

// Notes are the rollback notes of the short form: by title, or a list in the order of the titles.
type Notes struct {
	ByTitle map[string]string
	List    []string
}

// UnmarshalJSON reads an object or a list of strings.
func (n *Notes) UnmarshalJSON(b []byte) error {
	*n = Notes{}
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, &n.List)
	}
	return json.Unmarshal(b, &n.ByTitle)
}

// MarshalJSON writes the form that was given.
func (n Notes) MarshalJSON() ([]byte, error) {
	if n.ByTitle != nil {
		return json.Marshal(n.ByTitle)
	}
	return json.Marshal(n.List)
}

// titles gives the titles of the short form as checkpoints with their notes.
func (in PlanInput) titles(f *faults) []CheckpointInput {
	out := make([]CheckpointInput, len(in.CheckpointTitles))
	for i, t := range in.CheckpointTitles {
		out[i].Title = t
	}
	if in.RollbackNotes == nil {
		return out
	}
	if n := len(in.RollbackNotes.List); n > len(out) {
		f.add("rollback_notes", "%d notes for %d titles: give one note a title at most", n, len(out))
		return out
	}
	for i, note := range in.RollbackNotes.List {
		out[i].RollbackNotes = note
	}
	for _, title := range sortedKeys(in.RollbackNotes.ByTitle) {
		i := slices.Index(in.CheckpointTitles, title)
		if i < 0 {
			f.add("rollback_notes."+title, "no checkpoint has the title %q", title)
			continue
		}
		out[i].RollbackNotes = in.RollbackNotes.ByTitle[title]
	}
	return out
}
