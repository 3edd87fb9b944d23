package summaries_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"holdpoint/core"
	"holdpoint/summaries"
)

func inChat(in summaries.Input) summaries.Card {
	return summaries.ForApproval(in, summaries.Options{Limits: summaries.ChatLimits()})
}

func kinds(c summaries.Card) []summaries.ButtonKind {
	var out []summaries.ButtonKind
	for _, b := range c.Buttons {
		out = append(out, b.Kind)
	}
	return out
}

func TestACardOffersWhatWouldDoSomething(t *testing.T) {
	viewer := func(name string) func(*summaries.Input) {
		return func(in *summaries.Input) { in.Viewer = name }
	}
	requested := func(in *summaries.Input) { in.Eligible, in.Viewer = []string{"Ana"}, "Lea" }
	run := func(line string) func(*summaries.Input) {
		return func(in *summaries.Input) { in.Approval.Subject.Run.Line = line }
	}
	renew := func(in *summaries.Input) { in.Task.Plan.OnExpiry = core.ExpiryRenew }
	const (
		approve, reject = summaries.ButtonApprove, summaries.ButtonReject
		details, later  = summaries.ButtonDetails, summaries.ButtonLater
		again           = summaries.ButtonAskAgain
	)
	for _, tc := range []struct {
		name string
		in   summaries.Input
		want []summaries.ButtonKind
	}{
		{"waiting, seen by many", at(3), []summaries.ButtonKind{approve, reject, details, later}},
		{"waiting, seen by an approver", at(3, viewer("Bo")), []summaries.ButtonKind{approve, reject, details, later}},
		{"one's own approve can only be taken back", at(3, required(2), by("Ana"), viewer("Ana")), []summaries.ButtonKind{reject, details, later}},
		{"somebody else's approve is theirs", at(3, required(2), by("Ana"), viewer("Bo")), []summaries.ButtonKind{approve, reject, details, later}},
		{"who asked only looks", at(3, requested), []summaries.ButtonKind{details}},
		{"a stranger only looks", at(3, viewer("Zoé")), []summaries.ButtonKind{details}},
		{"a text that is cut has Details in the place of Approve", at(3, run(strings.Repeat("x", 5_000))), []summaries.ButtonKind{details, reject, later}},
		{"so has a text with a hidden direction mark", at(3, run("rm \u202e/")), []summaries.ButtonKind{details, reject, later}},
		{"so has a text with look-alike letters", at(3, run("kubectl delete ns prоd")), []summaries.ButtonKind{details, reject, later}},
		{"an invisible character is shown, and enough", at(3, run("echo ok\u200b")), []summaries.ButtonKind{approve, reject, details, later}},
		{"nobody decides while paused", at(3, paused), []summaries.ButtonKind{details}},
		{"expired and held: a fresh request", at(3, expired), []summaries.ButtonKind{again, details}},
		{"expired by the clock alone", at(3, func(in *summaries.Input) { in.Approval.ExpiresAt = noon.Add(-time.Millisecond) }), []summaries.ButtonKind{again, details}},
		{"at its deadline it is still good", at(3, func(in *summaries.Input) { in.Approval.ExpiresAt = noon }), []summaries.ButtonKind{approve, reject, details, later}},
		{"expired and renewed", at(3, expired, renew), nil},
		{"approved", at(3, by("Ana")), nil},
		{"rejected", at(3, rejected), nil},
		{"superseded", at(3, superseded), nil},
		{"cancelled", at(3, cancelled), nil},
		{"running", at(3, by("Ana"), runs), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, kinds(inChat(tc.in))); diff != "" {
				t.Errorf("buttons (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHighRiskIsConfirmed(t *testing.T) {
	for i, want := range []bool{false, false, false, true} {
		if got := inChat(at(i)).Buttons[0]; got.Kind != summaries.ButtonApprove || got.Confirm != want {
			t.Errorf("checkpoint %d: the first button is %+v, want Approve with confirmation %t", i, got, want)
		}
	}
}

// A page is where the whole is read, so it may be approved there, whatever a chat had to leave out.
func TestAPageShowsTheWhole(t *testing.T) {
	line := "./first.sh " + strings.Repeat("é ", 20_000) + "; rm -rf \u202e/srv"
	in := at(3, func(in *summaries.Input) { in.Approval.Subject.Run.Line = line })
	if c := inChat(in); c.Whole {
		t.Error("a chat calls 40,000 bytes whole")
	}
	page := summaries.ForApproval(in, summaries.Options{})
	if !page.Whole || !page.Has(summaries.ButtonApprove) {
		t.Errorf("the page is whole: %t, its buttons are %v", page.Whole, kinds(page))
	}
	if back, err := summaries.Reveal(page.Facts[0].Text); err != nil || back != line {
		t.Errorf("the page does not show the command whole: %v", err)
	}
}

func TestALongCommandKeepsItsEndsAndItsDigest(t *testing.T) {
	in := at(3, func(in *summaries.Input) {
		in.Approval.Subject.Run.Line = "./first.sh " + strings.Repeat("a", 39_900) + "; rm -rf /srv/orders"
	})
	runs := inChat(in).Facts[0].Text
	for _, want := range []string{"./first.sh aaa", "bytes not shown, SHA-256 of the whole ", "; rm -rf /srv/orders"} {
		if !strings.Contains(runs, want) {
			t.Errorf("%q does not have %q", runs, want)
		}
	}
	if n := summaries.Runes(runs); n < 400 {
		t.Errorf("only %d code points of the command are shown, though there is room for more", n)
	}
}

// Two commands that differ never look alike: a list shows where each word ends, a line stays a line.
func TestCommandsAreUnambiguous(t *testing.T) {
	seen := map[string]core.Exec{}
	for _, x := range []core.Exec{
		{Line: "a b c"}, {Args: []string{"a", "b", "c"}}, {Args: []string{"a", "b c"}}, {Args: []string{"a b", "c"}},
		{Args: []string{"a", `b", "c`}}, {Args: []string{"a", "b\n", "c"}}, {Args: []string{"a", "\xff"}}, {Args: []string{"a", ""}},
	} {
		text := inChat(at(3, func(in *summaries.Input) { in.Approval.Subject.Run = x })).Facts[0].Text
		if other, ok := seen[text]; ok {
			t.Errorf("%#v and %#v both show as %q", other, x, text)
		}
		seen[text] = x
	}
}

func TestTheShellIsToldWhereItIsNotTheUsualOne(t *testing.T) {
	usual := inChat(at(3)).Text()
	other := inChat(at(3, func(in *summaries.Input) { in.Approval.Subject.Shell = []string{"bash", "-euo", "pipefail", "-c"} })).Text()
	if strings.Contains(usual, "Shell") || !strings.Contains(other, `["bash", "-euo", "pipefail", "-c"]`) {
		t.Errorf("usual:\n%s\nother:\n%s", usual, other)
	}
}

func TestTheHeadlineTellsWhatWaitsAndForWhom(t *testing.T) {
	many := []string{}
	for _, first := range "ABCDEFGHIJKLMNOP" {
		many = append(many, string(first)+"lexandra")
	}
	for _, tc := range []struct {
		name string
		in   summaries.Input
		want string
	}{
		{"one of three", at(3), "🔴 Approve “switch over”? “Move orders to schema 42” · 4 of 4 · HIGH · needs Ana, Bo or Chloé"},
		{"two of three", at(3, required(2)), "🔴 Approve “switch over”? “Move orders to schema 42” · 4 of 4 · HIGH · needs 2: Ana, Bo, Chloé"},
		{"one is there", at(3, required(2), by("Ana")), "🔴 Approve “switch over”? “Move orders to schema 42” · 4 of 4 · HIGH · 1 of 2 · needs Bo or Chloé"},
		{"nobody may", at(0, func(in *summaries.Input) { in.Eligible = nil }),
			"🟢 Approve “backup”? “Move orders to schema 42” · 1 of 4 · LOW · nobody may approve"},
		{"more names than fit are counted", at(1, func(in *summaries.Input) { in.Eligible = many }),
			"🟠 Approve “schema update”? “Move orders to schema 42” · 2 of 4 · MEDIUM · needs Alexandra, Blexandra or 14 more"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := inChat(tc.in).Headline; got != tc.want {
				t.Errorf("\n%q, want\n%q", got, tc.want)
			}
		})
	}
}

func TestTooFewApproversIsAWarning(t *testing.T) {
	c := inChat(at(3, required(3), func(in *summaries.Input) { in.Eligible = []string{"Ana", "Bo"} }))
	if want := []string{"⚠ 2 of those who may approve are left, 3 more approvals are needed"}; !cmp.Equal(want, c.Warnings) {
		t.Errorf("warnings %q, want %q", c.Warnings, want)
	}
}

func TestWhoWasToldIsSaid(t *testing.T) {
	for _, tc := range []struct {
		name  string
		cards []core.Card
		want  string
	}{
		{"no surface is configured", nil, "Told    in the app only\n"},
		{"one shows it", []core.Card{{Surface: "slack", State: core.CardShown, Shown: 1}}, "Told    Slack ✓\n"},
		{"one is not there yet", []core.Card{{Surface: "slack", State: core.CardWaiting}}, "Told    Slack …\n"},
		{"an older form of it is shown", []core.Card{{Surface: "slack", State: core.CardWaiting, Shown: 1, Wanted: 2}}, "Told    Slack ✓\n"},
		{"none could be reached", []core.Card{{Surface: "telegram", State: core.CardFailed, Reason: "blocked ✓"}},
			"Told    Telegram ✗ “blocked ⟨U+2713⟩” · in the app only\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := inChat(at(3, func(in *summaries.Input) { in.Cards = tc.cards })).Text()
			if !strings.Contains(text, tc.want) {
				t.Errorf("no %q in\n%s", tc.want, text)
			}
		})
	}
}

func TestSilenceIsSaidToRunNothing(t *testing.T) {
	for e, want := range map[core.OnExpiry]string{
		core.ExpiryHold:   "17:41",
		core.ExpiryRenew:  "unanswered, it is asked again and nothing runs",
		core.ExpiryCancel: "unanswered, the task is cancelled and nothing runs",
	} {
		in := at(3, func(in *summaries.Input) { in.Task.Plan.OnExpiry = e })
		text := summaries.ForApproval(in, summaries.Options{Zone: paris(t)}).Text()
		if !strings.Contains(text, want) || !strings.Contains(text, "unanswered, ") {
			t.Errorf("%s: no %q in\n%s", e, want, text)
		}
	}
}
