package summaries_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"holdpoint/summaries"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// goldenFolder holds what people get to see, so that a change of words is looked at as such.
const goldenFolder = "../fixtures/golden/cards"

func paris(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatalf("the zone of the scenes: %v", err)
	}
	return zone
}

func TestCardsLookAsTheyDid(t *testing.T) {
	zone := paris(t)
	for _, sc := range scenes() {
		for _, lang := range summaries.Langs() {
			name := sc.name + "." + string(lang)
			t.Run(name, func(t *testing.T) {
				chat := summaries.ForApproval(sc.in, summaries.Options{Lang: lang, Zone: zone, Limits: summaries.ChatLimits()})
				page := summaries.ForApproval(sc.in, summaries.Options{Lang: lang, Zone: zone})
				text := chat.Text() +
					"\nguidance  " + summaries.Guidance(sc.in.Task, sc.in.Approval, sc.in.Now, lang) + "\n"
				if sc.in.Approval.ID == sc.in.Task.ApprovalID {
					text += "next      " + summaries.NextAction(sc.in.Task, sc.in.Approval, sc.in.Now, lang) + "\n"
				}
				golden(t, name+".txt", text)
				if sc.name != "pending-40000-bytes" { // the page shows it whole: TestAPageShowsTheWhole
					golden(t, name+".html", string(page.HTML()))
				}
			})
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(goldenFolder, name)
	if *update {
		if err := os.MkdirAll(goldenFolder, 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: make golden writes it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (make golden rewrites it, -want +got):\n%s", name, diff)
	}
}
