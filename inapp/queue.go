package inapp

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/summaries"
)

// maxQueue bounds how many pending approvals a page looks at, maxRecent how many tasks stand below them,
// maxHistory one page of the history.
const (
	maxQueue   = 200
	maxRecent  = 8
	maxStuck   = 50
	maxHistory = 25
)

// queue is what waits, parted by whom it waits for.
type queue struct {
	mine, others []engine.ApprovalDetail
	full         bool // there may be more
}

// readQueue reads the pending approvals: what ends first comes first, then what waits longest.
func (s *Server) readQueue(ctx context.Context, v *visit) (queue, error) {
	all, err := s.engine.Approvals(ctx, v.actor, engine.ApprovalQuery{State: core.ApprovalPending, Limit: maxQueue})
	if err != nil {
		return queue{}, err
	}
	slices.SortStableFunc(all, urgency)
	q := queue{full: len(all) == maxQueue}
	for _, d := range all {
		if slices.Contains(d.Missing(), v.actor.Name) && d.Task.State == core.TaskAwaiting {
			q.mine = append(q.mine, d)
		} else {
			q.others = append(q.others, d)
		}
	}
	return q, nil
}

func urgency(a, b engine.ApprovalDetail) int {
	x, y := a.Approval, b.Approval
	switch {
	case x.ExpiresAt.IsZero() != y.ExpiresAt.IsZero():
		if x.ExpiresAt.IsZero() {
			return 1
		}
		return -1
	case !x.ExpiresAt.Equal(y.ExpiresAt):
		return x.ExpiresAt.Compare(y.ExpiresAt)
	}
	return x.RequestedAt.Compare(y.RequestedAt)
}

// queueBody is what the first page prints.
type queueBody struct {
	Mine, Others, Stuck, Recent []row
	Empty, More                 string
}

func (s *Server) queuePage(v *visit) error {
	ctx := v.r.Context()
	p, err := s.frame(ctx, v, page{Title: v.words.QueueTitle, Path: "/"})
	if err != nil {
		return err
	}
	q, err := s.readQueue(ctx, v)
	if err != nil {
		return err
	}
	b := queueBody{Mine: s.approvalRows(v, q.mine), Others: s.approvalRows(v, q.others), Empty: v.words.NothingWaits}
	if len(q.others) > 0 {
		b.Empty = v.words.NothingForYou
	}
	if q.full {
		b.More = v.words.MoreWaits
	}
	if b.Stuck, err = s.stuck(ctx, v); err != nil {
		return err
	}
	recent, err := s.engine.Tasks(ctx, v.actor, engine.TaskQuery{Limit: maxRecent})
	if err != nil {
		return err
	}
	b.Recent = taskRows(v, recent)
	p.Body = b
	return s.show(v, http.StatusOK, "queue", p)
}

// stuck lists what no pending request speaks of and a person has to look at: steps whose effect nobody
// knows, and gates that nobody decided in time.
func (s *Server) stuck(ctx context.Context, v *visit) ([]row, error) {
	var out []core.Task
	for _, state := range []core.TaskState{core.TaskReview, core.TaskAwaiting} {
		list, err := s.engine.Tasks(ctx, v.actor, engine.TaskQuery{State: state, Limit: maxStuck})
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			if state == core.TaskAwaiting {
				d, err := s.engine.Task(ctx, v.actor, t.ID)
				if err != nil || d.Approval.StateAt(d.Now) != core.ApprovalExpired {
					continue // decided or renewed meanwhile
				}
			}
			out = append(out, t)
		}
	}
	return taskRows(v, out), nil
}

// approvalRows are the lines of requests: risk, who is missing, deadline, age.
func (s *Server) approvalRows(v *visit, list []engine.ApprovalDetail) []row {
	out := make([]row, 0, len(list))
	for _, d := range list {
		in := summaries.Input{Task: d.Task, Approval: d.Approval, Eligible: d.Eligible, Now: d.Now, Viewer: v.actor.Name}
		c := summaries.ForApproval(in, v.options())
		r := row{Href: "/approvals/" + d.Approval.ID, Title: shown(d.Approval.Subject.Title), Sub: c.Sub + " · " + v.at(d.Approval.RequestedAt),
			Mine: c.Has(summaries.ButtonApprove)}
		for _, one := range c.Chips {
			r.Chips = append(r.Chips, chip{Text: one.Text, Class: toneClass(one.Tone)})
		}
		out = append(out, r)
	}
	return out
}

// taskRows are the lines of tasks: state, place in the plan, last change.
func taskRows(v *visit, list []core.Task) []row {
	out := make([]row, 0, len(list))
	for _, t := range list {
		out = append(out, row{Href: "/tasks/" + t.ID, Title: shown(t.Plan.Title), Sub: v.at(t.UpdatedAt),
			Chips: []chip{stateChip(v, t), {Text: v.words.DoneOf(len(t.Completed()), len(t.Plan.Checkpoints)), Class: "plain"}}})
	}
	return out
}

// historyBody is one page of all tasks.
type historyBody struct {
	Filter []filterLink
	Rows   []row
	Older  string
}

type filterLink struct {
	Href, Text string
	Here       bool
}

func (s *Server) historyPage(v *visit) error {
	ctx := v.r.Context()
	query := v.r.URL.Query()
	state := core.TaskState(query.Get("state"))
	if state != "" && !slices.Contains(core.TaskStates(), state) {
		return core.Invalid(core.FieldError{Path: "state", Message: "no such state"})
	}
	p, err := s.frame(ctx, v, page{Title: v.words.HistoryTitle})
	if err != nil {
		return err
	}
	list, err := s.engine.Tasks(ctx, v.actor, engine.TaskQuery{State: state, Before: query.Get("cursor"), Limit: maxHistory + 1})
	if err != nil {
		return err
	}
	b := historyBody{Filter: filters(v, state)}
	if len(list) > maxHistory {
		list = list[:maxHistory]
		b.Older = historyPath(state, list[maxHistory-1].ID)
	}
	b.Rows = taskRows(v, list)
	p.Body = b
	return s.show(v, http.StatusOK, "history", p)
}

func filters(v *visit, here core.TaskState) []filterLink {
	out := []filterLink{{Href: "/tasks", Text: v.words.AllStates, Here: here == ""}}
	for _, state := range core.TaskStates() {
		out = append(out, filterLink{Href: historyPath(state, ""), Text: stateWord(v, state), Here: here == state})
	}
	return out
}

func historyPath(state core.TaskState, cursor string) string {
	var parts []string
	if state != "" {
		parts = append(parts, "state="+string(state))
	}
	if cursor != "" {
		parts = append(parts, "cursor="+cursor)
	}
	if parts == nil {
		return "/tasks"
	}
	return "/tasks?" + strings.Join(parts, "&")
}
