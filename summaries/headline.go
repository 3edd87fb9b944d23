package summaries

import (
	"fmt"
	"strings"

	"holdpoint/core"
)

// tones gives each phase its colour.
var tones = map[phase]Tone{
	phaseWaiting: ToneWaiting, phasePaused: ToneWaiting, phaseExpired: ToneOver, phaseSuperseded: ToneOver, phaseCancelled: ToneOver,
	phaseRejected: ToneBad, phaseQueued: ToneGoing, phaseHeld: ToneWaiting, phaseUnused: ToneOver, phaseRunning: ToneGoing,
	phaseSucceeded: ToneGood, phaseFailed: ToneBad, phaseReview: ToneWaiting, phaseCompleted: ToneGood, phaseUsed: ToneOver,
	phaseOutOfReach: ToneOver, phaseNone: ToneOver,
}

// signs are the marks of the headline. No foreign text can show one: each is among falseLook.
var signs = map[phase]string{
	phasePaused: "⏸", phaseExpired: "⌛", phaseSuperseded: "⬜", phaseCancelled: "🛑", phaseRejected: "⛔", phaseQueued: "✅",
	phaseHeld: "⏸", phaseUnused: "⌛", phaseRunning: "🔵", phaseSucceeded: "✅", phaseFailed: "❌", phaseReview: "❓",
	phaseCompleted: "✅", phaseUsed: "⬜", phaseOutOfReach: "⬜", phaseNone: "⬜",
}

var riskSigns = map[core.Risk]string{core.RiskLow: "🟢", core.RiskMedium: "🟠", core.RiskHigh: "🔴"}

func (b *builder) sign() string {
	if b.phase != phaseWaiting {
		return signs[b.phase]
	}
	if s, ok := riskSigns[b.s.Risk]; ok {
		return s
	}
	return riskSigns[core.RiskHigh]
}

// question says what is asked, or what became of it, around a title in marks.
func (b *builder) question(title string) string {
	w := b.w.Heads
	if b.phase == phaseWaiting && b.Approval.Kind == core.ApproveRollback {
		return fmt.Sprintf(w.Rollback, title)
	}
	if b.Approval.Kind == core.ApproveRollback {
		title = fmt.Sprintf(w.RollbackOf, title)
	}
	format := map[phase]string{
		phaseWaiting: w.Waiting, phasePaused: w.Paused, phaseExpired: w.Expired, phaseSuperseded: w.Superseded, phaseCancelled: w.Cancelled,
		phaseRejected: w.Rejected, phaseQueued: w.Queued, phaseHeld: w.Held, phaseUnused: w.Unused, phaseRunning: w.Running,
		phaseSucceeded: w.Succeeded, phaseFailed: w.Failed, phaseReview: w.Review, phaseCompleted: w.Completed, phaseUsed: w.Used,
		phaseOutOfReach: w.Superseded, phaseNone: w.Superseded,
	}[b.phase]
	return fmt.Sprintf(format, title)
}

// position is "4 of 4", with attempt and round where they are not the first.
func (b *builder) position() string {
	parts := []string{fmt.Sprintf(b.w.Heads.Position, b.s.Index+1, max(len(b.Task.Plan.Checkpoints), b.s.Index+1))}
	if b.s.Attempt > 1 {
		parts = append(parts, fmt.Sprintf(b.w.Heads.Attempt, b.s.Attempt))
	}
	if b.s.Round > 1 {
		parts = append(parts, fmt.Sprintf(b.w.Heads.Round, b.s.Round))
	}
	return strings.Join(parts, " · ")
}

func (b *builder) sub() string { return inMarks(b.s.Plan) + " · " + b.position() }

// headline fits everything into HeadlineMax and says whether something had to give way. The title
// gives way last, then the names, then the plan's title.
func (b *builder) headline() (text string, cut bool) {
	const titleLeast, namesMost = 24, 44
	fixed := b.position() + " · " + b.riskWord()
	room := HeadlineMax - Runes(b.sign()+" "+b.question("“”")+" · "+fixed)
	needs := ""
	if b.phase == phaseWaiting {
		least := min(Runes(b.title)-2, titleLeast)
		needs, cut = b.needs(min(room-least-3, namesMost))
		fixed += " · " + needs
		room -= Runes(needs) + 3
	}
	title, gave := cutMarks(b.s.Title, room)
	cut = cut || gave
	line := b.sign() + " " + b.question(title)
	plan, gave := cutMarks(b.s.Plan, HeadlineMax-Runes(line+" · "+fixed)-3-2)
	cut = cut || gave
	if Runes(plan) > 2 {
		line += b.between() + plan
	}
	text, gave = Cut(line+" · "+fixed, Limit{Max: HeadlineMax})
	return text, cut || gave
}

// between parts the question from what follows it.
func (b *builder) between() string {
	if b.phase == phaseWaiting {
		return " "
	}
	return " · "
}

// cutMarks sets a title into quotation marks within so many code points, marks not counted. Where
// there is no room for a readable piece there is none.
func cutMarks(title string, room int) (text string, cut bool) {
	const readable = 8
	shown := render(title, quoted)
	if Runes(shown) > room && room < readable {
		return "“”", true
	}
	shown, cut = Cut(shown, Limit{Max: room})
	return "“" + shown + "”", cut
}

func (b *builder) riskWord() string {
	return fmt.Sprintf(b.w.Heads.Risk, strings.ToUpper(StateWord(b.lang, b.s.Risk)))
}

// needs says whose approval is still wanted within so many code points; names that don't fit are
// counted.
func (b *builder) needs(room int) (text string, cut bool) {
	names := b.missing()
	for n := len(names); n >= 0; n-- {
		if text = b.needsOf(names, n); Runes(text) <= room {
			return text, n < len(names)
		}
	}
	return text, true
}

// needsOf names the first n.
func (b *builder) needsOf(names []string, n int) string {
	w, still := b.w.Heads, b.needed()
	text := ""
	if b.Approval.Approvals() > 0 {
		text = fmt.Sprintf(w.Given, b.Approval.Approvals(), b.s.Required) + " · "
	}
	if len(names) == 0 {
		return text + w.Nobody
	}
	list := append([]string(nil), names[:n]...)
	if n < len(names) {
		list = append(list, fmt.Sprintf(b.w.Joined.More, len(names)-n))
	}
	if still == 1 && n > 0 {
		return text + fmt.Sprintf(w.NeedsOne, b.w.join(list, b.w.Joined.Or))
	}
	return text + fmt.Sprintf(w.NeedsMore, still, strings.Join(list, ", "))
}

// chips are the short facts under a page's title.
func (b *builder) chips() []Chip {
	tone := ToneWaiting
	if b.s.Risk == core.RiskHigh {
		tone = ToneBad
	}
	out := []Chip{{Text: fmt.Sprintf(b.w.Heads.RiskChip, StateWord(b.lang, b.s.Risk)), Tone: tone}}
	if b.phase != phaseWaiting {
		return append(out, Chip{Text: b.stateChip(), Tone: tones[b.phase]})
	}
	needs := b.needsOf(b.missing(), len(b.missing()))
	out = append(out, Chip{Text: needs, Tone: ToneWaiting})
	if !b.Approval.ExpiresAt.IsZero() {
		out = append(out, Chip{Text: b.until(b.Approval.ExpiresAt), Tone: ToneOver})
	}
	return out
}

// stateChip is the state in a word: the step's once it was released, else the approval's.
func (b *builder) stateChip() string {
	switch b.phase {
	case phasePaused, phaseHeld:
		return StateWord(b.lang, core.TaskPaused)
	case phaseRunning:
		return StateWord(b.lang, core.CheckpointRunning)
	case phaseSucceeded, phaseCompleted:
		return StateWord(b.lang, core.CheckpointSucceeded)
	case phaseFailed:
		return StateWord(b.lang, core.CheckpointFailed)
	case phaseReview:
		return StateWord(b.lang, core.TaskReview)
	case phaseUnused, phaseOutOfReach:
		return StateWord(b.lang, core.ApprovalSuperseded)
	}
	return StateWord(b.lang, b.Approval.StateAt(b.Now))
}
