package inapp_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
)

func TestARepeatAnswersAsTheFirstDid(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask(one)
		b, path, home := s.as("bo"), s.approval(task), "/tasks/"+task.ID
		f := form(t, b.get(path).text(), path)
		first := b.post(path, f)
		before := s.head()
		second := b.post(path, f)
		if second.Code != first.Code || second.where() != first.where() {
			t.Errorf("first %d to %s, then %d to %s", first.Code, first.where(), second.Code, second.where())
		}
		if s.head() < before {
			t.Error("the audit went back")
		}
		s.end(engine.Sighting{ExitCode: 1}, "")
		retry := form(t, b.get(home).text(), home+"/retry")
		for i := range 2 {
			if got := b.post(home+"/retry", retry); got.Code != http.StatusSeeOther || got.where() != home {
				t.Errorf("retry %d: %d to %s", i+1, got.Code, got.where())
			}
		}
		if n := len(s.World.Task(task.ID).Approvals); n != 2 {
			t.Errorf("%d approvals after one retry that was sent twice", n)
		}
	})
}

func TestADecisionThatComesTooLateIsAnsweredInPlace(t *testing.T) {
	late := func(t *testing.T, plan string, meanwhile func(*site, core.Task), says ...string) {
		t.Helper()
		inSite(t, func(t *testing.T, s *site) {
			task := s.StartTask(plan)
			path := s.approval(task)
			b := s.as("bo")
			f := form(t, b.get(path).text(), path)
			meanwhile(s, task)
			b = s.as("bo")
			f.Set("csrf_token", form(t, b.get("/").text(), "/signout").Get("csrf_token"))
			got := b.post(path, f)
			if got.Code != http.StatusConflict {
				t.Errorf("%d instead of 409", got.Code)
			}
			wants(t, got.text(), append([]string{"Nothing was decided"}, says...)...)
			lacks(t, got.text(), ">Approve</button>")
			if a := s.World.Task(task.ID).Approval; slices.ContainsFunc(a.Decisions, func(d core.Decision) bool { return d.Person == "bo" }) {
				t.Error("it was counted all the same")
			}
		})
	}
	decide := func(verdict core.Verdict) func(*site, core.Task) {
		return func(s *site, task core.Task) {
			if _, err := s.Decide("ana", s.World.Task(task.ID).Approval.ID, verdict); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	t.Run("approved by another", func(t *testing.T) {
		late(t, one, decide(core.Approve), "decided before: approved by ana", "ana (app")
	})
	t.Run("rejected by another", func(t *testing.T) {
		late(t, one, decide(core.Reject), "decided before: rejected by ana", "did not run")
	})
	t.Run("expired and held: a fresh request is made and linked", func(t *testing.T) {
		late(t, "title: T\nexpires_in: 1h\ncheckpoints: [{title: one, run: ./one.sh}]",
			func(s *site, _ core.Task) { s.World.Advance(time.Hour + time.Millisecond) }, "Open the fresh request", "Expired: “one”")
	})
	t.Run("expired and renewed", func(t *testing.T) {
		late(t, "title: T\nexpires_in: 1h\non_expiry: renew\ncheckpoints: [{title: one, run: ./one.sh}]",
			func(s *site, _ core.Task) { s.World.Advance(time.Hour + time.Millisecond) }, "Open the fresh request")
	})
	t.Run("expired and cancelled", func(t *testing.T) {
		late(t, "title: T\nexpires_in: 1h\non_expiry: cancel\ncheckpoints: [{title: one, run: ./one.sh}]",
			func(s *site, _ core.Task) { s.World.Advance(time.Hour + time.Millisecond) }, "nobody decided")
	})
	t.Run("cancelled", func(t *testing.T) {
		late(t, one, func(s *site, task core.Task) {
			if _, _, err := s.Engine.Cancel(context.Background(), s.Person("ana"), task.ID, "not today"); err != nil {
				s.t.Fatal(err)
			}
		}, "Cancelled: “one”", "not today")
	})
	t.Run("paused: it waits on", func(t *testing.T) {
		late(t, one, func(s *site, task core.Task) {
			if _, err := s.Engine.Pause(context.Background(), s.Person("ana"), task.ID); err != nil {
				s.t.Fatal(err)
			}
		}, "Paused: “one”", "nobody can decide until the task is resumed")
	})
}

func TestAnExpiredRequestCanBeAskedAgain(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask("title: T\nexpires_in: 1h\ncheckpoints: [{title: one, run: ./one.sh}]")
		path := s.approval(task)
		s.World.Advance(2 * time.Hour)
		b := s.as("bo")
		wants(t, b.get("/").text(), "Needs a look", "Nothing waits. When")
		page := b.get(path)
		wants(t, page.text(), "Expired: “one”", "Ask again")
		b.follow(b.press(page.text(), "/tasks/"+task.ID+"/retry"))
		if fresh := s.approval(task); fresh == path {
			t.Error("there is no fresh request")
		}
		wants(t, b.get(path).text(), "Open the fresh request")
		wants(t, b.get("/").text(), "Waits for you")
	})
}

func TestWhoMayNotIsRefusedAndSeesNoButton(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task, _, err := s.Engine.StartTask(t.Context(), engine.StartTask{Actor: s.Person("bo"), Plan: s.Plan(one)})
		if err != nil {
			t.Fatal(err)
		}
		path, home := s.approval(task), "/tasks/"+task.ID
		for _, c := range []struct {
			person, why string
			actions     []string
		}{
			{"lea", "you are not among those", []string{"pause", "resume", "cancel", "resolve"}},
			{"bo", "you asked for this", []string{"pause", "resume", "resolve"}}, // who asked may withdraw
		} {
			person, why, b := c.person, c.why, s.as(c.person)
			page := b.get(path)
			wants(t, page.text(), why)
			lacks(t, page.text(), ">Approve</button>", "Reject…")
			token := form(t, page.text(), "/signout").Get("csrf_token")
			got := b.post(path, url.Values{"csrf_token": {token}, "decision": {"approve"}})
			if got.Code != http.StatusForbidden {
				t.Errorf("%s decides: %d", person, got.Code)
			}
			wants(t, got.text(), "You may not do this. Nothing was changed.", why)
			page = b.get(home)
			lacks(t, page.text(), ">Pause<")
			if withdraws := strings.Contains(page.text(), "Cancel the task"); withdraws != (person == "bo") {
				t.Errorf("%s sees the button to cancel: %t", person, withdraws)
			}
			for _, action := range c.actions {
				got := b.post(home+"/"+action, url.Values{"csrf_token": {token}, "outcome": {"done"}, "reason": {"x"}})
				if got.Code != http.StatusForbidden {
					t.Errorf("%s: %s: %d", person, action, got.Code)
				}
			}
		}
		events, err := s.Engine.Events(t.Context(), s.Person("ana"), 0, 500)
		if err != nil {
			t.Fatal(err)
		}
		refused := 0
		for _, ev := range events {
			if ev.Type == core.EventRefused {
				refused++
			}
		}
		if refused != 9 {
			t.Errorf("%d refusals in the audit, want 9", refused)
		}
	})
}

func TestARiskThatIsNotDecidedHere(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		p := s.Policy
		p.DecideIn = map[core.Risk][]string{core.RiskHigh: {"slack"}}
		s.Engine.SetPolicy(p)
		path := s.approval(s.StartTask("title: T\ncheckpoints: [{title: one, risk: high, run: ./one.sh}]"))
		page := s.as("bo").get(path)
		wants(t, page.text(), "does not let this risk be decided in the app")
		lacks(t, page.text(), "Approve…")
	})
}

func TestPauseResumeAndCancel(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask(one)
		b, home := s.as("ana"), "/tasks/"+task.ID
		page := b.follow(b.press(b.get(home).text(), home+"/pause"))
		wants(t, page.text(), "paused", ">Resume</button>")
		wants(t, b.get(s.approval(task)).text(), "Paused: “one”")
		old := page.text()
		page = b.follow(b.press(old, home+"/resume"))
		wants(t, page.text(), "awaiting approval")
		if got := b.press(old, home+"/cancel", "reason", "from an old page"); got.Code != http.StatusConflict {
			t.Errorf("a form of a state that is over: %d", got.Code)
		} else {
			wants(t, got.text(), "The task went on since this page was shown.")
		}
		page = b.follow(b.press(page.text(), home+"/cancel", "reason", "not needed"))
		wants(t, page.text(), "cancelled", "not needed", "Rollback notes", "No rollback note was written for this step.")
		lacks(t, page.text(), ">Pause</button>", ">Retry</button>", "Cancel the task")
	})
}

func TestAPersonResolvesWhatNobodyKnows(t *testing.T) {
	for outcome, state := range map[string]core.TaskState{"done": core.TaskCompleted, "failed": core.TaskFailed} {
		inSite(t, func(t *testing.T, s *site) {
			task := s.StartTask("title: T\ncheckpoints: [{title: one, run: ./one.sh, rollback_notes: put it back}]")
			s.Approve("ana", task.ID)
			s.end(engine.Sighting{State: engine.SeenLost}, "half of it\n")
			b, home := s.as("bo"), "/tasks/"+task.ID
			wants(t, b.get("/").text(), "Needs a look")
			page := b.get(home)
			wants(t, page.text(), "in review", "It was done…", "It failed…", "put it back", "half of it", ">Retry</button>")
			f := form(t, page.text(), home+"/resolve")
			f.Set("outcome", outcome)
			if got := b.post(home+"/resolve", f); got.Code != http.StatusUnprocessableEntity {
				t.Errorf("without a reason: %d", got.Code)
			}
			f.Set("reason", "I looked")
			for i := range 2 {
				if got := b.post(home+"/resolve", f); got.Code != http.StatusSeeOther {
					t.Errorf("resolve %d: %d\n%s", i+1, got.Code, plain(got.text()))
				}
			}
			if got := s.World.Task(task.ID).Task.State; got != state {
				t.Errorf("resolved as %s the task is %s", outcome, got)
			}
			contrary := url.Values{"csrf_token": f["csrf_token"], "revision": f["revision"], "reason": {"no"}, "outcome": {map[string]string{"done": "failed", "failed": "done"}[outcome]}}
			if got := b.post(home+"/resolve", contrary); got.Code != http.StatusConflict {
				t.Errorf("the contrary after it: %d", got.Code)
			}
		})
	}
}
