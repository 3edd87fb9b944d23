package main

import (
	"context"
	"errors"
	"fmt"

	"holdpoint/core"
	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// Exit statuses, from section 11 of the contract.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitRejected    = 3
	exitExpired     = 4
	exitStopped     = 5
	exitStepFailed  = 6
	exitStale       = 7
	exitUnreachable = 69
)

// status is an error that says with which exit status a command ends. What there is to say was said.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usageError is a command that was given what does not go together.
type usageError string

func (e usageError) Error() string { return string(e) }

// exitStatus tells an error, once, and maps it.
func exitStatus(s std, err error) int {
	if err == nil {
		return exitOK
	}
	if st, ok := errors.AsType[status](err); ok {
		return int(st)
	}
	s.say("holdpoint: %s", explain(err))
	return exitOf(err)
}

// exitOf gives the exit status of an error.
func exitOf(err error) int {
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	if errors.Is(err, api.ErrUnreachable) {
		return exitUnreachable
	}
	if refusal, ok := errors.AsType[*core.Error](err); ok {
		if n, known := exits[refusal.Code]; known {
			return n
		}
	}
	return exitError
}

// exits are the codes that have an exit status of their own; every other refusal is an error.
var exits = map[core.Code]int{
	core.CodeRejected: exitRejected, core.CodeExpired: exitExpired, core.CodeCancelled: exitStopped,
	core.CodeStale: exitStale, core.CodeAlreadyDecided: exitStale, core.CodeAlreadyClaimed: exitStale,
}

// endings give the exit status of watching a task to its end. Review is one: nothing more happens until
// a person says what the step came to.
var endings = map[core.TaskState]int{
	core.TaskCompleted: exitOK, core.TaskRejected: exitRejected, core.TaskCancelled: exitStopped,
	core.TaskFailed: exitStepFailed, core.TaskReview: exitError,
}

// explain makes an error's text safe, line by line, and says what helps.
func explain(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	if f, ok := errors.AsType[*fileError](err); ok { // a file's fault shows the offending line
		return f.shown()
	}
	text := summaries.Terminal(err.Error())
	if errors.Is(err, api.ErrUnreachable) {
		return text + "\nstart one with holdpoint serve, or name another with --server or HOLDPOINT_SERVER"
	}
	if refusal, ok := errors.AsType[*core.Error](err); ok {
		return text + advice(refusal)
	}
	return text
}

// advice adds what a refusal knows beside its sentence.
func advice(e *core.Error) string {
	switch e.Code {
	case core.CodeUnauthorized:
		return "\na token is taken from --token-file, else HOLDPOINT_TOKEN, else operator.token of the data directory"
	case core.CodeStale:
		if e.ReplacedBy != "" {
			return "\nin its place waits " + summaries.Visible(e.ReplacedBy)
		}
	case core.CodeAlreadyDecided, core.CodeAlreadyClaimed:
		if e.By != "" && !e.At.IsZero() {
			return fmt.Sprintf("\nby %s, %s", summaries.Visible(e.By), clock(e.At))
		}
	case core.CodeValidation:
		for _, f := range e.Fields {
			if f.Path == "confirm" {
				return "\nadd --confirm once you are sure"
			}
		}
	}
	return ""
}
