package planfile

import (
	"strconv"
	"strings"

	"holdpoint/core"
)

// Locate finds the value of a path (checkpoints[1].risk) in a YAML or JSON text: its line and column,
// both from 1, and the line as it was written. A path that the text does not have gives the place of
// its nearest parent; a list or a mapping stands where its key does. ok is false when the text could
// not be read at all.
func Locate(data []byte, path string) (line, column int, source string, ok bool) {
	doc, ok := readAny(data)
	if !ok {
		return 0, 0, "", false
	}
	at := doc.faults.text.inside(locate(doc.root, path))
	return at.line, at.column, doc.faults.text.source(at.line), true
}

// Place gives faults that know only their paths their line, column and source in the text. prefix is
// the path of the value in the text that the faults' paths begin from ("" for the whole text, "plan"
// for the plan of a request); it is put before each path. Faults with a line keep it.
func Place(data []byte, prefix string, faults []core.FieldError) []core.FieldError {
	out := make([]core.FieldError, len(faults))
	doc, ok := readAny(data)
	for i, f := range faults {
		f.Path = join(prefix, f.Path)
		if ok && f.Line == 0 {
			at := doc.faults.text.inside(locate(doc.root, f.Path))
			f.Line, f.Column, f.Source = at.line, at.column, doc.faults.text.source(at.line)
		}
		out[i] = f
	}
	return sorted(out)
}

// readAny reads a text of any of the sizes that Decode takes, whatever else is wrong with it.
func readAny(data []byte) (*document, bool) {
	doc, err := read(data, Options{MaxBytes: max(len(data), 1)})
	return doc, err == nil && doc.root != nil
}

func join(prefix, path string) string {
	if prefix == "" || path == "" || strings.HasPrefix(path, "[") {
		return prefix + path
	}
	return prefix + "." + path
}

// locate walks down as far as the path leads.
func locate(n *node, path string) place {
	at := n.at
	for path != "" {
		next, spot, rest, ok := step(n, path)
		if !ok {
			break
		}
		n, at, path = next, spot, rest
	}
	return at
}

// step goes one step along the path: the value there, where a fault about it is shown, and the rest.
func step(n *node, path string) (*node, place, string, bool) {
	if number, rest, ok := index(path); ok && n.kind == kindList {
		if number >= len(n.items) {
			return nil, place{}, "", false
		}
		item := n.items[number]
		return item, item.at, rest, true
	}
	best := -1
	path = strings.TrimPrefix(path, ".")
	for i, e := range n.entries { // a title may hold dots and brackets: the longest key that fits wins
		rest, ok := strings.CutPrefix(path, e.key)
		if ok && (rest == "" || rest[0] == '.' || rest[0] == '[') && (best < 0 || len(e.key) > len(n.entries[best].key)) {
			best = i
		}
	}
	if best < 0 {
		return nil, place{}, "", false
	}
	e := n.entries[best]
	at := e.at
	if e.value.kind == kindScalar {
		at = e.value.at
	}
	return e.value, at, path[len(e.key):], true
}

func index(path string) (int, string, bool) {
	inner, ok := strings.CutPrefix(path, "[")
	digits, rest, closed := strings.Cut(inner, "]")
	if !ok || !closed {
		return 0, "", false
	}
	i, err := strconv.Atoi(digits)
	return i, rest, err == nil && i >= 0
}
