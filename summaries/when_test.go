package summaries_test

import (
	"testing"
	"time"

	"holdpoint/summaries"
)

func instant(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestTimesReadAsAPersonSaysThem(t *testing.T) {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, now, at, past, ahead, past2, ahead2 string }{
		{"some minutes ago", "2026-11-30T13:41:00Z", "2026-11-30T13:38:00Z",
			"14:38, 3 min ago", "until 14:38, ended 3 min ago", "14:38, il y a 3 min", "jusqu’à 14:38, fini il y a 3 min"},
		{"in four hours", "2026-11-30T13:40:00Z", "2026-11-30T17:40:00Z",
			"18:40, just now", "until 18:40, in 4 h", "18:40, à l’instant", "jusqu’à 18:40, dans 4 h"},
		{"a minute short of four hours is told so", "2026-11-30T13:41:00Z", "2026-11-30T17:40:00Z",
			"18:40, just now", "until 18:40, in 3 h 59 min", "18:40, à l’instant", "jusqu’à 18:40, dans 3 h 59 min"},
		{"less than a minute", "2026-11-30T13:40:00Z", "2026-11-30T13:40:59Z",
			"14:40, just now", "until 14:40, in less than a minute", "14:40, à l’instant", "jusqu’à 14:40, dans moins d’une minute"},
		{"at the very moment", "2026-11-30T13:40:00Z", "2026-11-30T13:40:00Z",
			"14:40, just now", "until 14:40, in less than a minute", "14:40, à l’instant", "jusqu’à 14:40, dans moins d’une minute"},
		{"tomorrow", "2026-11-30T13:40:00Z", "2026-12-01T13:40:00Z",
			"tomorrow 14:40, just now", "until tomorrow 14:40, in 24 h", "demain 14:40, à l’instant", "jusqu’à demain 14:40, dans 24 h"},
		{"yesterday in the zone, today in UTC", "2026-11-30T23:30:00Z", "2026-11-30T22:30:00Z",
			"yesterday 23:30, 1 h ago", "until yesterday 23:30, ended 1 h ago", "hier 23:30, il y a 1 h", "jusqu’à hier 23:30, fini il y a 1 h"},
		{"further away", "2026-11-30T13:40:00Z", "2026-12-05T13:40:00Z",
			"Sat 5 Dec 14:40, just now", "until Sat 5 Dec 14:40, in 5 d", "sam. 5 déc. 14:40, à l’instant", "jusqu’à sam. 5 déc. 14:40, dans 5 j"},
		{"in another year", "2026-11-30T13:40:00Z", "2025-11-30T13:40:00Z",
			"Sun 30 Nov 2025 14:40, 365 d ago", "until Sun 30 Nov 2025 14:40, ended 365 d ago",
			"dim. 30 nov. 2025 14:40, il y a 365 j", "jusqu’à dim. 30 nov. 2025 14:40, fini il y a 365 j"},
		{"tomorrow, though the night has an hour less", "2026-03-28T22:30:00Z", "2026-03-29T21:45:00Z",
			"tomorrow 23:45, just now", "until tomorrow 23:45, in 23 h", "demain 23:45, à l’instant", "jusqu’à demain 23:45, dans 23 h"},
		{"the hour that comes twice, first", "2026-10-24T23:30:00Z", "2026-10-25T00:30:00Z",
			"02:30 CEST, just now", "until 02:30 CEST, in 1 h", "02:30 CEST, à l’instant", "jusqu’à 02:30 CEST, dans 1 h"},
		{"the hour that comes twice, second", "2026-10-24T23:30:00Z", "2026-10-25T01:30:00Z",
			"02:30 CET, just now", "until 02:30 CET, in 2 h", "02:30 CET, à l’instant", "jusqu’à 02:30 CET, dans 2 h"},
		{"behind the hour that comes twice", "2026-10-24T23:30:00Z", "2026-10-25T02:30:00Z",
			"03:30, just now", "until 03:30, in 3 h", "03:30, à l’instant", "jusqu’à 03:30, dans 3 h"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			now, at := instant(t, tc.now), instant(t, tc.at)
			en, fr := summaries.Options{Zone: paris}, summaries.Options{Zone: paris, Lang: summaries.French}
			for _, one := range []struct{ got, want string }{
				{summaries.When(at, now, en), tc.past}, {summaries.Until(at, now, en), tc.ahead}, {summaries.When(at, now, fr), tc.past2}, {summaries.Until(at, now, fr), tc.ahead2},
			} {
				if one.got != one.want {
					t.Errorf("%q, want %q", one.got, one.want)
				}
			}
		})
	}
}

func TestATimeThatNeverWasIsNoTime(t *testing.T) {
	for lang, want := range map[summaries.Lang][2]string{summaries.English: {"never", "no deadline"}, summaries.French: {"jamais", "sans limite"}} {
		o := summaries.Options{Lang: lang}
		if got := [2]string{summaries.When(time.Time{}, time.Unix(0, 0), o), summaries.Until(time.Time{}, time.Unix(0, 0), o)}; got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
	}
}

func TestWithoutAZoneTimesAreUTC(t *testing.T) {
	if got, want := summaries.Clock(time.Unix(3600, 0), time.Unix(0, 0), summaries.Options{}), "01:00"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
