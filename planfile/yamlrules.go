package planfile

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// refusal says why a kind of YAML node is not taken.
func refusal(n ast.Node) string {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode:
		return "anchors (&) and aliases (*) are not taken: write the value out, or put a text that begins so in quotes"
	case *ast.TagNode:
		return "tags (!) are not taken: write the value plainly, or put a text that begins so in quotes"
	case *ast.MergeKeyNode:
		return "merge keys (<<) are not taken: write the fields out"
	case *ast.DirectiveNode:
		return "directives (%) are not taken: leave the line out"
	}
	return "this kind of YAML is not taken: write a text, a list or a mapping"
}

func (r *yamlReader) check(p *path, at place, s string) {
	checkNUL(r.faults, p, at, s)
	if !utf8.ValidString(s) {
		r.faults.add(p, at, "an escape in this text gives no UTF-8: write the character itself")
	}
}

// block reads a block text from its lines and refuses it when goccy sees other words in it: then the
// two do not agree where it ends, which only a text that is indented oddly brings about.
func (r *yamlReader) block(p *path, n *ast.LiteralNode, at place, indent int) string {
	lines := r.faults.text.lines[min(at.line, len(r.faults.text.lines)):]
	if k := len(lines); k > 0 && lines[k-1] == "" {
		lines = lines[:k-1] // behind the last line end there is no line
	}
	header := n.Start.Value
	text := blockText(header, lines, indent)
	if crooked(header, lines, blockIndent(header, lines, indent)) {
		r.faults.add(p, at, "an empty line at the beginning of this block text has more blanks than its first line: take them out")
	}
	if !slices.Equal(strings.Fields(text), strings.Fields(n.Value.Value)) {
		r.faults.add(p, at, "it is not certain where this block text ends: indent all its lines alike")
	}
	return text
}

func (r *yamlReader) enter(flow bool, step int) {
	if flow {
		r.flow += step
	}
}

// checkIndent refuses a value on a later line that stands no further in than its key or dash. goccy
// takes it for the value, so that a field behind an empty item would change its owner.
func (r *yamlReader) checkIndent(p *path, value *node, head place) {
	beside := value.kind == kindList && value.at.column == head.column
	if r.flow == 0 && value.kind != kindNull && value.at.line > head.line && value.at.column <= head.column && !beside {
		r.faults.add(p, value.at, "this stands no further in than line %d, which is empty behind its key or dash: indent it, or complete that line", head.line)
	}
}

// checkTabs refuses tabs in a text without quotes: goccy drops them, and a command line that was
// changed on the way must not run.
func (r *yamlReader) checkTabs(p *path, at place, t *token.Token) {
	if t.Type == token.StringType && strings.Contains(strings.TrimSpace(t.Origin), "\t") {
		r.faults.add(p, at, `a tab stands in a text without quotes: write \t in double quotes, or a block text (|)`)
	}
}
