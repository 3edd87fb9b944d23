package inapp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/summaries"
)

// approvalView is the page of one approval, and the base of the two forms behind it.
type approvalView struct {
	ID, Fingerprint, Action, Back string
	Heading, Sub, TaskHref        string
	Chips                         []chip
	Results                       []result
	Warning                       string
	Works                         []work
	Steps                         []step
	Scope, Asked                  []fact
	Changes                       []change
	Decide                        *decideForm
	AskAgain                      bool
	Revision                      int64
	Reason, Fault                 string
}

// decideForm is what the person may do with the approval now; "" is what they may not.
type decideForm struct {
	ID, Fingerprint, Action  string
	Approve, Confirm, Reject string
}

// work is one block of what is shown before all else: what runs, what it does, how to undo it.
type work struct {
	Label, Class, Text string
	Was                string // what stood there in the request before
	WasWord, NowWord   string
	Said               bool // words, no command
	Notes              []string
}

// step is one checkpoint in its place in the plan.
type step struct {
	Title, Class string
	Here         bool
	Notes        []string
	Output       *output
}

type change struct{ Label, Was, Now string }

// approvalView makes the page from what was read in one view.
func (s *Server) approvalView(v *visit, d engine.ApprovalDetail) approvalView {
	a, w := d.Approval, v.words
	title := w.Quoted(shown(a.Subject.Title))
	base := "/approvals/" + a.ID
	av := approvalView{
		ID: a.ID, Fingerprint: a.Fingerprint, Action: base, Back: base, TaskHref: "/tasks/" + d.Task.ID, Revision: d.Task.Revision,
		Heading: w.ApproveTitle(title), Sub: shown(a.Subject.Plan) + " · " + w.OfSteps(a.Subject.Index+1, len(d.Task.Plan.Checkpoints)),
		Works: works(v, a), Steps: steps(v, d.Task), Scope: scope(v, a.Subject), Asked: asked(v, d), Changes: changes(a),
	}
	if a.Warning != "" {
		av.Warning = shown(a.Warning)
	}
	av.Chips = []chip{riskChip(v, a.Subject.Risk)}
	if a.Subject.Attempt > 1 {
		av.Chips = append(av.Chips, chip{Text: w.Attempt(fmt.Sprint(a.Subject.Attempt)), Class: "plain"})
	}
	if a.Subject.Work == core.KindGoal {
		av.Chips = append(av.Chips, chip{Text: w.Round(fmt.Sprint(a.Subject.Round)), Class: "plain"})
	}
	s.standing(v, d, &av, title)
	return av
}

// standing is where the approval stands: what was recorded, and what the person may do now.
func (s *Server) standing(v *visit, d engine.ApprovalDetail, av *approvalView, title string) {
	a, w, state := d.Approval, v.words, d.State()
	if state == core.ApprovalPending {
		av.Chips = append(av.Chips, needsChip(v, d), chip{Text: v.until(a.ExpiresAt), Class: "plain"})
		s.choices(v, d, av)
		return
	}
	av.Heading = w.StepTitle(title)
	av.Chips = append(av.Chips, chip{Text: summaries.StateWord(w.Summary, state), Class: approvalClass(state)})
	av.Results = append(av.Results, outcome(v, d))
	av.AskAgain = state == core.ApprovalExpired && a.ID == d.Task.ApprovalID && d.Task.State == core.TaskAwaiting
}

// choices offers what the person may do with a pending approval, and says why where that is nothing.
func (s *Server) choices(v *visit, d engine.ApprovalDetail, av *approvalView) {
	a, w, base := d.Approval, v.words, av.Action
	mine, decided := a.By(v.actor.Name)
	if decided {
		av.Results = append(av.Results, result{Class: "hold", Heading: w.Recorded, Lines: []string{decisionLine(v, mine), w.StillWaits}})
	}
	if d.Task.State == core.TaskPaused {
		av.Results = append(av.Results, result{Class: "hold", Heading: w.PausedTitle, Lines: []string{w.PausedNow},
			Links: []link{{Href: av.TaskHref, Text: w.ToTask}}})
		return
	}
	if why := s.barred(v, d); why != "" {
		av.Results = append(av.Results, result{Class: "plain", Heading: w.Approvers, Lines: []string{why}})
		return
	}
	f := decideForm{ID: a.ID, Fingerprint: a.Fingerprint, Action: base, Reject: base + "/reject"}
	switch {
	case decided: // taking back is all that is left
	case a.Subject.Risk == core.RiskHigh:
		f.Confirm = base + "/approve"
	default:
		f.Approve = base
	}
	av.Decide = &f
}

// barred says why the person may not decide, "" if they may.
func (s *Server) barred(v *visit, d engine.ApprovalDetail) string {
	switch {
	case slices.Contains(d.Approval.Requesters(), v.actor.Name) && !slices.Contains(d.Eligible, v.actor.Name):
		return v.words.YouAsked
	case !slices.Contains(d.Eligible, v.actor.Name):
		return v.words.NotAmong
	case !s.engine.Policy().DecidableOn(d.Approval.Subject.Risk, core.SurfaceInApp):
		return v.words.NotDecidable
	}
	return ""
}

// outcome tells what became of an approval: by whom, when, and where it goes on.
func outcome(v *visit, d engine.ApprovalDetail) result {
	a, w, state := d.Approval, v.words, d.State()
	r := result{Class: approvalClass(state), Heading: w.Recorded, Links: []link{{Href: "/tasks/" + d.Task.ID, Text: w.ToTask}}}
	for _, dec := range a.Decisions {
		r.Lines = append(r.Lines, decisionLine(v, dec))
		if dec.Reason != "" {
			r.Lines = append(r.Lines, w.Because(w.Quoted(shown(dec.Reason))))
		}
	}
	switch state {
	case core.ApprovalRejected:
		r.Lines = append(r.Lines, w.StepDidNotRun)
	case core.ApprovalExpired, core.ApprovalSuperseded, core.ApprovalCancelled:
		r.Heading = w.NotRecorded
		r.Lines = append(r.Lines, staleWords(w, state))
	}
	r.Lines = append(r.Lines, sentence(summaries.Guidance(d.Task, a, v.now, w.Summary)))
	if a.ReplacedBy != "" {
		r.Links = append([]link{{Href: "/approvals/" + a.ReplacedBy, Text: w.FreshRequest, Class: "button"}}, r.Links...)
	} else if next := d.Task.ApprovalID; next != a.ID && d.Task.State == core.TaskAwaiting {
		c, _ := d.Task.At()
		r.Links = append([]link{{Href: "/approvals/" + next, Text: w.NextRequest + w.Quoted(shown(c.Title)), Class: "button"}}, r.Links...)
	}
	return r
}

func staleWords(w *words, state core.ApprovalState) string {
	switch state {
	case core.ApprovalExpired:
		return w.StaleExpired
	case core.ApprovalCancelled:
		return w.StaleGone
	}
	return w.StaleChanged
}

// decisionLine tells one decision in the second person where it is the reader's own.
func decisionLine(v *visit, dec core.Decision) string {
	w, when := v.words, v.at(dec.At)
	on := w.Surface[dec.Surface]
	if on == "" {
		on = shown(dec.Surface)
	}
	var line string
	switch you, yes := dec.Person == v.actor.Name, dec.Verdict == core.Approve; {
	case you && yes:
		line = w.ApprovedYou(on, when)
	case you:
		line = w.RejectedYou(on, when)
	case yes:
		line = w.Approved(shown(dec.Person), on, when)
	default:
		line = w.Rejected(shown(dec.Person), on, when)
	}
	if dec.Self {
		line += " · " + w.Self
	}
	return line
}

// sentence gives a sentence of summaries, which begins low and has no full stop, the look of one that
// stands alone.
func sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:] + "."
}

// works are the blocks that come first: what runs, what it does, how it is undone.
func works(v *visit, a core.Approval) []work {
	w, sub := v.words, a.Subject
	first := work{Label: w.Runs, Class: "first"}
	switch {
	case !sub.Run.IsZero():
		first.Text, first.Notes = execText(w, sub.Run, sub.Shell)
		first = first.since(w, a, "run")
	case sub.Agent != "":
		first.Label, first.Text = w.AgentRuns+shown(sub.Agent), block(sub.Prompt)
		first = first.since(w, a, "prompt")
	case !sub.Command.IsZero():
		first.Label = w.OutsideRuns
		first.Text, first.Notes = execText(w, sub.Command, sub.Shell)
		first = first.since(w, a, "command")
	default:
		first.Label, first.Text, first.Said = w.OutsideRuns, block(sub.Detail), true
		first.Notes = []string{w.NotRunHere}
	}
	out := []work{first}
	undo := work{Label: w.Undo, Text: block(sub.Note)}.since(w, a, "rollback_notes")
	if sub.Note == "" {
		undo.Text, undo.Said = w.NoNote, true
	}
	out = append(out, undo)
	if sub.Detail != "" && !first.Said {
		out = append(out, work{Label: w.Detail, Text: w.Quoted(block(sub.Detail)), Said: true})
	}
	if !sub.RollbackRun.IsZero() {
		text, notes := execText(w, sub.RollbackRun, sub.Shell)
		out = append(out, work{Label: w.UndoRun, Text: text, Notes: notes})
	}
	if sub.Work == core.KindGoal {
		out = append(out, work{Label: w.Goal, Text: block(sub.Objective + "\n" + sub.DoneWhen)})
	}
	return out
}

// since adds what a field was in the request before this one.
func (b work) since(w *words, a core.Approval, field string) work {
	for _, c := range a.Changes {
		if c.Field == field && c.Was != "" {
			b.Was, b.WasWord, b.NowWord = block(c.Was), w.Was, w.Now
			b.Notes = append(b.Notes, w.ChangedSince)
		}
	}
	return b
}

// execText shows a command as it is: a line with the shell that reads it, a list as a JSON array, in
// which no two lists look alike.
func execText(w *words, x core.Exec, shell []string) (string, []string) {
	if len(x.Args) > 0 {
		return block(list(x.Args)), []string{w.ExactList}
	}
	return block(x.Line), []string{w.ShellLine + shown(list(shell))}
}

func list(words []string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(words) // strings always encode
	return strings.TrimSpace(b.String())
}

// scope is everything else that the fingerprint covers: nobody approves what they could not see.
func scope(v *visit, sub core.Subject) []fact {
	w := v.words
	var out []fact
	add := func(label, text string) {
		if text != "" {
			out = append(out, fact{Label: label, Text: text})
		}
	}
	add(w.Workdir, shown(sub.Workdir))
	add(w.Vars, pairs(sub.Vars))
	add(w.Env, pairs(sub.Env))
	add(w.PassEnv, shown(strings.Join(sub.PassEnv, ", ")))
	add(w.Files, pairs(sub.Files))
	if sub.Timeout > 0 {
		add(w.Timeout, sub.Timeout.String())
	}
	return out
}

func pairs(m map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, shown(name+"="+m[name]))
	}
	return strings.Join(out, "\n")
}

// changes are the fields that differ from the request before, except those shown in their own place.
func changes(a core.Approval) []change {
	var out []change
	for _, c := range a.Changes {
		out = append(out, change{Label: shown(c.Field), Was: block(c.Was), Now: block(c.Now)})
	}
	return out
}

// asked is who asked, when, for whom, who may decide and who was told.
func asked(v *visit, d engine.ApprovalDetail) []fact {
	a, w := d.Approval, v.words
	out := []fact{{Label: w.By, Text: shown(a.RequestedBy.Name)}}
	if a.OnBehalfOf != "" {
		out = append(out, fact{Label: w.For, Text: shown(a.OnBehalfOf)})
	}
	out = append(out, fact{Label: w.When, Text: v.at(a.RequestedAt)})
	if len(d.Eligible) > 0 {
		out = append(out, fact{Label: w.Approvers, Text: orList(shownAll(d.Eligible), w.Or)})
	}
	if a.UseWithin > 0 {
		out = append(out, fact{Label: w.UsedWithin, Text: a.UseWithin.String()})
	}
	return append(out, fact{Label: w.Told, Text: told(w, d.Cards)}, fact{Label: w.ID, Text: a.Code + " · " + a.ID})
}

// told says which surfaces showed the card, and why one did not.
func told(w *words, cards []core.Card) string {
	var out []string
	for _, c := range cards {
		text := w.Surface[c.Surface]
		if text == "" {
			text = shown(c.Surface)
		}
		switch c.State {
		case core.CardShown:
			text += " ✓"
		case core.CardFailed:
			text += ": " + shown(c.Reason)
		default:
			text += " …"
		}
		out = append(out, text)
	}
	if out == nil {
		return w.OnlyHere
	}
	return strings.Join(out, " · ")
}
