package summaries

var englishHeads = headWords{
	Waiting: "Approve %[1]s?", Rollback: "Approve rollback of %[1]s?", RollbackOf: "rollback of %[1]s", Paused: "Paused: %[1]s", Expired: "Expired: %[1]s",
	Superseded: "Superseded: %[1]s", Cancelled: "Cancelled: %[1]s", Rejected: "Rejected: %[1]s", Queued: "Approved: %[1]s",
	Held: "Approved and paused: %[1]s", Unused: "Not used in time: %[1]s", Running: "Running: %[1]s", Succeeded: "Done: %[1]s",
	Failed: "Failed: %[1]s", Review: "Did %[1]s take effect?", Completed: "All done, last %[1]s", Used: "Used: %[1]s",

	Position: "%[1]d of %[2]d", Attempt: "attempt %[1]d", Round: "round %[1]d", Risk: "%[1]s", RiskChip: "%[1]s risk",
	Given: "%[1]d of %[2]d", NeedsOne: "needs %[1]s", NeedsMore: "needs %[1]d: %[2]s", Nobody: "nobody may approve",
}

var englishFacts = factWords{
	Runs: "Runs", Agent: "Agent", Outside: "Outside", ByHand: "done outside, by whoever claims it", Title: "Step", Plan: "Plan", Needs: "Needs",
	Detail: "Detail", Workdir: "In", Shell: "Shell", Vars: "Vars", Env: "Env", Forwards: "Passes", Files: "Files", Timeout: "Timeout",
	Goal: "Goal", DoneWhen: "Done when", Evidence: "Evidence", Forwarded: "%[1]s (values are not shown)",
	Undo: "Undo", UndoRuns: "Undo runs", NoNote: "no rollback note", Changed: "Changed", Nothing: "nothing",
	Last: "Last", Done: "Done", Next: "Next", CheckSaid: "check: %[1]s", NothingYet: "nothing yet",
	LastStep: "nothing, this is the last step", LastOfRound: "the check whether the goal is reached", TheLast: "the last step",
	Following: "%[1]s (%[2]s risk), behind an approval of its own",
	Asked:     "Asked", Until: "Until", Told: "Told", Self: "Self", You: "You", AnAgent: "agent %[1]s", Behalf: "%[1]s for %[2]s",
	StillWaiting: "still waiting", Unanswered: "unanswered, nothing runs", UnansweredCancel: "unanswered, the task is cancelled and nothing runs",
	UnansweredRenew: "unanswered, it is asked again and nothing runs", UseWithin: "once approved, it starts within %[1]s or is asked again",
	InAppOnly: "in the app only", SelfAllowed: "who asked may approve", YouApproved: "you approved (%[1]s); Reject takes it back",
	YouAsked: "you asked for this, so somebody else decides", YouMayNot: "you are not among those who may decide this",
	More: "More", MoreFacts: "%[1]d facts not shown", Missing: "%[1]s bytes not shown", MissingOf: "%[1]s bytes not shown, SHA-256 of the whole %[2]s",
}

var englishStatus = statusWords{
	Quorum: "%[1]d of %[2]d", Approved: "Approved", Rejected: "Rejected", Expired: "Expired", Stale: "Stale", Cancelled: "Cancelled",
	Paused: "Paused", Queued: "Queued", Running: "Running", Succeeded: "Succeeded", Completed: "Completed", Failed: "Failed", Review: "Review",
	Ended: "Ended", Self: "(own request)", PausedText: "nobody can decide until the task is resumed; the clock runs on",
	HeldText: "it starts once the task is resumed, if nothing changed", UnusedText: "not used within %[1]s, nothing ran; a fresh request takes its place",
	QueuedBehind: "waits until an earlier execution has ended: %[1]s", QueuedFor: "waits:", QueuedOutside: "waits for whoever claims it",
	QueuedWorker: "starts as soon as a worker is free", Since: "since %[1]s", ClaimedBy: "claimed by %[1]s",
	Stopping: "Stopping", StopEnding: "Stop accepted %[1]s, processes still ending …", StopGone: "Stop accepted %[1]s → all gone",
	StopFailed: "Stop accepted %[1]s; its processes could not be ended and may still live",
	AllDone:    "all %[1]d checkpoints are done", ReviewText: "nobody knows whether %[1]s took effect", DidNotRun: "%[1]s did not run",
	EndedText:     "it was used; its task went on since",
	NobodyDecided: "nobody decided, nothing ran", NobodyCancelled: "nobody decided, so the task was cancelled; nothing ran",
	NobodyRenewed: "nobody decided, nothing ran; it is asked again", RetryForFresh: "retry for a fresh request",
	NothingDecided: "nothing was decided", NothingRan: "nothing ran on this request", NotUsed: "not used within %[1]s", NewRequest: "new request: %[1]s",
	ToUndo: "To undo", NotRun: "(did not run)",
}

var englishWarn = warnWords{
	NoWaiter: "the job went away %[1]s. Approving starts nothing until it returns",
	MayLive:  "the process of an earlier execution may still live: %[1]s",
	TooFew:   "%[1]d of those who may approve are left, %[2]d more approvals are needed",
	Flags: map[string]string{
		string(FlagDirection): "hidden direction marks: the text could be read in another order than it runs",
		string(FlagMixed):     "letters of another script that look alike",
		string(FlagInvisible): "invisible characters",
		string(FlagControl):   "control characters",
		string(FlagInvalid):   "bytes that are no text",
		string(FlagOddSpace):  "odd spaces",
	},
}

var englishButtons = buttonWords{Approve: "Approve", Reject: "Reject…", Details: "Details", Later: "Later", AskAgain: "Ask again"}

var englishPage = pageWords{Status: "What was decided", Runs: "Runs", Undo: "To undo", Changed: "Changed since the last request", Plan: "Plan", Asked: "Asked", Thousands: ","}

var englishFields = map[string]string{
	"plan": "plan", "objective": "goal", "done_when": "done when", "title": "title", "detail": "detail", "risk": "risk", "run": "runs",
	"command": "command", "agent": "agent", "prompt": "prompt", "shell": "shell", "env": "env", "pass_env": "passes", "vars": "vars",
	"workdir": "in", "files": "files", "timeout": "timeout", "stop_grace": "grace at a stop", "rollback_notes": "undo", "rollback_run": "undo runs",
	"evidence": "evidence", "approvers": "approvers", "approvals_required": "approvals", "allow_self": "who asked may approve",
}

var englishCauses = map[string]string{
	"changed": "what would run is not what was approved", "approvers": "who approved may no longer do so", "unused": "not used in time",
	"restored": "the store was restored from a backup", "edited": "the plan was edited", "missing": "the request was lost",
}

var englishSurfaces = map[string]string{"slack": "Slack", "telegram": "Telegram", "inapp": "app", "api": "API"}
