package main

import (
	"context"

	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// TaskCmd is the family of commands about tasks.
type TaskCmd struct {
	Start   TaskStartCmd   `cmd:"" help:"Start a plan: it becomes a task that waits at its first gate."`
	List    TaskListCmd    `cmd:"" help:"List tasks, newest first."`
	Show    TaskShowCmd    `cmd:"" help:"Show a task: where it is, what comes next, what there is to undo."`
	Watch   TaskWatchCmd   `cmd:"" help:"Follow a task to its end, a line a change; the exit status tells the end."`
	Log     TaskLogCmd     `cmd:"" help:"Print what the steps of a task wrote."`
	Retry   TaskRetryCmd   `cmd:"" help:"Ask for another attempt, behind a fresh approval."`
	Resolve TaskResolveCmd `cmd:"" help:"Say what a step in review came to. Takes an approver's token."`
	Cancel  TaskCancelCmd  `cmd:"" help:"End a task of which nothing runs."`
	Pause   TaskPauseCmd   `cmd:"" help:"Hold a task of which nothing runs."`
	Resume  TaskResumeCmd  `cmd:"" help:"Let a paused task go on where it was."`

	Edit     TaskEditCmd     `cmd:"" help:"Replace what is left of a task's plan."`
	Stop     TaskStopCmd     `cmd:"" help:"Stop a task: cancel it at its gate, or end all that works for it."`
	Rollback TaskRollbackCmd `cmd:"" help:"Ask for a checkpoint to be undone, behind an approval of its own. Takes an approver's token."`
	Claim    TaskClaimCmd    `cmd:"" help:"Take the approved work that is done outside: from here on it is yours."`
	Report   TaskReportCmd   `cmd:"" help:"Report how the work ended that is done outside."`
}

// TaskID names one task.
type TaskID struct {
	ID string `arg:"" help:"The task's id, or a unique beginning of it from 6 characters on."`
}

// TaskListCmd lists tasks.
type TaskListCmd struct {
	State string `help:"Only tasks in this state." enum:",queued,running,awaiting_approval,paused,review,completed,failed,rejected,cancelled" default:"" placeholder:"STATE"`
	Limit int    `help:"So many at most; 1 to 200." default:"50" placeholder:"N"`
}

// Run prints a line a task.
func (c TaskListCmd) Run(ctx context.Context, s std, g *Globals) error {
	if err := checkLimit(c.Limit); err != nil {
		return err
	}
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	list, err := client.Tasks(ctx, c.State, c.Limit, "")
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, list)
	}
	var p page
	for _, t := range list.Items {
		p.line("%s  %-17s  %d/%d %s · %s", t.ID, t.State, t.Current.Index+1, len(t.Checkpoints),
			summaries.Visible(t.Current.Title), summaries.Visible(t.Title))
	}
	if list.Next != "" {
		s.say("there are more: --limit shows up to 200, --state fewer kinds")
	}
	return p.to(s.out)
}

func checkLimit(n int) error {
	if n < 1 || n > 200 {
		return usageError("--limit takes a number from 1 to 200")
	}
	return nil
}

// TaskShowCmd shows a task.
type TaskShowCmd struct{ TaskID }

// Run prints the task.
func (c TaskShowCmd) Run(ctx context.Context, s std, g *Globals) error {
	return act(ctx, s, g, func(client *api.Client) (api.Task, error) { return client.Task(ctx, c.ID) })
}

// act asks for one thing and prints the task that comes of it.
func act(ctx context.Context, s std, g *Globals, do func(*api.Client) (api.Task, error)) error {
	client, cfg, err := g.client(s)
	if err != nil {
		return err
	}
	t, err := do(client)
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, t)
	}
	return printTask(s, t, cfg.lang())
}

// TaskRetryCmd asks for another attempt.
type TaskRetryCmd struct{ TaskID }

// Run prints the task as it is then.
func (c TaskRetryCmd) Run(ctx context.Context, s std, g *Globals) error {
	return act(ctx, s, g, func(client *api.Client) (api.Task, error) { return client.Retry(ctx, c.ID) })
}

// TaskPauseCmd holds a task.
type TaskPauseCmd struct{ TaskID }

// Run prints the task as it is then.
func (c TaskPauseCmd) Run(ctx context.Context, s std, g *Globals) error {
	return act(ctx, s, g, func(client *api.Client) (api.Task, error) { return client.Pause(ctx, c.ID) })
}

// TaskResumeCmd lets a paused task go on.
type TaskResumeCmd struct{ TaskID }

// Run prints the task as it is then.
func (c TaskResumeCmd) Run(ctx context.Context, s std, g *Globals) error {
	return act(ctx, s, g, func(client *api.Client) (api.Task, error) { return client.Resume(ctx, c.ID) })
}

// TaskResolveCmd says what a step in review came to.
type TaskResolveCmd struct {
	TaskID
	Done   bool   `help:"It was done." xor:"outcome" required:""`
	Failed bool   `help:"It failed." xor:"outcome" required:""`
	Reason string `help:"How you know." required:"" placeholder:"R"`
}

// Run prints the task as it is then.
func (c TaskResolveCmd) Run(ctx context.Context, s std, g *Globals) error {
	r := api.ResolveTask{Outcome: "failed", Reason: c.Reason}
	if c.Done {
		r.Outcome = "done"
	}
	return act(ctx, s, g, func(client *api.Client) (api.Task, error) { return client.Resolve(ctx, c.ID, r) })
}

// TaskCancelCmd ends a task.
type TaskCancelCmd struct {
	TaskID
	Reason string `help:"Why, for the record." placeholder:"R"`
}

// Run says whether that changed the task.
func (c TaskCancelCmd) Run(ctx context.Context, s std, g *Globals) error {
	client, cfg, err := g.client(s)
	if err != nil {
		return err
	}
	done, err := client.Cancel(ctx, c.ID, c.Reason)
	if err != nil {
		return err
	}
	if g.JSON {
		return writeJSON(s.out, done)
	}
	if !done.Changed {
		s.say("it had ended before: nothing was changed")
	}
	return printTask(s, done.Task, cfg.lang())
}
