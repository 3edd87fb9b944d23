package summaries

import (
	"time"

	"holdpoint/core"
)

// Input is what one approval's card is made of, read in one view. Nothing else is looked at: the same
// input and options give the same card, byte for byte.
type Input struct {
	Task       core.Task
	Approval   core.Approval
	Claim      *core.Claim      // of Approval, nil if it was not used
	Executions []core.Execution // of the task; nil where they are not at hand
	Eligible   []string         // who may decide Approval now, decided or not, in the configuration's order
	Cards      []core.Card      // how far each surface is with showing it
	Successor  *core.Approval   // the one that ReplacedBy names, nil where it is not at hand
	Now        time.Time
	Viewer     string // the person who looks; "" for a card that many see
}

// Options are how a card is told.
type Options struct {
	Lang   Lang
	Zone   *time.Location // of the person; nil is UTC
	Limits Limits
}

// Limits bounds what a card shows. The zero value shows everything, as a page does.
type Limits struct {
	Total int  // the most that [Card.Text] may measure; 0: no limit
	Unit  Unit // what Total counts; nil counts Runes
}

// HeadlineMax is how long the headline may be, in code points: it is the notification (section 5 of
// the contract).
const HeadlineMax = 120

// ChatLimits are those of a message in a chat: under 1,000 visible characters (section 5 of the
// contract), counted in code points.
func ChatLimits() Limits { return Limits{Total: 999} }

// Tone is what a colour may say besides the words, which stand first.
type Tone string

// The tones.
const (
	ToneWaiting Tone = "waiting" // somebody has to act
	ToneGoing   Tone = "going"   // it goes on by itself
	ToneGood    Tone = "good"    // done
	ToneBad     Tone = "bad"     // refused, failed
	ToneOver    Tone = "over"    // of no more use
)

// Card is what a person is shown of one approval, the same for every surface. All texts are safe:
// foreign text in them went through [Visible], [Block] or quotation marks, and the signs ✅ ⛔ 🔴 and
// their like are ours alone. What remains for a surface is to keep its own mark-up inert.
type Card struct {
	Lang     Lang
	Approval string // ids
	Task     string
	Code     string
	State    core.ApprovalState // at the time of the input
	Tone     Tone
	Risk     core.Risk

	// Headline tells what waits and for whom on one line of at most HeadlineMax code points.
	Headline string
	Title    string // what is asked, or what became of it, with the checkpoint's whole title
	Sub      string // the plan's title and where the checkpoint stands in it
	Chips    []Chip
	Warnings []string // each with its ⚠
	Status   []Fact   // what was decided and what became of it; empty while the first decision is awaited
	Facts    []Fact   // what will run first, then how to undo it, then its place in the plan, then who asked
	Steps    []Step   // the plan, for surfaces that have room for a list
	Buttons  []Button // none once it can't be decided any more

	// Whole says that nothing is left out and nothing in the text could be read falsely. Where it is
	// not, the card offers Details in the place of Approve.
	Whole bool
	Flags []Flag // what is odd in the texts, gravest first
}

// Chip is a short fact for the top of a page.
type Chip struct {
	Text string
	Tone Tone // ToneBad is high risk
}

// Place says where on a card a fact belongs.
type Place string

// The places, in their order.
const (
	PlaceRuns    Place = "runs"    // what will run, and with what
	PlaceUndo    Place = "undo"    // how to undo it
	PlaceChanged Place = "changed" // since the request before it
	PlacePlan    Place = "plan"    // where it stands in the plan
	PlaceAsked   Place = "asked"   // who asked, until when, who was told
	PlaceStatus  Place = "status"  // what was decided
)

// Fact is one labelled text of a card.
type Fact struct {
	Place Place
	Label string
	Text  string // may have lines; whole, or cut with a gap that says so
	Items []Item // the same in parts where it has parts; nil if it was cut
	Code  bool   // a command: fixed width helps

	digest string // the raw text, whose digest the gap of a cut tells; "" for none
	said   bool   // a program's or a person's words, which are cut at MaxQuote in a chat
}

// Item is one part of a fact.
type Item struct {
	Label string
	Was   string // of a change: how it was before
	Text  string
}

// Step is one checkpoint of the plan.
type Step struct {
	Title string
	Note  string // its state in words, when, and what it said
	Done  bool
	Here  bool // the card's own
}

// ButtonKind is what a button does.
type ButtonKind string

// The buttons a card may want. AskAgain stands on an expired request whose task still waits: it makes
// a fresh one.
const (
	ButtonApprove  ButtonKind = "approve"
	ButtonReject   ButtonKind = "reject"
	ButtonDetails  ButtonKind = "details"
	ButtonLater    ButtonKind = "later"
	ButtonAskAgain ButtonKind = "ask_again"
)

// Button is one that the card wants, in the order in which they stand.
type Button struct {
	Kind    ButtonKind
	Label   string
	Confirm bool // needs a second confirmation: high risk
}

// Has says that the card wants a button.
func (c Card) Has(kind ButtonKind) bool {
	for _, b := range c.Buttons {
		if b.Kind == kind {
			return true
		}
	}
	return false
}
