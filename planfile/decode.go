package planfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"holdpoint/core"
)

const (
	// maxDepth bounds how deep lists and mappings may lie in one another, for the parsers'
	// sake: plans, configuration and bodies are far flatter.
	maxDepth = 64

	// DefaultMaxBytes bounds a JSON body when Options name no size.
	DefaultMaxBytes = 1 << 20
)

// Options say how a text is read. The zero value reads YAML or JSON of up to core.MaxPlanBytes.
type Options struct {
	// JSON takes RFC 8259 JSON only, as request bodies are, and asks for the JSON type of each field:
	// a number is no text.
	JSON bool
	// MaxBytes bounds the text; 0 means core.MaxPlanBytes, for JSON DefaultMaxBytes. YAML is never
	// read beyond core.MaxPlanBytes: the parser under it gets slow on what is larger.
	MaxBytes int
}

func (o Options) limit() int {
	switch {
	case o.JSON && o.MaxBytes == 0:
		return DefaultMaxBytes
	case o.MaxBytes == 0:
		return core.MaxPlanBytes
	}
	return o.MaxBytes
}

// Decode reads one YAML or JSON document into the value that into points to, field by field by the
// names of the json tags (letter case matters). A field that is absent or null leaves what was there;
// lists, maps and pointers are replaced whole. Text fields keep the spelling of a YAML scalar.
//
// Errors are *core.Error: CodeTooLarge, or CodeValidation with every fault that was found, in the
// order of the text, each with path, line, column and the line itself. into is then as it was before.
// It panics when into is no pointer to a value.
func Decode(data []byte, into any, opts Options) error {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		panic("planfile: Decode needs a pointer to a value")
	}
	doc, err := read(data, opts)
	if err != nil {
		return err
	}
	fresh := reflect.New(v.Type().Elem()).Elem()
	fresh.Set(v.Elem())
	doc.bind(fresh, opts)
	if err := doc.faults.err(); err != nil {
		return err
	}
	v.Elem().Set(fresh)
	return nil
}

// document is a text that was read: its nodes, and what was wrong so far. A root of nil means that
// there was nothing to make nodes of; then there are faults.
type document struct {
	root   *node
	faults faults
}

// bind lays the document over a value and adds what does not fit to the faults.
func (d *document) bind(v reflect.Value, opts Options) {
	if d.root == nil {
		return
	}
	b := binder{strict: opts.JSON, faults: &d.faults}
	b.value(nil, d.root, v)
}

// read turns a text into nodes. The error is CodeTooLarge; all else is in the document's faults.
func read(data []byte, opts Options) (*document, error) {
	if limit := opts.limit(); len(data) > limit {
		return nil, core.Refuse(core.CodeTooLarge, "", "%d bytes are too many: %s at most", len(data), size(limit))
	}
	doc := &document{faults: faults{text: newText(data)}}
	if i := invalidUTF8(data); i >= 0 {
		doc.faults.add(nil, placeOf(data, i), "the text is not UTF-8: save it as UTF-8")
		return doc, nil
	}
	body, marked := bytes.CutPrefix(data, bom)
	switch {
	case opts.JSON && marked:
		doc.faults.add(nil, place{1, 1}, "a byte order mark stands before the value: send the JSON without it")
	case opts.JSON || json.Valid(body):
		doc.readJSON(body)
	case len(body) > core.MaxPlanBytes:
		return nil, core.Refuse(core.CodeTooLarge, "", "%d bytes of YAML are too many: %s at most", len(data), size(core.MaxPlanBytes))
	default:
		doc.readYAML(body)
	}
	return doc, nil
}

func size(n int) string {
	if n%1024 == 0 {
		return fmt.Sprintf("%d KiB", n/1024)
	}
	return fmt.Sprintf("%d bytes", n)
}
