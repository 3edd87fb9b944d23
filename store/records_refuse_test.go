package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/store"
)

// attempt applies a change and gives the panic, writing nothing.
func attempt(t testing.TB, s *store.Store, c core.Change) (said string) {
	t.Helper()
	undo := errors.New("undo")
	err := s.Update(context.Background(), func(tx engine.Tx) (err error) {
		defer func() {
			if p := recover(); p != nil {
				said = fmt.Sprint(p)
			}
			err = undo
		}()
		tx.Apply(c)
		return nil
	})
	if !errors.Is(err, undo) {
		t.Fatal(err)
	}
	return said
}

func TestApplyRefusesWhatNoChangeMayDo(t *testing.T) {
	c := newScene(t)
	var r struct {
		task                    core.Task
		pending, approved, used core.Approval
		claim                   core.Claim
		ended                   core.Execution
		session                 core.Session
		card                    core.Card
	}
	view(t, c.store, func(v engine.Reader) {
		r.task, _ = v.Task(c.done)
		r.pending, _ = v.Approval(c.waitingApproval)
		r.approved, _ = v.Approval(c.queuedApproval)
		r.used, _ = v.Approval(c.doneApproval)
		r.claim, _ = v.Claim(c.doneApproval)
		r.ended, _ = v.Execution(c.doneExecution)
		r.session, _ = v.Session(r.ended.SessionID)
		r.card, _ = v.Card("slack", c.doneApproval)
	})
	task := func(edit func(*core.Task)) core.Change {
		v := r.task
		v.Revision++
		edit(&v)
		return core.Change{Task: &v}
	}
	approval := func(v core.Approval, edit func(*core.Approval)) core.Change {
		v.Revision++
		edit(&v)
		return core.Change{Approvals: []core.Approval{v}}
	}
	claim := func(edit func(*core.Claim)) core.Change {
		v := r.claim
		edit(&v)
		return core.Change{Claim: &v}
	}
	execution := func(edit func(*core.Execution)) core.Change {
		v := r.ended
		edit(&v)
		return core.Change{Executions: []core.Execution{v}}
	}
	cases := []struct {
		name   string
		change core.Change
		want   string // "": allowed
	}{
		{"a task again as it is", core.Change{Task: &r.task}, ""},
		{"a task with a higher revision", task(func(t *core.Task) { t.Reason = "new" }), ""},
		{"a task without a higher revision", task(func(t *core.Task) { t.Revision--; t.Reason = "new" }), "the revision was"},
		{"a task that moves to another parent", task(func(t *core.Task) { t.ParentID = c.queued }), "the parent was"},
		{"a completed task that runs again", task(func(t *core.Task) { t.State = core.TaskRunning }), "the terminal state was completed and may not become running"},
		{"an approval that was superseded before its use", approval(r.approved, func(a *core.Approval) { a.State = core.ApprovalSuperseded }), ""},
		{"an approval that was cancelled before its use", approval(r.approved, func(a *core.Approval) { a.State = core.ApprovalCancelled }), ""},
		{"an approved approval that is pending again", approval(r.approved, func(a *core.Approval) { a.State = core.ApprovalPending }), "the outcome was approved and may not become pending"},
		{"an approved approval that is rejected", approval(r.approved, func(a *core.Approval) { a.State = core.ApprovalRejected }), "the outcome was approved and may not become rejected"},
		{"a used approval that is superseded", approval(r.used, func(a *core.Approval) { a.State = core.ApprovalSuperseded }), "the outcome was approved"},
		{"a used approval that is unused again", approval(r.used, func(a *core.Approval) { a.Used = false }), "it was used"},
		{"an approval that moves to another task", approval(r.pending, func(a *core.Approval) { a.TaskID = c.done }), "the task was"},
		{"an approval with another code", approval(r.pending, func(a *core.Approval) { a.Code = "OTHER0" }), "the code was"},
		{"an approval with another fingerprint", approval(r.pending, func(a *core.Approval) { a.Fingerprint = "v1:00" }), "the fingerprint was"},
		{"an approval of another epoch", approval(r.pending, func(a *core.Approval) { a.Epoch++ }), "the epoch was"},
		{"an approval without a higher revision", approval(r.pending, func(a *core.Approval) { a.Revision--; a.Reason = "new" }), "the revision was"},
		{"a second approval of one code", core.Change{Approvals: []core.Approval{{ID: "a_9", Code: r.pending.Code, Revision: 1}}}, "is to lead to"},
		{"a decision that goes", approval(r.approved, func(a *core.Approval) { a.Decisions = nil }), "1 decisions settled it and may not become 0"},
		{"a decision behind the end", approval(r.approved, func(a *core.Approval) {
			a.Decisions = append(a.Decisions[:1:1], core.Decision{Person: "ben", Verdict: core.Approve})
		}), "may not become 2"},
		{"a decision that turns round", approval(r.approved, func(a *core.Approval) {
			a.Decisions = []core.Decision{{Person: "ana", Verdict: core.Reject}}
		}), "the decision of ana was approve and may not become reject"},
		{"a claim again as it is", core.Change{Claim: &r.claim}, ""},
		{"a claim written over", claim(func(c *core.Claim) { c.ExecutionID = "x_9" }), "it is written once"},
		{"a claim of nothing", claim(func(c *core.Claim) { c.ApprovalID = "a_9" }), "which is not there"},
		{"a claim of a pending approval", claim(func(c *core.Claim) { c.ApprovalID = r.pending.ID }), "the approval's state at the claim"},
		{"a claim of another task", claim(func(v *core.Claim) { v.ApprovalID, v.TaskID = r.approved.ID, c.done }), "the task was"},
		{"a claim of another fingerprint", claim(func(v *core.Claim) {
			v.ApprovalID, v.TaskID, v.Fingerprint = r.approved.ID, c.queued, "v1:00"
		}), "the fingerprint was"},
		{"a teardown of what has ended", execution(func(x *core.Execution) { x.Teardown.State = core.TeardownDone }), ""},
		{"an execution that lives again", execution(func(x *core.Execution) { x.State = core.ExecStarted }), "the end was"},
		{"an execution with another outcome", execution(func(x *core.Execution) { x.Outcome = core.OutcomeLost }), "the outcome was succeeded and may not become lost"},
		{"an execution of another task", execution(func(x *core.Execution) { x.TaskID = c.queued }), "the task was"},
		{"a session of another task", core.Change{Sessions: []core.Session{{ID: r.session.ID, TaskID: c.queued, Revision: 99}}}, "the task was"},
		{"a card that unlearns what it showed", core.Change{Cards: []core.Card{{Surface: "slack", Subject: r.card.Subject, Wanted: r.card.Wanted - 1}}}, "may not fall to"},
		{"a request that made a record anew", core.Change{Requests: []core.Request{{Requester: "operator:ci", ID: "r1", Digest: "e", Record: c.queued}}}, ""},
		{"a request that asked for something else", core.Change{Requests: []core.Request{{Requester: "operator:ci", ID: "r1", Digest: "e", Record: c.done}}}, "it is written once"},
		{"a web session that goes to another person", core.Change{WebSessions: []core.WebSession{{Hash: "w1", Person: "ben"}}}, "the person was ana and may not become ben"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			got := attempt(t, c.store, tc.change)
			if (tc.want == "") != (got == "") || !strings.Contains(got, tc.want) {
				t.Errorf("said %q, want …%s…", got, tc.want)
			}
		})
	}
}

func TestATakeBackIsAllowedWhileThereIsNoOutcome(t *testing.T) {
	s, d := openRecords(t), newDriver()
	task := d.start(t, s, plan(1, 2))
	d.do(t, s, task.ID, core.Decide{Actor: ana, Verdict: core.Approve})
	d.do(t, s, task.ID, core.Decide{Actor: ana, Verdict: core.Reject, Reason: "on second thoughts"})
	view(t, s, func(r engine.Reader) {
		if a, _ := r.Approval(task.ApprovalID); a.State != core.ApprovalRejected || len(a.Decisions) != 1 {
			t.Errorf("the approval is %s with %d decisions, want rejected with 1", a.State, len(a.Decisions))
		}
	})
}

func TestAChangeThatMustNotBeStopsTheStore(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(context.Background(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	s, d := store.Records(db), newDriver()
	task := d.start(t, s, plan(1, 1))
	d.finish(t, s, task.ID)
	err = s.Update(context.Background(), func(tx engine.Tx) error {
		c, _ := tx.Claim(task.ApprovalID)
		c.ExecutionID = "x_9"
		tx.Apply(core.Change{Claim: &c})
		return nil
	})
	if !errors.Is(err, store.ErrFailStopped) || !strings.Contains(err.Error(), "x_9") {
		t.Errorf("update: %v, want a stop that names the value", err)
	}
	if err := s.StillMine(); !errors.Is(err, store.ErrFailStopped) {
		t.Errorf("still mine: %v, want %v", err, store.ErrFailStopped)
	}
}

func TestARecordThatCanNotBeReadStopsTheStore(t *testing.T) {
	cases := []struct {
		name  string
		plant func(tx *store.Tx)
		read  func(r engine.Reader)
		also  error
	}{
		{"no JSON", func(tx *store.Tx) { tx.Put("tasks", []byte("t_1"), []byte("nonsense")) }, func(r engine.Reader) { r.Task("t_1") }, nil},
		{"a later version", func(tx *store.Tx) { tx.Put("tasks", []byte("t_1"), []byte(`{"v":2}`)) }, func(r engine.Reader) { r.Task("t_1") }, store.ErrNewerSchema},
		{"an index that leads nowhere", func(tx *store.Tx) { tx.Put("task-state", key("queued", "t_1"), []byte{1}) },
			func(r engine.Reader) { r.Tasks(engine.TaskQuery{State: core.TaskQueued, Limit: 1}) }, nil},
		{"a code that leads to another's approval", func(tx *store.Tx) {
			tx.Put("approvals", []byte("a_1"), []byte(`{"v":1,"id":"a_1","code":"AAAAAA","state":"pending"}`))
			tx.Put("approval-code", []byte("BBBBBB"), []byte("a_1"))
		}, func(r engine.Reader) { r.ApprovalByCode("BBBBBB") }, nil},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			db, err := store.Open(context.Background(), options(t, t.TempDir()))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			update(t, db, tc.plant)
			err = store.Records(db).View(context.Background(), func(r engine.Reader) error { tc.read(r); return nil })
			if !errors.Is(err, store.ErrTampered) || tc.also != nil && !errors.Is(err, tc.also) {
				t.Errorf("view: %v, want %v", err, store.ErrTampered)
			}
			if err := db.StillMine(); !errors.Is(err, store.ErrFailStopped) {
				t.Errorf("the store goes on: %v", err)
			}
		})
	}
}
