package planfile

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// readYAML makes the nodes of a YAML text. goccy's parser gives tokens and their places; what it
// takes too willingly (a second document, doubled keys, anchors, tags, any depth) is refused here.
func (d *document) readYAML(data []byte) {
	if i := forbidden(data); i >= 0 {
		d.faults.add(nil, placeOf(data, i), "%s", forbiddenText(data[i]))
		return
	}
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) // goccy counts such lines twice
	if !bytes.HasSuffix(data, []byte("\n")) {
		data = append(bytes.Clone(data), '\n') // goccy cuts blanks off a block text that ends with the file
	}
	if at, msg, ok := slow(data); !ok {
		d.faults.add(nil, at, "%s", msg)
		return
	}
	file, at, err := parse(data)
	if err != nil {
		d.faults.add(nil, at, "%v", err)
		return
	}
	body, at, err := single(file)
	if err != nil {
		d.faults.add(nil, at, "%v", err)
		return
	}
	d.root = (&yamlReader{faults: &d.faults}).value(nil, body, place{1, 1})
}

func forbiddenText(c byte) string {
	switch c {
	case 0:
		return nulText
	case '\r':
		return `a carriage return stands alone: end lines with \n or \r\n`
	case bom[0]:
		return "a byte order mark stands inside the text: only the very beginning may have one"
	}
	return "the text holds a control character: write it as an escape in double quotes"
}

// parse runs goccy's lexer and parser. A panic in them is a text that they can't read.
func parse(data []byte) (file *ast.File, at place, err error) {
	defer func() {
		if r := recover(); r != nil {
			file, at, err = nil, place{1, 1}, errors.New("this is no YAML that can be read: write it simpler")
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if at, msg, ok := tangled(tokens); !ok {
		return nil, at, errors.New(msg)
	}
	file, err = parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err == nil {
		return file, place{}, nil
	}
	syntax, ok := errors.AsType[*yaml.SyntaxError](err)
	if !ok {
		return nil, place{1, 1}, errors.New("this is no YAML: check quotes, colons and indentation")
	}
	hint := ""
	if bytes.IndexByte(data, '\t') >= 0 {
		hint = `; the text holds tabs: indent with spaces, and write \t in double quotes`
	}
	return nil, tokenPlace(syntax.Token), errors.New("this is no YAML: " + syntax.Message + hint)
}

func tokenPlace(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{1, 1}
	}
	return place{t.Position.Line, t.Position.Column}
}

// single gives the body of the one document.
func single(file *ast.File) (ast.Node, place, error) {
	var body ast.Node
	for i, doc := range file.Docs {
		at := place{1, 1}
		if doc.Start != nil {
			at = tokenPlace(doc.Start)
		} else if doc.Body != nil {
			at = tokenPlace(firstToken(doc.Body))
		}
		if _, directive := doc.Body.(*ast.DirectiveNode); directive {
			return nil, at, errors.New("directives (%) are not taken: leave the line out")
		}
		if i > 0 {
			return nil, at, errors.New("a second document begins here: one file is one document")
		}
		body = doc.Body
	}
	if body == nil {
		return nil, place{1, 1}, errors.New("the text is empty: a mapping of fields is wanted")
	}
	return body, place{}, nil
}

// yamlReader turns goccy's tree into nodes.
type yamlReader struct{ faults *faults }

// value makes the node of a value. after is where it stands at the earliest: behind its key or dash.
func (r *yamlReader) value(p *path, n ast.Node, after place) *node {
	out := &node{kind: kindScalar, at: r.place(n, after)}
	switch n := n.(type) {
	case nil, *ast.NullNode:
		out.kind = kindNull
	case *ast.MappingNode:
		r.mapping(p, n.Values, out)
	case *ast.MappingValueNode:
		r.mapping(p, []*ast.MappingValueNode{n}, out)
	case *ast.SequenceNode:
		r.list(p, n, out)
	case *ast.LiteralNode:
		out.text = n.Value.Value
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

// checkTabs refuses tabs in a text without quotes: goccy drops them, and a command line that was
// changed on the way must not run.
func (r *yamlReader) checkTabs(p *path, at place, t *token.Token) {
	if t.Type == token.StringType && strings.Contains(strings.TrimSpace(t.Origin), "\t") {
		r.faults.add(p, at, `a tab stands in a text without quotes: write \t in double quotes, or a block text (|)`)
	}
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
		value := r.value(inner, v.Value, behind(v.Start, at))
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
		if !n.IsFlowStyle && i < len(n.Entries) {
			after = behind(n.Entries[i].Start, after)
		}
		out.items = append(out.items, r.value(p.item(i), v, after))
	}
}

// behind gives the place after a one-character token.
func behind(t *token.Token, otherwise place) place {
	if t == nil || t.Position == nil {
		return otherwise
	}
	return place{t.Position.Line, t.Position.Column + 1}
}

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
