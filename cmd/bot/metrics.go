package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/store"
)

// metrics is the registry. Every label is from a closed set: codes, causes, outcomes, verdicts, never a
// name or an id.
type metrics struct {
	registry   *prometheus.Registry
	decisions  *prometheus.CounterVec
	refusals   *prometheus.CounterVec
	executions *prometheus.CounterVec
	teardowns  *prometheus.CounterVec
	toDecision prometheus.Histogram
	commands   prometheus.Histogram
}

// newMetrics makes the registry over a store, whose gauges are read when they are asked for.
func newMetrics(s *store.Store) *metrics {
	m := &metrics{
		registry:   prometheus.NewRegistry(),
		decisions:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "holdpoint_decisions_total", Help: "Decisions by people, by verdict and surface."}, []string{"verdict", "surface"}),
		refusals:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "holdpoint_refusals_total", Help: "Refused commands, by code and cause."}, []string{"code", "cause"}),
		executions: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "holdpoint_executions_total", Help: "Executions that ended, by outcome."}, []string{"outcome"}),
		teardowns:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "holdpoint_teardowns_total", Help: "Teardowns of stopped executions that came to an end, by state: done or failed."}, []string{"state"}),
		toDecision: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "holdpoint_decision_seconds", Help: "Time from an approval's request to its outcome by people.",
			Buckets: []float64{1, 10, 60, 300, 900, 3600, 4 * 3600, 24 * 3600}}),
		commands: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "holdpoint_command_seconds", Help: "Time that a command takes, commit included.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 4, 8)}),
	}
	m.registry.MustRegister(m.decisions, m.refusals, m.executions, m.teardowns, m.toDecision, m.commands,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	gauge := func(name, help string, read func(store.Stats) float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return read(s.Stats()) }))
	}
	gauge("holdpoint_store_commits", "Transactions written since the start.", func(s store.Stats) float64 { return float64(s.Commits) })
	gauge("holdpoint_store_updates", "Updates answered by those transactions.", func(s store.Stats) float64 { return float64(s.Batched) })
	gauge("holdpoint_store_commit_seconds", "Time spent in commits since the start.", func(s store.Stats) float64 { return s.CommitTime.Seconds() })
	gauge("holdpoint_store_bytes", "Bytes of the database in use.", func(s store.Stats) float64 { return float64(s.Size) })
	gauge("holdpoint_store_reserve_bytes", "Bytes kept free beyond them for decisions on a full disk.", func(s store.Stats) float64 { return float64(s.Reserve) })
	gauge("holdpoint_store_open_reads", "Views and backups under way.", func(s store.Stats) float64 { return float64(s.OpenReads) })
	m.registry.MustRegister(pending{s})
	return m
}

// observe counts what a command came to.
func (m *metrics) observe(_ context.Context, o engine.Observation) {
	m.commands.Observe(o.Took.Seconds())
	if refusal, ok := errors.AsType[*core.Error](o.Refusal); ok {
		m.refusals.WithLabelValues(string(refusal.Code), refusal.Cause).Inc()
	}
	for _, x := range o.Change.Executions {
		if x.State == core.ExecEnded {
			m.executions.WithLabelValues(string(x.Outcome)).Inc()
		}
	}
	for _, e := range o.Change.Events {
		switch e.Type {
		case core.EventApprovalDecided:
			m.decisions.WithLabelValues(text(e.Data["decision"]), text(e.Data["surface"])).Inc()
		case core.EventTeardownEnded:
			m.teardowns.WithLabelValues(text(e.Data["state"])).Inc()
		}
	}
	for _, a := range o.Change.Approvals {
		settled := a.State == core.ApprovalApproved || a.State == core.ApprovalRejected
		if settled && !a.Used && len(o.Change.Executions) == 0 {
			m.toDecision.Observe(a.ResolvedAt.Sub(a.RequestedAt).Seconds())
		}
	}
}

func text(v any) string {
	switch s := v.(type) {
	case core.Verdict:
		return string(s)
	case core.TeardownState:
		return string(s)
	case string:
		return s
	}
	return ""
}

// pending counts what waits when it is asked for: approvals for people, by risk, and executions for
// their teardown.
type pending struct{ store *store.Store }

var pendingDesc = prometheus.NewDesc("holdpoint_approvals_pending", "Approvals that wait for a decision, by risk.", []string{"risk"}, nil)

var teardownDesc = prometheus.NewDesc("holdpoint_teardowns_pending", "Stopped executions whose processes are not known to be gone.", nil, nil)

// mostPending bounds what one scrape counts.
const mostPending = 10_000

func (p pending) Describe(ch chan<- *prometheus.Desc) {
	ch <- pendingDesc
	ch <- teardownDesc
}

func (p pending) Collect(ch chan<- prometheus.Metric) {
	count, ending := map[core.Risk]float64{core.RiskLow: 0, core.RiskMedium: 0, core.RiskHigh: 0}, 0.0
	err := p.store.View(context.Background(), func(r engine.Reader) error {
		for _, a := range r.Approvals(engine.ApprovalQuery{State: core.ApprovalPending, Limit: mostPending}) {
			count[a.Subject.Risk]++
		}
		for _, x := range r.OpenExecutions() {
			if x.Teardown.State == core.TeardownPending {
				ending++
			}
		}
		return nil
	})
	if err != nil {
		ch <- prometheus.NewInvalidMetric(pendingDesc, err)
		return
	}
	ch <- prometheus.MustNewConstMetric(teardownDesc, prometheus.GaugeValue, ending)
	for risk, n := range count {
		ch <- prometheus.MustNewConstMetric(pendingDesc, prometheus.GaugeValue, n, string(risk))
	}
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
