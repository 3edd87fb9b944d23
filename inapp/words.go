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
	DoneOf                                                                              func(i, n int) string

	// The approval page and its forms.
	Approve, ApproveMore, ApproveConfirmed, Reject, RejectMore, AskAgain string
	RejectReason, RejectHint, HighRisk, HighRiskWords                    string
	RejectTitle, ConfirmTitle                                            func(title string) string
	FreshRequest, NextRequest, ToTask                                    string

	// What was not done, and why.
	NotDecided, NotDecidable, OtherRequest, LookAgain, ReasonTooLong string
	AlreadyDecided                                                   func(state, who, when string) string
	Refusals                                                         map[core.Code]string
	RefusalTitle, NotFoundTitle, NoSuchPage, WrongMethod, Internal   string
	SignedOutTitle, SignedOut                                        string

	// The task page.
	NextAction, RollbackNotes, NoNote, DidRun, DidNotRun, OpenRequest      string
	Plan, Why, Output, WholeOutput, Actions, Facts, Requests, Journal      string
	Retry, RetryHint, ResolveDone, ResolveFailed, Pause, Resume, Cancel    string
	HowYouKnow, WhyCancel, JournalGap, Program                             string
	Stop, WhyStop, Begin, BeginHint, WorkDone, WorkFailed, WorkDetail      string
	RollbackAsk, RollbackHint, RollbackBad, Stopping, StopGone, StopBad    string
	By, For, StartedAt, UpdatedAt, TaskID, ParentTask, Objective, DoneWhen string
	Round                                                                  func(n string) string
	OnlyTheEnd                                                             func(shown, all string) string
	Events                                                                 map[string]string

	// The log page.
	LogTitle                                     func(step string) string
	PartOf                                       func(from, to, all string) string
	Parts, FromStart, NextPart, TheEnd, NoOutput string
}

// wordsOf gives the words of a language; English where it is none of ours.
func wordsOf(language string) *words {
	if language == french.Lang {
		return &french
	}
	return &english
}
