package summaries

// headWords are those of the headline and the title. %[1]s of the phases is the checkpoint's title in
// quotation marks.
type headWords struct {
	Waiting, Rollback, Paused, Expired, Superseded, Cancelled, Rejected string
	Queued, Held, Unused, Running, Succeeded, Failed, Review            string
	Completed, Used                                                     string
	RollbackOf                                                          string // %[1]s is the title

	Position       string // %[1]d of %[2]d
	Attempt, Round string
	Risk, RiskChip string // %[1]s is the risk
	Given          string // %[1]d of %[2]d approvals
	NeedsOne       string // %[1]s are names
	NeedsMore      string // %[1]d people, out of %[2]s
	Nobody         string
}

// factWords are the labels of a card, and what it says by itself behind them.
type factWords struct {
	Runs, Agent, Outside, ByHand                        string
	Title, Plan, Needs, Detail, Workdir, Shell          string
	Vars, Env, Forwards, Files, Timeout, Goal, DoneWhen string
	Evidence                                            string
	Forwarded                                           string // %[1]s are names of variables
	Undo, UndoRuns, NoNote                              string
	Changed, Nothing                                    string
	Last, Done, Next                                    string
	CheckSaid                                           string // %[1]s is the quotation
	NothingYet, LastStep, LastOfRound, TheLast          string
	Following                                           string // %[1]s is a title, %[2]s its risk
	Asked, Until, Told, Self, You                       string
	AnAgent                                             string // %[1]s is its name
	Behalf                                              string // %[1]s for %[2]s
	StillWaiting                                        string
	Unanswered, UnansweredCancel, UnansweredRenew       string
	UseWithin                                           string // %[1]s is a duration
	InAppOnly                                           string
	SelfAllowed                                         string
	YouApproved                                         string // %[1]s is when
	YouAsked, YouMayNot                                 string
	Missing                                             string // %[1]s is a number of bytes
	More                                                string
	MoreFacts                                           string // %[1]d facts
	MissingOf                                           string // %[1]s likewise, %[2]s a digest of the whole
}

// statusWords are the labels of what was decided, and what is said behind them.
type statusWords struct {
	Quorum                                                                                   string // %[1]d of %[2]d
	Approved, Rejected, Expired, Stale, Cancelled, Paused                                    string
	Queued, Running, Succeeded, Completed, Failed, Review                                    string
	Ended                                                                                    string
	Self                                                                                     string
	PausedText, HeldText                                                                     string
	UnusedText                                                                               string // %[1]s is a duration
	QueuedBehind                                                                             string // %[1]s is an execution
	QueuedFor, QueuedOutside, QueuedWorker                                                   string
	Since                                                                                    string // %[1]s is when
	ClaimedBy                                                                                string // %[1]s is who
	AllDone                                                                                  string // %[1]d checkpoints
	Stopping, StopEnding, StopGone, StopFailed                                               string // %[1]s is when
	ReviewText, DidNotRun                                                                    string // %[1]s is the title
	EndedText                                                                                string
	NobodyDecided, NobodyCancelled, NobodyRenewed, RetryForFresh, NothingRan, NothingDecided string
	NotUsed                                                                                  string // %[1]s is a duration
	NewRequest                                                                               string // %[1]s is its code or id
	ToUndo, NotRun                                                                           string
}

// warnWords must not be overlooked.
type warnWords struct {
	MayLive  string // %[1]s is an execution
	NoWaiter string // %[1]s is when it was seen last
	TooFew   string // %[1]d people where %[2]d are needed
	Flags    map[string]string
}

// buttonWords are what the buttons say.
type buttonWords struct{ Approve, Reject, Details, Later, AskAgain string }

// pageWords are the headings of a page, and what parts the thousands of a number.
type pageWords struct{ Status, Runs, Undo, Changed, Plan, Asked, Thousands string }
