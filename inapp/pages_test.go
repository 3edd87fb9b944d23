package inapp_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"holdpoint/core"
	"holdpoint/core/engine"
)

func TestPagesSpeakThePersonsLanguageAndTime(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		p := s.Policy
		p.People = append([]core.Person{{Name: "zoé", Roles: []string{core.RoleApprover, core.RoleAdmin}, Language: "fr", Timezone: "Asia/Tokyo"}}, p.People...)
		s.Engine.SetPolicy(p)
		task := s.StartTask("title: Le site\ncheckpoints: [{title: bascule, risk: high, run: ./b.sh}]")
		link := s.link("zoé")
		wants(t, s.browser().get(link).text(), `<html lang="fr">`, "Se connecter", "Ce lien vous connecte en tant que zoé.")
		b, path, home := s.as("zoé"), s.approval(task), "/tasks/"+task.ID
		wants(t, b.get("/").text(), `<html lang="fr">`, "Vous attend", "1 en attente", "09:00")
		wants(t, b.get(path).text(), "Approuver “bascule”", "Rejeter…", "Approuver…", "risque élevé", "Ouvrir la tâche")
		wants(t, b.get(path+"/approve").text(), "Approuver vraiment “bascule” ?", "Oui, approuver")
		page := b.follow(b.press(b.get(path+"/reject").text(), path, "decision", "reject", "reason", "pas ce soir"))
		wants(t, page.text(), "Rejeté", "pas ce soir")
		wants(t, b.get(home).text(), "Étape suivante", "Notes de restaur", "non exécutée", "rejetée", "Relancer", "Journal", "09:00")
		wants(t, b.get("/nulle/part").text(), "Cette page n’existe pas.")
		wants(t, s.as("bo").get("/").text(), `<html lang="en">`, "Recent tasks", "00:00")
	})
}

func TestTheHistoryGoesBackPageByPage(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		for i := range 30 {
			s.StartTask(fmt.Sprintf("title: Task %02d\ncheckpoints: [{title: one, run: ./one.sh}]", i))
		}
		b := s.as("bo")
		first := b.get("/tasks").text()
		wants(t, first, "Task 29", "Task 05", "Older tasks")
		lacks(t, first, "Task 04")
		older := strings.ReplaceAll(between(first, `<a class="button" href="`, `"`), "&amp;", "&")
		second := b.get(older).text()
		wants(t, second, "Task 04", "Task 00")
		lacks(t, second, "Task 05", "Older tasks")
		wants(t, b.get("/tasks?state=completed").text(), "No tasks yet")
		if got := s.World.Task(between(first, `href="/tasks/`, `"`)); got.Task.Plan.Title != "Task 29" {
			t.Errorf("the first row leads to %s", got.Task.Plan.Title)
		}
	})
}

func TestOutputIsShownByItsEndAndWhole(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask(one)
		s.Approve("ana", task.ID)
		long := "first line\n" + strings.Repeat("é", 300<<10) + "\nlast line\n"
		x := s.end(engine.Sighting{}, long)
		b, home := s.as("bo"), "/tasks/"+task.ID
		page := b.get(home).text()
		wants(t, page, "last line", fmt.Sprintf("of %d bytes", len(long)), "Whole output")
		lacks(t, page, "first line", "⟨")
		whole := home + "/log?execution=" + x
		wants(t, b.get(whole).text(), "last line", "From the start")
		part := b.get(whole + "&from=0").text()
		wants(t, part, "first line", "Next part")
		lacks(t, part, "last line", "⟨")
		lacks(t, b.get(whole+"&from=12").text(), "⟨") // in the middle of a character
		if got := b.get(whole + "&from=-1"); got.Code != http.StatusUnprocessableEntity {
			t.Errorf("a negative place: %d", got.Code)
		}
		other := s.StartTask(one)
		if got := b.get("/tasks/" + other.ID + "/log?execution=" + x); got.Code != http.StatusNotFound {
			t.Errorf("the output under another task: %d", got.Code)
		}
	})
}

func TestAPageIsFoundByCodeAndByPrefix(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask(one)
		d, b := s.World.Task(task.ID), s.as("bo")
		for _, name := range []string{d.Approval.Code, strings.ToLower(d.Approval.Code), d.Approval.ID} {
			wants(t, b.get("/approvals/"+name).text(), "Approve “one”?", `action="/approvals/`+d.Approval.ID+`"`)
		}
	})
}

func TestAnEmptyHouse(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		wants(t, s.as("bo").get("/").text(), "Nothing waits. When a task reaches a hold point, it appears here.", "holdpoint task start PLAN")
	})
}
