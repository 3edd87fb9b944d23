package summaries_test

import (
	"strings"
	"testing"
	"time"

	"holdpoint/core"
	"holdpoint/summaries"
)

func TestACardTellsThatTheWaiterIsGone(t *testing.T) {
	gone := func(in *summaries.Input) {
		in.Approval.Waiter = core.Waiter{State: core.WaiterGone, LastSeen: ago(8)}
	}
	for lang, want := range map[summaries.Lang]string{
		summaries.English: "⚠ the job went away 12:33. Approving starts nothing until it returns",
		summaries.French:  "⚠ la tâche en attente est partie 12:33. Approuver ne lance rien tant qu’elle n’est pas revenue",
	} {
		c := summaries.ForApproval(at(0, gone), summaries.Options{Lang: lang, Limits: summaries.ChatLimits()})
		if len(c.Warnings) != 1 || c.Warnings[0] != want || !strings.Contains(c.Text(), want) {
			t.Errorf("%s: warnings %q, want %q on the card", lang, c.Warnings, want)
		}
	}
	back := func(in *summaries.Input) {
		in.Approval.Waiter = core.Waiter{State: core.WaiterWaiting, LastSeen: ago(0)}
	}
	for name, in := range map[string]summaries.Input{"somebody waits": at(0, back), "it was decided": at(0, gone, by("Ana"))} {
		if c := inChat(in); len(c.Warnings) != 0 {
			t.Errorf("%s: warnings %q, want none", name, c.Warnings)
		}
	}
}

func TestACardTellsHowFarAStopIs(t *testing.T) {
	stopped := func(td core.Teardown) func(*summaries.Input) {
		return func(in *summaries.Input) {
			x := core.Execution{ID: "x_1", ApprovalID: in.Approval.ID, Teardown: td, State: core.ExecStarted}
			if td.State == core.TeardownDone {
				x.State, x.EndedAt = core.ExecEnded, ago(2).Add(19*time.Second)
			}
			in.Executions = append(in.Executions, x)
		}
	}
	for _, tc := range []struct {
		name string
		td   core.Teardown
		want string
	}{
		{"under way", core.Teardown{State: core.TeardownPending, At: ago(2), Reason: "enough"}, "🛑 Stop accepted 12:39, processes still ending …: “enough”"},
		{"over", core.Teardown{State: core.TeardownDone, At: ago(2)}, "🛑 Stop accepted 12:39 → all gone 12:39:19"},
		{"given up", core.Teardown{State: core.TeardownFailed, At: ago(2), Failure: "still there"}, "could not be ended and may still live: “still there”"},
	} {
		if text := inChat(at(0, by("Ana"), stopped(tc.td))).Text(); !strings.Contains(text, tc.want) {
			t.Errorf("%s: %q is not in\n%s", tc.name, tc.want, text)
		}
	}
}
