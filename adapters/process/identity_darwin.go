package process

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// zombieState is SZOMB of <sys/proc.h>.
const zombieState = 5

// currentEpoch is the id of the boot.
func currentEpoch() (string, error) {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return "", fmt.Errorf("read boot id: %w", err)
	}
	return id, nil
}

// readProcess looks one process up; found is false when there is none.
func readProcess(pid int) (p seen, found bool, err error) {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.pid", pid)
	if err != nil {
		return seen{}, false, fmt.Errorf("look at process %d: %w", pid, err)
	}
	for i := range all {
		if int(all[i].Proc.P_pid) == pid {
			return fromKernel(&all[i])
		}
	}
	return seen{}, false, nil
}

// listSession returns all processes of a session, zombies too.
func listSession(session int) ([]seen, error) {
	processes, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var all []seen
	for i := range processes {
		p, found, err := fromKernel(&processes[i])
		if err != nil {
			return nil, err
		}
		if found && p.session == session {
			all = append(all, p)
		}
	}
	return all, nil
}

// fromKernel adds the session, which the kernel's record holds as an address
// alone. A zombie has none any more, and is told as a member of no session.
func fromKernel(k *unix.KinfoProc) (p seen, found bool, err error) {
	started := k.Proc.P_starttime
	p = seen{
		pid:    int(k.Proc.P_pid),
		group:  int(k.Eproc.Pgid),
		start:  uint64(started.Sec)*1_000_000 + uint64(started.Usec),
		zombie: k.Proc.P_stat == zombieState,
	}
	if p.zombie || p.pid == 0 {
		return p, true, nil
	}
	p.session, err = unix.Getsid(p.pid)
	if errors.Is(err, unix.ESRCH) {
		return seen{}, false, nil
	}
	if err != nil && !errors.Is(err, unix.EPERM) {
		return seen{}, false, fmt.Errorf("look at process %d: %w", p.pid, err)
	}
	return p, true, nil
}

// adoptOrphans does nothing: on darwin orphans go to launchd, which reaps them.
func adoptOrphans() error { return nil }
