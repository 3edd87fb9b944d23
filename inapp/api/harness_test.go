package api_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/inapp/api"
	"holdpoint/store"
)

// house is a daemon without a network: the real engine over the real store, a runtime that a test ends
// by hand, and the API.
type house struct {
	t       *testing.T
	Engine  *engine.Engine
	Server  *api.Server
	Runtime *fakeRuntime
	Logs    *fakeLogs
	Clock   *clock
	Log     *syncBuffer
	db      *store.DB
	tokens  map[string]string
}

const operator = "operator-file-token-of-the-tests"

var people = []core.Person{
	{Name: "ana", Roles: []string{core.RoleApprover, core.RoleAdmin, "dba"}, Slack: "U1"},
	{Name: "bo", Roles: []string{core.RoleApprover}, Language: "fr"},
	{Name: "chloe", Roles: []string{core.RoleOperator}},
	{Name: "dora"},
}

// set changes what a house is built of before it is.
type set func(*engine.Options, *api.Options)

func open(t *testing.T, sets ...set) *house {
	t.Helper()
	db, err := store.Open(t.Context(), store.Options{Dir: t.TempDir(), ReserveBytes: -1, AnyFilesystem: true, Watch: -1})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, Runtime: newRuntime(), Logs: &fakeLogs{}, Clock: newClock(), Log: &syncBuffer{}, db: db, tokens: map[string]string{"operator": operator}}
	logger := slog.New(slog.NewTextHandler(h.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	eo := engine.Options{
		Store: store.Records(db), Runtime: h.Runtime, Files: noFiles{}, Policy: core.Policy{People: people}, Now: h.Clock.Now, Logger: slog.New(slog.DiscardHandler),
		NewID: func(prefix string, now time.Time) string {
			return prefix + ulid.MustNew(ulid.Timestamp(now), ulid.DefaultEntropy()).String()
		},
		NewCode: func() string { return rand.Text()[:6] }, NewSecret: rand.Text,
		Workdir: func(task string) string { return "/steps/" + task },
	}
	ao := api.Options{
		Logger: logger, Version: "test", Logs: h.Logs,
		SignInURL: func(secret string) string { return "http://holdpoint.test/signin/" + secret },
		Failures:  api.NewFailures(h.Clock.Now),
	}
	for _, fn := range sets {
		fn(&eo, &ao)
	}
	h.Engine = engine.New(eo)
	ao.Engine = h.Engine
	h.Server = api.New(ao)
	if err := h.Engine.FileToken(t.Context(), operator); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.close)
	for _, p := range people {
		h.tokens[p.Name] = h.mint(p.Name, core.PersonRole(p.Name))
	}
	h.tokens["agent"] = h.mint("agent", core.RoleTokenAgent)
	h.tokens["stranger-agent"] = h.mint("stranger-agent", core.RoleTokenAgent)
	h.tokens["ci"] = h.mint("ci", core.RoleTokenOperator)
	return h
}

// close ends the house and proves its store.
func (h *house) close() {
	found, err := h.db.Check(context.Background())
	if err != nil || len(found) > 0 {
		h.t.Errorf("the store after the test: %v, %v", found, err)
	}
	if err := h.db.Close(); err != nil {
		h.t.Error(err)
	}
}

func (h *house) mint(name string, role core.Role) string {
	h.t.Helper()
	secret, _, err := h.Engine.CreateToken(h.t.Context(), core.Actor{Kind: core.ActorOperator, Name: "operator", File: true}, name, role)
	if err != nil {
		h.t.Fatal(err)
	}
	return secret
}

// run drives the engine's loops until the returned function is called.
func (h *house) run() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { h.Engine.Run(ctx) })
	return func() { cancel(); wg.Wait() }
}

// reply is an answer, read whole.
type reply struct {
	t *testing.T
	*http.Response
	body []byte
}

// do sends a request as somebody ("" for nobody), with a JSON body unless body is "".
func (h *house) do(who, method, path, body string, headers ...string) reply {
	h.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.RemoteAddr = "192.0.2.1:1234"
	if who != "" {
		secret, ok := h.tokens[who]
		if !ok {
			secret = who
		}
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.Server.ServeHTTP(w, r)
	out := reply{t: h.t, Response: w.Result()}
	out.body, _ = io.ReadAll(out.Response.Body)
	h.conforms(method, strings.SplitN(path, "?", 2)[0], out)
	return out
}

// want fails the test unless the answer has the status, and reads its JSON into v, strictly.
func (r reply) want(status int, v any) {
	r.t.Helper()
	if r.StatusCode != status {
		r.t.Fatalf("status %d, want %d: %s", r.StatusCode, status, r.body)
	}
	if v == nil {
		return
	}
	dec := json.NewDecoder(bytes.NewReader(r.body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		r.t.Fatalf("%v in %s", err, r.body)
	}
}

// refused fails the test unless the answer is a problem of this code.
func (r reply) refused(code core.Code) api.Problem {
	r.t.Helper()
	var p api.Problem
	r.want(api.StatusOf(code), &p)
	if p.Code != code || p.Status != r.StatusCode || r.Header.Get("Content-Type") != "application/problem+json" {
		r.t.Fatalf("problem %q, status %d, as %s; want %q: %s", p.Code, p.Status, r.Header.Get("Content-Type"), code, r.body)
	}
	if p.RequestID == "" || p.RequestID != r.Header.Get("X-Request-Id") {
		r.t.Errorf("request id %q in the problem, %q in the header", p.RequestID, r.Header.Get("X-Request-Id"))
	}
	return p
}

// plan is a plan of two steps, the second of high risk.
const plan = `{"title":"Move orders","workdir":"/srv/orders","checkpoints":[` +
	`{"title":"backup","run":"./backup.sh","risk":"low","rollback_notes":"nothing to undo"},` +
	`{"title":"switch over","run":["./switch.sh","orders_v2"],"risk":"high"}]}`

// start starts a plan as somebody.
func (h *house) start(who, plan string) api.Task {
	h.t.Helper()
	var t api.Task
	h.do(who, "POST", "/api/v1/tasks", `{"plan":`+plan+`}`).want(http.StatusCreated, &t)
	return t
}

func (h *house) decide(who, approval, body string) reply {
	h.t.Helper()
	return h.do(who, "POST", "/api/v1/approvals/"+approval+"/decision", body)
}

func (h *house) taskNow(id string) api.Task {
	h.t.Helper()
	var t api.Task
	h.do("operator", "GET", "/api/v1/tasks/"+id, "").want(http.StatusOK, &t)
	return t
}

func (h *house) rows() []core.Event {
	h.t.Helper()
	rows, err := h.Engine.Events(h.t.Context(), core.Actor{Kind: core.ActorOperator, Name: "t"}, 0, 10000)
	if err != nil {
		h.t.Fatal(err)
	}
	return rows
}

// until waits for what the loops do: each event wakes it.
func (h *house) until(ok func() bool) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 10*time.Second)
	defer cancel()
	for {
		changed, leave := h.Engine.Changed()
		if ok() {
			leave()
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			h.t.Fatal("it did not come to pass")
		}
		leave()
	}
}

// serve sends a request as it is, and holds the answer against nothing.
func (h *house) serve(r *http.Request) (status int) {
	r.RemoteAddr = "192.0.2.1:1234"
	w := httptest.NewRecorder()
	h.Server.ServeHTTP(w, r)
	return w.Code
}

func replace(s string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(s) }

// in is the same house for a part of a test.
func (h *house) in(t *testing.T) *house {
	part := *h
	part.t = t
	return &part
}
