package planfile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/token"
)

// Bounds on YAML that goccy v1.19.2 reads in more than linear time. Measured here, on 64 KiB: empty
// lines inside a block text took 25 s, entries of one mapping 1.5 s.
const (
	maxBlankLines = 50     // one after the other
	maxTokens     = 20_000 // a plan of 100 checkpoints with 15 fields each has 8,002
)

// slow refuses runs of empty lines that the lexer would stay on.
func slow(data []byte) (place, string, bool) {
	run, line := 0, 0
	for l := range bytes.Lines(data) {
		line++
		if len(bytes.TrimSpace(l)) > 0 {
			run = 0
			continue
		}
		if run++; run > maxBlankLines {
			return place{line, 1}, fmt.Sprintf("more than %d empty lines in a row: leave some out", maxBlankLines), false
		}
	}
	return place{}, "", true
}

// tangled refuses token streams that the parser would go too deep or too long on, before it sees them.
func tangled(tokens token.Tokens) (place, string, bool) {
	if len(tokens) > maxTokens {
		return tokenPlace(tokens[maxTokens]), fmt.Sprintf("the text has more than %d words and signs: make it shorter", maxTokens), false
	}
	var n nesting
	for _, t := range tokens {
		if t.Type == token.DoubleQuoteType && strings.Contains(strings.TrimSpace(t.Origin), "\t") {
			return tokenPlace(t), `a tab stands in a text in double quotes: write it as \t`, false // goccy loses count behind it
		}
		if n.see(t); n.depth() > maxDepth {
			return tokenPlace(t), tooDeep, false
		}
	}
	return place{}, "", true
}

// nesting follows how deep a token stream lies, from brackets and from columns.
type nesting struct {
	flow   int
	marks  int // tags, anchors and question marks in a row, on each of which the parser recurses
	blocks []block
}

type block struct {
	column int
	dash   bool
}

func (n *nesting) depth() int { return n.flow + n.marks + len(n.blocks) }

func (n *nesting) see(t *token.Token) {
	switch t.Type {
	case token.AnchorType, token.TagType, token.MappingKeyType:
		n.marks++
		return
	case token.StringType: // an anchor's name
		if t.Prev != nil && t.Prev.Type == token.AnchorType {
			return
		}
	}
	n.marks = 0
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		n.flow++
	case token.SequenceEndType, token.MappingEndType:
		n.flow = max(n.flow-1, 0)
	case token.DocumentHeaderType, token.DocumentEndType:
		n.flow, n.blocks = 0, nil
	case token.SequenceEntryType:
		n.enter(block{t.Position.Column, true})
	case token.MappingValueType:
		if t.Prev != nil {
			n.enter(block{t.Prev.Position.Column, false})
		}
	}
}

// enter opens a block at a column, or goes on with the one that is open there.
func (n *nesting) enter(b block) {
	if n.flow > 0 {
		return
	}
	for i, top := range slices.Backward(n.blocks) {

		if top == b {
			n.blocks = n.blocks[:i+1]
			return
		}
		if top.column < b.column || top.column == b.column && b.dash {
			break
		}
		n.blocks = n.blocks[:i]
	}
	n.blocks = append(n.blocks, b)
}
