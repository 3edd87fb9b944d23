package core

import (
	"fmt"
	"strings"
	"time"
)

// Code names a kind of refusal. The set is closed and part of the contract: every surface has one
// function from a code to its own answer.
type Code string

// The codes, each with the HTTP status that the API gives it.
const (
	CodeUnauthorized   Code = "unauthorized"    // 401: no valid token or session
	CodeForbidden      Code = "forbidden"       // 403: known, but may not
	CodeNotFound       Code = "not_found"       // 404: no such record
	CodeStale          Code = "stale_approval"  // 409: the approval can't be decided any more; ReplacedBy may name a fresh one
	CodeAlreadyDecided Code = "already_decided" // 409: somebody was first; By and At say who and when
	CodeAlreadyClaimed Code = "already_claimed" // 409: the one use of the approval is taken
	CodeConflict       Code = "conflict"        // 409: not possible in this state, nothing changed
	CodeRejected       Code = "rejected"        // 410: waiting verbs only
	CodeExpired        Code = "expired"         // 410: waiting verbs only
	CodeCancelled      Code = "cancelled"       // 410: waiting verbs only
	CodeTooLarge       Code = "too_large"       // 413
	CodeValidation     Code = "validation"      // 422: Fields say where and what is allowed
	CodeRateLimited    Code = "rate_limited"    // 429
	CodeUnavailable    Code = "unavailable"     // 503: try again
	CodeDiskFull       Code = "disk_full"       // 507: no room for new work; decisions and stops still pass
	CodeInternal       Code = "internal"        // 500: a fault of ours; its text never reaches a person
)

// Error is the one refusal type of the domain. It is told apart by Code; Msg is a sentence for
// people in lower case that says what to do.
type Error struct {
	Code       Code
	Subject    string // the id that the refusal is about
	Msg        string
	Cause      string // a short word from a closed set, for metrics and the audit: expired, superseded, paused …
	ReplacedBy string // stale: the pending approval that took its place, "" if there is none
	By         string // already decided: the person
	At         time.Time
	Fields     []FieldError // validation
	Err        error        // what lies under it, never shown to people
}

// FieldError is one fault of an input: the field's path (checkpoints[1].risk), its place in the text
// where there is one (both from 1; 0 = unknown), and what is allowed.
type FieldError struct {
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
	Source  string `json:"source,omitempty"` // the offending line as it was written
}

// Error tells the message, or the faults of a validation one after the other.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Msg)
	for i, f := range e.Fields {
		if i > 0 || e.Msg != "" {
			b.WriteString("; ")
		}
		b.WriteString(f.String())
	}
	if b.Len() == 0 {
		b.WriteString(string(e.Code))
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

// Unwrap gives what lies under the refusal.
func (e *Error) Unwrap() error { return e.Err }

// String tells path, place and message in one line; a fault of the whole has no path.
func (f FieldError) String() string {
	if f.Path == "" {
		return f.Message
	}
	if f.Line > 0 {
		return fmt.Sprintf("%s (line %d, column %d): %s", f.Path, f.Line, f.Column, f.Message)
	}
	return f.Path + ": " + f.Message
}

// Refuse makes an error of a code about a subject.
func Refuse(code Code, subject, format string, args ...any) *Error {
	return &Error{Code: code, Subject: subject, Msg: fmt.Sprintf(format, args...)}
}

// Invalid makes a validation error out of faults.
func Invalid(faults ...FieldError) *Error {
	return &Error{Code: CodeValidation, Msg: "the input was refused", Fields: faults}
}

func conflict(subject, format string, args ...any) *Error {
	return Refuse(CodeConflict, subject, format, args...)
}
