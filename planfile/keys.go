package planfile

import "strings"

// What both front ends refuse in the same words.
const (
	tooDeep = "lists and mappings lie more than 64 deep in one another: write it flatter"
	nulText = "the text holds a NUL character, which no command can carry: leave it out"
)

// keys notices doubled keys of one mapping.
type keys struct {
	seen   map[string]place
	faults *faults
}

func newKeys(f *faults) keys { return keys{map[string]place{}, f} }

// first says that the last step of p is new in its mapping; a doubled one becomes a fault.
func (k keys) first(p *path, at place) bool {
	if old, twice := k.seen[p.key]; twice {
		k.faults.add(p, at, "the field %q stands already at line %d, column %d: keep one", clip(p.key, maxShown), old.line, old.column)
		return false
	}
	k.seen[p.key] = at
	return true
}

func checkNUL(f *faults, p *path, at place, s string) {
	if strings.IndexByte(s, 0) >= 0 {
		f.add(p, at, "%s", nulText)
	}
}
