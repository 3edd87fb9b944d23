package inapp

import (
	"net/http"
	"net/url"
	"strconv"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/summaries"
)

// decide takes a verdict. What the page showed has to be what the approval holds; all else is judged by
// the engine. On success the browser is sent to the page that tells what was recorded.
func (s *Server) decide(v *visit) error {
	ctx, form := v.r.Context(), v.r.PostForm
	d, err := s.engine.Approval(ctx, v.actor, v.r.PathValue("id"))
	if err != nil {
		return err
	}
	if differs(form.Get("approval"), d.Approval.ID) || differs(form.Get("fingerprint"), d.Approval.Fingerprint) {
		return s.showApproval(v, http.StatusConflict, &result{Class: classHold, Heading: v.words.NotDecided, Lines: []string{v.words.OtherRequest}})
	}
	verdict, reason := core.Verdict(form.Get("decision")), form.Get("reason")
	_, err = s.engine.Decide(ctx, engine.Decide{Actor: v.actor, Approval: d.Approval.ID, Verdict: verdict, Reason: reason, Confirm: form.Get("confirm") == "true"})
	if err == nil {
		return seeOther(v, "/approvals/"+d.Approval.ID)
	}
	refusal := refusalOf(err)
	switch {
	case refusal == nil:
		return err
	case refusal.Code == core.CodeValidation && has(refusal, "confirm"):
		return s.showConfirm(v, http.StatusUnprocessableEntity)
	case refusal.Code == core.CodeValidation && has(refusal, "reason"):
		return s.showReject(v, http.StatusUnprocessableEntity, shown(reason), v.words.ReasonTooLong)
	}
	said, ok := s.notDecided(v, d, refusal)
	if !ok {
		return err
	}
	return s.showApproval(v, statusOf(refusal.Code), &said)
}

// differs says that a form names another thing than the one at hand; a form that names none was not made
// by a page of ours and stands for what its address names.
func differs(given, own string) bool { return given != "" && given != own }

func has(e *core.Error, path string) bool {
	for _, f := range e.Fields {
		if f.Path == path {
			return true
		}
	}
	return false
}

// notDecided answers a refusal in the place where the decision would stand. Below it the card tells who
// decided and when, or why the person may not.
func (s *Server) notDecided(v *visit, d engine.ApprovalDetail, e *core.Error) (result, bool) {
	w := v.words
	r := result{Class: classHold, Heading: w.NotDecided}
	switch e.Code {
	case core.CodeForbidden:
		r.Class, r.Lines = classNo, []string{w.Refusals[e.Code]}
	case core.CodeConflict:
		r.Lines = []string{w.Refusals[e.Code]}
	case core.CodeAlreadyDecided:
		r.Lines = []string{w.AlreadyDecided(summaries.StateWord(w.Summary, core.ApprovalState(e.Cause)), shown(e.By), v.at(e.At))}
	case core.CodeStale:
		if now, err := s.engine.Approval(v.r.Context(), v.actor, d.Approval.ID); err == nil {
			r.Lines = []string{sayGuidance(v, now.Task, now.Approval)}
		}
		if e.ReplacedBy != "" {
			r.Links = []link{{Href: "/approvals/" + e.ReplacedBy, Text: w.FreshRequest, Class: "button wide"}}
		}
	default:
		return r, false
	}
	return r, true
}

// taskAction is what the forms of the task page have in common.
type taskAction struct {
	action core.Action
	done   func(now core.Task, form url.Values) bool // a repeat of the form would find this
	do     func(v *visit, id string) error
}

// act runs one action on a task. A form that was made for an older state of the record decides nothing
// any more, since its words spoke of that state; where what it asked for has come about already, it is a
// repeat and is answered as the first was.
func (s *Server) act(v *visit, a taskAction) error {
	ctx, form := v.r.Context(), v.r.PostForm
	d, err := s.engine.Task(ctx, v.actor, v.r.PathValue("id"))
	if err != nil {
		return err
	}
	t, page := d.Task, "/tasks/"+d.Task.ID
	if shownRevision, err := strconv.ParseInt(form.Get("revision"), 10, 64); err == nil && shownRevision != t.Revision && s.may(v, t, a.action) {
		if a.done(t, form) {
			return seeOther(v, page)
		}
		return s.showTask(v, http.StatusConflict, &result{Class: classHold, Heading: v.words.RefusalTitle, Lines: []string{v.words.LookAgain}})
	}
	err = a.do(v, t.ID)
	if err == nil {
		return seeOther(v, page)
	}
	refusal := refusalOf(err)
	if refusal == nil || refusal.Code == core.CodeNotFound || refusal.Code == core.CodeUnauthorized {
		return err
	}
	class := classHold
	if refusal.Code == core.CodeForbidden {
		class = classNo
	}
	return s.showTask(v, statusOf(refusal.Code), &result{Class: class, Heading: v.words.RefusalTitle, Lines: []string{refusalWords(v.words, refusal)}})
}

func (s *Server) retry(v *visit) error {
	return s.act(v, taskAction{
		action: core.ActRetry,
		done:   func(now core.Task, _ url.Values) bool { return now.State == core.TaskAwaiting },
		do:     func(v *visit, id string) error { _, err := s.engine.Retry(v.r.Context(), v.actor, id); return err },
	})
}

func (s *Server) pause(v *visit) error {
	return s.act(v, taskAction{
		action: core.ActPause,
		done:   func(now core.Task, _ url.Values) bool { return now.State == core.TaskPaused },
		do:     func(v *visit, id string) error { _, err := s.engine.Pause(v.r.Context(), v.actor, id); return err },
	})
}

func (s *Server) resume(v *visit) error {
	return s.act(v, taskAction{
		action: core.ActResume,
		done: func(now core.Task, _ url.Values) bool {
			return now.State == core.TaskAwaiting || now.State == core.TaskQueued
		},
		do: func(v *visit, id string) error { _, err := s.engine.Resume(v.r.Context(), v.actor, id); return err },
	})
}

func (s *Server) cancel(v *visit) error {
	return s.act(v, taskAction{
		action: core.ActCancel,
		done:   func(now core.Task, _ url.Values) bool { return now.State == core.TaskCancelled },
		do: func(v *visit, id string) error {
			_, _, err := s.engine.Cancel(v.r.Context(), v.actor, id, v.r.PostForm.Get("reason"))
			return err
		},
	})
}
