package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"holdpoint/core"
	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// printApproval prints all that a person approves.
func printApproval(s std, a api.Approval, l summaries.Lang) error {
	var p page
	p.line("%s  %s", a.ID, summaries.Visible(a.Title))
	p.fact("code", a.Code)
	p.fact("state", stateText(l, a.State))
	p.fact("so", sentence(a.Guidance))
	p.fact("gate", fmt.Sprintf("%d: %s, attempt %d, round %d", a.Checkpoint.Index+1, summaries.Visible(a.Checkpoint.Title), a.Attempt, a.Round))
	p.fact("risk", string(a.Risk))
	p.fact("warning", summaries.Visible(a.Warning))
	for _, ch := range a.Changes {
		p.fact("changed", fmt.Sprintf("%s: %s → %s", summaries.Visible(ch.Field), summaries.Visible(ch.Was), summaries.Visible(ch.Now)))
	}
	p.subject(a.Subject)
	p.fact("needs", fmt.Sprintf("%d of %s", a.Required, seen(a.Approvers)))
	p.fact("asked", summaries.Visible(a.RequestedBy)+", "+clock(a.RequestedAt))
	p.fact("for", summaries.Visible(a.OnBehalfOf))
	if a.ExpiresAt != nil {
		p.fact("until", clock(*a.ExpiresAt))
	}
	p.outcome(a)
	p.fact("print", a.Fingerprint)
	return p.to(s.out)
}

// subject prints what the fingerprint stands for, as far as it is no line of its own above.
func (p *page) subject(sub core.Subject) {
	p.fact("objective", block(sub.Objective))
	p.fact("done when", block(sub.DoneWhen))
	p.fact("detail", block(sub.Detail))
	p.fact("runs", execText(sub.Run))
	p.fact("command", execText(sub.Command))
	p.fact("agent", summaries.Visible(sub.Agent))
	p.fact("prompt", block(sub.Prompt))
	p.fact("in", summaries.Visible(sub.Workdir))
	if sub.Run.Line != "" {
		p.fact("shell", execText(core.Exec{Args: sub.Shell}))
	}
	p.pairs("vars", sub.Vars)
	p.pairs("env", sub.Env)
	p.fact("pass env", seen(sub.PassEnv))
	p.pairs("files", sub.Files)
	p.fact("evidence", seen(sub.Evidence))
	if sub.Timeout > 0 {
		p.fact("timeout", sub.Timeout.String())
	}
	p.fact("undo", note(sub.Note))
	p.fact("undo runs", execText(sub.RollbackRun))
}

// outcome prints who decided, and what came of it.
func (p *page) outcome(a api.Approval) {
	for _, d := range a.Decisions {
		p.fact(string(d.Decision), fmt.Sprintf("%s (%s), %s%s", summaries.Visible(d.Person), summaries.Visible(d.Surface), clock(d.At), quoted(d.Reason)))
	}
	if a.Claim != nil {
		p.fact("used", clock(a.Claim.At)+", "+a.Claim.ExecutionID)
	}
	p.fact("reason", summaries.Visible(a.Reason))
	p.fact("instead", summaries.Visible(a.ReplacedBy))
}

func (p *page) pairs(name string, m map[string]string) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		p.fact(name, summaries.Visible(k)+"="+summaries.Visible(m[k]))
	}
}

// execText shows a line as it is, and the words of a list each in quotes, so that their borders are seen.
func execText(x core.Exec) string {
	if len(x.Args) == 0 {
		return block(x.Line)
	}
	words := make([]string, len(x.Args))
	for i, a := range x.Args {
		words[i] = strconv.Quote(summaries.Visible(a))
	}
	return strings.Join(words, " ")
}

// block shows a text of several lines, indented like the facts are.
func block(text string) string {
	return strings.ReplaceAll(summaries.Terminal(text), "\n", "\n"+strings.Repeat(" ", factWidth))
}
