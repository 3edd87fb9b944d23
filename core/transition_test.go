package core_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"holdpoint/core"
)

var update = flag.Bool("update", false, "rewrite docs/lifecycle.md")

// contractTable is section 3 of the contract, written down a second time: from, event, to.
var contractTable = []struct {
	from core.TaskState
	ev   core.TaskEvent
	to   core.TaskState
}{
	{"new", core.EvStarted, core.TaskAwaiting},
	{core.TaskAwaiting, core.EvApproved, core.TaskQueued},
	{core.TaskQueued, core.EvClaimed, core.TaskRunning},
	{core.TaskQueued, core.EvDiffers, core.TaskAwaiting},
	{core.TaskRunning, core.EvNextGate, core.TaskAwaiting},
	{core.TaskRunning, core.EvRoundOver, core.TaskAwaiting},
	{core.TaskRunning, core.EvChecking, core.TaskRunning},
	{core.TaskRunning, core.EvDone, core.TaskCompleted},
	{core.TaskRunning, core.EvStepFailed, core.TaskFailed},
	{core.TaskAwaiting, core.EvRejected, core.TaskRejected},
	{core.TaskAwaiting, core.EvExpiredHold, core.TaskAwaiting},
	{core.TaskAwaiting, core.EvRenewed, core.TaskAwaiting},
	{core.TaskAwaiting, core.EvExpiredCancel, core.TaskCancelled},
	{core.TaskRunning, core.EvUnknown, core.TaskReview},
	{core.TaskFailed, core.EvRetried, core.TaskAwaiting},
	{core.TaskRejected, core.EvRetried, core.TaskAwaiting},
	{core.TaskReview, core.EvRetried, core.TaskAwaiting},
	{core.TaskAwaiting, core.EvRetried, core.TaskAwaiting},
	{core.TaskReview, core.EvResolvedNext, core.TaskAwaiting},
	{core.TaskReview, core.EvResolvedCheck, core.TaskRunning},
	{core.TaskReview, core.EvResolvedDone, core.TaskCompleted},
	{core.TaskReview, core.EvResolvedFailed, core.TaskFailed},
	{core.TaskQueued, core.EvPaused, core.TaskPaused},
	{core.TaskAwaiting, core.EvPaused, core.TaskPaused},
	{core.TaskPaused, core.EvResumedQueued, core.TaskQueued},
	{core.TaskPaused, core.EvResumedGate, core.TaskAwaiting},
	{core.TaskPaused, core.EvExpiredHold, core.TaskPaused},
	{core.TaskPaused, core.EvRenewed, core.TaskPaused},
	{core.TaskPaused, core.EvExpiredCancel, core.TaskCancelled},
	{core.TaskQueued, core.EvCancelled, core.TaskCancelled},
	{core.TaskAwaiting, core.EvCancelled, core.TaskCancelled},
	{core.TaskPaused, core.EvCancelled, core.TaskCancelled},
	{core.TaskReview, core.EvCancelled, core.TaskCancelled},
}

func TestEveryPairOfTheTableAndNoOther(t *testing.T) {
	states := append([]core.TaskState{"new"}, core.TaskStates()...)
	for _, from := range states {
		for _, ev := range core.TaskEvents() {
			i := slices.IndexFunc(contractTable, func(r struct {
				from core.TaskState
				ev   core.TaskEvent
				to   core.TaskState
			}) bool {
				return r.from == from && r.ev == ev
			})
			got, err := core.Next(from, ev)
			if i >= 0 {
				if err != nil || got != contractTable[i].to {
					t.Errorf("Next(%s, %s) = %s, %v; the contract says %s", from, ev, got, err, contractTable[i].to)
				}
				continue
			}
			refusal, ok := errors.AsType[*core.Error](err)
			if !ok || refusal.Code != core.CodeConflict || got != from {
				t.Errorf("Next(%s, %s) = %s, %v; want a conflict and the state unchanged", from, ev, got, err)
				continue
			}
			if !strings.Contains(err.Error(), string(from)) || !strings.Contains(err.Error(), string(ev)) {
				t.Errorf("Next(%s, %s) refuses without naming both: %v", from, ev, err)
			}
		}
	}
}

func TestTerminalStatesAreLeftByARetryAlone(t *testing.T) {
	for _, from := range core.TaskStates() {
		for _, ev := range core.TaskEvents() {
			if _, err := core.Next(from, ev); err == nil && from.Terminal() && ev != core.EvRetried {
				t.Errorf("%s is terminal, and %s leads out of it", from, ev)
			}
		}
	}
}

// TestLifecyclePage prints the table into docs/lifecycle.md, and fails where the page says otherwise.
func TestLifecyclePage(t *testing.T) {
	const page = "../docs/lifecycle.md"
	want := lifecycle()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/lifecycle.md is not what the table says: run make golden")
	}
}

func lifecycle() string {
	var b strings.Builder
	b.WriteString("# The life of a task\n\nPrinted from `core/transition.go` by its test (`make golden`); do not edit by hand.\n" +
		"What is not in the table is refused as `conflict`, and nothing changes.\n\n```mermaid\nstateDiagram-v2\n    [*] --> awaiting_approval: started\n")
	for _, from := range core.TaskStates() {
		for _, ev := range core.TaskEvents() {
			if to, err := core.Next(from, ev); err == nil {
				fmt.Fprintf(&b, "    %s --> %s: %s\n", from, to, ev)
			}
		}
	}
	b.WriteString("    completed --> [*]\n    cancelled --> [*]\n```\n\n| event |")
	states := append([]core.TaskState{"new"}, core.TaskStates()...)
	for _, s := range states {
		fmt.Fprintf(&b, " %s |", s)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(states)) + "\n")
	for _, ev := range core.TaskEvents() {
		fmt.Fprintf(&b, "| %s |", ev)
		for _, s := range states {
			to, err := core.Next(s, ev)
			if err != nil {
				to = "·"
			}
			fmt.Fprintf(&b, " %s |", to)
		}
		b.WriteString("\n")
	}
	return b.String()
}
