package engine_test

import (
	"testing"
	"testing/synctest"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

const fourSteps = `
title: Move the site
checkpoints:
  - {title: backup, run: ./backup.sh, rollback_notes: nothing to undo}
  - {title: transform, run: ./transform.sh, rollback_notes: remove next/}
  - {title: validate, run: ./validate.sh}
  - {title: switch over, risk: high, run: ./switch.sh, rollback_notes: point current back}
`

func TestFourGatesAreTakenOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world.New(t)
		defer w.Stop()
		task := w.StartTask(fourSteps)
		seen := map[string]bool{}
		for i := range 4 {
			synctest.Wait()
			d := w.Task(task.ID)
			if d.Task.State != core.TaskAwaiting || d.Task.Current != i || d.Approval.State != core.ApprovalPending {
				t.Fatalf("gate %d: task %s at %d, approval %s", i, d.Task.State, d.Task.Current, d.Approval.State)
			}
			if n := len(w.Runtime.Launched()); n != i {
				t.Fatalf("gate %d: %d executions were launched before the approval", i, n)
			}
			if seen[d.Approval.ID] {
				t.Fatalf("gate %d stands under an approval that was used before", i)
			}
			seen[d.Approval.ID] = true
			w.Approve("ana", task.ID)
			synctest.Wait()
			live := w.Runtime.Live()
			if len(live) != 1 {
				t.Fatalf("gate %d: %d executions live after the approval", i, len(live))
			}
			w.Runtime.End(live[0], engine.Sighting{Summary: "ok"})
		}
		synctest.Wait()
		if got := w.Task(task.ID).Task; got.State != core.TaskCompleted {
			t.Errorf("after the last step the task is %s", got.State)
		}
	})
}
