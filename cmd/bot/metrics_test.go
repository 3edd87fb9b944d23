package main

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

// TestMetricsTellOfTeardowns: a teardown that came to its end is counted by its state, and one that is
// pending is a gauge; every label is from a closed set.
func TestMetricsTellOfTeardowns(t *testing.T) {
	w := world.New(t)
	defer w.Stop()
	m := newMetrics(w.Store)
	m.observe(context.Background(), engine.Observation{Change: core.Change{Events: []core.Event{
		{Type: core.EventTeardownEnded, Data: map[string]any{"state": core.TeardownFailed, "reason": "it lives"}},
		{Type: core.EventTeardownEnded, Data: map[string]any{"state": core.TeardownDone}},
		{Type: core.EventTeardownEnded, Data: map[string]any{"state": core.TeardownDone}},
	}}})
	w.StartTask("checkpoint_titles: [a]")
	rec := httptest.NewRecorder()
	m.handler().ServeHTTP(rec, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{
		`holdpoint_teardowns_total{state="failed"} 1`, `holdpoint_teardowns_total{state="done"} 2`,
		`holdpoint_teardowns_pending 0`, `holdpoint_approvals_pending{risk="medium"} 1`,
	} {
		if !strings.Contains(rec.Body.String(), want) {
			t.Errorf("the metrics lack %q", want)
		}
	}
	if strings.Contains(rec.Body.String(), "it lives") {
		t.Error("a reason became a label")
	}
}
