//go:build linux || darwin

package process

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// The files of an execution; doc.go says what each of them holds.
const (
	specFile    = "spec.json"
	startFile   = "start"
	stdinFile   = "stdin"
	outFile     = "out"
	summaryFile = "summary"
	stopFile    = "stop.json"
	statusFile  = "status.json"
	troubleFile = "supervisor.log"
)

// voidWord is the content of `start` of an execution that will never run.
const voidWord = "void\n"

// folder is the path of one execution's folder.
type folder string

func (f folder) path(name string) string { return filepath.Join(string(f), name) }

// order is what the supervisor reads: a Spec without its environment.
type order struct {
	Argv    []string      `json:"argv"`
	Dir     string        `json:"dir"`
	Timeout time.Duration `json:"timeout_ns"`
	Grace   time.Duration `json:"grace_ns"`
	Stdin   bool          `json:"stdin"`
}

// stopOrder is a request to end an execution.
type stopOrder struct {
	Reason string `json:"reason"`
	Force  bool   `json:"force"`
}

// start reads who took the execution up: nobody (nil, false), nobody ever
// (nil, true), or a supervisor.
func (f folder) start() (sup *identity, void bool, err error) {
	raw, err := os.ReadFile(f.path(startFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, fmt.Errorf("read start of the execution: %w", err)
	case string(raw) == voidWord:
		return nil, true, nil
	}
	sup = &identity{}
	if err := json.Unmarshal(raw, sup); err != nil || sup.Pid <= 1 {
		return nil, false, fmt.Errorf("%s is damaged: it is neither void nor names a supervisor", f.path(startFile))
	}
	return sup, false, nil
}

// load reads one JSON file; found is false where there is none.
func (f folder) load(name string, into any) (found bool, err error) {
	raw, err := os.ReadFile(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read %s of the execution: %w", name, err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return false, fmt.Errorf("%s is damaged: %w", f.path(name), err)
	}
	return true, nil
}

// replace writes a JSON file so that a reader, also one after a power cut, sees
// all of it or what was there before.
func (f folder) replace(name string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	return f.replaceRaw(name, raw)
}

func (f folder) replaceRaw(name string, raw []byte) error {
	tmp, err := f.temporary(name, raw)
	if err != nil {
		return err
	}
	if err := os.Rename(tmp, f.path(name)); err != nil {
		return errors.Join(fmt.Errorf("put %s in place: %w", name, err), os.Remove(tmp))
	}
	return syncDir(string(f))
}

// create writes a file that nobody has written before, and reports whether it
// was this call that did. The name appears with its whole content: a hard link
// is as exclusive as O_EXCL, and leaves no moment at which the file is empty.
func (f folder) create(name string, raw []byte) (won bool, err error) {
	tmp, err := f.temporary(name, raw)
	if err != nil {
		return false, err
	}
	err = os.Link(tmp, f.path(name))
	gone := os.Remove(tmp)
	switch {
	case errors.Is(err, fs.ErrExist):
		return false, gone
	case err != nil:
		return false, errors.Join(fmt.Errorf("create %s (the data directory needs a file system with hard links): %w", name, err), gone)
	}
	return true, errors.Join(gone, syncDir(string(f)))
}

// temporary writes and syncs a file of mode 0600 beside its later place.
func (f folder) temporary(name string, raw []byte) (path string, err error) {
	tmp, err := os.CreateTemp(string(f), name+".*.tmp")
	if err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	_, err = bytes.NewReader(raw).WriteTo(tmp)
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("write %s: %w", name, err), os.Remove(tmp.Name()))
	}
	return tmp.Name(), nil
}

// syncDir makes names that were given or taken in a directory durable.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	return errors.Join(dir.Sync(), dir.Close())
}
