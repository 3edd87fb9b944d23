//go:build linux || darwin

package process

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// The exit codes of a shell for a command that could not be run.
const (
	codeNotRun   = 126
	codeNotFound = 127
)

// refusal is why the command could not be run: the step failed, nothing ran.
type refusal struct {
	code    int
	message string
}

// run starts the command in a process group of its own. Its output goes to the
// file without a pipe, so that it can go on writing when the supervisor dies.
func (s *supervisor) run() (pid int, refused *refusal) {
	o := s.order
	if refused := checkWorkdir(o.Dir); refused != nil {
		return 0, refused
	}
	out, err := os.OpenFile(s.folder.path(outFile), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return 0, &refusal{codeNotRun, fmt.Sprintf("open the output: %v", err)}
	}
	defer out.Close() //nolint:errcheck // the command has its own descriptor
	cmd := exec.Command(o.Argv[0], o.Argv[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = o.Dir, out, out
	// The last one wins, should the daemon's environment have one as well.
	cmd.Env = append(os.Environ(), "HOLDPOINT_SUMMARY="+s.folder.path(summaryFile))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if o.Stdin {
		in, err := os.Open(s.folder.path(stdinFile))
		if err != nil {
			return 0, &refusal{codeNotRun, fmt.Sprintf("open the input: %v", err)}
		}
		defer in.Close() //nolint:errcheck // opened for reading
		cmd.Stdin = in
	}
	if err := cmd.Start(); err != nil {
		return 0, explain(o.Argv[0], err)
	}
	pid = cmd.Process.Pid
	// reapAll waits for it; Release only lets go of the handle.
	_ = cmd.Process.Release()
	return pid, nil
}

// checkWorkdir tells a bad workdir from a bad command: the kernel answers alike.
func checkWorkdir(dir string) *refusal {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &refusal{codeNotRun, fmt.Sprintf("workdir %s does not exist: make it, then retry", dir)}
	case err != nil:
		return &refusal{codeNotRun, fmt.Sprintf("workdir cannot be used: %v", err)}
	case !info.IsDir():
		return &refusal{codeNotRun, fmt.Sprintf("workdir %s is no directory", dir)}
	case unix.Access(dir, unix.X_OK) != nil:
		return &refusal{codeNotRun, fmt.Sprintf("workdir %s may not be entered by this user", dir)}
	}
	return nil
}

func explain(command string, err error) *refusal {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return &refusal{codeNotFound, "command not found: " + command}
	case errors.Is(err, fs.ErrNotExist):
		return &refusal{codeNotFound, fmt.Sprintf("command not found: %s (or the interpreter that it names)", command)}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, unix.EISDIR):
		return &refusal{codeNotRun, "not executable: " + command}
	case errors.Is(err, unix.ENOEXEC):
		return &refusal{codeNotRun, fmt.Sprintf("cannot run %s: no program of this machine, or a script without #! line", command)}
	}
	return &refusal{codeNotRun, fmt.Sprintf("cannot run %s: %v", command, err)}
}

// maxSummary is the contract between Status.Summary and who shows it, in bytes.
const maxSummary = 500

// summary reads the line that the command left. What cannot be read is as good
// as none; a fifo or link in its place must not hold the supervisor up.
func (f folder) summary() string {
	fd, err := unix.Open(f.path(summaryFile), unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	file := os.NewFile(uintptr(fd), summaryFile)
	defer file.Close() //nolint:errcheck // opened for reading
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	raw, err := io.ReadAll(io.LimitReader(file, 2*maxSummary))
	if err != nil {
		return ""
	}
	return firstLine(string(raw), maxSummary)
}
