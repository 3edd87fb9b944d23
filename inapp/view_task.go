package inapp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/summaries"
)

// taskView is the page of one task.
type taskView struct {
	Heading, Sub   string
	Chips          []chip
	Results        []result
	Next, Guidance string
	Open           *link
	Notes          []note
	Steps          []step
	Acts           []act
	Main           *act // the one green action, in reach of a thumb
	Revision       int64
	Facts          []fact
	Approvals      []row
	Journal        []entry
	JournalGap     string
}

// sentence gives a sentence of summaries, which begins low and has no full stop, the look of one that
// stands alone.
func sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:] + "."
}

// note is one rollback note.
type note struct{ Title, Ran, Text string }

// step is one checkpoint in its place in the plan, with the end of what it printed.
type step struct {
	summaries.Step
	Class  string
	Output *output
}

// act is one thing that the person may do with the task now.
type act struct {
	Text, Class, Action, Name, Words, Hint, Outcome string
	Needed, Open                                    bool
}

// entry is one row of the journal.
type entry struct{ When, Text, Said string }

func (s *Server) taskView(ctx context.Context, v *visit, d engine.TaskDetail) (taskView, error) {
	t, w := d.Task, v.words
	events, gap, err := s.journal(ctx, v, t)
	if err != nil {
		return taskView{}, err
	}
	tv := taskView{
		Heading: shown(t.Plan.Title), Sub: w.DoneOf(len(t.Completed()), len(t.Plan.Checkpoints)),
		Chips: []chip{stateChip(v, t)}, Revision: t.Revision,
		Next: sentence(summaries.NextAction(t, d.Approval, v.now, w.Summary)), Steps: s.stepsWithOutput(v, d),
		Facts: taskFacts(v, t), Approvals: requests(v, d.Approvals), Journal: entries(v, events),
	}
	if t.Plan.Kind == core.KindGoal {
		tv.Chips = append(tv.Chips, chip{Text: w.Round(fmt.Sprint(t.Round)), Class: classPlain})
	}
	tv.Acts, tv.Main = s.acts(v, d)
	if d.Approval.ID != "" {
		tv.Guidance = sayGuidance(v, t, d.Approval)
	}
	if t.State == core.TaskAwaiting && d.Approval.StateAt(v.now) == core.ApprovalPending {
		tv.Open = &link{Href: "/approvals/" + d.Approval.ID, Text: w.OpenRequest}
	}
	if t.Reason != "" {
		tv.Results = append(tv.Results, result{Class: taskClass(t.State), Heading: w.Why, Lines: []string{quoted(t.Reason)}})
	}
	tv.Results = append(tv.Results, endings(v, d)...)
	if undoable(t.State) {
		tv.Notes = notes(v, t)
	}
	if gap {
		tv.JournalGap = w.JournalGap
	}
	return tv, nil
}

// undoable lists the states in which people look for what there is to undo.
func undoable(s core.TaskState) bool {
	switch s {
	case core.TaskFailed, core.TaskRejected, core.TaskCancelled, core.TaskReview:
		return true
	}
	return false
}

func notes(v *visit, t core.Task) []note {
	var out []note
	for _, n := range t.RollbackNotes() {
		one := note{Title: shown(n.Title), Ran: v.words.DidNotRun, Text: block(n.Text)}
		if n.Ran {
			one.Ran = v.words.DidRun
		}
		if n.Text == "" {
			one.Text = v.words.NoNote
		}
		out = append(out, one)
	}
	return out
}

// stepsWithOutput adds to each step the end of what its newest execution printed.
func (s *Server) stepsWithOutput(v *visit, d engine.TaskDetail) []step {
	in := summaries.Input{Task: d.Task, Approval: d.Approval, Claim: d.Claim, Executions: d.Executions, Now: d.Now}
	var out []step
	for i, one := range summaries.ForApproval(in, v.options()).Steps {
		out = append(out, step{Step: one, Class: checkpointClass(d.Task, i)})
	}
	for _, x := range slices.Backward(d.Executions) {
		if x.Checkpoint >= len(out) || out[x.Checkpoint].Output != nil || x.Kind == core.ExecOutside {
			continue
		}
		out[x.Checkpoint].Output = s.tail(v, x)
	}
	return out
}

func taskFacts(v *visit, t core.Task) []fact {
	w := v.words
	out := []fact{{Label: w.By, Text: shown(t.RequestedBy.Name)}}
	if t.Plan.OnBehalfOf != "" {
		out = append(out, fact{Label: w.For, Text: shown(t.Plan.OnBehalfOf)})
	}
	out = append(out, fact{Label: w.StartedAt, Text: v.at(t.CreatedAt)}, fact{Label: w.UpdatedAt, Text: v.at(t.UpdatedAt)})
	if t.Plan.Objective != "" {
		out = append(out, fact{Label: w.Objective, Text: shown(t.Plan.Objective)}, fact{Label: w.DoneWhen, Text: shown(t.Plan.DoneWhen)})
	}
	out = append(out, fact{Label: w.TaskID, Text: t.ID})
	if t.ParentID != "" {
		out = append(out, fact{Label: w.ParentTask, Href: "/tasks/" + t.ParentID, Link: t.ParentID})
	}
	return out
}

// requests are the task's approvals, newest first.
func requests(v *visit, list []core.Approval) []row {
	var out []row
	for _, a := range slices.Backward(list) {
		state := a.StateAt(v.now)
		out = append(out, row{Href: "/approvals/" + a.ID, Title: shown(a.Subject.Title), Sub: a.Code + " · " + v.at(a.RequestedAt),
			Chips: []chip{{Text: summaries.StateWord(v.words.Summary, state), Class: approvalClass(state)}}})
	}
	return out
}

// entries are the journal's rows in words. What people and programs said is quoted, not retold.
func entries(v *visit, list []core.Event) []entry {
	var out []entry
	for _, ev := range list {
		text := v.words.Events[ev.Type]
		if text == "" {
			text = shown(ev.Type)
		}
		e := entry{When: v.clock(ev.At), Text: who(v, ev.Actor) + text}
		if title, ok := ev.Data["checkpoint"].(string); ok {
			e.Text += " · " + shown(title)
		}
		if detail := verdict(v, ev); detail != "" {
			e.Text += " · " + detail
		}
		if reason, ok := ev.Data["reason"].(string); ok && reason != "" && !echoes[ev.Type] {
			e.Said = quoted(reason)
		}
		out = append(out, e)
	}
	return out
}

// echoes are rows that repeat the reason of the decision before them.
var echoes = map[string]bool{core.EventApprovalRejected: true, core.EventTaskRejected: true, core.EventApprovalCancelled: true}

// verdict words what a decision said, how an execution ended, or why something was refused.
func verdict(v *visit, ev core.Event) string {
	l := v.words.Summary
	text := func(name string) string { s, _ := ev.Data[name].(string); return s }
	switch {
	case text("decision") == string(core.Approve):
		return summaries.StateWord(l, core.ApprovalApproved)
	case text("decision") == string(core.Reject):
		return summaries.StateWord(l, core.ApprovalRejected)
	case text("outcome") != "":
		return summaries.StateWord(l, core.CheckpointState(text("outcome")))
	}
	return shown(text("code"))
}

// who names an actor of the audit; the daemon itself needs no name.
func who(v *visit, actor string) string {
	kind, name, _ := strings.Cut(actor, ":")
	switch core.ActorKind(kind) {
	case core.ActorPerson:
		return shown(name) + " · "
	case core.ActorSystem:
		return ""
	}
	return v.words.Program + shown(name) + " · "
}

// acts are the forms of what the person may do in the task's state; what leads on stands apart.
func (s *Server) acts(v *visit, d engine.TaskDetail) (others []act, main *act) {
	t, w, base := d.Task, v.words, "/tasks/"+d.Task.ID+"/"
	add := func(action core.Action, possible bool, a act) {
		if possible && s.may(v, t, action) {
			a.Action = base + a.Action
			if others = append(others, a); a.Class == "go" {
				others, main = others[:len(others)-1], &a
			}
		}
	}
	leads := func(ev core.TaskEvent) bool { _, err := core.Next(t.State, ev); return err == nil }
	add(core.ActResolve, t.State == core.TaskReview, act{Text: w.ResolveDone, Class: "", Action: "resolve", Outcome: "done", Name: "done", Words: w.HowYouKnow, Needed: true})
	add(core.ActResolve, t.State == core.TaskReview, act{Text: w.ResolveFailed, Class: "no", Action: "resolve", Outcome: "failed", Name: "failed", Words: w.HowYouKnow, Needed: true})
	if _, claimed := outside(d); claimed {
		add(core.ActReport, true, act{Text: w.WorkDone, Action: "report", Outcome: "succeeded", Name: "work-done", Words: w.WorkDetail})
		add(core.ActReport, true, act{Text: w.WorkFailed, Class: "no", Action: "report", Outcome: "failed", Name: "work-failed", Words: w.WorkDetail})
	}
	add(core.ActClaim, claimable(d), act{Text: w.Begin, Action: "claim", Class: "go", Hint: w.BeginHint})
	if i := undoes(t); i >= 0 {
		add(core.ActRollback, true, act{Text: w.RollbackAsk + quoted(t.Plan.Checkpoints[i].Title), Action: "rollback", Outcome: fmt.Sprint(i)})
	}
	add(core.ActStop, stoppable(d), act{Text: w.Stop, Class: "no", Action: "stop", Name: "stop-why", Words: w.WhyStop})
	add(core.ActPause, leads(core.EvPaused), act{Text: w.Pause, Action: "pause"})
	add(core.ActCancel, leads(core.EvCancelled), act{Text: w.Cancel, Class: "no", Action: "cancel", Name: "why", Words: w.WhyCancel})
	add(core.ActResume, t.State == core.TaskPaused, act{Text: w.Resume, Class: "go", Action: "resume"})
	add(core.ActRetry, retryable(d, v), act{Text: w.Retry, Class: "go", Action: "retry", Hint: w.RetryHint})
	return others, main
}

// retryable says that a retry would make a fresh approval now.
func retryable(d engine.TaskDetail, v *visit) bool {
	switch d.Task.State {
	case core.TaskFailed, core.TaskRejected, core.TaskReview:
		r := d.Task.Rollback.State
		return r != core.RollbackAwaiting && r != core.RollbackRunning
	case core.TaskAwaiting:
		return d.Approval.StateAt(v.now) == core.ApprovalExpired
	}
	return false
}

// may asks the one table, for what is shown; what is posted is asked again by the engine.
func (s *Server) may(v *visit, t core.Task, action core.Action) bool {
	c, _ := t.At()
	if action == core.ActCancel && t.State != core.TaskRunning && t.State != core.TaskReview && slices.Contains(t.Requesters(), v.actor.Name) {
		action = core.ActWithdraw // who asked may take it back while nothing runs
	}
	able := s.engine.Policy().Eligible(c.Approvers, t.Plan.AllowSelf, t.Requesters()...)
	return core.May(v.actor, action, core.Relation{
		Approver: slices.Contains(able, v.actor.Name), Requester: slices.Contains(t.Requesters(), v.actor.Name),
	})
}
