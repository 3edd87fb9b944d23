//go:build linux || darwin

package process

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// identity names one process for ever: a pid alone is given away again.
type identity struct {
	Pid int `json:"pid"`
	// Start is the process's start time in the kernel's own unit (linux: clock
	// ticks since boot, darwin: microseconds since 1970).
	Start uint64 `json:"start"`
	// Epoch tells the times apart in which pid and start time count.
	Epoch string `json:"epoch"`
}

// seen is what the kernel says about one process.
type seen struct {
	pid, group, session int
	start               uint64
	zombie              bool
}

// ownIdentity is the identity of this process.
func ownIdentity() (identity, error) {
	epoch, err := currentEpoch()
	if err != nil {
		return identity{}, err
	}
	p, found, err := readProcess(os.Getpid())
	if err != nil || !found {
		return identity{}, fmt.Errorf("read the own process: found %v: %w", found, err)
	}
	return identity{Pid: p.pid, Start: p.start, Epoch: epoch}, nil
}

// alive reports whether exactly this process lives; a zombie does not.
func (id identity) alive() (bool, error) {
	p, found, err := id.read()
	return found && p.start == id.Start && !p.zombie, err
}

// read looks at whoever has the pid now, if the epoch is still the same.
func (id identity) read() (seen, bool, error) {
	epoch, err := currentEpoch()
	if err != nil || epoch != id.Epoch {
		return seen{}, false, err
	}
	return readProcess(id.Pid)
}

// members are the living processes of the session that id leads, without id
// itself. They are found also after its death.
func (id identity) members() ([]seen, error) {
	epoch, err := currentEpoch()
	if err != nil || epoch != id.Epoch {
		return nil, err
	}
	leader, found, err := readProcess(id.Pid)
	if err != nil {
		return nil, err
	}
	if found && leader.start != id.Start {
		return nil, nil // the pid was given away, so nobody was left in the session
	}
	all, err := listSession(id.Pid)
	if err != nil {
		return nil, err
	}
	members := all[:0]
	for _, p := range all {
		if p.pid != id.Pid && !p.zombie && p.start >= id.Start {
			members = append(members, p)
		}
	}
	return members, nil
}

// signal sends sig to exactly this process, or to nobody.
func (id identity) signal(sig syscall.Signal) error {
	// On linux the handle is a pidfd: whoever it means is settled before the
	// identity is checked.
	p, err := os.FindProcess(id.Pid)
	if err != nil {
		return fmt.Errorf("find process %d: %w", id.Pid, err)
	}
	defer p.Release() //nolint:errcheck // Release of a found process cannot fail
	if alive, err := id.alive(); err != nil || !alive {
		return err
	}
	if err := p.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("signal process %d: %w", id.Pid, err)
	}
	return nil
}

// signalAll sends sig once to each process group of the given members of id's
// session, and never to id itself. A whole group is hit in one call, so that
// nobody can fork out of it.
func (id identity) signalAll(members []seen, sig syscall.Signal) error {
	var errs []error
	hit := map[int]bool{}
	for _, m := range members {
		switch {
		case m.group == id.Pid: // has not yet got its own group
			errs = append(errs, identity{Pid: m.pid, Start: m.start, Epoch: id.Epoch}.signal(sig))
		case !hit[m.group]:
			hit[m.group] = true
			if err := unix.Kill(-m.group, sig); err != nil && !errors.Is(err, unix.ESRCH) {
				errs = append(errs, fmt.Errorf("signal process group %d: %w", m.group, err))
			}
		}
	}
	return errors.Join(errs...)
}
