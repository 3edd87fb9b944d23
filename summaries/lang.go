package summaries

import (
	"fmt"

	"holdpoint/core"
)

// Lang is a language that cards and sentences are written in. The zero value is English.
type Lang string

// The languages.
const (
	English Lang = "en"
	French  Lang = "fr"
)

// Langs lists the languages, the default first.
func Langs() []Lang { return []Lang{English, French} }

// ParseLang reads a language as configurations write it. An empty text is English; any other unknown
// one is an error that says what is allowed.
func ParseLang(s string) (Lang, error) {
	switch Lang(s) {
	case "", English:
		return English, nil
	case French:
		return French, nil
	}
	return English, fmt.Errorf("%q is no language that cards are written in: use en or fr", s)
}

// words gives the language's words; those of English for a value that [ParseLang] never made.
func (l Lang) words() *words {
	if l == French {
		return &french
	}
	return &english
}

// StateWord names the state of a task, an approval, a checkpoint, a rollback or a risk in the
// language. A state that is newer than the words is shown as it is stored.
func StateWord[S core.TaskState | core.ApprovalState | core.CheckpointState | core.RollbackState | core.Risk](l Lang, state S) string {
	var known map[string]string
	w := l.words()
	switch any(state).(type) {
	case core.TaskState:
		known = w.TaskStates
	case core.ApprovalState:
		known = w.ApprovalStates
	case core.CheckpointState:
		known = w.CheckpointStates
	case core.RollbackState:
		known = w.RollbackStates
	case core.Risk:
		known = w.Risks
	}
	if word, ok := known[string(state)]; ok {
		return word
	}
	return Visible(string(state))
}
