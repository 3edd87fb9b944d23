package api

import (
	"context"
	"fmt"

	"holdpoint/core"
	"holdpoint/core/engine"
)

// Decide is a person's verdict on an approval.
type Decide struct {
	Decision core.Verdict `json:"decision" enum:"approve,reject"`
	Reason   string       `json:"reason,omitempty" maxLength:"4096"`
	Confirm  bool         `json:"confirm,omitempty" doc:"the second confirmation that high risk asks for"`
}

// DecideOne is one verdict of a batch.
type DecideOne struct {
	ID string `json:"id" doc:"an id, a unique prefix of one, or a code"`
	Decide
}

// Decided is what became of one verdict of a batch: the approval, or why not.
type Decided struct {
	ID       string    `json:"id" doc:"as it was given"`
	Status   int       `json:"status" doc:"what the verdict alone would have been answered with"`
	Approval *Approval `json:"approval"`
	Problem  *Problem  `json:"problem"`
}

// maxBatch bounds the verdicts of one batch.
const maxBatch = 100

func (s *Server) decisionRoutes() {
	example := Decide{Decision: core.Approve, Reason: "the dump is complete", Confirm: true}
	handleBody[Decide](s, post("decide", "/approvals/{id}/decision", "Decide on an approval, as a person", "approvals"), bodyRule{limit: maxBody, example: example},
		[]core.Code{core.CodeNotFound, core.CodeForbidden, core.CodeAlreadyDecided, core.CodeStale, core.CodeConflict}, s.decide)
	handleBody[[]DecideOne](s, post("decide-batch", "/approvals/decisions", "Decide on several approvals, each on its own merits", "approvals"),
		bodyRule{limit: maxBatchBody, example: []DecideOne{{ID: "K7M2QX", Decide: example}}}, nil, s.decideBatch)
}

func (s *Server) decide(ctx context.Context, in *byCode) (*answer[Approval], error) {
	body, err := decode[Decide](ctx)
	if err != nil {
		return nil, err
	}
	d, err := s.decideOne(ctx, in.ID, body)
	return s.shown(ctx, d, err)
}

func (s *Server) decideOne(ctx context.Context, id string, d Decide) (engine.ApprovalDetail, error) {
	return s.Engine.Decide(ctx, engine.Decide{Actor: actorOf(ctx), Approval: id, Verdict: d.Decision, Reason: d.Reason, Confirm: d.Confirm})
}

// decideBatch takes one after the other, in the order given. A refusal of one holds up none.
func (s *Server) decideBatch(ctx context.Context, _ *nothing) (*answer[[]Decided], error) {
	body, err := decode[[]DecideOne](ctx)
	if err != nil {
		return nil, err
	}
	if len(body) > maxBatch {
		return nil, core.Invalid(core.FieldError{Message: fmt.Sprintf("%d decisions: %d at most", len(body), maxBatch)})
	}
	lang := s.language(actorOf(ctx))
	out := make([]Decided, 0, len(body))
	for i, one := range body {
		d, err := s.decideOne(ctx, one.ID, one.Decide)
		if err != nil {
			p := problem(ctx, inside(fmt.Sprintf("[%d]", i), err))
			s.tell(ctx, p)
			out = append(out, Decided{ID: one.ID, Status: p.Status, Problem: p})
			continue
		}
		view := s.approval(d, lang)
		out = append(out, Decided{ID: one.ID, Status: 200, Approval: &view})
	}
	return answered(out), nil
}

// inside puts the faults of one part of a body under that part's path.
func inside(prefix string, err error) error {
	e, ok := err.(*core.Error) //nolint:errorlint // the engine returns refusals as they are
	if !ok || len(e.Fields) == 0 {
		return err
	}
	under := *e
	under.Fields = nil
	for _, f := range e.Fields {
		f.Path = prefix + "." + f.Path
		under.Fields = append(under.Fields, f)
	}
	return &under
}
