package engine_test

import (
	"context"
	"testing"
	"testing/synctest"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

// TestAPlanGivenAgain is `serve --plan`: the record goes on until it is completed or cancelled, whatever
// the plan says by then; after that a new one is made.
func TestAPlanGivenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world.New(t)
		defer w.Stop()
		again := func(text string) (core.Task, bool) {
			t.Helper()
			task, created, err := w.Engine.StartTask(context.Background(), engine.StartTask{
				Actor: world.Operator(), Plan: w.Plan(text), RequestID: "serve:/plan.yaml", Again: true})
			if err != nil {
				t.Fatal(err)
			}
			return task, created
		}
		first, created := again(fourSteps)
		if !created {
			t.Fatal("the first time makes no record")
		}
		if second, created := again("checkpoint_titles: [another]"); created || second.ID != first.ID {
			t.Errorf("while it waits: got %s, created %v; want the first record", second.ID, created)
		}
		if _, err := w.Decide("ana", first.ApprovalID, core.Reject); err != nil {
			t.Fatal(err)
		}
		if second, created := again(fourSteps); created || second.ID != first.ID {
			t.Errorf("rejected: got %s, created %v; want the first record", second.ID, created)
		}
		if _, err := w.Engine.Retry(context.Background(), world.Operator(), first.ID); err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.Engine.Cancel(context.Background(), world.Operator(), first.ID, ""); err != nil {
			t.Fatal(err)
		}
		second, created := again(fourSteps)
		if !created || second.ID == first.ID {
			t.Errorf("cancelled: got %s, created %v; want a new record", second.ID, created)
		}
		if third, created := again(fourSteps); created || third.ID != second.ID {
			t.Errorf("the new one waits: got %s, created %v", third.ID, created)
		}
	})
}
