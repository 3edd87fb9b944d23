package planfile

import (
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// place gives where a value begins. goccy's own place is taken when the text there is the value's;
// for texts over several lines it is not, and then the first character behind the key counts.
func (r *yamlReader) place(n ast.Node, after place) place {
	if n == nil {
		return after
	}
	if at, ok := r.spot(firstToken(n)); ok {
		return at
	}
	if next, ok := r.faults.text.next(after); ok && n.Type() != ast.NullType {
		return next
	}
	return after
}

// maxShift bounds how far behind goccy's place a token is looked for, in bytes.
const maxShift = 100

// spot checks a token's place against the text. Behind a tab goccy counts columns too low, so the
// rest of the line is searched too.
func (r *yamlReader) spot(t *token.Token) (place, bool) {
	at := tokenPlace(t)
	head, _, _ := strings.Cut(strings.TrimLeft(t.Origin, " \t\n"), "\n")
	head = strings.TrimRight(head, " \t")
	rest, tabs := r.faults.text.rest(at)
	if head == "" {
		return at, false
	}
	if tabs && len(rest) > len(head)+maxShift {
		rest = rest[:len(head)+maxShift]
	}
	if !tabs && !strings.HasPrefix(rest, head) {
		return at, false
	}
	i := strings.Index(rest, head)
	if i < 0 {
		return at, false
	}
	at.column += utf8.RuneCountInString(rest[:i])
	return at, true
}

// firstToken gives the token that a node begins with; goccy's GetToken gives a mapping's colon.
func firstToken(n ast.Node) *token.Token {
	switch n := n.(type) {
	case *ast.LiteralNode:
		return n.Start
	case *ast.MappingNode:
		if n.IsFlowStyle || len(n.Values) == 0 {
			return n.Start
		}
		return n.Values[0].Key.GetToken()
	case *ast.MappingValueNode:
		return n.Key.GetToken()
	}
	return n.GetToken()
}
