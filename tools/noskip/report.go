package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// event is one line of `go test -json`; see `go doc test2json`.
type event struct {
	Action  string
	Package string
	Test    string // empty for what the package as a whole says
	Output  string
}

// id names a test, or with an empty test the package itself.
type id struct{ pkg, test string }

type report struct {
	out     io.Writer
	pending map[id][]string // output of what has not ended yet
	skipped []string
	ran     int
	failed  bool
}

func newReport(out io.Writer) *report {
	return &report{out: out, pending: map[id][]string{}}
}

func (r *report) add(e event) {
	at := id{e.Package, e.Test}
	switch e.Action {
	case "output":
		r.output(at, e.Output)
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "build-fail":
		r.failed = true
	case "pass", "skip", "fail":
		r.end(at, e.Action)
	}
}

// output keeps what a test says until it is known how it ended. A package's
// one line of summary is printed at once, as it says nothing new after it.
func (r *report) output(at id, text string) {
	if at.test == "" && isSummary(text) {
		if strings.HasPrefix(text, "FAIL") {
			r.flush(at.pkg)
		}
		fmt.Fprint(r.out, text)
		return
	}
	if !isProgress(text) {
		r.pending[at] = append(r.pending[at], text)
	}
}

func (r *report) end(at id, action string) {
	if at.test == "" {
		if action == "fail" {
			r.failed = true
			r.flush(at.pkg)
		}
		return
	}
	r.ran++
	switch action {
	case "fail":
		r.failed = true
		r.print(at)
	case "skip":
		r.skipped = append(r.skipped, at.pkg+" "+reason(r.pending[at]))
	}
	delete(r.pending, at)
}

// flush prints what a failed package's tests left unfinished: after a panic or
// a timeout no test is reported as failed, and the story is there.
func (r *report) flush(pkg string) {
	var open []id
	for at := range r.pending {
		if at.pkg == pkg {
			open = append(open, at)
		}
	}
	slices.SortFunc(open, func(a, b id) int { return strings.Compare(a.test, b.test) })
	for _, at := range open {
		r.print(at)
		delete(r.pending, at)
	}
}

func (r *report) print(at id) {
	for _, text := range r.pending[at] {
		if text != "PASS\n" && text != "FAIL\n" {
			fmt.Fprint(r.out, text)
		}
	}
}

// finish prints the skips and tells whether the run counts as passed.
func (r *report) finish(noSkip bool) bool {
	for _, skip := range r.skipped {
		fmt.Fprintln(r.out, "SKIPPED", skip)
	}
	switch {
	case r.failed:
		fmt.Fprintln(r.out, "FAILED: see above")
	case noSkip && r.ran == 0:
		fmt.Fprintln(r.out, "FAILED: no test ran")
	case noSkip && len(r.skipped) > 0:
		fmt.Fprintf(r.out, "FAILED: %d skipped, and with HOLDPOINT_NO_SKIP=1 a skip is a failure: install what it asks for\n", len(r.skipped))
	default:
		return true
	}
	return false
}

// isSummary recognises the line with which go test closes a package.
func isSummary(text string) bool {
	for _, head := range []string{"ok  \t", "FAIL\t", "?   \t", "\t"} {
		if strings.HasPrefix(text, head) {
			return true
		}
	}
	return false
}

// isProgress recognises what only -v prints.
func isProgress(text string) bool {
	for _, head := range []string{"=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME "} {
		if strings.HasPrefix(text, head) {
			return true
		}
	}
	return false
}

// reason is a skipped test's name with what it said, on one line.
func reason(output []string) string {
	var said, name string
	for _, text := range output {
		text = strings.TrimSpace(text)
		if after, found := strings.CutPrefix(text, "--- SKIP: "); found {
			name = after
			continue
		}
		said += " " + text
	}
	return name + ":" + said
}
