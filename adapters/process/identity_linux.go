package process

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// currentEpoch is the boot id and the start time of process 1. The latter tells
// one pid namespace from the next: a restarted container gives the same small
// pids again, within the same boot.
func currentEpoch() (string, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("read boot id: %w", err)
	}
	first, found, err := readProcess(1)
	if err != nil {
		return "", err
	}
	if !found { // hidden by hidepid
		return strings.TrimSpace(string(boot)), nil
	}
	return fmt.Sprintf("%s/%d", bytes.TrimSpace(boot), first.start), nil
}

// readProcess looks one process up; found is false when there is none.
func readProcess(pid int) (p seen, found bool, err error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) {
		return seen{}, false, nil
	}
	if err != nil {
		return seen{}, false, fmt.Errorf("look at process %d: %w", pid, err)
	}
	p, err = parseStat(pid, string(raw))
	return p, err == nil, err
}

// parseStat reads /proc/PID/stat (proc(5)). The name in parentheses is chosen
// by the process, so the fields are counted from the last parenthesis.
func parseStat(pid int, raw string) (seen, error) {
	fields := strings.Fields(raw[strings.LastIndexByte(raw, ')')+1:])
	const state, group, session, start = 0, 2, 3, 19
	if len(fields) <= start {
		return seen{}, fmt.Errorf("look at process %d: its stat has %d fields", pid, len(fields))
	}
	p := seen{pid: pid, zombie: strings.Contains("ZXx", fields[state])}
	var errGroup, errSession, errStart error
	p.group, errGroup = strconv.Atoi(fields[group])
	p.session, errSession = strconv.Atoi(fields[session])
	p.start, errStart = strconv.ParseUint(fields[start], 10, 64)
	if err := errors.Join(errGroup, errSession, errStart); err != nil {
		return seen{}, fmt.Errorf("look at process %d: %w", pid, err)
	}
	return p, nil
}

// listSession returns all processes of a session, zombies too.
func listSession(session int) ([]seen, error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	defer proc.Close() //nolint:errcheck // opened for reading
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var all []seen
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue // not a process
		}
		p, found, err := readProcess(pid)
		if err != nil {
			return nil, err
		}
		if found && p.session == session {
			all = append(all, p)
		}
	}
	return all, nil
}

// adoptOrphans makes this process the parent of descendants whose own parent
// died, so that it can reap them.
func adoptOrphans() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the reaper of orphans: %w", err)
	}
	return nil
}
