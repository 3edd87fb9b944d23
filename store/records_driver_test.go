package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/store"
)

// driver makes changes as the engine does, by core.Step, so that what is stored is what the domain
// writes.
type driver struct {
	now    time.Time
	serial int
}

func newDriver() *driver { return &driver{now: day} }

func (d *driver) next(format string) string {
	d.serial++
	return fmt.Sprintf(format, d.serial)
}

func (d *driver) mint() core.Mint {
	return core.Mint{
		ID:   func(prefix string) string { return d.next(prefix + "%06d") },
		Code: func() string { return d.next("C%05d") },
	}
}

var (
	policy = core.Policy{People: []core.Person{
		{Name: "ana", Roles: []string{core.RoleApprover}}, {Name: "ben", Roles: []string{core.RoleApprover}},
	}}
	operator = core.Actor{Kind: core.ActorOperator, Name: "ci"}
	ana      = core.Actor{Kind: core.ActorPerson, Name: "ana", Roles: []string{core.RoleApprover}, Surface: core.SurfaceInApp}
	ben      = core.Actor{Kind: core.ActorPerson, Name: "ben", Roles: []string{core.RoleApprover}, Surface: core.SurfaceInApp}
	surfaces = []string{core.SurfaceInApp, "slack"}
)

// plan is a plan of one checkpoint and more.
func plan(checkpoints, required int) core.Plan {
	p := core.Plan{
		Title: "Move the site <b> & all", Kind: core.KindTask, Shell: []string{"/bin/sh", "-c"}, Required: required,
		ExpiresIn: core.Duration(time.Hour), OnExpiry: core.ExpiryHold, Env: map[string]string{"LANG": "C"}, Cadence: []string{},
	}
	for i := range checkpoints {
		p.Checkpoints = append(p.Checkpoints, core.Checkpoint{
			Title: fmt.Sprintf("Step %d", i+1), Detail: "Copy what is there and keep the old one beside it.", Risk: core.RiskMedium,
			Run: core.Exec{Line: "./move.sh --to new"}, Note: "mv old site", Required: required, ExpiresIn: p.ExpiresIn,
			StopGrace: core.DefaultStopGrace, Shell: p.Shell, Env: p.Env, Workdir: "/srv/site",
		})
	}
	return p
}

// step runs a command on a task as it is in a reader, with the cards that it touches.
func (d *driver) step(r engine.Reader, task string, cmd core.Command) (core.Change, error) {
	s := core.Snapshot{Policy: policy, Epoch: r.Epoch()}
	s.Task, _ = r.Task(task)
	s.Approval, _ = r.Approval(s.Task.ApprovalID)
	s.Addressed = s.Approval
	if c, ok := r.Claim(s.Approval.ID); ok {
		s.Claim = &c
	}
	s.Sessions, s.Executions = r.SessionsOf(task), r.ExecutionsOf(task)
	c, err := core.Step(s, cmd, d.now, d.mint())
	if need, ok := errors.AsType[*core.NeedFiles](err); ok {
		s.Files = &core.Files{Workdir: need.Workdir, Names: need.Names, Digests: map[string]string{"./move.sh": "sha256:00"}}
		c, err = core.Step(s, cmd, d.now, d.mint())
	}
	for _, subject := range c.Touched {
		for _, surface := range surfaces {
			card, ok := r.Card(surface, subject)
			if !ok {
				card = core.Card{Surface: surface, Subject: subject, At: d.now}
			}
			c.Cards = append(c.Cards, card.Touch(d.now))
		}
	}
	return c, err
}

// do runs a command in a transaction and gives what was written. The domain must not refuse it.
func (d *driver) do(t testing.TB, s *store.Store, task string, cmd core.Command) core.Change {
	t.Helper()
	var c core.Change
	err := s.Update(context.Background(), func(tx engine.Tx) (err error) {
		if c, err = d.step(tx, task, cmd); err == nil {
			tx.Apply(c)
		}
		return err
	})
	if err != nil {
		t.Fatalf("%T: %v", cmd, err)
	}
	return c
}

// start makes a task that waits at its first gate.
func (d *driver) start(t testing.TB, s *store.Store, p core.Plan) core.Task {
	t.Helper()
	id := d.next("t_%06d")
	return *d.do(t, s, id, core.StartTask{Actor: operator, ID: id, Plan: p}).Task
}

// finish takes a task of one checkpoint from its gate to its end.
func (d *driver) finish(t testing.TB, s *store.Store, task string) {
	t.Helper()
	d.do(t, s, task, core.Decide{Actor: ana, Verdict: core.Approve, Reason: "looks right"})
	x := d.do(t, s, task, core.ClaimStep{Actor: core.System()}).Executions[0]
	d.do(t, s, task, core.Started{ExecutionID: x.ID})
	d.do(t, s, task, core.EndExecution{Actor: core.System(), ExecutionID: x.ID, Outcome: core.OutcomeSucceeded, Summary: "14 files"})
}
