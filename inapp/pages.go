package inapp

import (
	"context"
	"net/http"

	"holdpoint/core"
	"holdpoint/core/engine"
)

// approvalPage shows one approval, decided or not.
func (s *Server) approvalPage(v *visit) error { return s.showApproval(v, http.StatusOK, nil) }

// showApproval prints the page with an answer above it, if there is one to give. The page is read anew:
// what it says is what is on disk.
func (s *Server) showApproval(v *visit, status int, said *result) error {
	p, av, _, err := s.readApproval(v)
	if err != nil {
		return err
	}
	if said != nil {
		av.Notices = append([]result{*said}, av.Notices...)
	}
	p.Body = av
	return s.show(v, status, "approval", p)
}

func (s *Server) readApproval(v *visit) (page, approvalView, engine.ApprovalDetail, error) {
	ctx := v.r.Context()
	p, err := s.frame(ctx, v, page{})
	if err != nil {
		return p, approvalView{}, engine.ApprovalDetail{}, err
	}
	d, err := s.engine.Approval(ctx, v.actor, v.r.PathValue("id"))
	if err != nil {
		return p, approvalView{}, d, err
	}
	av, c := s.approvalView(ctx, v, d)
	p.Title, p.Code, p.Path, p.Body = c.Title, c.Code, av.Action, av
	return p, av, d, nil
}

// confirmPage is the second of the two steps that high risk asks for.
func (s *Server) confirmPage(v *visit) error { return s.showConfirm(v, http.StatusOK) }

// showConfirm prints the form; where there is nothing to confirm the page says where it stands instead.
func (s *Server) showConfirm(v *visit, status int) error {
	p, av, d, err := s.readApproval(v)
	if err != nil {
		return err
	}
	if av.Decide == nil || av.Decide.Confirm == "" {
		return s.show(v, status, "approval", p)
	}
	av.Heading = v.words.ConfirmTitle(quoted(d.Approval.Subject.Title))
	p.Title, p.Body, p.Live = av.Heading, av, false
	return s.show(v, status, "confirm", p)
}

// rejectPage asks for the reason.
func (s *Server) rejectPage(v *visit) error { return s.showReject(v, http.StatusOK, "", "") }

func (s *Server) showReject(v *visit, status int, reason, fault string) error {
	p, av, d, err := s.readApproval(v)
	if err != nil {
		return err
	}
	if av.Decide == nil {
		return s.show(v, status, "approval", p)
	}
	av.Heading, av.Reason, av.Fault = v.words.RejectTitle(quoted(d.Approval.Subject.Title)), reason, fault
	p.Title, p.Body, p.Live = av.Heading, av, false
	return s.show(v, status, "reject", p)
}

// taskPage shows one task with its steps, outputs, notes and journal.
func (s *Server) taskPage(v *visit) error { return s.showTask(v, http.StatusOK, nil) }

func (s *Server) showTask(v *visit, status int, said *result) error {
	ctx := v.r.Context()
	p, err := s.frame(ctx, v, page{})
	if err != nil {
		return err
	}
	d, err := s.engine.Task(ctx, v.actor, v.r.PathValue("id"))
	if err != nil {
		return err
	}
	p.Path = "/tasks/" + d.Task.ID
	tv, err := s.taskView(ctx, v, d)
	if err != nil {
		return err
	}
	if said != nil {
		tv.Results = append([]result{*said}, tv.Results...)
	}
	p.Title, p.Body = tv.Heading, tv
	return s.show(v, status, "task", p)
}

// journalWindow is how many of the newest audit rows a task page looks through for its own.
const (
	journalWindow = 2000
	journalBatch  = 500
)

// journal reads the task's newest events, newest first. gap says that older rows were not looked at.
func (s *Server) journal(ctx context.Context, v *visit, t core.Task) (own []core.Event, gap bool, err error) {
	head, err := s.engine.EventHead(ctx)
	if err != nil {
		return nil, false, err
	}
	after, oldest := max(head-journalWindow, 0), true
	for after < head {
		batch, err := s.engine.Events(ctx, v.actor, after, journalBatch)
		if err != nil {
			return nil, false, err
		}
		if len(batch) == 0 {
			break
		}
		if oldest {
			gap, oldest = after > 0 && batch[0].At.After(t.CreatedAt), false
		}
		for _, ev := range batch {
			if ev.Task == t.ID {
				own = append([]core.Event{ev}, own...)
			}
		}
		after = batch[len(batch)-1].Seq
	}
	return own, gap, nil
}
