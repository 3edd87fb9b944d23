package summaries_test

import (
	"strings"
	"testing"

	"holdpoint/core"
	"holdpoint/summaries"
)

func TestGuidanceSaysWhereAnApprovalStandsAndWhatHelps(t *testing.T) {
	onExpiry := func(e core.OnExpiry) func(*summaries.Input) {
		return func(in *summaries.Input) { in.Task.Plan.OnExpiry = e }
	}
	replaced := func(in *summaries.Input) { in.Approval.ReplacedBy, in.Task.ApprovalID = "a_01J8ZS", "a_01J8ZS" }
	for _, tc := range []struct {
		name     string
		in       summaries.Input
		guidance string
		next     string // "" where the approval is no longer the task's
	}{
		{"waiting", at(3), "pending, 0 of 1 approvals: approve or reject within 4 h; unanswered, nothing runs", "approve or reject “switch over”"},
		{"expired, hold", at(3, expired), "expired: retry the task for a fresh request", "nobody decided “switch over” in time: retry the task for a fresh request"},
		{"expired, renew", at(3, expired, onExpiry(core.ExpiryRenew)), "expired: a fresh request is being made", "nothing for you to do: a fresh request for “switch over” is being made"},
		{"expired, cancel", at(3, expired, onExpiry(core.ExpiryCancel)),
			"expired: nobody decided, so the task is cancelled; start the plan again if it is still wanted", "nothing: the task is cancelled; undo what ran if need be"},
		{"expired, asked again", at(3, expired, replaced), "expired: decide a_01J8ZS", ""},
		{"superseded", at(3, superseded), "superseded: decide a_01J8ZS", ""},
		{"rejected", at(3, rejected), "rejected by Bo: change what was refused, then retry for a fresh request", "change what was refused, then retry “switch over” for a fresh request"},
		{"in review", at(3, by("Ana"), ends(core.CheckpointRunning, core.TaskReview, "lost")),
			"approved by Ana and used: nobody knows whether the step took effect; look, then resolve or retry",
			"find out whether “switch over” took effect, then resolve it as done or failed, or retry it"},
		{"failed", at(3, by("Ana"), ends(core.CheckpointFailed, core.TaskFailed, "exit status 3")),
			"approved by Ana and used: the step failed; retry asks for a fresh approval", "undo what ran if need be, then retry “switch over” for a fresh request"},
		{"paused", at(3, paused), "pending and paused: resume the task before deciding; its clock runs on", "resume the task, then approve or reject “switch over”"},
		{"damaged: waiting without an approval", at(3, func(in *summaries.Input) { in.Approval = core.Approval{} }),
			"no request was made yet", "nothing for you to do: a fresh request for “switch over” is being made"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := summaries.Guidance(tc.in.Task, tc.in.Approval, tc.in.Now, summaries.English); got != tc.guidance {
				t.Errorf("guidance %q, want %q", got, tc.guidance)
			}
			if got := summaries.NextAction(tc.in.Task, tc.in.Approval, tc.in.Now, summaries.English); tc.next != "" && got != tc.next {
				t.Errorf("next action %q, want %q", got, tc.next)
			}
		})
	}
}

// Whatever two states come together, and be it by damage, there is a sentence and it is whole.
func TestThereIsASentenceForEveryPairOfStates(t *testing.T) {
	approvals := []core.ApprovalState{"pending", "approved", "rejected", "expired", "superseded", "cancelled", "unheard of"}
	for _, task := range append(core.TaskStates(), "unheard of") {
		for _, approval := range approvals {
			for _, lang := range summaries.Langs() {
				for _, used := range []bool{false, true} {
					in := at(3, everything(forged))
					in.Task.State, in.Approval.State, in.Approval.Used = task, approval, used
					for _, s := range []string{
						summaries.NextAction(in.Task, in.Approval, in.Now, lang), summaries.Guidance(in.Task, in.Approval, in.Now, lang),
					} {
						if s == "" || strings.Contains(s, "%!") || strings.Contains(s, "%[") || strings.Contains(s, "\n") {
							t.Errorf("%s, %s: %q", task, approval, s)
						}
						checkShown(t, s)
					}
				}
			}
		}
	}
}

func TestLanguagesAreReadAsConfigurationsWriteThem(t *testing.T) {
	for text, want := range map[string]summaries.Lang{"": summaries.English, "en": summaries.English, "fr": summaries.French} {
		if got, err := summaries.ParseLang(text); got != want || err != nil {
			t.Errorf("ParseLang(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
	if got, err := summaries.ParseLang("de"); err == nil || got != summaries.English {
		t.Errorf("ParseLang(de) = %q, %v; want an error beside English", got, err)
	}
}

func TestStatesHaveWordsInBothLanguages(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{summaries.StateWord(summaries.English, core.TaskAwaiting), "awaiting approval"},
		{summaries.StateWord(summaries.French, core.ApprovalSuperseded), "obsolète"},
		{summaries.StateWord(summaries.French, core.CheckpointSucceeded), "réussi"},
		{summaries.StateWord(summaries.French, core.RollbackDone), "faite"},
		{summaries.StateWord(summaries.French, core.RiskHigh), "élevé"},
		{summaries.StateWord(summaries.English, core.TaskState("new\n")), "new⟨U+000A⟩"},
	} {
		if tc.got != tc.want {
			t.Errorf("%q, want %q", tc.got, tc.want)
		}
	}
}
