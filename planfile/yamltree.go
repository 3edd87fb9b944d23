package planfile

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// yamlReader turns goccy's tree into nodes.
type yamlReader struct {
	faults *faults
	flow   int // brackets that are open around the value: inside, indentation means nothing
}

// value makes the node of a value. after is where it stands at the earliest, behind its key or dash;
// indent is how far that key or dash is indented.
func (r *yamlReader) value(p *path, n ast.Node, after place, indent int) *node {
	out := &node{kind: kindScalar, at: r.place(n, after)}
	switch n := n.(type) {
	case nil, *ast.NullNode:
		out.kind = kindNull
	case *ast.MappingNode:
		r.enter(n.IsFlowStyle, 1)
		r.mapping(p, n.Values, out)
		r.enter(n.IsFlowStyle, -1)
	case *ast.MappingValueNode:
		r.mapping(p, []*ast.MappingValueNode{n}, out)
	case *ast.SequenceNode:
		r.enter(n.IsFlowStyle, 1)
		r.list(p, n, out)
		r.enter(n.IsFlowStyle, -1)
	case *ast.LiteralNode:
		out.text = r.block(p, n, out.at, indent)
	case *ast.StringNode:
		out.text, out.bare = n.Value, n.Token.Type == token.StringType
		r.checkTabs(p, out.at, n.Token)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		out.text, out.bare = n.GetToken().Value, true
	default:
		r.faults.add(p, out.at, "%s", refusal(n))
		out.kind = kindNull
	}
	if out.kind == kindScalar {
		r.check(p, out.at, out.text)
	}
	return out
}

func (r *yamlReader) mapping(p *path, values []*ast.MappingValueNode, out *node) {
	out.kind = kindMap
	keys := newKeys(r.faults)
	for _, v := range values {
		key, at, ok := r.key(p, v.Key)
		if !ok {
			continue
		}
		inner := p.field(key)
		value := r.value(inner, v.Value, behind(v.Start, at), at.column-1)
		r.checkIndent(inner, value, at)
		if keys.first(inner, at) {
			out.entries = append(out.entries, entry{key, at, value})
		}
	}
}

// key gives the spelling of a key. Whatever is no plain or quoted word is a fault.
func (r *yamlReader) key(p *path, k ast.Node) (string, place, bool) {
	at, _ := r.spot(k.GetToken())
	if explicit, ok := k.(*ast.MappingKeyNode); ok {
		if explicit.Value == nil {
			r.faults.add(p, at, "a key is wanted behind the question mark")
			return "", at, false
		}
		k = explicit.Value
		at, _ = r.spot(k.GetToken())
	}
	var key string
	switch k := k.(type) {
	case *ast.StringNode:
		key = k.Value
		r.checkTabs(p.field(key), at, k.Token)
		if k.Token.Type == token.StringType && strings.HasPrefix(key, "- ") { // goccy's, behind an empty block text
			r.faults.add(p, at, `this item is not seen as one: write "" for the empty block text (| or >) before it`)
			return "", at, false
		}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode, *ast.NullNode:
		key = k.GetToken().Value
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		r.faults.add(p, at, "%s", refusal(k))
		return "", at, false
	default:
		r.faults.add(p, at, "a key is one word or one text in quotes")
		return "", at, false
	}
	r.check(p.field(key), at, key)
	return key, at, true
}

func (r *yamlReader) list(p *path, n *ast.SequenceNode, out *node) {
	out.kind = kindList
	for i, v := range n.Values {
		after := tokenPlace(n.Start)
		indent := after.column - 1 // all dashes of a list stand in one column
		if !n.IsFlowStyle && i < len(n.Entries) {
			after = behind(n.Entries[i].Start, after)
		}
		item := r.value(p.item(i), v, after, indent)
		r.checkIndent(p.item(i), item, place{after.line, indent + 1})
		out.items = append(out.items, item)
	}
}

// behind gives the place after a one-character token.
func behind(t *token.Token, otherwise place) place {
	if t == nil || t.Position == nil {
		return otherwise
	}
	return place{t.Position.Line, t.Position.Column + 1}
}
