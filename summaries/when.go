package summaries

import (
	"fmt"
	"time"
)

// span words a length of time, cut down to what is surely there: 3 h 59 min is never told as four
// hours. What is below a minute, and what is negative, is a moment.
func (w *words) span(d time.Duration) string {
	hours, minutes := int(d/time.Hour), int(d%time.Hour/time.Minute)
	switch {
	case d < time.Minute:
		return w.Span.Moment
	case hours == 0:
		return fmt.Sprintf(w.Span.Minutes, minutes)
	case hours < 10 && minutes > 0:
		return fmt.Sprintf(w.Span.HoursMinutes, hours, minutes)
	case hours < 48:
		return fmt.Sprintf(w.Span.Hours, hours)
	}
	return fmt.Sprintf(w.Span.Days, hours/24)
}

// ago words how long ago a moment was: "3 min ago", "just now" below a minute. A moment that lies
// ahead, as clocks of two machines may have it, is just now.
func (w *words) ago(d time.Duration) string {
	if d < time.Minute {
		return w.Span.Now
	}
	return fmt.Sprintf(w.Span.Ago, w.span(d))
}

// clock writes a moment as a person reads it: "14:38" today, "tomorrow 14:40", "Wed 2 Dec 14:40"
// beyond, with the year where it is another. Days are those of the calendar of the zone, not spans of
// 24 hours. An hour that the zone has twice carries the zone's abbreviation.
func (b *builder) clock(t time.Time) string {
	at, now := t.In(b.zone), b.Now.In(b.zone)
	text := at.Format("15:04")
	if comesTwice(at) {
		text += at.Format(" MST")
	}
	switch days := civilDay(at) - civilDay(now); {
	case days == 0:
		return text
	case days == 1:
		return b.w.Days.Tomorrow + " " + text
	case days == -1:
		return b.w.Days.Yesterday + " " + text
	}
	day := fmt.Sprintf("%s %d %s", b.w.Days.Weekdays[at.Weekday()], at.Day(), b.w.Days.Months[at.Month()-1])
	if at.Year() != now.Year() {
		day += fmt.Sprintf(" %d", at.Year())
	}
	return day + " " + text
}

// civilDay numbers the days of the calendar, so that neighbours differ by one whatever their length.
func civilDay(t time.Time) int {
	return int(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / 86_400)
}

// comesTwice says that the zone's clocks show the same again before or after: they were put back.
func comesTwice(t time.Time) bool {
	_, here := t.Zone()
	for _, step := range []time.Duration{-2 * time.Hour, -time.Hour, -30 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour} {
		if _, there := t.Add(step).Zone(); there-here == -int(step/time.Second) {
			return true
		}
	}
	return false
}

// when is a moment that was: "14:38, 3 min ago". The zero time never was, and gives "never".
func (b *builder) when(t time.Time) string {
	if t.IsZero() {
		return b.w.Days.Never
	}
	return b.clock(t) + ", " + b.w.ago(b.Now.Sub(t))
}

// until is a deadline: "until 18:40, in 4 h"; the zero time is none. One that has passed is told as
// such.
func (b *builder) until(t time.Time) string {
	switch left := t.Sub(b.Now); {
	case t.IsZero():
		return b.w.Days.NoDeadline
	case left < 0:
		return fmt.Sprintf(b.w.Days.Ended, b.clock(t), b.w.ago(-left))
	default:
		return fmt.Sprintf(b.w.Days.Until, b.clock(t), fmt.Sprintf(b.w.Span.In, b.w.span(left)))
	}
}

// When words a moment that was, as cards do: "14:38, 3 min ago", in the options' language and zone.
// The zero time gives "never".
func When(t, now time.Time, o Options) string { return newBuilder(Input{Now: now}, o).when(t) }

// Until words a deadline, as cards do: "until 18:40, in 4 h". The zero time gives "no deadline".
func Until(t, now time.Time, o Options) string { return newBuilder(Input{Now: now}, o).until(t) }

// Clock words a moment without its distance, as cards do: "14:38", "tomorrow 14:40". The zero time is
// the caller's to handle.
func Clock(t, now time.Time, o Options) string { return newBuilder(Input{Now: now}, o).clock(t) }

// SurfaceName names a surface for people: "Slack", "app".
func SurfaceName(name string, l Lang) string {
	return newBuilder(Input{}, Options{Lang: l}).surface(name)
}
