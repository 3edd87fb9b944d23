package core

import (
	"bytes"
	"encoding/json"
	"time"
)

// Kind is one of the two kinds of durable record that a plan becomes.
type Kind string

// The kinds. Both go through one runtime and one state machine.
const (
	KindTask Kind = "task"
	KindGoal Kind = "goal" // goes round its checkpoints until done_when is met
)

// Risk is how much care a checkpoint asks for.
type Risk string

// The risks; medium is the default.
const (
	RiskLow    Risk = "low"
	RiskMedium Risk = "medium"
	RiskHigh   Risk = "high" // needs a second confirmation wherever it is decided
)

// OnExpiry says what becomes of a gate whose approval ran out. There is no approve.
type OnExpiry string

// What may become of an expired gate; hold is the default.
const (
	ExpiryHold   OnExpiry = "hold"   // waits for a late tap or a retry, which make a fresh approval
	ExpiryRenew  OnExpiry = "renew"  // makes the fresh approval at once
	ExpiryCancel OnExpiry = "cancel" // ends the record; nobody decided
)

// Limits of a plan, from section 2 of the contract.
const (
	MaxCheckpoints = 100
	MaxPlanBytes   = 256 << 10
)

// The defaults of a plan.
const (
	DefaultExpiresIn = Duration(day)
	DefaultStopGrace = Duration(10_000_000_000)
)

// Exec is what runs: either a line for the plan's shell or a list for exec without a shell.
// The zero value runs nothing. It reads and writes JSON as a string or a list of strings.
type Exec struct {
	Line string
	Args []string
}

// IsZero says that there is nothing to run.
func (x Exec) IsZero() bool { return x.Line == "" && len(x.Args) == 0 }

// MarshalJSON writes a string or a list.
// Like the canonical JSON of a subject it leaves <, > and & as they are.
func (x Exec) MarshalJSON() ([]byte, error) {
	var what any = x.Line
	if len(x.Args) > 0 {
		what = x.Args
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(what)
	return b.Bytes(), err
}

// UnmarshalJSON reads a string or a list of strings.
func (x *Exec) UnmarshalJSON(b []byte) error {
	*x = Exec{}
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, &x.Args)
	}
	return json.Unmarshal(b, &x.Line)
}

// Argv gives the argument vector: the list as it is, or the shell with the line behind it.
func (x Exec) Argv(shell []string) []string {
	if len(x.Args) > 0 {
		return append([]string(nil), x.Args...)
	}
	return append(append([]string(nil), shell...), x.Line)
}

// Escalation adds approvers when an approval has waited for a time.
type Escalation struct {
	After Duration `json:"after"`
	To    []string `json:"to"`
}

// Plan is what is to be done, whole and valid: made by NewPlan alone. Its JSON is the long form of a
// plan file, so that a stored plan can be read again as one.
type Plan struct {
	Title       string            `json:"title"`
	Kind        Kind              `json:"task_kind"`
	Objective   string            `json:"objective,omitempty"`
	DoneWhen    string            `json:"done_when,omitempty"`
	MaxRounds   int               `json:"max_rounds,omitempty"` // 0: no limit
	Workdir     string            `json:"workdir,omitempty"`    // absolute once started; "" before: the default
	Env         map[string]string `json:"env,omitempty"`
	PassEnv     []string          `json:"pass_env,omitempty"`
	Vars        map[string]string `json:"vars,omitempty"`
	Shell       []string          `json:"shell"`
	Cadence     []string          `json:"summary_cadence"`
	Approvers   []string          `json:"approvers,omitempty"` // none: every person with role approver
	Required    int               `json:"approvals_required"`
	AllowSelf   bool              `json:"allow_self,omitempty"`
	ExpiresIn   Duration          `json:"expires_in"`
	UseWithin   Duration          `json:"use_within,omitempty"` // 0: no limit
	OnExpiry    OnExpiry          `json:"on_expiry"`
	Escalate    []Escalation      `json:"escalate,omitempty"`
	Overlap     string            `json:"overlap,omitempty"`
	OnBehalfOf  string            `json:"on_behalf_of,omitempty"`
	Notify      []string          `json:"notify,omitempty"`
	Checkpoints []Checkpoint      `json:"checkpoints"`
}

// Checkpoint is one risky transition of a plan, with all that the plan sets for it already resolved:
// nothing needs to be looked up in the plan above it but title, vars and goal.
type Checkpoint struct {
	Title       string            `json:"title"`
	Detail      string            `json:"detail,omitempty"`
	Risk        Risk              `json:"risk"`
	Run         Exec              `json:"run,omitzero"`
	Command     Exec              `json:"command,omitzero"`
	Agent       string            `json:"agent,omitempty"`
	Prompt      string            `json:"prompt,omitempty"`
	Timeout     Duration          `json:"timeout,omitempty"` // 0: none
	StopGrace   Duration          `json:"stop_grace"`
	Note        string            `json:"rollback_notes,omitempty"` // "": every summary says that there is none
	RollbackRun Exec              `json:"rollback_run,omitzero"`
	Approvers   []string          `json:"approvers,omitempty"`
	Required    int               `json:"approvals_required"`
	ExpiresIn   Duration          `json:"expires_in"`
	Env         map[string]string `json:"env,omitempty"`
	PassEnv     []string          `json:"pass_env,omitempty"`
	Workdir     string            `json:"workdir,omitempty"`
	Shell       []string          `json:"shell"`
}

// RunsHere says that the daemon itself runs the step; else an agent or someone outside does it.
func (c Checkpoint) RunsHere() bool { return !c.Run.IsZero() }

// Outside says that the step is done by someone outside, who claims and reports it.
func (c Checkpoint) Outside() bool { return c.Run.IsZero() && c.Agent == "" }

// CheckTimeout is how long a goal's done_when may take, from section 2 of the contract.
const CheckTimeout = 5 * time.Minute
