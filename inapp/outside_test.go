package inapp_test

import (
	"net/http"
	"testing"
	"testing/synctest"

	"holdpoint/core"
	"holdpoint/core/engine"
)

// outsideWork is asked for by a person, who also does it.
func (s *site) outsideWork(who string) core.Task {
	s.t.Helper()
	t, _, err := s.Engine.StartTask(s.t.Context(), engine.StartTask{Actor: s.Person(who), Plan: s.Plan(
		"title: By hand\ncheckpoints:\n  - {title: phone, detail: call them}\n  - {title: mail, command: ./mail.sh}\n")})
	if err != nil {
		s.t.Fatal(err)
	}
	return t
}

func TestOutsideWorkOnThePage(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.outsideWork("ana")
		page, ana, bo := "/tasks/"+task.ID, s.as("ana"), s.as("bo")
		lacks(t, ana.get(page).text(), ">I begin now</button>", ">Done</button>")
		s.Approve("bo", task.ID)
		lacks(t, bo.get(page).text(), ">I begin now</button>")
		got := ana.follow(ana.press(ana.get(page).text(), page+"/claim"))
		wants(t, got.text(), ">Done</button>", ">Failed</button>", ">Stop</button>")
		lacks(t, bo.get(page).text(), ">Done</button>", ">Failed</button>")
		report := form(t, got.text(), page+"/report")
		report.Set("outcome", "succeeded")
		report.Set("reason", "all reached")
		after := ana.follow(ana.post(page+"/report", report))
		wants(t, after.text(), "1 of 2 done", "all reached")
		if again := ana.post(page+"/report", report); again.Code != http.StatusSeeOther {
			t.Errorf("the same form again: %d", again.Code)
		}
		if now := s.World.Task(task.ID); now.Task.State != core.TaskAwaiting || now.Task.Current != 1 {
			t.Errorf("the task is %s at %d", now.Task.State, now.Task.Current)
		}
	})
}

func TestFailedOutsideWorkOnThePage(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.outsideWork("ana")
		page, ana := "/tasks/"+task.ID, s.as("ana")
		s.Approve("bo", task.ID)
		got := ana.follow(ana.press(ana.get(page).text(), page+"/claim"))
		report := form(t, got.text(), page+"/report")
		report.Set("outcome", "failed")
		report.Set("reason", "nobody answered")
		wants(t, ana.follow(ana.post(page+"/report", report)).text(), "nobody answered")
		if now := s.World.Task(task.ID); now.Task.State != core.TaskFailed {
			t.Errorf("the task is %s", now.Task.State)
		}
		report.Set("outcome", "maybe")
		if odd := ana.post(page+"/report", report); odd.Code != http.StatusUnprocessableEntity {
			t.Errorf("an outcome that is none: %d", odd.Code)
		}
	})
}

func TestAStopOnThePage(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask(move)
		s.Approve("bo", task.ID)
		synctest.Wait()
		page, bo, lea := "/tasks/"+task.ID, s.as("bo"), s.as("lea")
		lacks(t, lea.get(page).text(), page+"/stop")
		got := bo.get(page)
		wants(t, got.text(), "<summary class=\"button\">Stop…</summary>", "Stop")
		after := bo.follow(bo.press(got.text(), page+"/stop", "reason", "wrong evening"))
		wants(t, after.text(), "Stopped: all its processes are gone", "wrong evening")
		if now := s.World.Task(task.ID); now.Task.State != core.TaskReview || now.Executions[0].Teardown.State != core.TeardownDone {
			t.Errorf("the task is %s with %+v", now.Task.State, now.Executions)
		}
		lacks(t, bo.get(page).text(), page+"/stop")
	})
}

func TestARollbackOnThePage(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask("title: Undo\ncheckpoints:\n  - {title: make, run: ./make.sh, rollback_notes: remove it, rollback_run: ./undo.sh}\n")
		s.Approve("bo", task.ID)
		s.end(engine.Sighting{}, "")
		page, bo, lea := "/tasks/"+task.ID, s.as("bo"), s.as("lea")
		lacks(t, lea.get(page).text(), page+"/rollback")
		after := bo.follow(bo.press(bo.get(page).text(), page+"/rollback"))
		ask := "/approvals/" + s.World.Task(task.ID).Task.Rollback.ApprovalID
		wants(t, after.text(), ask)
		lacks(t, after.text(), page+"/rollback")
		card := bo.get(ask)
		wants(t, card.text(), "Approve rollback of “make”?", "./undo.sh")
		lacks(t, card.text(), "./make.sh")
		wants(t, bo.follow(bo.press(card.text(), ask)).text(), "Running: rollback of “make”")
		s.end(engine.Sighting{ExitCode: 1, Message: "exit status 1"}, "")
		wants(t, bo.get(page).text(), "The rollback failed")
		wants(t, bo.get(ask).text(), "rollback of “make”")
	})
}
