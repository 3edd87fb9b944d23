package planfile

import (
	"encoding/json"
	"reflect"
	"strings"
)

// shape is what a type with its own UnmarshalJSON takes, found out by asking it.
type shape struct{ text, texts, list, table, tables bool }

func shapeOf(t reflect.Type) shape {
	takes := func(probe string) bool {
		return reflect.New(t).Interface().(json.Unmarshaler).UnmarshalJSON([]byte(probe)) == nil
	}
	return shape{
		text: takes(`""`), list: takes(`[]`), table: takes(`{}`),
		texts: !takes(`[{}]`), tables: !takes(`{"a":{}}`),
	}
}

// words says what the shape takes, for messages; "" when the probes taught nothing.
func (s shape) words() string {
	var list []string
	if s.text {
		list = append(list, "a text")
	}
	if s.list && s.texts {
		list = append(list, "a list of texts")
	} else if s.list {
		list = append(list, "a list")
	}
	if s.table {
		list = append(list, "a mapping")
	}
	return strings.Join(list, " or ")
}

// own fills a type that reads JSON itself. Its own errors know no places, so the parts that it
// takes only as texts are looked at one by one first.
func (b *binder) own(p *path, n *node, v reflect.Value, u json.Unmarshaler) {
	s := shapeOf(v.Type())
	fits := map[kind]bool{kindScalar: s.text, kindList: s.list, kindMap: s.table}[n.kind]
	if words := s.words(); words != "" && !fits {
		b.wanted(p, n, words)
		return
	}
	if !b.parts(p, n, s) {
		return
	}
	if err := u.UnmarshalJSON(n.json(!b.strict)); err != nil {
		b.faults.add(p, n.at, "%v", err)
	}
}

// parts looks at the texts inside a value; false: one of them is none.
func (b *binder) parts(p *path, n *node, s shape) bool {
	ok := true
	part := func(p *path, n *node, at place) {
		if !b.given(p, n, reflect.TypeFor[string](), at) {
			ok = false
		} else if _, is := b.text(p, n); !is {
			ok = false
		}
	}
	switch {
	case n.kind == kindScalar && s.text:
		part(p, n, n.at)
	case n.kind == kindList && s.texts:
		for i, item := range n.items {
			part(p.item(i), item, item.at)
		}
	case n.kind == kindMap && s.tables:
		for _, e := range n.entries {
			part(p.field(e.key), e.value, e.at)
		}
	}
	return ok
}
