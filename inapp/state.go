package inapp

import (
	"holdpoint/core"
	"holdpoint/summaries"
)

// The colours of states: amber waits, green is done, red is refused or broken, the rest is ink. The words
// beside them say the same.
const (
	classHold  = "hold"
	classDone  = "go"
	classNo    = "high"
	classPlain = "plain"
)

func stateWord(v *visit, s core.TaskState) string { return summaries.StateWord(v.words.Summary, s) }

func stateChip(v *visit, t core.Task) chip {
	return chip{Text: stateWord(v, t.State), Class: taskClass(t.State)}
}

func taskClass(s core.TaskState) string {
	switch s {
	case core.TaskAwaiting, core.TaskPaused, core.TaskReview:
		return classHold
	case core.TaskCompleted:
		return classDone
	case core.TaskFailed, core.TaskRejected:
		return classNo
	}
	return classPlain
}

func approvalClass(s core.ApprovalState) string {
	switch s {
	case core.ApprovalApproved:
		return classDone
	case core.ApprovalRejected:
		return classNo
	case core.ApprovalPending, core.ApprovalExpired:
		return classHold
	}
	return classPlain
}

func checkpointClass(t core.Task, i int) string {
	switch t.Checkpoints[i].State {
	case core.CheckpointSucceeded:
		return "done"
	case core.CheckpointFailed, core.CheckpointRejected:
		return "high"
	case core.CheckpointPending:
		return ""
	}
	return "here"
}

// toneClass colours a chip of a card, by the same classes as the card's own page.
func toneClass(t summaries.Tone) string {
	switch t {
	case summaries.ToneWaiting:
		return classHold
	case summaries.ToneGood, summaries.ToneGoing:
		return classDone
	case summaries.ToneBad:
		return classNo
	}
	return classPlain
}
