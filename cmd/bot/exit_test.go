package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"holdpoint/core"
	"holdpoint/inapp/api"
)

func TestExitStatusOfErrors(t *testing.T) {
	for _, tc := range []struct {
		name string
		err  error
		want int
	}{
		{"nothing went wrong", nil, 0},
		{"any error", errors.New("any"), 1},
		{"what does not go together", usageError("any"), 2},
		{"rejected", core.Refuse(core.CodeRejected, "", "any"), 3},
		{"expired", core.Refuse(core.CodeExpired, "", "any"), 4},
		{"cancelled", core.Refuse(core.CodeCancelled, "", "any"), 5},
		{"a status of its own", status(6), 6},
		{"stale", core.Refuse(core.CodeStale, "", "any"), 7},
		{"already decided", core.Refuse(core.CodeAlreadyDecided, "", "any"), 7},
		{"already claimed", core.Refuse(core.CodeAlreadyClaimed, "", "any"), 7},
		{"unreachable", fmt.Errorf("%w at http://127.0.0.1:1", api.ErrUnreachable), 69},
		{"a refusal of the API", &api.Problem{Code: core.CodeStale, Detail: "any"}, 7},
		{"a refusal with more around it", fmt.Errorf("asking: %w", &api.Problem{Code: core.CodeAlreadyDecided}), 7},
		{"unauthorized", &api.Problem{Code: core.CodeUnauthorized}, 1},
		{"forbidden", &api.Problem{Code: core.CodeForbidden}, 1},
		{"not found", &api.Problem{Code: core.CodeNotFound}, 1},
		{"conflict", &api.Problem{Code: core.CodeConflict}, 1},
		{"validation", &api.Problem{Code: core.CodeValidation}, 1},
		{"unavailable", &api.Problem{Code: core.CodeUnavailable}, 1},
		{"disk full", &api.Problem{Code: core.CodeDiskFull}, 1},
		{"interrupted", context.Canceled, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := exitStatus(std{err: io.Discard}, tc.err); got != tc.want {
				t.Errorf("got %d, want %d", got, tc.want)
			}
		})
	}
}

func TestExitStatusOfEndings(t *testing.T) {
	want := map[core.TaskState]int{core.TaskCompleted: 0, core.TaskReview: 1, core.TaskRejected: 3, core.TaskCancelled: 5, core.TaskFailed: 6}
	for _, state := range core.TaskStates() {
		got, ends := endings[state]
		if code, ended := want[state]; ends != ended || got != code {
			t.Errorf("%s: got %d, %v, want %d, %v", state, got, ends, code, ended)
		}
	}
}

func TestWhatIsToldOfAnError(t *testing.T) {
	at := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	for _, tc := range []struct {
		name  string
		err   error
		words []string
	}{
		{"who was first, and when", &core.Error{Code: core.CodeAlreadyDecided, Msg: "too late", By: "ana", At: at}, []string{"too late", "by ana, 2026"}},
		{"what stands in its place", &core.Error{Code: core.CodeStale, Msg: "stale", ReplacedBy: "a_2"}, []string{"a_2"}},
		{"how high risk is confirmed", core.Invalid(core.FieldError{Path: "confirm", Message: "say it twice"}), []string{"--confirm"}},
		{"where a token comes from", &core.Error{Code: core.CodeUnauthorized, Msg: "who?"}, []string{"--token-file", "HOLDPOINT_TOKEN"}},
		{"how a daemon is started", api.ErrUnreachable, []string{"holdpoint serve", "--server"}},
		{"escape sequences, visibly", errors.New("red \x1b[31m"), []string{"⟨U+001B⟩[31m"}},
		{"escape sequences of a person's name", &core.Error{Code: core.CodeAlreadyDecided, By: "a\x1b", At: at}, []string{"a⟨U+001B⟩"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var told strings.Builder
			exitStatus(std{err: &told}, tc.err)
			for _, w := range tc.words {
				if !strings.Contains(told.String(), w) {
					t.Errorf("%q does not tell %q", told.String(), w)
				}
			}
			if strings.Contains(told.String(), "\x1b") {
				t.Errorf("%q would act on the terminal", told.String())
			}
		})
	}
}

func TestACaretStaysUnderItsColumn(t *testing.T) {
	for _, tc := range []struct {
		name, source string
		column       int
		want         string
	}{
		{"plain", "risk: extreme", 7, "  risk: extreme\n        ^"},
		{"indented deeply", "      risk: extreme", 13, "        risk: extreme\n              ^"},
		{"behind an escape sequence", "a\x1b: b", 5, "  a⟨U+001B⟩: b\n             ^"},
		{"at an escape sequence", "a: \x1b[2J", 4, "  a: ⟨U+001B⟩[2J\n     ^"},
		{"behind a wide character", "日: b", 4, "  日: b\n      ^"},
		{"behind the end", "ab", 3, "  ab\n    ^"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := &fileError{name: "f\x1b.yaml", err: core.Invalid(core.FieldError{Path: "p", Line: 7, Column: tc.column, Message: "no", Source: tc.source})}
			want := fmt.Sprintf("f⟨U+001B⟩.yaml:7:%d: p: no\n%s", tc.column, tc.want)
			if got := explain(err); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
