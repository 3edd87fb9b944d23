package summaries

import (
	"slices"
	"time"

	"holdpoint/core"
)

// ForApproval makes the card of one approval. It is pure; texts are whole unless the options limit
// them, and then Whole says whether that cost anything.
func ForApproval(in Input, o Options) Card {
	b := newBuilder(in, o)
	c := Card{
		Lang: b.lang, Approval: Visible(in.Approval.ID), Task: Visible(in.Task.ID), Code: Visible(in.Approval.Code),
		State: in.Approval.StateAt(in.Now), Tone: tones[b.phase], Risk: b.s.Risk,
		Title: b.question(b.title), Sub: b.sub(), Chips: b.chips(), Steps: b.steps(), Flags: flagsOf(b.s), Whole: true,
	}
	c.Headline, b.headlineCut = b.headline()
	c.Warnings = b.warnings(c.Flags)
	c.Status = b.status()
	c.Facts = b.facts()
	c.Whole = o.Limits.Total <= 0 || !slices.ContainsFunc(c.Flags, deceives)
	c.Buttons = b.buttons(c.Whole)
	if o.Limits.Total > 0 {
		c = b.limited(c, o.Limits)
	}
	return c
}

// deceives says that a text with the flag is decided on the page, where it can be seen in full, and
// not in a chat.
func deceives(f Flag) bool { return f == FlagDirection || f == FlagMixed }

// builder is one card in the making.
type builder struct {
	Input
	lang  Lang
	w     *words
	zone  *time.Location
	s     core.Subject
	phase phase
	title string // the checkpoint's, whole, in marks

	headlineCut bool // the headline doesn't tell everything
}

func newBuilder(in Input, o Options) *builder {
	lang, _ := ParseLang(string(o.Lang)) // what it doesn't know becomes English
	b := &builder{Input: in, lang: lang, w: lang.words(), zone: o.Zone, s: in.Approval.Subject}
	if b.zone == nil {
		b.zone = time.UTC
	}
	if b.s.Kind == core.ApproveRollback { // what runs is what undoes the step
		b.s.Run, b.s.RollbackRun, b.s.Command, b.s.Agent, b.s.Prompt = b.s.RollbackRun, core.Exec{}, core.Exec{}, "", ""
	}
	b.phase = phaseOf(in.Task, in.Approval, in.Executions, in.Now)
	b.title = inMarks(b.s.Title)
	return b
}

// current says that the approval is the one that its task stands at.
func (b *builder) current() bool { return b.Approval.ID == b.Task.ApprovalID }

// missing gives those who may decide and have not approved yet.
func (b *builder) missing() []string {
	var out []string
	for _, name := range b.Eligible {
		if d, ok := b.Approval.By(name); !ok || d.Verdict != core.Approve {
			out = append(out, Visible(name))
		}
	}
	return out
}

// needed is how many approvals still have to come.
func (b *builder) needed() int { return max(max(b.s.Required, 1)-b.Approval.Approvals(), 0) }

// buttons are those that would do something now for the viewer.
func (b *builder) buttons(whole bool) []Button {
	w := b.w.Buttons
	if b.phase == phaseExpired && b.current() && b.Task.State == core.TaskAwaiting && b.Task.Plan.OnExpiry == core.ExpiryHold {
		return []Button{{Kind: ButtonAskAgain, Label: w.AskAgain}, {Kind: ButtonDetails, Label: w.Details}}
	}
	details := Button{Kind: ButtonDetails, Label: w.Details}
	if b.phase == phasePaused {
		return []Button{details}
	}
	if b.phase != phaseWaiting {
		return nil
	}
	approve, reject := b.mayStill()
	var out []Button
	if approve && whole {
		out = append(out, Button{Kind: ButtonApprove, Label: w.Approve, Confirm: b.s.Risk == core.RiskHigh})
	}
	if approve && !whole {
		out = append(out, details)
	}
	if reject {
		out = append(out, Button{Kind: ButtonReject, Label: w.Reject})
	}
	if whole || !approve {
		out = append(out, details)
	}
	if reject {
		out = append(out, Button{Kind: ButtonLater, Label: w.Later})
	}
	return out
}

// mayStill says what the viewer may still decide; a card that many see leaves that to the tap.
func (b *builder) mayStill() (approve, reject bool) {
	if b.Viewer == "" {
		return true, true
	}
	if !slices.Contains(b.Eligible, b.Viewer) {
		return false, false
	}
	d, decided := b.Approval.By(b.Viewer)
	return !decided || d.Verdict != core.Approve, true
}

// flagsOf tells what is odd in what a person is asked to approve.
func flagsOf(s core.Subject) []Flag {
	texts := []string{s.Plan, s.Objective, s.DoneWhen, s.Title, s.Detail, s.Run.Line, s.Command.Line, s.Agent, s.Prompt, s.Workdir, s.Note, s.RollbackRun.Line}
	for _, list := range [][]string{s.Run.Args, s.Command.Args, s.RollbackRun.Args, s.Shell, s.PassEnv, s.Evidence, s.Approvers} {
		texts = append(texts, list...)
	}
	for _, m := range []map[string]string{s.Env, s.Vars, s.Files} {
		for k, v := range m {
			texts = append(texts, k, v)
		}
	}
	found := map[Flag]bool{}
	for _, text := range texts {
		for _, f := range Flags(text) {
			found[f] = true
		}
	}
	var out []Flag
	for _, f := range allFlags {
		if found[f] {
			out = append(out, f)
		}
	}
	return out
}
