//go:build linux || darwin

package process

import (
	"context"
	"time"
)

// How often Wait looks: at first, and at most.
const (
	firstLook   = 20 * time.Millisecond
	slowestLook = time.Second
)

// Look tells what can be seen of an execution now. An error means that it could
// not be seen; it never stands for Lost. An id that was never heard of is Never.
func (r *Runtime) Look(id string) (Sighting, error) {
	f, err := r.folder(id)
	if err != nil {
		return Sighting{}, err
	}
	return f.look()
}

// Wait returns as soon as the execution is not Live, with what was seen then;
// or with ctx's error and what was seen last.
func (r *Runtime) Wait(ctx context.Context, id string) (Sighting, error) {
	ended := r.ended(id)
	p := newPace(firstLook, slowestLook)
	defer p.stop()
	for {
		now, err := r.Look(id)
		if err != nil || now.State != Live {
			return now, err
		}
		select {
		case <-ctx.Done():
			return now, ctx.Err()
		case <-ended:
			ended = nil // look at once; if processes are left, go on looking
		case <-p.next():
		}
	}
}

func (f folder) look() (Sighting, error) {
	sup, void, err := f.start()
	switch {
	case err != nil:
		return Sighting{}, err
	case void:
		return Sighting{State: Void}, nil
	case sup == nil:
		return Sighting{State: Never}, nil
	}
	// The status is read before and after looking for processes: a supervisor
	// may write it and end in between.
	if now, found, err := f.ended(*sup); found || err != nil {
		return now, err
	}
	now := Sighting{State: Live, Pid: sup.Pid}
	alive, err := sup.alive()
	if err != nil || alive {
		return now, err
	}
	members, err := sup.members()
	if now.Members = len(members); err != nil || now.Members > 0 {
		return now, err
	}
	if now, found, err := f.ended(*sup); found || err != nil {
		return now, err
	}
	return Sighting{State: Lost, Pid: sup.Pid}, nil
}

// ended is the sighting of an execution that has a status.
func (f folder) ended(sup identity) (now Sighting, found bool, err error) {
	status := &Status{}
	found, err = f.load(statusFile, status)
	if err != nil || !found {
		return Sighting{}, false, err
	}
	alive, err := sup.alive()
	if err != nil {
		return Sighting{}, false, err
	}
	if alive {
		// It may not have come to sync the name that we already see.
		return Sighting{State: Ended, Status: status, Pid: sup.Pid}, true, syncDir(string(f))
	}
	members, err := sup.members()
	return Sighting{State: Ended, Status: status, Pid: sup.Pid, Members: len(members)}, true, err
}
