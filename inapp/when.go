package inapp

import (
	"time"

	"holdpoint/summaries"
)

// options are how cards and times are told to the person.
func (v *visit) options() summaries.Options {
	return summaries.Options{Lang: v.words.Summary, Zone: v.zone}
}

// at gives "14:38, 3 min ago".
func (v *visit) at(t time.Time) string { return summaries.When(t, v.now, v.options()) }

// clock gives "14:38", with the day where it is another one.
func (v *visit) clock(t time.Time) string { return summaries.Clock(t, v.now, v.options()) }
