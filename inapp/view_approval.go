package inapp

import (
	"context"
	"html/template"
	"strings"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/summaries"
)

// approvalView is the page of one approval, and the base of the two forms behind it. What it says of the
// approval is the card's; the page adds the forms, the links and the answer to what was posted.
type approvalView struct {
	Top, Rest        template.HTML    // the card, parted where the links go on
	Works            []summaries.Fact // what runs and how it is undone, for the forms
	Heading, Sub     string           // of a form
	ID, Fingerprint  string
	Action, TaskHref string
	Notices          []result
	Links            []link
	Decide           *decideForm
	AskAgain         bool
	Revision         int64
	Reason, Fault    string
}

// decideForm is what the person may do with the approval now; "" is what they may not.
type decideForm struct{ Approve, Confirm, Reject string }

// card makes the card of an approval as the person reads it, whole.
func (s *Server) card(ctx context.Context, v *visit, d engine.ApprovalDetail) summaries.Card {
	in := summaries.Input{Task: d.Task, Approval: d.Approval, Claim: d.Claim, Eligible: d.Eligible, Cards: d.Cards, Now: d.Now, Viewer: v.actor.Name}
	if t, err := s.engine.Task(ctx, v.actor, d.Task.ID); err == nil {
		in.Executions = t.Executions
	}
	if d.Approval.ReplacedBy != "" {
		if next, err := s.engine.Approval(ctx, v.actor, d.Approval.ReplacedBy); err == nil {
			in.Successor = &next.Approval
		}
	}
	return summaries.ForApproval(in, v.options())
}

func (s *Server) approvalView(ctx context.Context, v *visit, d engine.ApprovalDetail) (approvalView, summaries.Card) {
	a, c := d.Approval, s.card(ctx, v, d)
	av := approvalView{
		Works: works(c), Heading: c.Title, Sub: c.Sub, ID: a.ID, Fingerprint: a.Fingerprint,
		Action: "/approvals/" + a.ID, TaskHref: "/tasks/" + d.Task.ID, Revision: d.Task.Revision,
		Links: onward(v, d), AskAgain: c.Has(summaries.ButtonAskAgain),
	}
	av.Top, av.Rest = parted(c)
	approve, reject := c.Has(summaries.ButtonApprove), c.Has(summaries.ButtonReject)
	if !approve && !reject {
		return av, c
	}
	if !s.engine.Policy().DecidableOn(a.Subject.Risk, core.SurfaceInApp) {
		av.Notices = append(av.Notices, result{Class: classPlain, Lines: []string{v.words.NotDecidable}})
		return av, c
	}
	av.Decide = &decideForm{}
	if reject {
		av.Decide.Reject = av.Action + "/reject"
	}
	if approve && a.Subject.Risk == core.RiskHigh {
		av.Decide.Confirm = av.Action + "/approve"
	} else if approve {
		av.Decide.Approve = av.Action
	}
	return av, c
}

// parted gives the card in two pieces: up to what was decided, after which people want to go on, and the
// rest. A card of which nothing is decided yet is read whole first.
func parted(c summaries.Card) (top, rest template.HTML) {
	const end = "</section>"
	html := string(c.HTML())
	if at := strings.Index(html, end); c.State != core.ApprovalPending && len(c.Status) > 0 && at >= 0 { // the status is its first section
		return template.HTML(html[:at+len(end)]), template.HTML(html[at+len(end):]) //nolint:gosec // summaries made it, escaping every text
	}
	return c.HTML(), ""
}

// works are the facts that a person reads once more before a second step.
func works(c summaries.Card) []summaries.Fact {
	var out []summaries.Fact
	for _, f := range c.Facts {
		if f.Place == summaries.PlaceRuns || f.Place == summaries.PlaceUndo {
			out = append(out, f)
		}
	}
	return out
}

// onward is where it goes on: the request that counts now, if that is another one, and the task.
func onward(v *visit, d engine.ApprovalDetail) []link {
	out := []link{{Href: "/tasks/" + d.Task.ID, Text: v.words.ToTask}}
	next, text := d.Approval.ReplacedBy, v.words.FreshRequest
	if c, _ := d.Task.At(); next == "" && d.Task.ApprovalID != d.Approval.ID && d.Task.State == core.TaskAwaiting {
		next, text = d.Task.ApprovalID, v.words.NextRequest+quoted(c.Title)
	}
	if next != "" {
		out = append([]link{{Href: "/approvals/" + next, Text: text, Class: "button wide"}}, out...)
	}
	return out
}

// sayGuidance is where the approval stands, as a sentence.
func sayGuidance(v *visit, t core.Task, a core.Approval) string {
	return sentence(summaries.Guidance(t, a, v.now, v.words.Summary))
}
