package planfile

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// kind is what a node is made of.
type kind uint8

const (
	kindNull kind = iota
	kindScalar
	kindMap
	kindList
)

// place is a point in a text, both numbers from 1; columns count runes.
type place struct{ line, column int }

func (p place) before(q place) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

// node is one value of a text, the same for YAML and JSON.
type node struct {
	kind    kind
	text    string // a scalar as it was spelled, its quotes and escapes undone
	bare    bool   // a scalar without quotes: text, number, true or false
	at      place
	entries []entry // of a mapping, in the order of the text, each key once
	items   []*node // of a list
}

// entry is one field of a mapping. Its value is never nil.
type entry struct {
	key   string
	at    place
	value *node
}

// path leads from the root to a value. It is a chain, so that walking a large text costs no text for
// paths that nobody asks about.
type path struct {
	up    *path
	key   string
	index int // of an item; -1: the step is a key
}

func (p *path) field(key string) *path { return &path{up: p, key: key, index: -1} }
func (p *path) item(i int) *path       { return &path{up: p, index: i} }

// String writes the path as messages show it: checkpoints[1].risk. The root is "".
func (p *path) String() string {
	var steps []string
	for ; p != nil; p = p.up {
		switch {
		case p.index >= 0:
			steps = append(steps, "["+strconv.Itoa(p.index)+"]")
		case p.up == nil:
			steps = append(steps, clip(p.key, maxShown))
		default:
			steps = append(steps, "."+clip(p.key, maxShown))
		}
	}
	var b strings.Builder
	for _, step := range slices.Backward(steps) {
		b.WriteString(step)
	}
	return b.String()
}

// name says what a node is, for messages.
func (n *node) name() string {
	switch n.kind {
	case kindMap:
		return "a mapping"
	case kindList:
		return "a list"
	case kindNull:
		return "nothing"
	}
	if n.bare {
		return clip(n.text, maxShown)
	}
	return strconv.Quote(clip(n.text, maxShown))
}

// jsonBare is what a scalar without quotes may look like to be JSON as it stands.
var jsonBare = regexp.MustCompile(`^(true|false|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?)$`)

// appendJSON writes the node as JSON. With texts every scalar becomes a string, else numbers, true
// and false stay what they are.
func (n *node) appendJSON(b *bytes.Buffer, texts bool) {
	switch n.kind {
	case kindNull:
		b.WriteString("null")
	case kindScalar:
		if n.bare && !texts && jsonBare.MatchString(n.text) {
			b.WriteString(n.text)
			return
		}
		appendText(b, n.text)
	case kindList:
		open := byte('[')
		for _, item := range n.items {
			b.WriteByte(open)
			item.appendJSON(b, texts)
			open = ','
		}
		closeWith(b, open, "[]")
	case kindMap:
		open := byte('{')
		for _, e := range n.entries {
			b.WriteByte(open)
			appendText(b, e.key)
			b.WriteByte(':')
			e.value.appendJSON(b, texts)
			open = ','
		}
		closeWith(b, open, "{}")
	}
}

func closeWith(b *bytes.Buffer, open byte, pair string) {
	if open != ',' {
		b.WriteByte(pair[0])
	}
	b.WriteByte(pair[1])
}

func appendText(b *bytes.Buffer, s string) {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic("planfile: a string could not be written as JSON: " + err.Error()) // cannot happen
	}
	b.Truncate(b.Len() - 1) // the encoder's line end
}

func (n *node) json(texts bool) []byte {
	var b bytes.Buffer
	n.appendJSON(&b, texts)
	return b.Bytes()
}
