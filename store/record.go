package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"holdpoint/core"
)

// Records are JSON and stand apart from the domain's types: the domain may be reshaped while a stored
// record stays readable for ever.
//
// The rule of compatibility: a field may be added, with a zero value that means what its absence meant;
// none is ever renamed, removed or given another meaning. A change that can't be made in this way raises
// recordVersion and comes with a migration. A record of a version that is not known is refused, never
// guessed at: it was written by a newer holdpoint. core.Plan and core.Subject are stored in their own
// JSON, which is bound by the same rule, since plan files and fingerprints stand on it.
//
// Times are whole milliseconds since 1970; a time that is not set is left out.
const recordVersion = 1

// encode writes a record as it is, without escapes for HTML: what a person approved reads the same here.
func encode(record any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(record); err != nil {
		panic(fmt.Sprintf("store: a %T that can't be written as JSON: %v", record, err)) // texts, numbers, lists and maps only
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// header is what every record begins with.
type header struct {
	V int `json:"v"`
}

var current = header{recordVersion}

func (h header) version() int { return h.V }

// decode reads a record of a version that is known.
func decode[R interface{ version() int }](stored []byte) (R, error) {
	var r R
	err := json.Unmarshal(stored, &r)
	v := r.version()
	if err != nil { // perhaps because a later version has another shape
		var h header
		_ = json.Unmarshal(stored, &h) // err says more
		v = h.V
	}
	switch {
	case v > recordVersion:
		return r, fmt.Errorf("%w: the record has version %d, known are those to %d", ErrNewerSchema, v, recordVersion)
	case err != nil:
		return r, fmt.Errorf("the record does not read: %w", err)
	case v < 1:
		return r, fmt.Errorf("the record has no version")
	}
	return r, nil
}

// decoder reads a record and gives the domain's value.
func decoder[R interface{ version() int }, T any](from func(R) T) func([]byte) (T, error) {
	return func(stored []byte) (T, error) {
		r, err := decode[R](stored)
		if err != nil {
			var none T
			return none, err
		}
		return from(r), nil
	}
}

// encoder writes the record of the domain's value.
func encoder[T any, R any](to func(T) R) func(T) []byte {
	return func(v T) []byte { return encode(to(v)) }
}

// unreadable is what a record that can't be read panics with: it carries ErrTampered out of the closure,
// and ErrNewerSchema where that is why.
func unreadable(b Bucket, key []byte, err error) tamper {
	return tamper{fmt.Errorf("%w: %w", tampered(b, key, "it can't be read"), err)}
}

// millis is a time in a record.
type millis int64

func toMillis(t time.Time) millis {
	if t.IsZero() {
		return 0
	}
	return millis(t.UnixMilli())
}

func (m millis) time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(m)).UTC()
}

// actorRecord is who did something.
type actorRecord struct {
	Kind    core.ActorKind `json:"kind"`
	Name    string         `json:"name,omitempty"`
	Roles   []string       `json:"roles,omitempty"`
	File    bool           `json:"file,omitempty"`
	Session string         `json:"session,omitempty"`
	Minted  bool           `json:"minted,omitempty"`
	Surface string         `json:"surface,omitempty"`
}

func toActor(a core.Actor) actorRecord  { return actorRecord(a) }
func (a actorRecord) actor() core.Actor { return core.Actor(a) }
