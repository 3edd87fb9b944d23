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

	NoNote: "No rollback note was written for this step.",

	Plan: "Plan",

	Round: func(s string) string { return "round " + s },

	By: "by", For: "for",

	Approve: "Approve", ApproveMore: "Approve…", ApproveConfirmed: "Yes, approve", Reject: "Reject", AskAgain: "Ask again",
	RejectMore: "Reject…", RejectReason: "Why? (optional)",
	RejectHint:   "Who asked will read it. The step does not run; what ran before stays as it is until somebody undoes it.",
	RejectTitle:  func(t string) string { return "Reject " + t + "?" },
	ConfirmTitle: func(t string) string { return "Really approve " + t + "?" },
	HighRisk:     "High risk", HighRiskWords: "Read once more what runs and how it is undone. This is the second of two steps.",

	FreshRequest: "Open the fresh request", NextRequest: "Next request: ", ToTask: "Open the task",

	NotDecidable: "The configuration does not let this risk be decided in the app.",

	AlreadyDecided: func(state, who, when string) string {
		return "This was decided before: " + state + " by " + who + ", " + when + "."
	},

	LookAgain:     "The task went on since this page was shown. Nothing was changed; look at it as it is now.",
	ReasonTooLong: "The reason is too long or not readable: 4096 bytes of UTF-8 at most.",

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
	Internal: "Something went wrong on our side. It is in the daemon's log.", SignedOut: "You are not signed in here, or your session is over. After signing in you come back to this page.",

	NextAction: "Next", RollbackNotes: "Rollback notes", Output: "Output", WholeOutput: "Whole output", Actions: "Actions", Facts: "Facts",
	Requests: "Requests", Journal: "Journal", DidRun: "ran", DidNotRun: "did not run", OpenRequest: "Open the request",
	Retry: "Retry", RetryHint: "Asks for a fresh approval. Nothing runs before it is given.",
	ResolveDone: "It was done", ResolveFailed: "It failed", Pause: "Pause", Resume: "Resume", Cancel: "Cancel the task",
	Stop: "Stop", WhyStop: "What works for this task is ended, a request that waits is withdrawn. Why? (optional)",
	Begin: "I begin now", BeginHint: "Takes the approval, once: from here on the work is yours.",
	WorkDone: "Done", WorkFailed: "Failed", WorkDetail: "What is there to say about it? (optional)",
	RollbackAsk: "Ask for rollback: ", RollbackHint: "Nothing is undone before its own approval is given.", RollbackBad: "The rollback failed",
	Stopping: "Stopped: its processes are still ending", StopGone: "Stopped: all its processes are gone", StopBad: "Stopped, and its processes could not be ended: they may still live",
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
	Program:   "the program ",
	StartedAt: "started", UpdatedAt: "last change", ParentTask: "part of", Objective: "goal", DoneWhen: "reached when",

	LogTitle: func(step string) string { return "Output of " + step },
	Parts:    "Parts", FromStart: "From the start", NextPart: "Next part", TheEnd: "The end", NoOutput: "Nothing was printed.",
	PartOf:       func(from, to, all string) string { return "Bytes " + from + " to " + to + " of " + all },
	NotDecided:   "Nothing was decided",
	OtherRequest: "The form was made for another request than the one that stands here. Read this one first.",
	Why:          "Why",
	DoneOf:       func(i, n int) string { return fmt.Sprintf("%d of %d done", i, n) },
	TaskID:       "task",
}
