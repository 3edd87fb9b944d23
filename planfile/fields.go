package planfile

import (
	"reflect"
	"slices"
	"strings"
)

// fields fills a struct by the names of its json tags. A null field is an absent one.
func (b *binder) fields(p *path, n *node, v reflect.Value) {
	if n.kind != kindMap {
		b.wanted(p, n, "a mapping")
		return
	}
	known := fieldsOf(v.Type())
	for _, e := range n.entries {
		inner := p.field(e.key)
		index, ok := known[e.key]
		switch {
		case !ok && b.faults.full():
			b.faults.more++
		case !ok:
			b.faults.add(inner, e.at, "%s", unknown(e.key, known))
		case e.value.kind != kindNull:
			b.value(inner, e.value, v.FieldByIndex(index))
		case v.FieldByIndex(index).Type() == rawMessage:
			v.FieldByIndex(index).SetBytes([]byte("null"))
		}
	}
}

// fieldsOf lists the fields of a struct type under their json names, those of embedded structs too.
func fieldsOf(t reflect.Type) map[string][]int {
	out := map[string][]int{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || f.Anonymous && name == "" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		out[name] = f.Index
	}
	return out
}

// unknown says that there is no such field, and which one may have been meant.
func unknown(key string, known map[string][]int) string {
	var near, all []string
	for name := range known {
		all = append(all, name)
		if strings.EqualFold(name, key) || len(key) <= maxShown && distance(key, name) <= 1+len(name)/4 {
			near = append(near, name)
		}
	}
	slices.SortFunc(near, func(a, b string) int {
		return 2*(distance(key, a)-distance(key, b)) + strings.Compare(a, b)
	})
	slices.Sort(all)
	said := "the field " + clip(key, maxShown) + " is unknown here: "
	switch {
	case len(near) > 0:
		return said + "did you mean " + strings.Join(near[:min(len(near), 3)], " or ") + "?"
	case len(all) == 0:
		return said + "nothing is known here"
	}
	return said + "known are " + strings.Join(all, ", ")
}

// distance counts the letters to insert, delete, replace or swap with their neighbour between a and b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := [3][]int{make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(x); i++ {
		older, old, row := rows[(i+2)%3], rows[i%3], rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return rows[(len(x)+1)%3][len(y)]
}
