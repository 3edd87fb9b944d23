package inapp

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"unicode/utf8"

	"holdpoint/core"
)

// maxTail is how much of a step's output stands on the task's page, maxPart how much on one page of the
// whole, in bytes.
const (
	maxTail = 4 << 10
	maxPart = 256 << 10
)

// output is the end of what an execution printed.
type output struct{ Text, Cut, Href string }

// tail gives the end of an execution's output, nil where there is none. Output that can't be read is
// told in the log and missed on the page: it takes no page with it.
func (s *Server) tail(v *visit, x core.Execution) *output {
	part, err := s.readPart(x.ID, -1, maxTail)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.log.Warn("the output of a step can't be read", slog.String("execution", x.ID), slog.Any("error", err))
		}
		return nil
	}
	if part.size == 0 {
		return nil
	}
	out := &output{Text: block(part.text), Href: logPath(x, -1)}
	if part.from > 0 {
		out.Cut = v.words.OnlyTheEnd(strconv.Itoa(len(part.text)), strconv.FormatInt(part.size, 10))
	}
	return out
}

func logPath(x core.Execution, from int64) string {
	path := "/tasks/" + x.TaskID + "/log?execution=" + url.QueryEscape(x.ID)
	if from >= 0 {
		path += "&from=" + strconv.FormatInt(from, 10)
	}
	return path
}

// part is a piece of an output.
type part struct {
	text       string
	from, size int64
}

// readPart reads at most limit bytes from a place on; a negative one means the end. It begins and ends
// between characters.
func (s *Server) readPart(execution string, from, limit int64) (part, error) {
	f, err := s.logs.OpenLog(execution)
	if err != nil {
		return part{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return part{}, fmt.Errorf("finding the end of the output: %w", err)
	}
	if from < 0 {
		from = max(size-limit, 0)
	}
	from = min(from, size)
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return part{}, fmt.Errorf("finding the place in the output: %w", err)
	}
	b, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return part{}, fmt.Errorf("reading the output: %w", err)
	}
	skip := 0
	for from > 0 && skip < min(utf8.UTFMax-1, len(b)) && !utf8.RuneStart(b[skip]) {
		skip++
	}
	if end := len(b); from+int64(end) < size {
		b = b[:wholeRunes(b)]
	}
	b = b[min(skip, len(b)):]
	return part{text: string(b), from: from + int64(skip), size: size}, nil
}

// wholeRunes is the length of b without a character that is cut at its end.
func wholeRunes(b []byte) int {
	for back := 1; back <= min(utf8.UTFMax, len(b)); back++ {
		if i := len(b) - back; utf8.RuneStart(b[i]) {
			if utf8.FullRune(b[i:]) {
				return len(b)
			}
			return i
		}
	}
	return len(b)
}

// logView is one page of an output.
type logView struct{ Back, Sub, Where, First, Later, Last, Text string }

// logPage shows the output of one execution of the task, part by part.
func (s *Server) logPage(v *visit) error {
	ctx, query := v.r.Context(), v.r.URL.Query()
	p, err := s.frame(ctx, v, page{})
	if err != nil {
		return err
	}
	d, err := s.engine.Task(ctx, v.actor, v.r.PathValue("id"))
	if err != nil {
		return err
	}
	i := slices.IndexFunc(d.Executions, func(x core.Execution) bool { return x.ID == query.Get("execution") })
	if i < 0 {
		return core.Refuse(core.CodeNotFound, query.Get("execution"), "no such execution of this task")
	}
	x, from := d.Executions[i], int64(-1)
	if text := query.Get("from"); text != "" {
		if from, err = strconv.ParseInt(text, 10, 64); err != nil || from < 0 {
			return core.Invalid(core.FieldError{Path: "from", Message: "a number of bytes"})
		}
	}
	got, err := s.readPart(x.ID, from, maxPart)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	p.Title = v.words.LogTitle(quoted(d.Task.Plan.Checkpoints[x.Checkpoint].Title))
	p.Body = logBody(v, d.Task, x, got)
	p.Live = x.Live() && got.from+int64(len(got.text)) >= got.size
	return s.show(v, http.StatusOK, "log", p)
}

func logBody(v *visit, t core.Task, x core.Execution, got part) logView {
	end := got.from + int64(len(got.text))
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	lv := logView{Back: "/tasks/" + t.ID, Sub: shown(t.Plan.Title) + " · " + x.ID, Text: block(got.text),
		Where: v.words.PartOf(number(got.from), number(end), number(got.size))}
	if got.from > 0 {
		lv.First = logPath(x, 0)
	}
	if end < got.size {
		lv.Later, lv.Last = logPath(x, end), logPath(x, -1)
	}
	return lv
}
