package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
)

// board is a surface that keeps what it was shown. fail says what the next show comes to; it is called
// with the lock free, so that a test may hold it.
type board struct {
	name string
	mu   sync.Mutex
	fail func(engine.Showing) error
	log  []shown
}

type shown struct {
	approval string
	revision int64
	ref      string // "" is a first post
	state    core.ApprovalState
	at       time.Time
}

func (s *board) Name() string { return s.name }

func (s *board) Show(_ context.Context, one engine.Showing) (string, error) {
	s.mu.Lock()
	s.log = append(s.log, shown{one.Approval.ID, one.Card.Wanted, one.Card.Ref, one.Approval.State, time.Now()})
	fail := s.fail
	s.mu.Unlock()
	if fail != nil {
		if err := fail(one); err != nil {
			return "", err
		}
	}
	return "ref-" + one.Approval.ID, nil
}

func (s *board) failing(fail func(engine.Showing) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = fail
}

// of lists what was shown of an approval, "" for all.
func (s *board) of(approval string) []shown {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []shown
	for _, one := range s.log {
		if approval == "" || one.approval == approval {
			out = append(out, one)
		}
	}
	return out
}

// on runs a test in a bubble over a world with these surfaces.
func on(t *testing.T, fn func(t *testing.T, b bench), boards ...*board) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := world.Unstarted(t)
		for _, s := range boards {
			w.Surfaces = append(w.Surfaces, s)
		}
		w.Start()
		defer w.Stop()
		fn(t, bench{w, t})
	})
}

func (b bench) card(surface, approval string) core.Card {
	b.t.Helper()
	synctest.Wait()
	var c core.Card
	if err := b.Store.View(b.t.Context(), func(r engine.Reader) error { c, _ = r.Card(surface, approval); return nil }); err != nil {
		b.t.Fatal(err)
	}
	return c
}

func failure(kind engine.FailureKind, after time.Duration) func(engine.Showing) error {
	return func(engine.Showing) error {
		return &engine.Failure{Kind: kind, RetryAfter: after, Err: errors.New("no")}
	}
}

func TestACardIsPostedOnceAndEditedAsTheTruthChanges(t *testing.T) {
	s := &board{name: "slack"}
	on(t, func(t *testing.T, b bench) {
		task := b.StartTask(quorum).ID
		id := b.Task(task).Approval.ID
		synctest.Wait()
		b.decide("ana", id, core.Approve)
		b.decide("bo", id, core.Reject)
		var states []core.ApprovalState
		for i, one := range s.of(id) {
			states = append(states, one.state)
			if first := i == 0; first != (one.ref == "") {
				t.Errorf("show %d edits %q", i, one.ref)
			}
		}
		if got := fmt.Sprint(states); got != "[pending pending rejected]" {
			t.Errorf("it was shown as %s", got)
		}
		if c := b.card("slack", id); c.State != core.CardShown || c.Shown != c.Wanted {
			t.Errorf("the card is %s, %d of %d", c.State, c.Shown, c.Wanted)
		}
		old := len(s.of(id))
		b.retry(task)
		synctest.Wait()
		next := b.Task(task).Approval.ID
		if got := s.of(next); len(got) != 1 || got[0].ref != "" {
			t.Errorf("the new approval was shown %+v, want one new card", got)
		}
		time.Sleep(time.Hour)
		if len(s.of(id)) > old+1 || len(s.of(next)) != 1 {
			t.Errorf("cards that show the truth are sent again: %d, %d", len(s.of(id)), len(s.of(next)))
		}
	}, s)
}

// TestWhatLiesBetweenIsSkipped: while one show hangs, the truth moves on twice; the next show is of the
// newest, and no older one ever follows a newer.
func TestWhatLiesBetweenIsSkipped(t *testing.T) {
	s := &board{name: "slack"}
	on(t, func(t *testing.T, b bench) {
		hold := make(chan struct{})
		s.failing(func(engine.Showing) error { <-hold; return nil })
		task := b.StartTask(quorum).ID
		id := b.Task(task).Approval.ID
		synctest.Wait()
		b.decide("ana", id, core.Approve)
		b.decide("bo", id, core.Approve) // approved, claimed, started: several revisions
		s.failing(nil)
		close(hold)
		synctest.Wait()
		log := s.of(id)
		if len(log) != 2 || log[1].state != core.ApprovalApproved {
			t.Fatalf("it was shown %+v, want the first and the newest", log)
		}
		if c := b.card("slack", id); log[0].revision >= log[1].revision || c.Shown != c.Wanted || c.Shown != log[1].revision {
			t.Errorf("revisions %d, %d; the card has %d of %d", log[0].revision, log[1].revision, c.Shown, c.Wanted)
		}
	}, s)
}

func TestAPostOfUnknownOutcomeIsRepeatedAfterThirtySeconds(t *testing.T) {
	s := &board{name: "slack", fail: failure(engine.FailureUnknown, 0)}
	on(t, func(t *testing.T, b bench) {
		task := b.StartTask(quorum).ID
		id := b.Task(task).Approval.ID
		synctest.Wait()
		begin := time.Now()
		b.decide("ana", id, core.Approve) // a newer revision does not repeat the post any sooner
		s.failing(nil)
		time.Sleep(29 * time.Second)
		if got := s.of(id); len(got) != 1 {
			t.Fatalf("it was posted %d times within 29 s", len(got))
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := s.of(id); len(got) != 2 || got[1].at.Sub(begin) != 30*time.Second {
			t.Errorf("it was shown %+v, want the second after 30 s", got)
		}
		if c := b.card("slack", id); c.State != core.CardShown {
			t.Errorf("the card is %s", c.State)
		}
	}, s)
}

func TestARateLimitIsObeyedToTheSecond(t *testing.T) {
	for name, wait := range map[string]time.Duration{"7 s": 7 * time.Second, "3 hours": 3 * time.Hour, "none given: a second": 0} {
		t.Run(name, func(t *testing.T) {
			s := &board{name: "telegram", fail: failure(engine.FailureRateLimited, wait)}
			on(t, func(t *testing.T, b bench) {
				want := max(wait, time.Second)
				id := b.Task(b.StartTask(quorum).ID).Approval.ID
				synctest.Wait()
				begin := time.Now()
				b.decide("ana", id, core.Approve) // what changes meanwhile goes round no limit
				s.failing(nil)
				time.Sleep(want - time.Millisecond)
				synctest.Wait()
				if got := s.of(id); len(got) != 1 {
					t.Fatalf("%d tries before the time is over", len(got))
				}
				b.Restart() // nor does a restart
				synctest.Wait()
				time.Sleep(time.Millisecond)
				synctest.Wait()
				if got := s.of(id); len(got) != 2 || got[1].at.Sub(begin) != want {
					t.Errorf("it was shown %+v, want the second after %s", got, want)
				}
			}, s)
		})
	}
}

func TestWhatIsUnavailableIsTriedWithLongerAndLongerWaits(t *testing.T) {
	s := &board{name: "slack", fail: func(engine.Showing) error { return errors.New("connection refused") }}
	on(t, func(t *testing.T, b bench) {
		id := b.Task(b.StartTask(twoSteps).ID).Approval.ID
		time.Sleep(time.Hour)
		log := s.of(id)
		for i := 2; i < len(log); i++ {
			if was, now := log[i-1].at.Sub(log[i-2].at), log[i].at.Sub(log[i-1].at); now < was || now > engine.MostBackOff {
				t.Errorf("try %d comes after %s, the one before it after %s", i, now, was)
			}
		}
		if len(log) < 10 || len(log) > 30 {
			t.Errorf("%d tries in an hour", len(log))
		}
		s.failing(nil)
		time.Sleep(engine.MostBackOff)
		if c := b.card("slack", id); c.State != core.CardShown {
			t.Errorf("the card is %s (%s)", c.State, c.Reason)
		}
	}, s)
}

func TestWhatASurfaceWillNeverTakeIsGivenUpVisibly(t *testing.T) {
	for _, kind := range []engine.FailureKind{engine.FailureGone, engine.FailureForbidden, engine.FailureMalformed} {
		t.Run(string(kind), func(t *testing.T) {
			s, other := &board{name: "slack", fail: failure(kind, 0)}, &board{name: "telegram"}
			on(t, func(t *testing.T, b bench) {
				task := b.StartTask(quorum).ID
				id := b.Task(task).Approval.ID
				time.Sleep(time.Hour)
				b.Restart()
				time.Sleep(time.Hour)
				if got := s.of(id); len(got) != 1 {
					t.Errorf("%d tries", len(got))
				}
				if c := b.card("slack", id); c.State != core.CardFailed || c.Reason != string(kind) {
					t.Errorf("the card is %s, %q", c.State, c.Reason)
				}
				if c := b.card("telegram", id); c.State != core.CardShown {
					t.Errorf("the other surface's card is %s", c.State)
				}
				b.state(task, core.TaskAwaiting)
				s.failing(nil)
				b.decide("ana", id, core.Approve) // something new to show: it is tried again
				if c := b.card("slack", id); c.State != core.CardShown {
					t.Errorf("after a change the card is %s", c.State)
				}
			}, s, other)
		})
	}
}

func TestManyCardsThatCannotBeShownHoldUpNoOther(t *testing.T) {
	s := &board{name: "slack", fail: failure(engine.FailureUnavailable, 0)}
	on(t, func(t *testing.T, b bench) {
		for range 60 {
			b.StartTask(twoSteps)
		}
		synctest.Wait()
		bad := map[string]bool{}
		for _, one := range s.of("") {
			bad[one.approval] = true
		}
		s.failing(func(one engine.Showing) error {
			if bad[one.Approval.ID] {
				return errors.New("still not")
			}
			return nil
		})
		id := b.Task(b.StartTask(twoSteps).ID).Approval.ID
		time.Sleep(2 * time.Second)
		if c := b.card("slack", id); c.State != core.CardShown {
			t.Errorf("behind 60 cards that fail, the card is %s", c.State)
		}
	}, s)
}

func TestCardsThatWereNotShownAreShownAfterARestart(t *testing.T) {
	s := &board{name: "slack", fail: failure(engine.FailureUnavailable, 0)}
	on(t, func(t *testing.T, b bench) {
		task := b.StartTask(twoSteps).ID
		id := b.Task(task).Approval.ID
		synctest.Wait()
		b.Stop()
		s.failing(nil)
		b.Start()
		time.Sleep(2 * time.Second)
		if c := b.card("slack", id); c.State != core.CardShown || c.Ref == "" {
			t.Errorf("after the restart the card is %s at %q", c.State, c.Ref)
		}
	}, s)
}

// TestASurfaceThatHangsDelaysNoDecision, nor another surface.
func TestASurfaceThatHangsDelaysNoDecision(t *testing.T) {
	s, other := &board{name: "slack"}, &board{name: "telegram"}
	on(t, func(t *testing.T, b bench) {
		hold := make(chan struct{})
		s.failing(func(engine.Showing) error { <-hold; return nil })
		task := b.StartTask(twoSteps).ID
		synctest.Wait() // a revision that nobody was shown yet would be skipped
		b.run(task)
		if got := other.of(b.Task(task).Approval.ID); len(got) < 2 {
			t.Errorf("the other surface was shown %+v", got)
		}
		s.failing(nil)
		close(hold)
	}, s, other)
}
