package planfile

import (
	"bytes"
	"errors"

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
	d.root = (&yamlReader{faults: &d.faults}).value(nil, body, place{1, 1}, -1)
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
