package inapp

import (
	"net/http"
	"net/url"
	"strings"

	"holdpoint/core"
)

// resolve takes a person's word on a step of which nobody knows whether it took effect.
func (s *Server) resolve(v *visit) error {
	outcome, reason := v.r.PostForm.Get("outcome"), v.r.PostForm.Get("reason")
	if outcome != "done" && outcome != "failed" {
		return core.Invalid(core.FieldError{Path: "outcome", Message: "done or failed"})
	}
	if len(reason) > core.MaxReason || strings.ToValidUTF8(reason, "") != reason {
		return s.showTask(v, http.StatusUnprocessableEntity, &result{Class: classNo, Heading: v.words.RefusalTitle, Lines: []string{v.words.ReasonTooLong}})
	}
	return s.act(v, taskAction{
		action: core.ActResolve,
		done:   resolved,
		do: func(v *visit, id string) error {
			_, err := s.engine.Resolve(v.r.Context(), v.actor, id, outcome == "done", reason)
			return err
		},
	})
}

// resolved says that the record left review in the way that a form asks for.
func resolved(t core.Task, form url.Values) bool {
	switch t.State {
	case core.TaskReview:
		return false
	case core.TaskFailed:
		return form.Get("outcome") == "failed"
	}
	return form.Get("outcome") == "done"
}
