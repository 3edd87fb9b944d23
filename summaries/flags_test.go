package summaries_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"holdpoint/summaries"
)

func TestFlagsNamesWhatIsOdd(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []summaries.Flag
	}{
		{"a direction override", "x \u202e}", []summaries.Flag{summaries.FlagDirection}},
		{"an isolate", "x\u2066y", []summaries.Flag{summaries.FlagDirection}},
		{"a Cyrillic letter in a Latin word", "prоd", []summaries.Flag{summaries.FlagMixed}},
		{"a Hebrew letter in a Latin word", "abאc", []summaries.Flag{summaries.FlagMixed}},
		{"a zero-width space", "ok\u200b", []summaries.Flag{summaries.FlagInvisible}},
		{"a Hangul filler", "ls\u3164", []summaries.Flag{summaries.FlagInvisible}},
		{"a braille blank", "ls\u2800", []summaries.Flag{summaries.FlagInvisible}},
		{"a tag character", "x\U000e0041", []summaries.Flag{summaries.FlagInvisible}},
		{"an escape sequence", "\x1b[2K", []summaries.Flag{summaries.FlagControl}},
		{"a return that hides a line", "rm\rls", []summaries.Flag{summaries.FlagControl}},
		{"lines of Windows and tabs", "a\tb\r\nc\r\n", nil},
		{"an invalid byte", "\xff", []summaries.Flag{summaries.FlagInvalid}},
		{"a no-break space", "a\u00a0b", []summaries.Flag{summaries.FlagOddSpace}},
		{"a sign of ours", "✅ ok", nil},
		{"many spaces", "a      b", nil},
		{
			"all at once, each once, gravest first", "\u00a0\xff\x00\x01\u200b\u200bprоd\u202e",
			[]summaries.Flag{
				summaries.FlagDirection, summaries.FlagMixed, summaries.FlagInvisible,
				summaries.FlagControl, summaries.FlagInvalid, summaries.FlagOddSpace,
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, summaries.Flags(tt.in)); diff != "" {
				t.Errorf("Flags(%+q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}
