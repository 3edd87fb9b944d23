package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// TaskLogCmd prints what steps wrote.
type TaskLogCmd struct {
	TaskID
	Follow     bool `help:"Go on until the task ends or is in review." short:"f"`
	Checkpoint int  `help:"Only the steps of this checkpoint, from 0." default:"-1" placeholder:"N"`
	Raw        bool `help:"As it was written: not made safe to read. For a file, not for a terminal."`
}

// Run prints it. What a program wrote is made safe to read, unless it is asked for raw.
func (c TaskLogCmd) Run(ctx context.Context, s std, g *Globals) error {
	if c.Raw && s.terminal {
		return usageError("--raw would let a program's output act on this terminal: send it to a file or a pipe")
	}
	client, _, err := g.client(s)
	if err != nil {
		return err
	}
	out := &safeWriter{out: s.out, raw: c.Raw}
	if c.Follow {
		err = (&follower{client: client, cmd: c, out: out, offsets: map[string]int64{}, whole: map[string]bool{}}).run(ctx)
	} else {
		err = c.whole(ctx, client, out)
	}
	return errors.Join(err, out.flush())
}

func (c TaskLogCmd) whole(ctx context.Context, client *api.Client, out io.Writer) error {
	checkpoint := ""
	if c.Checkpoint >= 0 {
		checkpoint = fmt.Sprint(c.Checkpoint)
	}
	body, err := client.Log(ctx, c.ID, checkpoint)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, body)
	return errors.Join(err, body.Close())
}

// followEvery is how often a running step's output is asked for.
const followEvery = 500 * time.Millisecond

// follower prints the executions of a task one after the other, each as it grows.
type follower struct {
	client  *api.Client
	cmd     TaskLogCmd
	out     *safeWriter
	offsets map[string]int64 // of executions that were begun to be printed
	whole   map[string]bool  // that were printed to their end
}

func (f *follower) run(ctx context.Context) error {
	again := time.NewTicker(followEvery)
	defer again.Stop()
	for {
		t, err := f.client.Task(ctx, f.cmd.ID)
		if err != nil {
			return err
		}
		for _, x := range executions(t) {
			wanted := f.cmd.Checkpoint < 0 || x.Checkpoint == f.cmd.Checkpoint
			if wanted && x.Checkpoint < len(t.Checkpoints) {
				if err := f.more(ctx, t, x); err != nil {
					return err
				}
			}
		}
		if _, ended := endings[t.State]; ended {
			return nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// executions gives what there is to print, oldest first: sessions are listed as they were made.
func executions(t api.Task) []api.Execution {
	var out []api.Execution
	for _, one := range t.Sessions {
		if one.Execution != nil {
			out = append(out, *one.Execution)
		}
	}
	return out
}

// more prints what came since the last time.
func (f *follower) more(ctx context.Context, t api.Task, x api.Execution) error {
	if f.whole[x.ID] {
		return nil
	}
	at, begun := f.offsets[x.ID]
	if !begun {
		if _, err := fmt.Fprintf(f.out, "== %q attempt %d round %d · %s\n", t.Checkpoints[x.Checkpoint].Title, x.Attempt, x.Round, x.ID); err != nil {
			return err
		}
	}
	next, live, err := f.client.LogPart(ctx, t.ID, x.ID, at, f.out)
	f.offsets[x.ID], f.whole[x.ID] = next, err == nil && !live
	if f.whole[x.ID] {
		err = f.out.flush() // a last line without an end
	}
	return err
}

// maxLogLine is where a line without an end is printed in parts, in bytes.
const maxLogLine = 64 << 10

// safeWriter makes a program's output safe to read, line by line, so that nothing is cut in the middle
// of a character.
type safeWriter struct {
	out io.Writer
	raw bool
	buf []byte
}

// Write prints the lines that are whole, and keeps the rest.
func (w *safeWriter) Write(b []byte) (int, error) {
	if w.raw {
		return w.out.Write(b)
	}
	w.buf = append(w.buf, b...)
	end := bytes.LastIndexByte(w.buf, '\n') + 1
	if end == 0 && len(w.buf) < maxLogLine {
		return len(b), nil
	}
	if end == 0 {
		end = len(w.buf)
	}
	rest := bytes.Clone(w.buf[end:])
	err := w.print(w.buf[:end])
	w.buf = rest
	return len(b), err
}

func (w *safeWriter) print(b []byte) error {
	lines := bufio.NewWriter(w.out)
	for line := range bytes.Lines(b) {
		text, ended := bytes.CutSuffix(line, []byte{'\n'})
		_, _ = lines.WriteString(summaries.Terminal(string(bytes.TrimSuffix(text, []byte{'\r'})))) // told by Flush
		if ended {
			_ = lines.WriteByte('\n')
		}
	}
	if err := lines.Flush(); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

func (w *safeWriter) flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	err := w.print(append(w.buf, '\n'))
	w.buf = nil
	return err
}
