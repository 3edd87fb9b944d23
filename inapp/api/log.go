package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"holdpoint/core"
	"holdpoint/core/engine"
)

// The headers of a log's answer. A reader who follows one execution asks again from LogNext until
// LogLive says false and nothing more came.
const (
	LogNext = "Log-Next-Offset"
	LogLive = "Log-Live"
)

type logInput struct {
	ID         string `path:"id" maxLength:"64" doc:"an id, or a unique prefix of one from 6 characters on"`
	Execution  string `query:"execution" maxLength:"64" doc:"only this one"`
	Checkpoint string `query:"checkpoint" maxLength:"3" pattern:"^[0-9]+$" doc:"only the executions of this one, from 0"`
	Offset     int64  `query:"offset" minimum:"0" doc:"with execution: leave out so many bytes"`
}

type streamed struct{ Body func(huma.Context) }

func (s *Server) logRoutes() {
	op := get("task-log", "/tasks/{id}/log", "Read what a task's executions wrote, in order", "tasks")
	op.Description = "Without execution each one begins with a header line. With it the answer is its bytes alone, from offset on: " +
		LogNext + " says where to go on and " + LogLive + " whether there may be more. The text is a program's: make it safe before you show it."
	op.Responses = map[string]*huma.Response{"200": {Description: "The output",
		Content: map[string]*huma.MediaType{"text/plain": {Schema: &huma.Schema{Type: huma.TypeString}}},
		Headers: map[string]*huma.Param{LogNext: {Schema: &huma.Schema{Type: huma.TypeInteger}}, LogLive: {Schema: &huma.Schema{Type: huma.TypeBoolean}}}}}
	handle(s, op, []core.Code{core.CodeNotFound}, s.taskLog)
}

func (s *Server) taskLog(ctx context.Context, in *logInput) (*streamed, error) {
	d, err := s.Engine.Task(ctx, actorOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	if s.Logs == nil {
		return nil, core.Refuse(core.CodeUnavailable, d.Task.ID, "this daemon keeps no output")
	}
	if in.Execution != "" {
		return s.oneLog(ctx, d, in)
	}
	if in.Offset != 0 {
		return nil, core.Invalid(core.FieldError{Path: "offset", Message: "name the execution whose output it is in"})
	}
	which := slices.DeleteFunc(slices.Clone(d.Executions), func(x core.Execution) bool {
		return in.Checkpoint != "" && strconv.Itoa(x.Checkpoint) != in.Checkpoint
	})
	return &streamed{Body: func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		for _, x := range which {
			fmt.Fprintf(w, "== %s\n", logHead(d.Task, x))
			if err := s.copyLog(w, x.ID, 0, -1); err != nil {
				s.cut(ctx, err)
			}
			fmt.Fprintln(w)
		}
	}}, nil
}

func logHead(t core.Task, x core.Execution) string {
	name := t.Plan.Checkpoints[x.Checkpoint].Title
	if x.Kind == core.ExecCheck {
		name = "done_when"
	}
	end := orElse(string(x.Outcome), string(x.State))
	return fmt.Sprintf("%q attempt %d round %d · %s · %s", name, x.Attempt, x.Round, x.ID, end)
}

// oneLog answers with what one execution wrote, as far as it is at this moment.
func (s *Server) oneLog(ctx context.Context, d engine.TaskDetail, in *logInput) (*streamed, error) {
	i := slices.IndexFunc(d.Executions, func(x core.Execution) bool { return x.ID == in.Execution })
	if i < 0 {
		return nil, core.Refuse(core.CodeNotFound, in.Execution, "the task has no such execution")
	}
	x := d.Executions[i]
	size, err := s.logSize(x.ID)
	if err != nil {
		return nil, err
	}
	return &streamed{Body: func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set(LogNext, number(max(size, in.Offset)))
		w.Header().Set(LogLive, strconv.FormatBool(x.Live()))
		if in.Offset >= size {
			w.WriteHeader(http.StatusOK)
			return
		}
		if err := s.copyLog(w, x.ID, in.Offset, size-in.Offset); err != nil {
			s.cut(ctx, err)
		}
	}}, nil
}

func (s *Server) logSize(execution string) (int64, error) {
	f, err := s.Logs.OpenLog(execution)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("open the output of %s: %w", execution, err)
	}
	size, err := f.Seek(0, io.SeekEnd)
	return size, errors.Join(err, f.Close())
}

// copyLog copies most bytes from an offset on; -1: all there are.
func (s *Server) copyLog(w io.Writer, execution string, offset, most int64) error {
	f, err := s.Logs.OpenLog(execution)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the output of %s: %w", execution, err)
	}
	_, err = f.Seek(offset, io.SeekStart)
	if err == nil && most < 0 {
		_, err = io.Copy(w, f)
	} else if err == nil {
		_, err = io.CopyN(w, f, most)
	}
	return errors.Join(err, f.Close())
}

// cut ends an answer that can't be finished, so that it is not taken for a whole one.
func (s *Server) cut(ctx context.Context, err error) {
	if ctx.Err() == nil {
		s.Logger.Warn("an answer was cut short", slogID(ctx), slogErr(err))
	}
	panic(http.ErrAbortHandler)
}
