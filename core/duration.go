package core

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration is a length of time as plans write it: whole numbers with the units s, m, h and d, joined
// without spaces ("90s", "1h30m", "2d"). A day is 24 hours. Never stands for no end.
type Duration time.Duration

// Never is the duration of what has no end ("never"); only expires_in takes it.
const Never Duration = -1

// MaxDuration bounds every duration of a plan: ten years, so that a deadline always fits a record.
const MaxDuration = Duration(10 * 366 * 24 * time.Hour)

const day = 24 * time.Hour

var units = map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': day}

// ParseDuration reads the plan's notation. It refuses signs, fractions, an empty text, zero and what
// lies above MaxDuration; "never" is taken only where allowNever says so.
func ParseDuration(s string, allowNever bool) (Duration, error) {
	if allowNever && s == "never" {
		return Never, nil
	}
	bad := func() (Duration, error) {
		also := ""
		if allowNever {
			also = " or never"
		}
		return 0, fmt.Errorf("%q is no duration: write whole numbers with s, m, h or d, such as 30m or 1h30m%s", s, also)
	}
	var sum time.Duration
	for rest := s; rest != ""; {
		n := 0
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		if n == 0 || n > 9 || n == len(rest) {
			return bad()
		}
		unit, ok := units[rest[n]]
		if !ok {
			return bad()
		}
		v, err := strconv.Atoi(rest[:n])
		if err != nil || time.Duration(v) > time.Duration(MaxDuration)/unit {
			return bad()
		}
		if sum += time.Duration(v) * unit; sum > time.Duration(MaxDuration) {
			return bad()
		}
		rest = rest[n+1:]
	}
	if sum <= 0 {
		return bad()
	}
	return Duration(sum), nil
}

// Std gives the standard library's duration; Never has none and gives 0.
func (d Duration) Std() time.Duration { return max(time.Duration(d), 0) }

// String writes the duration so that ParseDuration reads it back; zero gives "".
func (d Duration) String() string {
	if d == Never {
		return "never"
	}
	var b strings.Builder
	rest := time.Duration(d).Truncate(time.Second)
	for _, u := range []byte("dhms") {
		if n := rest / units[u]; n > 0 {
			fmt.Fprintf(&b, "%d%c", n, u)
			rest -= n * units[u]
		}
	}
	return b.String()
}

// MarshalText writes the plan's notation.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the plan's notation; an empty text is zero, "never" is taken.
func (d *Duration) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*d = 0
		return nil
	}
	v, err := ParseDuration(string(b), true)
	*d = v
	return err
}
