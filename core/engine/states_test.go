package engine_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

const twoSteps = `
title: Two steps
checkpoints:
  - {title: first, run: ./first.sh, rollback_notes: undo the first}
  - {title: second, run: ./second.sh, rollback_notes: undo the second}
`

// places are the states that a `run` task can be in, with how it gets there from its first gate; paused
// counts twice, since what may follow depends on where it was.
var places = map[string]func(b bench, task string){
	"awaiting_approval": func(bench, string) {},
	"queued":            queue,
	"running":           func(b bench, task string) { b.run(task) },
	"paused at a gate":  func(b bench, task string) { b.pause(task) },
	"paused in the queue": func(b bench, task string) {
		queue(b, task)
		b.pause(task)
	},
	"review": func(b bench, task string) {
		b.run(task)
		b.end(task, engine.Sighting{State: engine.SeenLost})
	},
	"completed": func(b bench, task string) {
		b.pass(task)
		b.pass(task)
	},
	"failed": func(b bench, task string) {
		b.run(task)
		b.end(task, engine.Sighting{ExitCode: 3})
	},
	"rejected": func(b bench, task string) {
		if _, err := b.Decide("bo", b.Task(task).Approval.ID, core.Reject); err != nil {
			b.t.Fatal(err)
		}
	},
	"cancelled": func(b bench, task string) {
		if _, _, err := b.Engine.Cancel(b.t.Context(), world.Operator(), task, "no longer wanted"); err != nil {
			b.t.Fatal(err)
		}
	},
}

// queue approves a gate while another task holds the only worker slot.
func queue(b bench, task string) {
	b.t.Helper()
	if len(b.Runtime.Live()) == 0 {
		b.run(b.StartTask(twoSteps).ID)
	}
	b.policy(func(p *core.Policy) { p.Limits.Running = 1 })
	b.Approve("ana", task)
	b.state(task, core.TaskQueued)
}

func (b bench) pause(task string) {
	b.t.Helper()
	if _, err := b.Engine.Pause(b.t.Context(), world.Operator(), task); err != nil {
		b.t.Fatal(err)
	}
}

// orders are the commands of people and of the daemon, each on a task.
var orders = map[string]func(b bench, task string) error{
	"approve by another": decideAs("bo", core.Approve),
	"reject by another":  decideAs("chloe", core.Reject),
	"retry": func(b bench, task string) error {
		_, err := b.Engine.Retry(b.t.Context(), b.Person("lea"), task)
		return err
	},
	"resolve done": func(b bench, task string) error {
		_, err := b.Engine.Resolve(b.t.Context(), b.Person("ana"), task, true, "looked")
		return err
	},
	"resolve failed": func(b bench, task string) error {
		_, err := b.Engine.Resolve(b.t.Context(), b.Person("ana"), task, false, "looked")
		return err
	},
	"pause": func(b bench, task string) error {
		_, err := b.Engine.Pause(b.t.Context(), world.Operator(), task)
		return err
	},
	"resume": func(b bench, task string) error {
		_, err := b.Engine.Resume(b.t.Context(), world.Operator(), task)
		return err
	},
	"cancel": func(b bench, task string) error {
		_, changed, err := b.Engine.Cancel(b.t.Context(), world.Operator(), task, "not wanted")
		if err == nil && !changed {
			return errUnchanged
		}
		return err
	},
	"claim":                                  ruled(core.ClaimStep{Actor: core.System()}),
	"expire":                                 ruled(core.Expire{}),
	"an end of an execution that nobody has": ruled(core.EndExecution{ExecutionID: "x_000000000000", Outcome: core.OutcomeSucceeded}),
	"a start of an execution that nobody has": ruled(core.Started{ExecutionID: "x_000000000000"}),
}

var errUnchanged = core.Refuse("unchanged", "", "nothing was written")

func decideAs(person string, v core.Verdict) func(bench, string) error {
	return func(b bench, task string) error {
		_, err := b.Decide(person, b.Task(task).Approval.ID, v)
		return err
	}
}

// ruled lets the rules judge a command that has no method; nothing is written, so a change that it
// would make is told in the error's place.
func ruled(cmd core.Command) func(bench, string) error {
	return func(b bench, task string) error {
		change, err := b.step(task, cmd)
		switch {
		case err != nil:
			return err
		case change.Empty():
			return errUnchanged
		}
		return core.Refuse(core.Code("would be "+string(change.Task.State)), task, "")
	}
}

// answers says what each order comes to in each place: the state that it leads to, the code of the
// refusal, or "unchanged". What is not named is refused as conflict.
var answers = map[string]map[string]string{
	"awaiting_approval": {
		"approve by another": "queued", "reject by another": "rejected", "pause": "paused", "cancel": "cancelled", "expire": "unchanged",
	},
	"queued": {
		"approve by another": "already_decided", "reject by another": "already_decided", "pause": "paused", "cancel": "cancelled",
		"claim": "would be running", "expire": "unchanged",
	},
	"running": {
		"approve by another": "already_decided", "reject by another": "already_decided", "claim": "already_claimed", "expire": "unchanged",
	},
	"paused at a gate": {"resume": "awaiting_approval", "cancel": "cancelled", "expire": "unchanged"},
	"paused in the queue": {
		"approve by another": "already_decided", "reject by another": "already_decided",
		"resume": "queued", "cancel": "cancelled", "expire": "unchanged",
	},
	"review": {
		"approve by another": "already_decided", "reject by another": "already_decided", "claim": "already_claimed",
		"retry": "awaiting_approval", "resolve done": "awaiting_approval", "resolve failed": "failed", "cancel": "cancelled", "expire": "unchanged",
	},
	"completed": {
		"approve by another": "already_decided", "reject by another": "already_decided", "claim": "already_claimed",
		"cancel": "unchanged", "expire": "unchanged",
	},
	"failed": {
		"approve by another": "already_decided", "reject by another": "already_decided", "claim": "already_claimed",
		"retry": "awaiting_approval", "cancel": "unchanged", "expire": "unchanged",
	},
	"rejected": {
		"approve by another": "already_decided", "reject by another": "already_decided",
		"retry": "awaiting_approval", "cancel": "unchanged", "expire": "unchanged",
	},
	"cancelled": {
		"approve by another": "stale_approval", "reject by another": "stale_approval", "cancel": "unchanged", "expire": "unchanged",
	},
}

func answer(place, order string) string {
	if want := answers[place][order]; want != "" {
		return want
	}
	if strings.HasPrefix(order, "an end") || strings.HasPrefix(order, "a start") {
		return "unchanged"
	}
	return "conflict"
}

// TestEveryCommandInEveryState is section 3's table from the outside: each command in each state leads
// where the table says, or is refused and changes nothing.
func TestEveryCommandInEveryState(t *testing.T) {
	for _, place := range slices.Sorted(maps.Keys(places)) {
		t.Run(place, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(twoSteps).ID
				places[place](b, task)
				b.state(task, core.TaskState(strings.Fields(place)[0]))
				for _, order := range slices.Sorted(maps.Keys(orders)) {
					want := answer(place, order)
					if slices.Contains(core.TaskStates(), core.TaskState(want)) {
						continue // a move, below
					}
					b.unchanged(order, func() {
						if got := code(orders[order](b, task)); string(got) != want {
							t.Errorf("%s while %s: %q, want %q", order, place, got, want)
						}
					})
				}
			})
		})
	}
}

func TestEveryMoveOfTheTable(t *testing.T) {
	for _, place := range slices.Sorted(maps.Keys(places)) {
		for _, order := range slices.Sorted(maps.Keys(orders)) {
			want := core.TaskState(answer(place, order))
			if !slices.Contains(core.TaskStates(), want) {
				continue
			}
			t.Run(fmt.Sprintf("%s, %s leads to %s", place, order, want), func(t *testing.T) {
				in(t, func(t *testing.T, b bench) {
					if want == core.TaskQueued { // else the runner takes it at once
						b.run(b.StartTask(twoSteps).ID)
						b.policy(func(p *core.Policy) { p.Limits.Running = 1 })
					}
					task := b.StartTask(twoSteps).ID
					places[place](b, task)
					synctest.Wait()
					before := b.Task(task)
					if err := orders[order](b, task); err != nil {
						t.Fatal(err)
					}
					b.state(task, want)
					b.freshGate(place, before, b.Task(task))
				})
			})
		}
	}
}

// freshGate: a gate that is reached again stands under an approval that nobody has used or refused.
func (b bench) freshGate(place string, before, after engine.TaskDetail) {
	b.t.Helper()
	if after.Task.State != core.TaskAwaiting || strings.HasPrefix(place, "paused") {
		return
	}
	if after.Approval.ID == before.Approval.ID || after.Approval.State != core.ApprovalPending || len(after.Approval.Decisions) > 0 {
		b.t.Errorf("the gate stands under %s, %s with %d decisions; it was %s", after.Approval.ID, after.Approval.State,
			len(after.Approval.Decisions), before.Approval.ID)
	}
}

func TestARetryIsTheNextAttemptOfTheSameCheckpoint(t *testing.T) {
	for _, place := range []string{"failed", "rejected", "review"} {
		t.Run(place, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(twoSteps).ID
				b.pass(task)
				places[place](b, task)
				synctest.Wait()
				if err := orders["retry"](b, task); err != nil {
					t.Fatal(err)
				}
				d := b.Task(task)
				if d.Task.Current != 1 || d.Approval.Subject.Attempt != 2 || d.Approval.Subject.Title != "second" {
					t.Errorf("retry asks for %q, attempt %d", d.Approval.Subject.Title, d.Approval.Subject.Attempt)
				}
				if got := d.Task.Completed(); !slices.Equal(got, []string{"first"}) {
					t.Errorf("completed are %v, want the first", got)
				}
			})
		})
	}
}

// TestNotesAreInTheJournalBeforeARetry: on every bad end the notes of what ran stand in the audit in the
// same transaction, newest first, before that of the one that did not run.
func TestNotesAreInTheJournalBeforeARetry(t *testing.T) {
	ran, not := "undo the second, undo the first", "undo the first, undo the second"
	for place, want := range map[string]string{"failed": ran, "review": ran, "rejected": not, "cancelled": not} {
		t.Run(place, func(t *testing.T) {
			in(t, func(t *testing.T, b bench) {
				task := b.StartTask(twoSteps).ID
				b.pass(task)
				places[place](b, task)
				synctest.Wait()
				d := b.Task(task)
				var got []string
				for _, n := range d.Task.RollbackNotes() {
					got = append(got, n.Text)
				}
				if strings.Join(got, ", ") != want {
					t.Errorf("the notes are %q, want %s", got, want)
				}
				if d.Task.Rollback.State != core.RollbackNoted {
					t.Errorf("the rollback is %s, want noted", d.Task.Rollback.State)
				}
				noted := slices.IndexFunc(b.Events(0), func(ev core.Event) bool { return ev.Type == core.EventRollbackNoted })
				ended := slices.IndexFunc(b.Events(0), func(ev core.Event) bool { return ev.Type == "task."+place })
				if noted < 0 || noted > ended {
					t.Errorf("the notes are row %d of the audit, the end is row %d", noted, ended)
				}
			})
		})
	}
}

func TestAnIdThatNobodyHasIsNotFound(t *testing.T) {
	in(t, func(t *testing.T, b bench) {
		b.StartTask(twoSteps)
		ctx := context.Background()
		for _, id := range []string{"", "t_", "t_nobody", "a_nobody", "ZZZZZZ", "x_000000000000", "../../etc/passwd"} {
			b.unchanged(id, func() {
				if _, err := b.Engine.Decide(ctx, engine.Decide{Actor: b.Person("ana"), Approval: id, Verdict: core.Approve}); code(err) != core.CodeNotFound {
					t.Errorf("deciding %q: %v, want not_found", id, err)
				}
				if _, err := b.Engine.Retry(ctx, b.Person("ana"), id); code(err) != core.CodeNotFound {
					t.Errorf("retrying %q: %v, want not_found", id, err)
				}
				if _, _, err := b.Engine.Cancel(ctx, b.Person("ana"), id, ""); code(err) != core.CodeNotFound {
					t.Errorf("cancelling %q: %v, want not_found", id, err)
				}
			})
		}
	})
}
