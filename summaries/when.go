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
