package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"holdpoint/core"
	"holdpoint/inapp/api"
)

// TaskEditCmd replaces what is left of a plan.
type TaskEditCmd struct {
	TaskID
	Plan string            `arg:"" help:"The plan file, whole: checkpoints that ran stay as they are."`
	Var  map[string]string `help:"Set a variable of the plan." placeholder:"K=V" mapsep:"none"`
}

// Run prints the task as it is then.
func (c TaskEditCmd) Run(ctx context.Context, s std, g *Globals) error {
	file, err := readPlan(c.Plan, c.Var)
	if err != nil {
		return err
	}
	file.input.Vars = file.plan.Vars // the plan carries them: an edit has no others
	return act(ctx, s, g, func(client *api.Client) (api.Task, error) {
		t, err := client.EditPlan(ctx, c.ID, file.input)
		return t, file.fault(err)
	})
}

// TaskRollbackCmd asks for a checkpoint to be undone.
type TaskRollbackCmd struct {
	TaskID
	Checkpoint int `help:"The checkpoint, from 0; default the newest that ran and can be undone." default:"-1" placeholder:"N"`
}

// Run prints the task as it is then.
func (c TaskRollbackCmd) Run(ctx context.Context, s std, g *Globals) error {
	return act(ctx, s, g, func(client *api.Client) (api.Task, error) {
		if c.Checkpoint >= 0 {
			return client.Rollback(ctx, c.ID, c.Checkpoint)
		}
		t, err := client.Task(ctx, c.ID)
		if err != nil {
			return t, err
		}
		for i, v := range slices.Backward(t.Checkpoints) {
			if v.Undoable {
				return client.Rollback(ctx, c.ID, i)
			}
		}
		return t, errors.New("no checkpoint that ran has a rollback_run: what there is to undo is in the notes (task show)")
	})
}

// TaskClaimCmd takes approved work that is done outside.
type TaskClaimCmd struct {
	TaskID
	RequestID string `help:"The same one gets the same answer again." placeholder:"R"`
}

// Run prints the execution's id, which reports name.
func (c TaskClaimCmd) Run(ctx context.Context, s std, g *Globals) error {
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	t, err := client.Task(ctx, c.ID)
	if err != nil {
		return err
	}
	if t.Approval == nil {
		return errors.New("the task has no approval to claim")
	}
	claimed, ok, err := client.Claim(ctx, t.Approval.ID, c.RequestID, 0)
	switch {
	case err != nil:
		return err
	case !ok:
		return fmt.Errorf("there is nothing to claim yet: %s", sentence(claimed.Approval.Guidance))
	case g.JSON:
		return writeJSON(s.out, claimed)
	}
	var p page
	p.line("%s  claimed: report it with holdpoint task report %s --succeeded or --failed", claimed.ExecutionID, t.ID)
	return p.to(s.out)
}

// TaskReportCmd reports how outside work ended.
type TaskReportCmd struct {
	TaskID
	Succeeded bool   `help:"It is done." xor:"outcome" required:""`
	Failed    bool   `help:"It failed." xor:"outcome" required:""`
	Detail    string `help:"A line for the next card, or why it failed." placeholder:"D"`
	Execution string `help:"The execution that the claim answered with; default the one of the task's newest outside work." placeholder:"X"`
}

// Run prints the task as it is then.
func (c TaskReportCmd) Run(ctx context.Context, s std, g *Globals) error {
	return act(ctx, s, g, func(client *api.Client) (api.Task, error) {
		t, err := client.Task(ctx, c.ID)
		if err != nil {
			return t, err
		}
		x, ok := outsideWork(t, c.Execution)
		if !ok {
			return t, errors.New("no outside work of this task was claimed: holdpoint task claim takes it")
		}
		r := api.ReportWork{ExecutionID: x.ID, Outcome: "failed", Detail: c.Detail}
		if c.Succeeded {
			r.Outcome = "succeeded"
		}
		return client.Report(ctx, t.ID, x.Checkpoint, r)
	})
}

// outsideWork finds an execution of a task that is done outside: the one that is named, else the newest.
func outsideWork(t api.Task, named string) (found api.Execution, ok bool) {
	for _, one := range t.Sessions {
		x := one.Execution
		if x == nil || x.Kind != core.ExecOutside || named != "" && x.ID != named {
			continue
		}
		if !ok || x.ID > found.ID {
			found, ok = *x, true
		}
	}
	return found, ok
}
