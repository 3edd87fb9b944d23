package planfile

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
)

// binder lays nodes over Go values and tells what does not fit.
type binder struct {
	strict bool // the JSON type counts: a number is no text
	faults *faults
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// value lays a node over v. A null fits only what takes any JSON.
func (b *binder) value(p *path, n *node, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		fresh := reflect.New(v.Type().Elem())
		if !v.IsNil() {
			fresh.Elem().Set(v.Elem())
		}
		b.value(p, n, fresh.Elem())
		v.Set(fresh)
		return
	}
	if v.Type() == rawMessage {
		v.SetBytes(n.json(false))
		return
	}
	switch own := v.Addr().Interface().(type) {
	case json.Unmarshaler:
		b.own(p, n, v, own)
		return
	case encoding.TextUnmarshaler:
		if s, ok := b.text(p, n); ok {
			if err := own.UnmarshalText([]byte(s)); err != nil {
				b.faults.add(p, n.at, "%v", err)
			}
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		b.fields(p, n, v)
	case reflect.Map:
		b.table(p, n, v)
	case reflect.Slice:
		b.list(p, n, v)
	default:
		b.scalar(p, n, v)
	}
}

func (b *binder) scalar(p *path, n *node, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if s, ok := b.text(p, n); ok {
			v.SetString(s)
		}
	case reflect.Bool:
		if !n.bare || n.text != "true" && n.text != "false" {
			b.wanted(p, n, "true or false")
			return
		}
		v.SetBool(n.text == "true")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		b.integer(p, n, v)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		b.natural(p, n, v)
	case reflect.Float32, reflect.Float64:
		f, err := strconv.ParseFloat(n.text, v.Type().Bits())
		if !n.bare || !jsonBare.MatchString(n.text) || err != nil {
			b.wanted(p, n, "a number")
			return
		}
		v.SetFloat(f)
	case reflect.Interface:
		b.anything(p, n, v)
	default:
		panic(fmt.Sprintf("planfile: no text can fill a %s", v.Type()))
	}
}

// anything fills an any with strings, json.Number, bool, []any and map[string]any.
func (b *binder) anything(p *path, n *node, v reflect.Value) {
	dec := json.NewDecoder(bytes.NewReader(n.json(false)))
	dec.UseNumber()
	var got any
	if err := dec.Decode(&got); err != nil {
		b.faults.add(p, n.at, "%v", err)
		return
	}
	if got != nil {
		v.Set(reflect.ValueOf(got))
	}
}

// wholeNumber is how whole numbers are written: no other base, no fraction, no leading zero.
var wholeNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

func (b *binder) integer(p *path, n *node, v reflect.Value) {
	i, err := strconv.ParseInt(n.text, 10, v.Type().Bits())
	switch {
	case !n.bare || !wholeNumber.MatchString(n.text):
		b.wanted(p, n, "a whole number without quotes")
	case err != nil:
		b.wanted(p, n, fmt.Sprintf("a whole number of at most %d bits", v.Type().Bits()))
	default:
		v.SetInt(i)
	}
}

func (b *binder) natural(p *path, n *node, v reflect.Value) {
	i, err := strconv.ParseUint(n.text, 10, v.Type().Bits())
	if !n.bare || !wholeNumber.MatchString(n.text) || err != nil {
		b.wanted(p, n, fmt.Sprintf("a whole number from 0, of at most %d bits and without quotes,", v.Type().Bits()))
		return
	}
	v.SetUint(i)
}

// text gives the text of a node: any scalar in YAML, a string in a JSON body.
func (b *binder) text(p *path, n *node) (string, bool) {
	switch {
	case n.kind != kindScalar:
		b.wanted(p, n, "a text")
	case b.strict && n.bare:
		b.wanted(p, n, "a text in quotes")
	default:
		return n.text, true
	}
	return "", false
}

func (b *binder) wanted(p *path, n *node, what string) {
	b.faults.add(p, n.at, "%s is wanted here, not %s", what, n.name())
}

// table fills a map from text keys. Its values may not be null: nobody could say what that means.
func (b *binder) table(p *path, n *node, v reflect.Value) {
	if n.kind != kindMap {
		b.wanted(p, n, "a mapping")
		return
	}
	t := v.Type()
	out := reflect.MakeMapWithSize(t, len(n.entries))
	for _, e := range n.entries {
		inner := p.field(e.key)
		if value := reflect.New(t.Elem()).Elem(); b.given(inner, e.value, t.Elem(), e.at) {
			b.value(inner, e.value, value)
			out.SetMapIndex(reflect.ValueOf(e.key).Convert(t.Key()), value)
		}
	}
	v.Set(out)
}

func (b *binder) list(p *path, n *node, v reflect.Value) {
	if n.kind != kindList {
		b.wanted(p, n, "a list")
		return
	}
	out := reflect.MakeSlice(v.Type(), len(n.items), len(n.items))
	for i, item := range n.items {
		if inner := p.item(i); b.given(inner, item, v.Type().Elem(), item.at) {
			b.value(inner, item, out.Index(i))
		}
	}
	v.Set(out)
}

// given refuses a null in a list or a map, where it can't mean an absent field. What takes any JSON
// takes null too.
func (b *binder) given(p *path, n *node, t reflect.Type, at place) bool {
	if n.kind != kindNull || t == rawMessage || t.Kind() == reflect.Interface {
		return true
	}
	b.faults.add(p, at, `nothing stands here: write a value ("" for an empty text) or leave the line out`)
	return false
}
