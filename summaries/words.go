package summaries

// words is every word that this package says by itself, in one language. A sentence stands here once,
// under a name: code that asks for a name which is not there doesn't compile, and a test holds that
// every language fills every name, with the same verbs. Foreign text goes into a sentence only after
// it was made visible.
//
// Spaces are plain spaces in every language: an odd one would be taken for somebody hiding something.
type words struct {
	TaskStates       map[string]string
	ApprovalStates   map[string]string
	CheckpointStates map[string]string
	RollbackStates   map[string]string
	Risks            map[string]string

	Next    nextWords
	Guide   guideWords
	Span    spanWords
	Days    dayWords
	Joined  joinWords
	Heads   headWords
	Facts   factWords
	Status  statusWords
	Warn    warnWords
	Buttons buttonWords
	Page    pageWords

	Fields   map[string]string // by core's name of a field of what is asked
	Causes   map[string]string // by core's cause of an approval's end
	Surfaces map[string]string
}

// nextWords say what happens next to a task. %[1]s is the checkpoint's title in quotation marks.
type nextWords struct {
	Decide, DecideMore string // %[2]d of %[3]d approvals are there
	AskAgain           string
	Reissued           string
	RunQueued          string
	ClaimQueued        string
	AgentQueued        string
	Wait               string
	Report             string
	WaitCheck          string
	ResumeGate         string
	ResumeQueued       string
	Review             string
	ReviewCheck        string
	Completed          string
	Failed, RoundsUsed string
	Rejected           string
	Cancelled          string
	AwaitRollback      string
	WaitRollback       string
}

// guideWords say where an approval stands and what helps. Where a person decided, %[1]s is who; where
// another approval took its place, %[1]s is that one's id.
type guideWords struct {
	None               string
	Pending            string // %[1]d of %[2]d approvals
	PendingUntil       string // %[3]s is what is left
	PendingPaused      string
	Approved           string
	ApprovedPaused     string
	Unused             string
	Using              string
	UsedDone           string
	UsedFailed         string
	UsedReview         string
	Used               string
	Rejected           string
	RejectedOld        string
	Expired            string
	ExpiredRenewing    string
	ExpiredCancelled   string
	ExpiredReplaced    string
	SupersededReplaced string
	Superseded         string
	CancelledReplaced  string
	Cancelled          string
	SupersededAndDone  string
}

// spanWords are lengths of time and what stands before and after them.
type spanWords struct {
	Moment, Minutes, Hours, HoursMinutes, Days string
	Ago, Now, In                               string // %[1]s is a length
}

// joinWords join names and sentences.
type joinWords struct{ And, Or, More, Colon, Semicolon string }

// dayWords say on which day a moment is.
type dayWords struct {
	Yesterday, Tomorrow, Never, NoDeadline string
	Until                                  string // %[1]s is the clock, %[2]s how long until then
	Ended                                  string // %[1]s is the clock, %[2]s how long ago
	Weekdays                               [7]string
	Months                                 [12]string
}
