package inapp

import (
	"fmt"

	"holdpoint/core"
	"holdpoint/summaries"
)

var english = words{
	Lang: "en", Summary: summaries.English,

	Skip: "Skip to the content", Pages: "Pages", History: "History", SignOut: "Sign out", Refresh: "Refresh", Back: "Back",
	WaitingFor: func(n int) string { return fmt.Sprintf("%d waiting", n) },
	SignedInAs: func(name string) string { return "Signed in as " + name },

	SignInTitle: "Sign in", SignIn: "Sign in", SignInOnce: "This link works once. Opening it changes nothing; the button uses it.",
	BadLink:       "This sign-in link was used before, or its 10 minutes are over. Nobody was signed in.",
	SignInCommand: "holdpoint signin --person NAME",
	SignInHelp: []string{
		"People sign in with a link that works once, for 10 minutes. Whoever runs holdpoint makes one with this command, or an administrator sends you one:",
	},
	SignInAs: func(name string) string { return "This link signs you in as " + name + "." },

	QueueTitle: "What waits", WaitsForYou: "Waits for you", WaitsForOthers: "Waits for others", NeedsALook: "Needs a look",
	RecentTasks: "Recent tasks", AllTasks: "All tasks", NoTasks: "No tasks yet. Start one with: holdpoint task start PLAN",
	NothingWaits:  "Nothing waits. When a task reaches a hold point, it appears here.",
	NothingForYou: "Nothing waits for you.", MoreWaits: "Only the newest 200 requests are listed here.",
	HistoryTitle: "Tasks", Filter: "Show", AllStates: "all", Older: "Older tasks",

	ApproveTitle: func(t string) string { return "Approve " + t + "?" },
	StepTitle:    func(t string) string { return t },
	OfSteps:      func(i, n int) string { return fmt.Sprintf("%d of %d", i, n) },
	Risk:         map[core.Risk]string{core.RiskLow: "low risk", core.RiskMedium: "medium risk", core.RiskHigh: "high risk"},
	Needs: func(have, of int, who []string) string {
		return fmt.Sprintf("%d of %d · needs %s", have, of, orList(who, "or"))
	},
	NobodyCan: "nobody can approve this now", Never: "no deadline", LastCall: "the last step",
	Runs: "Runs", OutsideRuns: "Somebody outside does this", AgentRuns: "An agent does this: ", Detail: "What it does", Undo: "To undo",
	UndoRun: "Rollback that can be asked for", Goal: "Goal",
	NoNote: "No rollback note was written for this step.", NotRunHere: "Nothing runs here: whoever claims the request does the work and reports it.",
	ShellLine: "one line, run by ", ExactList: "an exact list of arguments, without a shell",
	Was: "was:", Now: "now:", ChangedSince: "Changed since the request before this one",
	Plan: "Plan", RunsWith: "Runs with", Changed: "What changed", Asked: "Asked", Warning: "Careful",
	Workdir: "in", Env: "environment", Vars: "variables", PassEnv: "passed on (values hidden)", Files: "files", Timeout: "at most", UsedWithin: "to be used within",
	Round:       func(s string) string { return "round " + s },
	Attempt:     func(s string) string { return "attempt " + s },
	Fingerprint: func(s string) string { return "fingerprint " + s },
	By:          "by", For: "for", When: "at", Told: "told", Approvers: "may decide", ID: "request",
	OnlyHere: "only here, in the app",
	Approve:  "Approve", ApproveMore: "Approve…", ApproveConfirmed: "Yes, approve", Reject: "Reject", AskAgain: "Ask again",
	RejectMore: "Reject…", RejectReason: "Why? (optional)",
	RejectHint:   "Who asked will read it. The step does not run; what ran before stays as it is until somebody undoes it.",
	RejectTitle:  func(t string) string { return "Reject " + t + "?" },
	ConfirmTitle: func(t string) string { return "Really approve " + t + "?" },
	HighRisk:     "High risk", HighRiskWords: "Read once more what runs and how it is undone. This is the second of two steps.",
	Surface: map[string]string{core.SurfaceInApp: "app", core.SurfaceAPI: "command line", "slack": "Slack", "telegram": "Telegram"},

	Recorded: "Recorded", NotRecorded: "Nothing was decided", Outcome: "Outcome",
	Approved:      func(who, on, when string) string { return who + " approved (" + on + "), " + when },
	Rejected:      func(who, on, when string) string { return who + " rejected (" + on + "), " + when },
	ApprovedYou:   func(on, when string) string { return "You approved (" + on + "), " + when },
	RejectedYou:   func(on, when string) string { return "You rejected (" + on + "), " + when },
	Self:          "who approved had asked for it",
	Because:       func(reason string) string { return "Reason: " + reason },
	StepDidNotRun: "The step did not run. Rollback notes for what ran before are on the task's page.",
	FreshRequest:  "Open the fresh request", NextRequest: "Next request: ", ToTask: "Open the task", ToQueue: "Open the queue",
	StillWaits:   "The request waits on.",
	YouAsked:     "You asked for this work, so somebody else has to decide it.",
	NotAmong:     "You are not among those who may decide this.",
	NotDecidable: "The configuration does not let this risk be decided in the app.",
	StaleExpired: "This request ran out before it was decided.", StaleChanged: "This request changed after it was shown.",
	StaleGone: "This request was withdrawn.",
	AlreadyDecided: func(state, who, when string) string {
		return "This was decided before: " + state + " by " + who + ", " + when + "."
	},
	PausedNow: "The task is paused. Resume it first; the request waits on.", NotPossible: "That is not possible in the task's present state. Nothing was changed.",
	LookAgain:     "The task went on since this page was shown. Nothing was changed; look at it as it is now.",
	ReasonTooLong: "The reason is too long or not readable: 4096 bytes of UTF-8 at most.", BadForm: "The form could not be read. Open the page again.",
	PausedTitle: "Paused", ReviewTitle: "In review",
	Refusals: map[core.Code]string{
		core.CodeForbidden:   "You may not do this. Nothing was changed.",
		core.CodeNotFound:    "There is nothing under this address, or you may not see it.",
		core.CodeConflict:    "That is not possible in the task's present state. Nothing was changed.",
		core.CodeTooLarge:    "The form is larger than 64 KiB.",
		core.CodeValidation:  "The form was not filled in as it has to be. Nothing was changed.",
		core.CodeRateLimited: "Too many sign-ins failed from here. Wait a few minutes, then use a fresh link.",
		core.CodeUnavailable: "This could not be confirmed. Look again in a moment: the page tells what is on disk.",
		core.CodeDiskFull:    "The disk of the data directory is full. Decisions still pass, new work does not.",
	},
	RefusalTitle: "Not done", NotFoundTitle: "Nothing here", NoSuchPage: "There is no such page.",
	WrongMethod: "This address does not take that kind of request.", SignedOutTitle: "Signed out",
	Internal: "Something went wrong on our side. It is in the daemon's log.", TryLate: "You are not signed in here, or your session is over. After signing in you come back to this page.",

	NextAction: "Next", RollbackNotes: "Rollback notes", Output: "Output", WholeOutput: "Whole output", Actions: "Actions", Facts: "Facts",
	Requests: "Requests", Journal: "Journal", DidRun: "ran", DidNotRun: "did not run", OpenRequest: "Open the request",
	Retry: "Retry", RetryHint: "Asks for a fresh approval. Nothing runs before it is given.",
	ResolveDone: "It was done", ResolveFailed: "It failed", Pause: "Pause", Resume: "Resume", Cancel: "Cancel the task",
	HowYouKnow: "How do you know?", WhyCancel: "Why? (optional)",
	OnlyTheEnd: func(shown, all string) string { return "The last " + shown + " of " + all + " bytes" },
	JournalGap: "Older entries are in the audit: holdpoint audit export",
	Events: map[string]string{
		core.EventTaskStarted: "started the task", core.EventTaskCompleted: "the task is completed", core.EventTaskFailed: "the task failed",
		core.EventTaskRejected: "rejected the task", core.EventTaskCancelled: "cancelled the task", core.EventTaskReview: "nobody knows whether the step took effect",
		core.EventTaskRetried: "asked for another attempt", core.EventTaskResolved: "resolved the step", core.EventTaskPaused: "paused the task",
		core.EventTaskResumed: "resumed the task", core.EventTaskRound: "another round begins", core.EventRollbackNoted: "rollback notes are in the journal",
		core.EventApprovalRequested: "a request was made", core.EventApprovalDecided: "decided", core.EventApprovalApproved: "the request is approved",
		core.EventApprovalRejected: "the request is rejected", core.EventApprovalExpired: "the request ran out",
		core.EventApprovalSuperseded: "the request was superseded", core.EventApprovalCancelled: "the request was withdrawn",
		core.EventApprovalClaimed: "used the approval", core.EventExecutionStarted: "the step started", core.EventExecutionEnded: "the step ended",
		core.EventRefused: "was refused", core.EventRestored: "the store was restored from a backup",
	},
	Daemon: "holdpoint", Program: "the program ",
	StartedAt: "started", UpdatedAt: "last change", ParentTask: "part of", Objective: "goal", DoneWhen: "reached when",
	EndedAfter: func(took string) string { return "took " + took },
	ExitStatus: func(code string) string { return "exit status " + code },

	LogTitle: func(step string) string { return "Output of " + step },
	Parts:    "Parts", FromStart: "From the start", NextPart: "Next part", TheEnd: "The end", NoOutput: "Nothing was printed.",
	PartOf:  func(from, to, all string) string { return "Bytes " + from + " to " + to + " of " + all },
	Ago:     func(span string) string { return span + " ago" },
	In:      func(span string) string { return "in " + span },
	Until:   func(clock, rest string) string { return "until " + clock + ", " + rest },
	Expired: func(clock, ago string) string { return "ran out " + clock + ", " + ago },
	JustNow: "just now", Moment: "less than a minute", Minutes: "%d min", Hours: "%d h", Days: "%d d", DateForm: "2 Jan 15:04",
	And: "and", Or: "or",
	Quoted: func(s string) string { return "“" + s + "”" },
}
