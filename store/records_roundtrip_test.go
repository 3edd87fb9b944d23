package store_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/store"
)

var rewriteGolden = flag.Bool("update", false, "write testdata/records_v1.jsonl anew; only before a release has stored such records")

// fill gives every field of a value something that is not its zero value, so that one which is forgotten
// in a record is noticed.
func fill(v reflect.Value, n *int) {
	*n++
	switch at := v.Addr().Interface().(type) {
	case *time.Time:
		*at = day.Add(time.Duration(*n) * time.Millisecond)
		return
	case *core.Exec:
		at.Line = fmt.Sprintf("run <%d> && \u2028 é", *n)
		return
	case *core.Duration:
		*at = core.Duration(time.Duration(*n) * time.Second)
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("<text %d>", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"a": "1", "<b>": fmt.Sprint(*n)}))
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(field, n)
		}
	default:
		panic("store: no filling for " + v.Type().String())
	}
}

func filled[T any]() T {
	var v T
	n := 0
	fill(reflect.ValueOf(&v).Elem(), &n)
	return v
}

// everything is a record of each kind with every field set.
func everything() core.Change {
	task, approval, claim := filled[core.Task](), filled[core.Approval](), filled[core.Claim]()
	approval.State, approval.ID = core.ApprovalApproved, claim.ApprovalID
	claim.TaskID, claim.Fingerprint = approval.TaskID, approval.Fingerprint
	return core.Change{
		Task: &task, Approvals: []core.Approval{approval}, Claim: &claim,
		Sessions: []core.Session{filled[core.Session]()}, Executions: []core.Execution{filled[core.Execution]()},
		Cards: []core.Card{filled[core.Card]()}, Tokens: []core.Token{filled[core.Token]()}, SignIns: []core.SignIn{filled[core.SignIn]()},
		WebSessions: []core.WebSession{filled[core.WebSession]()}, Requests: []core.Request{filled[core.Request]()},
	}
}

// unchecked opens a store whose records are made up: no invariant holds for them.
func unchecked(t testing.TB) *store.Store {
	t.Helper()
	db, err := store.Open(context.Background(), options(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return store.Records(db)
}

func TestARecordReadsAsItWasWritten(t *testing.T) {
	s := unchecked(t)
	c := everything()
	apply(t, s, c)
	view(t, s, func(r engine.Reader) {
		for _, tc := range []struct {
			name string
			got  any
			want any
		}{
			{"a task", maybe(r.Task(c.Task.ID)), *c.Task},
			{"an approval", maybe(r.Approval(c.Approvals[0].ID)), c.Approvals[0]},
			{"a claim", maybe(r.Claim(c.Claim.ApprovalID)), *c.Claim},
			{"a session", maybe(r.Session(c.Sessions[0].ID)), c.Sessions[0]},
			{"an execution", maybe(r.Execution(c.Executions[0].ID)), c.Executions[0]},
			{"a card", maybe(r.Card(c.Cards[0].Surface, c.Cards[0].Subject)), c.Cards[0]},
			{"a token", maybe(r.Token(c.Tokens[0].Hash)), c.Tokens[0]},
			{"a sign-in link", maybe(r.SignIn(c.SignIns[0].Hash)), c.SignIns[0]},
			{"a web session", maybe(r.WebSession(c.WebSessions[0].Hash)), c.WebSessions[0]},
			{"a request", maybe(r.Request(c.Requests[0].Requester, c.Requests[0].ID)), c.Requests[0]},
		} {
			if diff := gocmp.Diff(tc.got, any(found{tc.want, true})); diff != "" {
				t.Errorf("%s (-got +want):\n%s", tc.name, diff)
			}
		}
	})
}

func TestAnEventReadsAsItWasWritten(t *testing.T) {
	s := unchecked(t)
	want := core.Event{Type: "x", At: day, Actor: "person:ana", Subject: "a_1", Task: "t_1",
		Data: map[string]any{"text": "<b> & \u2028", "n": 3.0, "list": []any{"a"}, "task": "another word"}}
	bare := core.Event{Type: "y", At: day}
	apply(t, s, core.Change{Events: []core.Event{want, bare}})
	want.Seq, bare.Seq = 1, 2
	view(t, s, func(r engine.Reader) {
		if diff := gocmp.Diff(r.Events(0, 10), []core.Event{want, bare}); diff != "" {
			t.Errorf("(-got +want):\n%s", diff)
		}
	})
}

const goldenRecords = "testdata/records_v1.jsonl"

// The file holds a record of each kind as version 1 writes it, each line "bucket<TAB>JSON". A field that
// was renamed, removed or given another form is missing in what is written now.
func TestStoredRecordsStayReadable(t *testing.T) {
	if *rewriteGolden {
		writeGolden(t)
	}
	text, err := os.ReadFile(goldenRecords)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(text)) {
		bucket, was, _ := strings.Cut(strings.TrimSpace(line), "\t")
		lines++
		now, err := store.Rewrite(store.Bucket(bucket), []byte(was))
		if err != nil {
			t.Errorf("%s: %v", bucket, err)
			continue
		}
		var before, after map[string]any
		if err := json.Unmarshal([]byte(was), &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(now, &after); err != nil {
			t.Fatal(err)
		}
		for name := range before {
			if diff := gocmp.Diff(after[name], before[name]); diff != "" {
				t.Errorf("%s: field %q (-now +stored):\n%s", bucket, name, diff)
			}
		}
	}
	if lines != len(recordBuckets) {
		t.Errorf("%s has %d records, want one of each of %d kinds", goldenRecords, lines, len(recordBuckets))
	}
}

var recordBuckets = []store.Bucket{"tasks", "approvals", "claims", "sessions", "executions", "cards", "tokens", "sign-ins", "web-sessions", "requests"}

func writeGolden(t *testing.T) {
	s := unchecked(t)
	c := everything()
	apply(t, s, c)
	var text strings.Builder
	update(t, s.DB, func(tx *store.Tx) {
		for _, b := range recordBuckets {
			for _, value := range tx.Scan(b, nil, nil, false) {
				fmt.Fprintf(&text, "%s\t%s\n", b, value)
			}
		}
	})
	if err := os.WriteFile(goldenRecords, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
