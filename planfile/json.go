package planfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxNumber bounds the digits of a JSON number. The widest field, of 64 bits, needs 20.
const maxNumber = 128

// readJSON makes the nodes of a JSON text. The standard library's token stream checks the grammar but
// neither doubled keys nor depth, and keeps no places: that is done here.
func (d *document) readJSON(data []byte) {
	if err := checkJSON(data); err != nil {
		at, msg := jsonFault(data, err)
		d.faults.add(nil, at, "%s", msg)
		return
	}
	r := jsonReader{data: data, dec: json.NewDecoder(bytes.NewReader(data)), faults: &d.faults, at: place{1, 1}}
	r.dec.UseNumber()
	root := r.value(nil, 0)
	if !r.stopped {
		d.root = root
	}
}

// checkJSON asks the standard library whether the text is one JSON value and nothing else.
func checkJSON(data []byte) error {
	var raw json.RawMessage
	return json.Unmarshal(data, &raw)
}

func jsonFault(data []byte, err error) (place, string) {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return place{1, 1}, "this is no JSON: " + err.Error()
	}
	at := placeOf(data, int(syntax.Offset)-1)
	msg := syntax.Error()
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return place{1, 1}, "the text is empty: one JSON value is wanted"
	case strings.Contains(msg, "unexpected end"):
		return placeOf(data, len(data)), "the JSON ends too early: a bracket or a quote is not closed"
	case strings.Contains(msg, "max depth"):
		return at, tooDeep
	case strings.Contains(msg, "after top-level value"):
		return at, "text stands behind the value: one JSON value and nothing else is wanted"
	}
	return at, "this is no JSON: " + msg
}

// jsonReader walks the tokens of a text that is known to be one JSON value.
type jsonReader struct {
	data    []byte
	dec     *json.Decoder
	faults  *faults
	at      place // of data[seen]
	seen    int
	stopped bool
}

// token gives the next token, its place and how it was written.
func (r *jsonReader) token() (json.Token, place, []byte) {
	tok, err := r.dec.Token()
	if err != nil {
		panic("planfile: the token stream refuses valid JSON: " + err.Error()) // cannot happen: checkJSON took it
	}
	end := int(r.dec.InputOffset())
	start := r.seen
	for start < end && strings.IndexByte(" \t\r\n,:", r.data[start]) >= 0 {
		start++
	}
	r.advance(start)
	at := r.at
	r.advance(end)
	return tok, at, r.data[start:end]
}

func (r *jsonReader) advance(to int) {
	for r.seen < to {
		if c := r.data[r.seen]; c == '\n' {
			r.at = place{r.at.line + 1, 1}
		} else if utf8.RuneStart(c) {
			r.at.column++
		}
		r.seen++
	}
}

func (r *jsonReader) value(p *path, depth int) *node {
	tok, at, raw := r.token()
	n := &node{kind: kindScalar, at: at}
	switch t := tok.(type) {
	case json.Delim:
		if depth == maxDepth {
			r.faults.add(p, at, "%s", tooDeep)
			r.stopped = true
			return n
		}
		if t == '{' {
			r.object(p, depth, n)
		} else {
			r.list(p, depth, n)
		}
	case string:
		n.text = t
		r.checkText(p, at, t, raw)
	case json.Number:
		n.text, n.bare = t.String(), true
		r.checkNumber(p, at, n.text)
	case bool:
		n.text, n.bare = strconv.FormatBool(t), true
	case nil:
		n.kind = kindNull
	}
	return n
}

func (r *jsonReader) object(p *path, depth int, n *node) {
	n.kind = kindMap
	keys := newKeys(r.faults)
	for r.dec.More() && !r.stopped {
		tok, at, raw := r.token()
		key := tok.(string)
		inner := p.field(key)
		r.checkText(inner, at, key, raw)
		value := r.value(inner, depth+1)
		if keys.first(inner, at) {
			n.entries = append(n.entries, entry{key, at, value})
		}
	}
	r.close()
}

func (r *jsonReader) list(p *path, depth int, n *node) {
	n.kind = kindList
	for i := 0; r.dec.More() && !r.stopped; i++ {
		n.items = append(n.items, r.value(p.item(i), depth+1))
	}
	r.close()
}

func (r *jsonReader) close() {
	if !r.stopped {
		r.token()
	}
}

// checkText refuses what the library would quietly replace or what no command and no record can carry.
func (r *jsonReader) checkText(p *path, at place, s string, raw []byte) {
	const lost = "\ufffd"
	written := bytes.Count(raw, []byte(lost)) + bytes.Count(bytes.ToLower(raw), []byte(`\ufffd`))
	if strings.Count(s, lost) > written {
		r.faults.add(p, at, `half of a surrogate pair stands alone: write both halves, such as \ud83d\ude00`)
	}
	checkNUL(r.faults, p, at, s)
}

func (r *jsonReader) checkNumber(p *path, at place, s string) {
	if len(s) > maxNumber {
		r.faults.add(p, at, "a number of %d characters: %d at most", len(s), maxNumber)
		return
	}
	if f, err := strconv.ParseFloat(s, 64); err != nil || math.IsInf(f, 0) {
		r.faults.add(p, at, "%s is too large for a number", s)
	}
}
