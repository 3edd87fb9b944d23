package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
)

// Health is what /healthz says. Without a token it is the status alone.
type Health struct {
	Status  string    `json:"status"` // ok, or failing: the store is not the daemon's any more
	Version string    `json:"version,omitempty"`
	Pending int       `json:"pending,omitempty"` // approvals that wait for a decision, counted up to 200
	Untold  []Untold  `json:"untold,omitempty"`
	At      time.Time `json:"at,omitzero"`
}

// Untold is a pending approval that a surface did not show yet.
type Untold struct {
	Approval string    `json:"approval"`
	Surface  string    `json:"surface"`
	State    string    `json:"state"`
	Reason   string    `json:"reason"`
	Since    time.Time `json:"since"`
}

// healthRoutes serves the root: no token is asked for, but one that is brought has to be good.
func (s *Server) healthRoutes() {
	s.mux.HandleFunc("GET /healthz", s.open(func(w http.ResponseWriter, r *http.Request, detail bool) {
		h, err := s.health(r.Context(), detail)
		if err != nil {
			s.write(w, r, problem(r.Context(), err))
			return
		}
		s.writeHealth(w, h)
	}))
	s.mux.HandleFunc("GET /readyz", s.open(func(w http.ResponseWriter, _ *http.Request, _ bool) {
		s.writeHealth(w, Health{Status: s.status()})
	}))
	if s.Metrics != nil {
		s.mux.HandleFunc("GET /metrics", s.open(func(w http.ResponseWriter, r *http.Request, detail bool) {
			if detail {
				s.MetricsDetail.ServeHTTP(w, r)
				return
			}
			s.Metrics.ServeHTTP(w, r)
		}))
	}
}

// open lets everybody in; detail: who came may see everything.
func (s *Server) open(fn func(w http.ResponseWriter, r *http.Request, detail bool)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			fn(w, r, false)
			return
		}
		actor, err := s.identify(r)
		if err != nil {
			s.write(w, r, problem(r.Context(), err))
			return
		}
		callOf(r.Context()).actor = actor
		fn(w, r, core.May(actor, core.ActSee, core.Relation{}))
	}
}

func (s *Server) status() string {
	if s.Engine.Store.StillMine() != nil {
		return "failing"
	}
	return "ok"
}

func (s *Server) health(ctx context.Context, detail bool) (Health, error) {
	h := Health{Status: s.status()}
	if !detail || h.Status != "ok" {
		return h, nil
	}
	found, err := s.Engine.Approvals(ctx, actorOf(ctx), engine.ApprovalQuery{State: core.ApprovalPending, Limit: 200})
	if err != nil {
		return h, err
	}
	h.Version, h.Pending = s.Version, len(found)
	for _, d := range found {
		h.At = d.Now
		for _, c := range d.Cards {
			if c.State != core.CardShown {
				h.Untold = append(h.Untold, Untold{Approval: d.Approval.ID, Surface: c.Surface, State: string(c.State), Reason: c.Reason, Since: c.At.UTC()})
			}
		}
	}
	return h, nil
}

func (s *Server) writeHealth(w http.ResponseWriter, h Health) {
	w.Header().Set("Content-Type", typeJSON)
	if h.Status != "ok" {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(h) // to a client that is gone there is nobody to tell
}
