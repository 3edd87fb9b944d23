package api

import (
	"context"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
)

// MostWait is how long one wait takes at most, from section 10 of the contract; DefaultWait where none
// is asked for.
const (
	MostWait    = time.Minute
	DefaultWait = 30 * time.Second
)

type approvalList struct {
	State  string `query:"state" enum:"pending,approved,rejected,expired,superseded,cancelled"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
	Cursor string `query:"cursor" maxLength:"64" doc:"next of the page before"`
}

// byCode is the input of a path that names one approval.
type byCode struct {
	ID string `path:"id" maxLength:"64" doc:"an id, a unique prefix of one from 6 characters on, or a code"`
}

type waitInput struct {
	ID      string `path:"id" maxLength:"64" doc:"an id, a unique prefix of one from 6 characters on, or a code"`
	Timeout string `query:"timeout" maxLength:"32" doc:"such as 30s; 60s at most, 0s looks once"`
}

func (s *Server) approvalRoutes() {
	handle(s, get("list-approvals", "/approvals", "List approvals, newest first", "approvals"), nil, s.listApprovals)
	handle(s, get("get-approval", "/approvals/{id}", "Show an approval", "approvals"), []core.Code{core.CodeNotFound, core.CodeForbidden}, s.getApproval)
	handle(s, get("wait-approval", "/approvals/{id}/wait", "Wait until an approval is no longer pending, or the time is up", "approvals"),
		[]core.Code{core.CodeNotFound, core.CodeForbidden}, s.waitApproval)
}

func (s *Server) listApprovals(ctx context.Context, in *approvalList) (*answer[List[Approval]], error) {
	if err := cursor(core.PrefixApproval, in.Cursor); err != nil {
		return nil, err
	}
	actor := actorOf(ctx)
	found, err := s.Engine.Approvals(ctx, actor, engine.ApprovalQuery{State: core.ApprovalState(in.State), Before: in.Cursor, Limit: in.Limit + 1})
	if err != nil {
		return nil, err
	}
	page := List[Approval]{Items: []Approval{}}
	if len(found) > in.Limit {
		found = found[:in.Limit]
		page.Next = found[in.Limit-1].Approval.ID
	}
	for _, d := range found {
		page.Items = append(page.Items, s.approval(d, s.language(actor)))
	}
	return answered(page), nil
}

func (s *Server) getApproval(ctx context.Context, in *byCode) (*answer[Approval], error) {
	d, err := s.Engine.Approval(ctx, actorOf(ctx), in.ID)
	return s.shown(ctx, d, err)
}

func (s *Server) shown(ctx context.Context, d engine.ApprovalDetail, err error) (*answer[Approval], error) {
	if err != nil {
		return nil, err
	}
	return answered(s.approval(d, s.language(actorOf(ctx)))), nil
}

func (s *Server) waitApproval(ctx context.Context, in *waitInput) (*answer[Approval], error) {
	timeout, err := waitTime("timeout", in.Timeout, DefaultWait)
	if err != nil {
		return nil, err
	}
	waiting, cancel := s.whileServing(ctx)
	defer cancel()
	d, err := s.Engine.Attend(waiting, actorOf(ctx), in.ID, timeout)
	if err != nil && ctx.Err() == nil && waiting.Err() != nil {
		d, err = s.Engine.Approval(ctx, actorOf(ctx), in.ID) // the daemon stops: as it is
	}
	return s.shown(ctx, d, err)
}

// waitTime reads the time of a wait from the query parameter of a name; what is longer than a wait takes
// is as long as it takes.
func waitTime(name, text string, absent time.Duration) (time.Duration, error) {
	switch text {
	case "":
		return absent, nil
	case "0", "0s":
		return 0, nil
	}
	d, err := core.ParseDuration(text, false)
	if err != nil {
		return 0, core.Invalid(core.FieldError{Path: name, Message: err.Error()})
	}
	return min(d.Std(), MostWait), nil
}

// whileServing ends with the request, or when the server is told to stop.
func (s *Server) whileServing(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-s.stopping:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
