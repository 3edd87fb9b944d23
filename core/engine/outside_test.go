package engine_test

import (
	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

const outsideSteps = `
title: Done by hand
checkpoints:
  - {title: move the cable, rollback_notes: move it back}
  - {title: switch over, timeout: 1h, rollback_notes: switch back}
`

const undoable = `
title: With a way back
checkpoints:
  - {title: first, run: ./first.sh, rollback_notes: undo the first, rollback_run: ./undo-first.sh}
  - {title: second, run: ./second.sh, rollback_notes: undo the second, rollback_run: ./undo-second.sh}
`

// claim takes the use of the current approval of outside work, as the operator.
func (b bench) claim(task string) string {
	b.t.Helper()
	out, err := b.Engine.Claim(b.t.Context(), engine.Claim{Actor: world.Operator(), Approval: b.Task(task).Approval.ID, RequestID: "claim"})
	if err != nil || out.ExecutionID == "" {
		b.t.Fatalf("claiming %s: %+v, %v", task, out.ExecutionID, err)
	}
	return out.ExecutionID
}

func (b bench) report(task, execution string, checkpoint int, succeeded bool) error {
	_, err := b.Engine.Report(b.t.Context(), engine.Report{Actor: world.Operator(), Task: task, Checkpoint: checkpoint, ExecutionID: execution, Succeeded: succeeded})
	return err
}

func (b bench) rollback(task string, checkpoint int) core.Task {
	b.t.Helper()
	t, err := b.Engine.Rollback(b.t.Context(), b.Person("bo"), task, checkpoint)
	if err != nil {
		b.t.Fatalf("asking for a rollback: %v", err)
	}
	return t
}

// approveID approves an approval by its id.
func (b bench) approveID(person, approval string) {
	b.t.Helper()
	if _, err := b.Decide(person, approval, core.Approve); err != nil {
		b.t.Fatalf("%s approves %s: %v", person, approval, err)
	}
}
