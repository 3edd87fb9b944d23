//go:build linux || darwin

package process

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
)

// Runtime starts, finds and stops the executions below one folder. It may be
// used by many goroutines; two processes must not use the same folder, which
// the lock of the data directory sees to.
type Runtime struct {
	dir  string
	log  *slog.Logger
	self []string

	mu       sync.Mutex
	launches map[string]*launch
}

// launch is what only the process that launched an execution knows of it.
type launch struct {
	one   sync.Mutex    // held while a supervisor is being started
	ended chan struct{} // closed when that supervisor was reaped; nil before there was one
}

// New returns a runtime over dir, the data directory's steps/. self is how a
// supervisor is called, without the folder that is added to it: an absolute
// path and arguments. nil means this binary with `supervise`.
func New(dir string, log *slog.Logger, self []string) *Runtime {
	return &Runtime{dir: dir, log: log, self: self, launches: map[string]*launch{}}
}

// folder checks the id and names the folder, which may not exist.
func (r *Runtime) folder(id string) (folder, error) {
	if err := checkID(id); err != nil {
		return "", err
	}
	dir, err := filepath.Abs(r.dir)
	if err != nil {
		return "", fmt.Errorf("find the folder of executions: %w", err)
	}
	return folder(filepath.Join(dir, id)), nil
}

// ensure makes the folder, for its owner only, and makes its name durable.
func (f folder) ensure() error {
	steps := filepath.Dir(string(f))
	if err := os.MkdirAll(steps, 0o700); err != nil {
		return fmt.Errorf("make the folder of executions: %w", err)
	}
	switch err := os.Mkdir(string(f), 0o700); {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return fmt.Errorf("make the folder of the execution: %w", err)
	}
	return syncDir(steps)
}

func (r *Runtime) launch(id string) *launch {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.launches[id]
	if l == nil {
		l = &launch{}
		r.launches[id] = l
	}
	return l
}

// ended is closed once the supervisor that this process started is gone. It is
// nil, and so never ready, for an execution that somebody else launched.
func (r *Runtime) ended(id string) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.launches[id]; l != nil {
		return l.ended
	}
	return nil
}

// Size is how many bytes of output there are so far: 0 before anything ran.
func (r *Runtime) Size(id string) (int64, error) {
	f, err := r.folder(id)
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(f.path(outFile))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("look at the output: %w", err)
	}
	return info.Size(), nil
}

// OpenLog opens the output for reading, while the command writes and after it.
// Where there is none, the error is fs.ErrNotExist. The caller closes it.
func (r *Runtime) OpenLog(id string) (io.ReadSeekCloser, error) {
	f, err := r.folder(id)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(f.path(outFile))
	if err != nil {
		return nil, fmt.Errorf("open the output: %w", err)
	}
	return file, nil
}

// Remove deletes all that is kept of an execution. One that still has a living
// process is refused with ErrLive; one that is not there is no error. An id
// that was removed must not be launched again: nothing remembers it.
func (r *Runtime) Remove(id string) error {
	f, err := r.folder(id)
	if err != nil {
		return err
	}
	now, err := f.look()
	if err != nil {
		return err
	}
	if now.State == Live || now.Members > 0 {
		return ErrLive
	}
	if err := os.RemoveAll(string(f)); err != nil {
		return fmt.Errorf("remove the execution: %w", err)
	}
	r.mu.Lock()
	delete(r.launches, id)
	r.mu.Unlock()
	return nil
}
