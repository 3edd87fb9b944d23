package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"holdpoint/core"
	"holdpoint/inapp/api"
)

// TestOverASocket is the way of the commands: a server with its timeouts, a client with its connections,
// and a shutdown that ends streams and waits instead of waiting for them.
func TestOverASocket(t *testing.T) {
	h := open(t)
	mux := http.NewServeMux()
	h.Server.Register(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	srv := httptest.NewUnstartedServer(mux)
	srv.Config.ReadHeaderTimeout = 5 * time.Second
	srv.Config.RegisterOnShutdown(h.Server.Stop)
	srv.Start()
	defer srv.Close()
	c, err := api.NewClient(srv.URL, operator, nil)
	if err != nil {
		t.Fatal(err)
	}
	task, _, err := c.Start(t.Context(), api.StartTask{Plan: core.PlanInput{CheckpointTitles: []string{"a"}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	came, ended := make(chan api.Event), make(chan error, 1)
	go func() {
		defer close(came)
		for e, err := range c.Events(ctx, 0) {
			if err != nil {
				return
			}
			select {
			case came <- e:
			case <-ctx.Done():
			}
		}
	}()
	for want := int64(1); want <= 3; want++ {
		if e := <-came; e.Seq != want {
			t.Errorf("event %d, want %d", e.Seq, want)
		}
	}
	go func() {
		_, err := c.WaitOnce(ctx, task.Approval.ID, time.Minute)
		ended <- err
	}()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+"/elsewhere", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := srv.Client().Do(r)
	if err != nil || resp.StatusCode != http.StatusTeapot || resp.Body.Close() != nil {
		t.Errorf("beside the API: %v, %v", resp, err)
	}
	go func() { // whoever still listens takes what comes
		for range came {
		}
	}()
	if err := srv.Config.Shutdown(ctx); err != nil {
		t.Errorf("shutdown: %v", err)
	}
	if err := <-ended; err != nil && ctx.Err() != nil {
		t.Errorf("the wait: %v", err)
	}
	cancel()
}
