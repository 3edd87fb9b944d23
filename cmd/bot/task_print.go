package main

import (
	"fmt"
	"strings"

	"holdpoint/core"
	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// printTask prints the five outputs of a task, and its checkpoints.
func printTask(s std, t api.Task, l summaries.Lang) error {
	var p page
	p.line("%s  %s", t.ID, summaries.Visible(t.Title))
	p.fact("state", stateText(l, t.State))
	p.fact("reason", summaries.Visible(t.Reason))
	p.fact("objective", summaries.Visible(t.Objective))
	p.fact("at", fmt.Sprintf("%d of %d: %s%s", t.Current.Index+1, len(t.Checkpoints), summaries.Visible(t.Current.Title), attempt(t.Current)))
	p.fact("done", seen(t.Completed))
	p.fact("next", sentence(t.NextAction))
	if a := t.Approval; a != nil {
		p.fact("approval", fmt.Sprintf("%s %s · %s", a.Code, a.State, sentence(a.Guidance)))
	}
	p.fact("asked by", summaries.Visible(t.RequestedBy))
	p.fact("rollback", rollbackText(t.Rollback))
	for _, n := range t.Rollback.Notes {
		p.fact("  undo", summaries.Visible(n.Title)+": "+note(n.Text))
	}
	for i, c := range t.Checkpoints {
		p.line("%3d  %-17s  %s%s", i+1, c.State, summaries.Visible(c.Title), quoted(c.Summary))
	}
	for _, one := range t.Sessions {
		if x := one.Execution; x != nil && x.Teardown.State != "none" {
			p.fact("teardown", teardownText(*x))
		}
	}
	return p.to(s.out)
}

// rollbackText tells how far a rollback is, and of what.
func rollbackText(r api.Rollback) string {
	text := string(r.State)
	if r.Checkpoint != nil {
		text += " · " + summaries.Visible(r.Checkpoint.Title)
	}
	if r.State == core.RollbackAwaiting {
		text += " · approve " + r.ApprovalID
	}
	if r.State == core.RollbackFailed {
		text = "⚠ " + text
	}
	return text + quoted(r.Reason)
}

// teardownText tells how far the ending of an execution's processes is.
func teardownText(x api.Execution) string {
	return x.ID + " " + x.Teardown.State + quoted(x.Teardown.Reason)
}

func attempt(c api.Current) string {
	text := ""
	if c.Attempt > 1 {
		text = fmt.Sprintf(", attempt %d", c.Attempt)
	}
	if c.Round > 1 {
		text += fmt.Sprintf(", round %d", c.Round)
	}
	return text
}

func note(text string) string {
	if text == "" {
		return "no rollback note"
	}
	return summaries.Visible(text)
}

func quoted(text string) string {
	if text == "" {
		return ""
	}
	return " “" + summaries.Visible(text) + "”"
}

// stateText tells a state by its name in the contract, and in words where they tell more.
func stateText[S core.TaskState | core.ApprovalState](l summaries.Lang, state S) string {
	word := summaries.StateWord(l, state)
	if strings.EqualFold(word, strings.ReplaceAll(string(state), "_", " ")) {
		return string(state)
	}
	return string(state) + " (" + word + ")"
}
