package inapp_test

import (
	"net/http"
	"strings"
	"testing"

	"holdpoint/core"
	"holdpoint/core/engine"
)

const move = `
title: Move the site
expires_in: 4h
checkpoints:
  - {title: backup, run: ./backup.sh, risk: low, rollback_notes: nothing to undo}
  - {title: transform, run: ./transform.sh, rollback_notes: remove next/}
  - {title: switch over, risk: high, run: ./switch.sh --to v2, rollback_notes: point current back}
`

func TestFromTheLinkToTheRetry(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask(move)
		b := s.browser()
		link := s.link("bo")
		got := b.get(link)
		wants(t, got.text(), "This link signs you in as bo", `<button class="go wide">Sign in</button>`)
		queue := b.follow(b.press(got.text(), link))
		wants(t, queue.text(), "Waits for you", "backup", "low risk", "needs ana, bo or chloe", "in 4 h", "Recent tasks", "Move the site")

		first := s.approval(task)
		page := b.get(first)
		wants(t, page.text(), "Approve “backup”?", "./backup.sh", "nothing to undo", "1 of 3")
		if no, yes := strings.Index(page.text(), "Reject…"), strings.Index(page.text(), ">Approve</button>"); no < 0 || no > yes {
			t.Errorf("Reject stands at %d, Approve at %d: Reject comes first in tab order", no, yes)
		}
		page = b.follow(b.press(page.text(), first))
		wants(t, page.text(), "bo (app", "Running: “backup”")
		lacks(t, page.text(), ">Approve</button>", "Reject…")
		s.end(engine.Sighting{Summary: "12 files"}, "packing\ndone\n")
		wants(t, b.get(first).text(), "Done: “backup”", "Next request: “transform”")

		second := s.approval(task)
		b.follow(b.press(b.get(second).text(), second))
		s.end(engine.Sighting{}, "")
		third := s.approval(task)
		page = b.get(third + "/reject")
		wants(t, page.text(), "Reject “switch over”?", "Why? (optional)", "./switch.sh --to v2")
		page = b.follow(b.press(page.text(), third, "decision", "reject", "reason", "after 22:00"))
		wants(t, page.text(), "Rejected: “switch over”", "after 22:00", "did not run", "remove next/")

		home := "/tasks/" + task.ID
		page = b.get(home)
		wants(t, page.text(), "Rollback notes", "remove next/", "point current back", "did not run", "rejected", "12 files", "packing\ndone")
		if i, j := strings.Index(page.text(), "<b>transform</b>"), strings.Index(page.text(), "<b>backup</b>"); i < 0 || i > j {
			t.Errorf("notes: transform at %d, backup at %d: the newest comes first", i, j)
		}
		if s.World.Task(task.ID).Task.State != core.TaskRejected {
			t.Fatal("the notes are shown after a retry only")
		}
		page = b.follow(b.press(page.text(), home+"/retry"))
		wants(t, page.text(), "awaiting approval", "Open the request")
		if again := s.approval(task); again == third {
			t.Error("the retry stands under the approval that was rejected")
		}
	})
}

func TestHighRiskTakesTwoSteps(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask("title: T\ncheckpoints: [{title: cut over, risk: high, run: ./cut.sh}]")
		b, path := s.as("bo"), s.approval(task)
		page := b.get(path)
		wants(t, page.text(), "Approve…", `href="`+path+`/approve"`)
		lacks(t, page.text(), `value="approve"`)
		confirm := b.get(path + "/approve")
		wants(t, confirm.text(), "Really approve “cut over”?", "./cut.sh", "no rollback note")

		f := form(t, confirm.text(), path)
		f.Del("confirm")
		got := b.post(path, f)
		if got.Code != http.StatusUnprocessableEntity {
			t.Errorf("without confirm: %d", got.Code)
		}
		wants(t, got.text(), "Really approve “cut over”?")
		if d := s.World.Task(task.ID); len(d.Approval.Decisions) != 0 {
			t.Fatal("something was decided without the second step")
		}
		wants(t, b.follow(b.press(got.text(), path)).text(), "Running: “cut over”")
		wants(t, b.get(path+"/approve").text(), "Running: “cut over”")
	})
}

func TestTwoPeopleApproveAndOneTakesBack(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask("title: T\napprovals_required: 2\ncheckpoints: [{title: one, run: ./one.sh}]")
		path := s.approval(task)
		ana, bo := s.as("ana"), s.as("bo")
		page := ana.follow(ana.press(ana.get(path).text(), path))
		wants(t, page.text(), "1 of 2", "ana (app", "needs bo or chloe", "Reject…")
		lacks(t, page.text(), ">Approve</button>")
		wants(t, ana.get("/").text(), "Waits for others", "Nothing waits for you.")
		wants(t, bo.get("/").text(), "Waits for you")

		page = ana.follow(ana.press(ana.get(path+"/reject").text(), path, "decision", "reject"))
		wants(t, page.text(), "Rejected: “one”", "ana (app")
		got := bo.post(path, form(t, ana.get("/tasks/"+task.ID).text(), "/tasks/"+task.ID+"/retry"))
		if got.Code != http.StatusForbidden {
			t.Errorf("the form of another session: %d", got.Code)
		}
	})
}
