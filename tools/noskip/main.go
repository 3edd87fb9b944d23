package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	ok, err := filter(os.Stdin, os.Stdout, os.Getenv("HOLDPOINT_NO_SKIP") == "1")
	if err != nil {
		fmt.Fprintln(os.Stderr, "noskip:", err)
	}
	if !ok || err != nil {
		os.Exit(1)
	}
}

// filter copies the report from in to out and tells whether the run counts as
// passed.
func filter(in io.Reader, out io.Writer, noSkip bool) (bool, error) {
	r := newReport(out)
	for lines := bufio.NewReader(in); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			r.line(line)
		}
		if errors.Is(err, io.EOF) {
			return r.finish(noSkip), nil
		}
		if err != nil {
			return false, fmt.Errorf("read the report of go test: %w", err)
		}
	}
}

// line takes one line of the report. What is not JSON is go's own talk and is
// passed on.
func (r *report) line(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil || e.Action == "" {
		fmt.Fprintf(r.out, "%s", line)
		return
	}
	r.add(e)
}
