package process

import (
	"os/exec"
	"syscall"
	"testing"
)

// A process chooses the name that the kernel shows in the middle of the line.
func TestParseStatWithHostileNames(t *testing.T) {
	t.Parallel()
	const tail = " S 10 20 30 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2 3"
	want := seen{pid: 7, group: 20, session: 30, start: 98765}
	for _, name := range []string{"sh", "", "a b", "x) Z 1 2 3", "(((", "\n"} {
		if got, err := parseStat(7, "7 ("+name+")"+tail); err != nil || got != want {
			t.Errorf("name %q: %+v, %v; want %+v", name, got, err, want)
		}
	}
	for _, raw := range []string{"", "7", "7 (sh) S 1", "7 (sh) S 10 x 30 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 5"} {
		if got, err := parseStat(7, raw); err == nil {
			t.Errorf("%q: %+v, want an error", raw, got)
		}
	}
}

func TestIdentityOfLivingAndDead(t *testing.T) {
	t.Parallel()
	own, err := ownIdentity()
	if err != nil {
		t.Fatal(err)
	}
	if alive, err := own.alive(); err != nil || !alive {
		t.Errorf("this process: alive %v, %v", alive, err)
	}
	for name, other := range map[string]identity{
		"another start": {Pid: own.Pid, Start: own.Start + 1, Epoch: own.Epoch},
		"another epoch": {Pid: own.Pid, Start: own.Start, Epoch: "x"},
	} {
		if alive, err := other.alive(); err != nil || alive {
			t.Errorf("%s: alive %v, %v; want dead", name, alive, err)
		}
		if err := other.signal(syscall.SIGKILL); err != nil {
			t.Errorf("%s: signal: %v, want that nobody is hit", name, err)
		}
	}
}

func TestAZombieDoesNotLive(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("true")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	p, found, err := readProcess(pid)
	for err == nil && found && !p.zombie {
		p, found, err = readProcess(pid)
	}
	if err != nil || !found {
		t.Fatalf("the zombie: found %v, %v", found, err)
	}
	epoch, err := currentEpoch()
	if err != nil {
		t.Fatal(err)
	}
	if alive, err := (identity{Pid: pid, Start: p.start, Epoch: epoch}).alive(); err != nil || alive {
		t.Errorf("alive %v, %v; want dead", alive, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, found, err := readProcess(pid); err != nil || found {
		t.Errorf("after it was reaped: found %v, %v", found, err)
	}
}
