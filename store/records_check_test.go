package store_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/store"
)

// scene is a store with a task in every place that the invariants speak of.
type scene struct {
	*driver
	store                                            *store.Store
	done, waiting, queued, running, paused, child    string // tasks
	doneApproval, waitingApproval, queuedApproval    string
	runningApproval, runningExecution, doneExecution string
}

func newScene(t testing.TB) *scene {
	t.Helper()
	c := &scene{driver: newDriver(), store: openRecords(t)}
	begin := func() (task, approval string) {
		p := plan(1, 1)
		p.UseWithin = core.Duration(time.Hour)
		made := c.start(t, c.store, p)
		return made.ID, made.ApprovalID
	}
	approve := func(task string) { c.do(t, c.store, task, core.Decide{Actor: ana, Verdict: core.Approve}) }
	c.done, c.doneApproval = begin()
	c.finish(t, c.store, c.done)
	c.waiting, c.waitingApproval = begin()
	c.queued, c.queuedApproval = begin()
	approve(c.queued)
	c.running, c.runningApproval = begin()
	approve(c.running)
	c.runningExecution = c.do(t, c.store, c.running, core.ClaimStep{Actor: core.System()}).Executions[0].ID
	c.paused, _ = begin()
	c.do(t, c.store, c.paused, core.Pause{Actor: operator})
	c.child = c.next("t_%06d")
	c.do(t, c.store, c.child, core.StartTask{Actor: operator, ID: c.child, Plan: plan(1, 1), ParentID: c.done})
	apply(t, c.store, core.Change{
		Requests:    []core.Request{{Requester: "operator:ci", ID: "r1", Digest: "d", Record: c.done, At: c.now}},
		WebSessions: []core.WebSession{{Hash: "w1", ID: "ws1", Person: "ana", CreatedAt: c.now}},
	})
	view(t, c.store, func(r engine.Reader) { c.doneExecution = r.ExecutionsOf(c.done)[0].ID })
	return c
}

// raw writes past the records, and remembers what was there.
type raw struct {
	t    testing.TB
	tx   *store.Tx
	undo []func(*store.Tx)
}

func (r *raw) note(b store.Bucket, key []byte) {
	was, ok := r.tx.Get(b, key)
	r.undo = append(r.undo, func(tx *store.Tx) {
		if ok {
			tx.Put(b, key, was)
		} else {
			tx.Delete(b, key)
		}
	})
}

func (r *raw) put(b store.Bucket, key []byte, value string) {
	r.note(b, key)
	r.tx.Put(b, key, []byte(value))
}

// drop removes what must have been there.
func (r *raw) drop(b store.Bucket, key []byte) {
	if _, ok := r.tx.Get(b, key); !ok {
		r.t.Fatalf("%s has no %q to remove", b, key)
	}
	r.note(b, key)
	r.tx.Delete(b, key)
}

// set changes fields of a record.
func (r *raw) set(b store.Bucket, id string, fields map[string]any) {
	was, ok := r.tx.Get(b, []byte(id))
	if !ok {
		r.t.Fatalf("%s has no %q to change", b, id)
	}
	var record map[string]any
	if err := json.Unmarshal(was, &record); err != nil {
		r.t.Fatal(err)
	}
	maps.Copy(record, fields)
	now, err := json.Marshal(record)
	if err != nil {
		r.t.Fatal(err)
	}
	r.put(b, []byte(id), string(now))
}

// fields is short for what a plant changes in a record.
type fields = map[string]any

// plant is one inconsistency, and the finding that names it.
type plant struct {
	name   string
	plant  func(r *raw, c *scene)
	check  string
	bucket store.Bucket
	text   string
}

var key = store.JoinedKey

var plants = []plant{
	{"a record that is no JSON", func(r *raw, c *scene) { r.put("sessions", []byte("s_1"), "nonsense") }, "records", "sessions", "does not read"},
	{"a record of a later version", func(r *raw, c *scene) { r.put("sessions", []byte("s_1"), `{"v":2,"id":7}`) }, "records", "sessions", "version 2"},
	{"a record without a version", func(r *raw, c *scene) { r.put("sessions", []byte("s_1"), `{"id":"s_1"}`) }, "records", "sessions", "no version"},
	{"a record under another key", func(r *raw, c *scene) { r.set("tasks", c.done, fields{"id": "t_x"}) }, "records", "tasks", `belongs under "t_x"`},

	{"a task that is not listed by its state", func(r *raw, c *scene) { r.drop("task-state", key("completed", c.done)) }, "indexes", "task-state", "missing"},
	{"a task that is listed by another state", func(r *raw, c *scene) { r.put("task-state", key("queued", c.done), "\x01") }, "indexes", "task-state", "no such entry"},
	{"a child that is not listed by its parent", func(r *raw, c *scene) { r.drop("task-parent", key(c.done, c.child)) }, "indexes", "task-parent", "missing"},
	{"a parent that lists a stranger", func(r *raw, c *scene) { r.put("task-parent", key(c.done, c.queued), "\x01") }, "indexes", "task-parent", "no such entry"},
	{"an approval that is not listed by its state", func(r *raw, c *scene) { r.drop("approval-state", key("pending", c.waitingApproval)) }, "indexes", "approval-state", "missing"},
	{"a used approval that is listed as pending", func(r *raw, c *scene) { r.put("approval-state", key("pending", c.doneApproval), "\x01") }, "indexes", "approval-state", "no such entry"},
	{"an approval that is not listed by its task", func(r *raw, c *scene) { r.drop("approval-task", key(c.done, c.doneApproval)) }, "indexes", "approval-task", "missing"},
	{"an approval that is listed by another task", func(r *raw, c *scene) { r.put("approval-task", key(c.queued, c.doneApproval), "\x01") }, "indexes", "approval-task", "no such entry"},
	{"a code that leads nowhere", func(r *raw, c *scene) { r.put("approval-code", []byte("ZZZZZZ"), "a_1") }, "indexes", "approval-code", "no such entry"},
	{"two approvals of one code", func(r *raw, c *scene) {
		code := "SAME00"
		r.set("approvals", c.doneApproval, fields{"code": code})
		r.set("approvals", c.queuedApproval, fields{"code": code})
		r.put("approval-code", []byte(code), c.doneApproval)
	}, "indexes", "approval-code", "and also that of"},
	{"a pending approval without its deadline", func(r *raw, c *scene) {
		r.drop("deadlines", []byte(store.StampKey(day.Add(time.Hour+time.Millisecond))+c.waitingApproval))
	}, "indexes", "deadlines", "missing"},
	{"a deadline of what was settled", func(r *raw, c *scene) { r.put("deadlines", []byte(store.StampKey(day)+c.doneApproval), "\x01") }, "indexes", "deadlines", "no such entry"},
	{"a deadline that is no time", func(r *raw, c *scene) { r.put("deadlines", []byte("x"), "\x01") }, "indexes", "deadlines", "no such entry"},
	{"an execution that is not listed by its task", func(r *raw, c *scene) { r.drop("execution-task", key(c.done, c.doneExecution)) }, "indexes", "execution-task", "missing"},
	{"a live execution that is not listed", func(r *raw, c *scene) { r.drop("execution-live", []byte(c.runningExecution)) }, "indexes", "execution-live", "missing"},
	{"an ended execution that is listed as live", func(r *raw, c *scene) { r.put("execution-live", []byte(c.doneExecution), "\x01") }, "indexes", "execution-live", "no such entry"},
	{"a session that is listed by no session's task", func(r *raw, c *scene) { r.put("session-task", key(c.done, "s_9"), "\x01") }, "indexes", "session-task", "no such entry"},
	{"a waiting card that is not listed", func(r *raw, c *scene) {
		r.drop("card-waiting", key("slack", store.StampKey(time.Time{})+c.waitingApproval))
	}, "indexes", "card-waiting", "missing"},
	{"a card that is listed and not there", func(r *raw, c *scene) { r.put("card-waiting", key("slack", store.StampKey(day)+"a_9"), "\x01") }, "indexes", "card-waiting", "no such entry"},
	{"a web session that is listed by another person", func(r *raw, c *scene) { r.put("web-session-owner", key("ben", "w1"), "\x01") }, "indexes", "web-session-owner", "no such entry"},
	{"an event that is not listed by its task", func(r *raw, c *scene) { r.drop("task-events", key(c.done, "\x00\x00\x00\x00\x00\x00\x00\x01")) }, "indexes", "task-events", "row 1 of the audit is missing"},
	{"a task that lists another's event", func(r *raw, c *scene) {
		r.put("task-events", key(c.queued, "\x00\x00\x00\x00\x00\x00\x00\x01"), "\x01")
	}, "indexes", "task-events", "no such row"},

	{"a fingerprint that is not the subject's", func(r *raw, c *scene) { r.set("approvals", c.waitingApproval, fields{"fingerprint": "v1:00"}) }, "approvals", "approvals", "its subject has"},
	{"an approved approval that nobody approved", func(r *raw, c *scene) { r.set("approvals", c.queuedApproval, fields{"decisions": nil}) }, "approvals", "approvals", "approved by 0 of 1"},
	{"an approval without a task", func(r *raw, c *scene) { r.set("approvals", c.waitingApproval, fields{"task": "t_9"}) }, "approvals", "approvals", `no task "t_9"`},
	{"a pending approval that is not the current one", func(r *raw, c *scene) { r.set("tasks", c.waiting, fields{"approval": c.doneApproval}) }, "approvals", "approvals", "the current one of task"},
	{"a pending approval of a task that does not wait", func(r *raw, c *scene) { r.set("tasks", c.waiting, fields{"state": "failed"}) }, "approvals", "approvals", "is failed"},
	{"a used approval without a claim", func(r *raw, c *scene) { r.drop("claims", []byte(c.doneApproval)) }, "approvals", "approvals", "used is true"},
	{"a claimed approval that says it is unused", func(r *raw, c *scene) { r.set("approvals", c.doneApproval, fields{"used": false}) }, "approvals", "approvals", "used is false"},

	{"a waiting task whose approval is gone", func(r *raw, c *scene) { r.drop("approvals", []byte(c.waitingApproval)) }, "tasks", "tasks", "it awaits an approval"},
	{"a waiting task whose approval was rejected", func(r *raw, c *scene) { r.set("approvals", c.waitingApproval, fields{"state": "rejected"}) }, "tasks", "tasks", "it awaits an approval"},
	{"an expired gate of a plan that renews", func(r *raw, c *scene) {
		r.set("approvals", c.waitingApproval, fields{"state": "expired"})
		var p fields
		raw, err := json.Marshal(plan(1, 1))
		if err != nil || json.Unmarshal(raw, &p) != nil {
			r.t.Fatal(err)
		}
		p["on_expiry"] = "renew"
		r.set("tasks", c.waiting, fields{"plan": p})
	}, "tasks", "tasks", "it awaits an approval"},
	{"a queued task whose approval is pending", func(r *raw, c *scene) { r.set("approvals", c.queuedApproval, fields{"state": "pending"}) }, "tasks", "tasks", "it is queued"},
	{"a queued task whose approval was used", func(r *raw, c *scene) { r.set("approvals", c.queuedApproval, fields{"used": true}) }, "tasks", "tasks", "it is queued"},
	{"a running task without an execution", func(r *raw, c *scene) { r.set("tasks", c.running, fields{"execution": ""}) }, "tasks", "tasks", "it is running"},
	{"a paused task that does not know from where", func(r *raw, c *scene) { r.set("tasks", c.paused, fields{"paused_from": ""}) }, "tasks", "tasks", "does not say from where"},

	{"a claim without its approval", func(r *raw, c *scene) { r.drop("approvals", []byte(c.doneApproval)) }, "claims", "claims", "there is no approval"},
	{"a claim of what was superseded", func(r *raw, c *scene) { r.set("approvals", c.doneApproval, fields{"state": "superseded"}) }, "claims", "claims", "which is superseded"},
	{"a claim of another task", func(r *raw, c *scene) { r.set("claims", c.doneApproval, fields{"task": c.queued}) }, "claims", "claims", "its approval of"},
	{"a claim of another fingerprint", func(r *raw, c *scene) { r.set("claims", c.doneApproval, fields{"fingerprint": "v1:00"}) }, "claims", "claims", "its fingerprint is v1:00"},
	{"a claim whose execution is gone", func(r *raw, c *scene) { r.drop("executions", []byte(c.doneExecution)) }, "claims", "claims", "not there, or not of this claim"},
	{"a claim that the audit does not tell of", func(r *raw, c *scene) {
		r.put("claims", []byte(c.waitingApproval), `{"v":1,"approval":"`+c.waitingApproval+`"}`)
	}, "claims", "claims", "the audit has 0 rows"},
	{"a claim that only the audit tells of", func(r *raw, c *scene) { r.drop("claims", []byte(c.doneApproval)) }, "claims", "claims", "a claim that is not there"},

	{"two executions of one claim", func(r *raw, c *scene) {
		r.put("executions", []byte("x_9"), `{"v":1,"id":"x_9","task":"`+c.done+`","approval":"`+c.doneApproval+`","state":"ended"}`)
	}, "executions", "executions", "made"},
	{"a live execution that its task does not know", func(r *raw, c *scene) { r.set("tasks", c.running, fields{"execution": "x_9"}) }, "executions", "executions", "it is live"},
	{"an execution without a task", func(r *raw, c *scene) { r.set("executions", c.doneExecution, fields{"task": "t_9"}) }, "executions", "executions", `no task "t_9"`},

	{"a card that shows nothing", func(r *raw, c *scene) { r.drop("approvals", []byte(c.doneApproval)) }, "references", "cards", "to show"},
	{"a request that made nothing", func(r *raw, c *scene) { r.set("requests", string(key("operator:ci", "r1")), fields{"record": "t_9"}) }, "references", "requests", "no record t_9"},
}

func TestCheckNamesEachInconsistency(t *testing.T) {
	c := newScene(t)
	for _, p := range plants {
		t.Run(p.name, func(t *testing.T) {
			r := &raw{t: t}
			update(t, c.store.DB, func(tx *store.Tx) { r.tx = tx; p.plant(r, c) })
			findings, err := c.store.Check(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			named := false
			for _, f := range findings {
				named = named || f.Check == p.check && f.Bucket == p.bucket && strings.Contains(f.Text, p.text)
			}
			if !named {
				t.Errorf("found %v, want one of %s about %s: …%s…", findings, p.check, p.bucket, p.text)
			}
			update(t, c.store.DB, func(tx *store.Tx) {
				for _, undo := range slices.Backward(r.undo) {
					undo(tx)
				}
			})
		})
	}
	// The clean-up of newScene proves that nothing is left of any of them.
}

// A row of the audit can't be taken back, so this one has a store of its own.
func TestCheckNamesAClaimThatIsToldTwice(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(context.Background(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	s, d := store.Records(db), newDriver()
	task := d.start(t, s, plan(1, 1))
	d.finish(t, s, task.ID)
	apply(t, s, core.Change{Events: []core.Event{{Type: core.EventApprovalClaimed, Subject: task.ApprovalID, Task: task.ID, At: day}}})
	findings, err := s.Check(context.Background())
	if err != nil || len(findings) != 1 || !strings.Contains(findings[0].Text, "the audit has 2 rows of it") {
		t.Errorf("found %v, %v, want the claim of %s", findings, err, task.ApprovalID)
	}
}

func update(t testing.TB, db *store.DB, fn func(*store.Tx)) {
	t.Helper()
	if err := db.Update(context.Background(), func(tx *store.Tx) error { fn(tx); return nil }); err != nil {
		t.Fatal(err)
	}
}
