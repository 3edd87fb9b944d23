package summaries_test

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"holdpoint/core"
	"holdpoint/summaries"
)

// ownSigns are those that a card may show of its own; in foreign text each is escaped.
const ownSigns = "✅⛔🔴🟠🟢🔵🛑⚠✓✗❌❓⌛⏸⬜"

// checkCard holds one card against what every card promises.
func checkCard(t rapid.TB, in summaries.Input, o summaries.Options) {
	t.Helper()
	c := summaries.ForApproval(in, o)
	if n := summaries.Runes(c.Headline); n > summaries.HeadlineMax || strings.Contains(c.Headline, "\n") {
		t.Errorf("the headline has %d code points: %q", n, c.Headline)
	}
	text := c.Text()
	if n := summaries.Runes(text); o.Limits.Total > 0 && n > o.Limits.Total {
		t.Errorf("the text has %d code points, %d are allowed:\n%s", n, o.Limits.Total, text)
	}
	if strings.Contains(text, "not shown …⟩") && c.Has(summaries.ButtonApprove) {
		t.Errorf("nobody approves what they could not see:\n%s", text)
	}
	checkShown(t, text)
	checkShown(t, string(c.HTML()))
	checkLines(t, c, text)
	checkFragment(t, string(c.HTML()))
}

// checkShown looks for what a screen would obey, and for verdicts that are not ours.
func checkShown(t rapid.TB, text string) {
	t.Helper()
	for i, r := range text {
		if r >= ' ' && r <= '~' {
			continue // most of it; unseen is slow
		}
		if unseen(r) && r != '\n' && !strings.ContainsRune(ownSigns, r) {
			t.Fatalf("%U at %d of:\n%s", r, i, text)
		}
	}
	if strings.Contains(text, "✅ APPROVED") {
		t.Errorf("a forged verdict:\n%s", text)
	}
}

// checkLines demands that no line of foreign text stands where ours do: at the left.
func checkLines(t rapid.TB, c summaries.Card, text string) {
	t.Helper()
	ours := 2 + len(c.Warnings) + len(c.Facts) + len(c.Status)
	left := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "        ") {
			left++
		}
	}
	if left != ours {
		t.Errorf("%d lines begin at the left, %d are ours:\n%s", left, ours, text)
	}
}

// checkFragment reads the fragment with a parser of its own: it is well formed and inert.
func checkFragment(t rapid.TB, markup string) {
	t.Helper()
	allowed := strings.Fields("article h1 h2 p span section pre dl dt dd ol li b small")
	for d := xml.NewDecoder(strings.NewReader(markup)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("not well formed: %v\n%s", err, markup)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if !slices.Contains(allowed, token.Name.Local) {
				t.Errorf("the tag %s in\n%s", token.Name.Local, markup)
			}
			for _, a := range token.Attr {
				if a.Name.Local != "class" && a.Name.Local != "lang" {
					t.Errorf("the attribute %s in\n%s", a.Name.Local, markup)
				}
			}
		case xml.CharData, xml.EndElement:
		default:
			t.Errorf("a %T in\n%s", token, markup)
		}
	}
}

func TestEverySceneKeepsThePromises(t *testing.T) {
	for _, sc := range scenes() {
		for _, lang := range summaries.Langs() {
			for _, change := range []func(*summaries.Input){func(*summaries.Input) {}, everything(forged)} {
				in := clone(sc.in)
				change(&in)
				for _, limits := range []summaries.Limits{{}, summaries.ChatLimits(), {Total: 3_500, Unit: summaries.UTF16}} {
					checkCard(t, in, summaries.Options{Lang: lang, Limits: limits})
				}
			}
		}
	}
}

// clone keeps one scene's changes out of the others.
func clone(in summaries.Input) summaries.Input {
	in.Task.Checkpoints, in.Task.Plan.Checkpoints = slices.Clone(in.Task.Checkpoints), slices.Clone(in.Task.Plan.Checkpoints)
	in.Approval.Decisions = slices.Clone(in.Approval.Decisions)
	return in
}

func TestNoTextBreaksACard(t *testing.T) {
	all := scenes()
	pieces := []string{forged, "\n", " ", "\u202e", "<b>", "”", "✅", "⟨", "e\u0301\u0301\u0301\u0301", "日本", "\r\n", "\x00", "a", "Until   ", "&amp;", "\xf0"}
	rapid.Check(t, func(t *rapid.T) {
		in := clone(rapid.SampledFrom(all).Draw(t, "scene").in)
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40), func(p []string) string { return strings.Join(p, "") })).Draw(t, "text")
		everything(text)(&in)
		for range rapid.IntRange(0, 60).Draw(t, "more checkpoints") {
			in.Task.Plan.Checkpoints = append(in.Task.Plan.Checkpoints, core.Checkpoint{Title: text, Note: text})
			in.Task.Checkpoints = append(in.Task.Checkpoints, core.Progress{State: core.CheckpointSucceeded, Ran: true, Summary: text})
		}
		counts := rapid.IntRange(0, 1_000_000_000)
		sub := &in.Approval.Subject
		sub.Attempt, sub.Round, sub.Required = counts.Draw(t, "attempt"), counts.Draw(t, "round"), counts.Draw(t, "required")
		limits := rapid.SampledFrom([]summaries.Limits{{}, summaries.ChatLimits()}).Draw(t, "limits")
		checkCard(t, in, summaries.Options{Lang: rapid.SampledFrom(summaries.Langs()).Draw(t, "language"), Limits: limits})
	})
}
