package engine

import (
	"context"
	"strings"

	"holdpoint/core"
)

// prefixLen is the least length of a prefix that is taken for an id, from section 10 of the contract.
const prefixLen = 6

// id finds the one id of a kind that a text stands for: whole, or as a unique prefix.
func id(r Reader, kind, text string) (string, error) {
	none := core.Refuse(core.CodeNotFound, text, "nothing is known under this id")
	if !strings.HasPrefix(text, kind) || len(text) < prefixLen {
		return "", none
	}
	switch found := r.Match(text, 2); {
	case len(found) == 0:
		return "", none
	case found[0] == text || len(found) == 1:
		return found[0], nil
	}
	return "", core.Refuse(core.CodeNotFound, text, "several ids begin like this: give more of it")
}

func findTask(r Reader, text string) (core.Task, error) {
	if t, ok := r.Task(text); ok {
		return t, nil
	}
	full, err := id(r, core.PrefixTask, text)
	if err != nil {
		return core.Task{}, err
	}
	t, _ := r.Task(full)
	return t, nil
}

// findApproval takes an id, a unique prefix of one, or a code in any case.
func findApproval(r Reader, text string) (core.Approval, error) {
	if a, ok := r.Approval(text); ok {
		return a, nil
	}
	if a, ok := r.ApprovalByCode(strings.ToUpper(text)); ok {
		return a, nil
	}
	full, err := id(r, core.PrefixApproval, text)
	if err != nil {
		return core.Approval{}, err
	}
	a, _ := r.Approval(full)
	return a, nil
}

// load reads what a step of a task may look at.
func load(r Reader, text string) (core.Snapshot, error) {
	t, err := findTask(r, text)
	if err != nil {
		return core.Snapshot{}, err
	}
	return snapshot(r, t), nil
}

func snapshot(r Reader, t core.Task) core.Snapshot {
	s := core.Snapshot{Task: t}
	s.Approval, _ = r.Approval(t.ApprovalID)
	if parent, ok := r.Task(t.ParentID); ok {
		s.Parent = parent.RequestedBy
	}
	if c, ok := r.Claim(t.ApprovalID); ok {
		s.Claim = &c
	}
	s.Rollback, _ = r.Approval(t.Rollback.ApprovalID)
	for _, x := range r.ExecutionsOf(t.ID) {
		if x.Open() || x.ID == t.Execution || x.Teardown.State == core.TeardownFailed {
			s.Executions = append(s.Executions, x)
			if one, ok := r.Session(x.SessionID); ok {
				s.Sessions = append(s.Sessions, one)
			}
		}
	}
	return s
}

// sees says that an actor may see a task: everybody but agents, who see their own and those under it.
func sees(r Reader, a core.Actor, t core.Task) bool {
	rel := core.Relation{Own: t.RequestedBy.String() == a.String()}
	for up := t; a.Kind == core.ActorAgent && !rel.Own && !rel.Child && up.ParentID != ""; {
		parent, ok := r.Task(up.ParentID)
		if !ok {
			break
		}
		rel.Child = parent.RequestedBy.String() == a.String()
		up = parent
	}
	return core.May(a, core.ActSee, rel)
}

// unseen ends a view of what an actor may not see.
var unseen = core.Refuse(core.CodeForbidden, "", "you may not see this")

// denied puts the refusal of a look into the audit, as every other refusal is.
func (e *Engine) denied(ctx context.Context, a core.Actor, subject string, err error) error {
	if err != unseen { //nolint:errorlint // our own, passed through as it is
		return err
	}
	return e.Authorize(ctx, a, core.ActSee, subject)
}

// hidden is the answer for an id that nobody has.
func hidden(text string) error {
	return core.Refuse(core.CodeNotFound, text, "nothing is known under this id")
}
