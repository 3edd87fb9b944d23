package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/store"
)

// BenchmarkApplyDecide is what a tap writes: decision, task, cards and two events, on disk.
func BenchmarkApplyDecide(b *testing.B) {
	s, d := openRecords(b), newDriver()
	var waiting []string
	for b.Loop() {
		if len(waiting) == 0 {
			b.StopTimer()
			for range 100 {
				waiting = append(waiting, d.start(b, s, plan(1, 1)).ID)
			}
			b.StartTimer()
		}
		d.do(b, s, waiting[0], core.Decide{Actor: ana, Verdict: core.Approve})
		waiting = waiting[1:]
	}
}

// BenchmarkFinishedTask takes a task of one checkpoint through its life and tells what it leaves on disk.
func BenchmarkFinishedTask(b *testing.B) {
	dir := b.TempDir()
	s, d := store.Records(open(b, dir)), newDriver()
	bulk(b, s, d, 50) // the fixed cost of buckets
	before, n := s.Stats().Size, 0
	for b.Loop() {
		bulk(b, s, d, 100)
		n += 100
	}
	b.ReportMetric(float64(s.Stats().Size-before)/float64(n), "bytes/task")
	if info, err := os.Stat(filepath.Join(dir, store.FileDB)); err == nil {
		b.ReportMetric(float64(info.Size())/float64(n+50), "file-bytes/task")
	}
}

// bulk finishes many tasks in one transaction.
func bulk(t testing.TB, s *store.Store, d *driver, n int) {
	t.Helper()
	err := s.Update(context.Background(), func(tx engine.Tx) error {
		for range n {
			if err := d.life(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// life takes a task of one checkpoint from its start to its end, cards shown.
func (d *driver) life(tx engine.Tx) error {
	id := d.next("t_%026d") // as long as a ULID with its prefix
	var execution string
	for _, cmd := range []func() core.Command{
		func() core.Command { return core.StartTask{Actor: operator, ID: id, Plan: plan(1, 1)} },
		func() core.Command { return core.Decide{Actor: ana, Verdict: core.Approve, Reason: "looks right"} },
		func() core.Command { return core.ClaimStep{Actor: core.System()} },
		func() core.Command { return core.Started{ExecutionID: execution} },
		func() core.Command {
			return core.EndExecution{Actor: core.System(), ExecutionID: execution, Outcome: core.OutcomeSucceeded, Summary: "14 files"}
		},
	} {
		c, err := d.step(tx, id, cmd())
		if err != nil {
			return err
		}
		if len(c.Executions) > 0 {
			execution = c.Executions[0].ID
		}
		tx.Apply(c)
	}
	task, _ := tx.Task(id)
	var shown []core.Card
	for _, card := range tx.CardsOf(task.ApprovalID) {
		shown = append(shown, card.Settle(card.Wanted, "C123/1772366400.000100", d.now))
	}
	tx.Apply(core.Change{Cards: shown})
	return nil
}

// BenchmarkPage reads what a list shows beside many finished tasks: the newest of them, and the queue.
func BenchmarkPage(b *testing.B) {
	for _, finished := range []int{1_000, 100_000} {
		s := unchecked(b)
		fill := func(i int, state core.TaskState) core.Change {
			return core.Change{Task: &core.Task{ID: fmt.Sprintf("t_%026d", i), State: state, Revision: 1, Plan: plan(1, 1)}}
		}
		for i := 0; i < finished; i += 1_000 {
			if err := s.Update(context.Background(), func(tx engine.Tx) error {
				for k := range 1_000 {
					tx.Apply(fill(i+k, core.TaskCompleted))
				}
				return nil
			}); err != nil {
				b.Fatal(err)
			}
		}
		apply(b, s, fill(finished, core.TaskQueued))
		page := func(name string, read func(r engine.Reader) int, want int) {
			b.Run(fmt.Sprintf("%s/%d", name, finished), func(b *testing.B) {
				for b.Loop() {
					view(b, s, func(r engine.Reader) {
						if got := read(r); got != want {
							b.Fatalf("read %d, want %d", got, want)
						}
					})
				}
			})
		}
		page("finished", func(r engine.Reader) int {
			return len(r.Tasks(engine.TaskQuery{State: core.TaskCompleted, Limit: 50}))
		}, 50)
		page("queued", func(r engine.Reader) int { return len(r.TasksIn(core.TaskQueued)) }, 1)
	}
}
