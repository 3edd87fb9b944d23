package inapp

import (
	"holdpoint/core"
	"holdpoint/summaries"
)

// words is everything that pages say by themselves, in one language; what cards say is in summaries. A
// field that one language leaves out fails a test. Sentences with an inset are functions, so that each
// language orders them as it likes.
type words struct {
	Lang    string // for the lang attribute
	Summary summaries.Lang

	// The frame.
	Skip, Pages, History, SignOut, Refresh, Back string
	WaitingFor                                   func(n int) string
	SignedInAs                                   func(name string) string

	// Signing in.
	SignInTitle, SignIn, SignInOnce, BadLink, SignInCommand string
	SignInHelp                                              []string
	SignInAs                                                func(name string) string

	// Queue and history.
	QueueTitle, WaitsForYou, WaitsForOthers, NeedsALook, RecentTasks, AllTasks, NoTasks string
	NothingWaits, NothingForYou, MoreWaits                                              string
	HistoryTitle, Filter, AllStates, Older                                              string

	// The approval page.
	ApproveTitle                                              func(title string) string // a question
	StepTitle                                                 func(title string) string
	OfSteps                                                   func(i, n int) string
	Risk                                                      map[core.Risk]string
	Needs                                                     func(have, of int, who []string) string
	NobodyCan                                                 string
	Never, LastCall                                           string
	Runs, OutsideRuns, AgentRuns, Detail, Undo, UndoRun, Goal string
	NoNote, NotRunHere, ShellLine, ExactList                  string
	Was, Now                                                  string
	ChangedSince                                              string
	Plan, RunsWith, Changed, Asked, Warning                   string
	Workdir, Env, Vars, PassEnv, Files, Timeout, UsedWithin   string
	Round, Attempt, Fingerprint                               func(s string) string
	By, For, When, Told, Approvers, ID                        string
	OnlyHere                                                  string
	Approve, ApproveMore, ApproveConfirmed, Reject, AskAgain  string
	RejectMore, RejectReason, RejectHint                      string
	RejectTitle, ConfirmTitle                                 func(title string) string
	HighRisk, HighRiskWords                                   string
	Surface                                                   map[string]string

	// What was recorded, and what was not.
	Recorded, NotRecorded, Outcome                 string
	Approved, Rejected                             func(who, surface, when string) string
	ApprovedYou, RejectedYou                       func(surface, when string) string
	Self                                           string
	Because                                        func(reason string) string
	StepDidNotRun                                  string
	FreshRequest, NextRequest, ToTask, ToQueue     string
	StillWaits                                     string
	YouAsked, NotAmong, NotDecidable               string
	StaleExpired, StaleChanged, StaleGone          string
	AlreadyDecided                                 func(state, who, when string) string
	PausedNow, NotPossible, LookAgain              string
	ReasonTooLong, BadForm                         string
	PausedTitle, ReviewTitle                       string
	Refusals                                       map[core.Code]string
	RefusalTitle, NotFoundTitle, NoSuchPage        string
	WrongMethod, SignedOutTitle, Internal, TryLate string

	// The task page.
	NextAction, RollbackNotes, Output, WholeOutput, Actions, Facts, Requests, Journal string
	DidRun, DidNotRun, OpenRequest                                                    string
	Retry, RetryHint, ResolveDone, ResolveFailed, Pause, Resume, Cancel               string
	HowYouKnow, WhyCancel                                                             string
	OnlyTheEnd                                                                        func(shown, all string) string
	JournalGap                                                                        string
	Events                                                                            map[string]string
	Daemon, Program                                                                   string
	StartedAt, UpdatedAt, ParentTask, Objective, DoneWhen                             string
	EndedAfter                                                                        func(took string) string
	ExitStatus                                                                        func(code string) string

	// The log page.
	LogTitle                                        func(step string) string
	Parts, FromStart, NextPart, TheEnd, NoOutput    string
	PartOf                                          func(from, to, all string) string
	Ago, In                                         func(span string) string
	Until, Expired                                  func(clock, rest string) string
	JustNow, Moment, Minutes, Hours, Days, DateForm string
	And, Or                                         string
	Quoted                                          func(s string) string
}

// wordsOf gives the words of a language; English where it is none of ours.
func wordsOf(language string) *words {
	if language == french.Lang {
		return &french
	}
	return &english
}
