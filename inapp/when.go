package inapp

import (
	"fmt"
	"time"
)

// span words a length of time in its largest unit, cut down.
func (v *visit) span(d time.Duration) string {
	w := v.words
	switch {
	case d < time.Minute:
		return w.Moment
	case d < time.Hour:
		return fmt.Sprintf(w.Minutes, d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf(w.Hours, d/time.Hour)
	}
	return fmt.Sprintf(w.Days, d/(24*time.Hour))
}

// clock gives the time of day in the person's zone, with the day where it is another one.
func (v *visit) clock(t time.Time) string {
	t, now := t.In(v.zone), v.now.In(v.zone)
	if t.Year() == now.Year() && t.YearDay() == now.YearDay() {
		return t.Format("15:04")
	}
	return t.Format(v.words.DateForm)
}

// at gives "14:38, 3 min ago".
func (v *visit) at(t time.Time) string {
	if t.IsZero() {
		return v.words.Never
	}
	if ago := v.now.Sub(t); ago >= time.Minute {
		return v.clock(t) + ", " + v.words.Ago(v.span(ago))
	}
	return v.clock(t) + ", " + v.words.JustNow
}
