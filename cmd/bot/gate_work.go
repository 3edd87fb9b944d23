package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"holdpoint/core"
	"holdpoint/inapp/api"
	"holdpoint/summaries"
)

// work runs the command of a claim, reports how it ended, and says with which status the gate ends.
func (w *gate) work(ctx context.Context, c GateCmd, signals chan os.Signal, out *gateResult) error {
	claimed := out.Claimed
	if ctx.Err() != nil || len(signals) > 0 { // told to withdraw while the claim was on its way
		out.Outcome = "withdrawn"
		return w.giveBack(claimed) //nolint:contextcheck // as above: what is given back outlives the signal
	}
	w.lines.say("approved", "%s · running %s", deciders(claimed.Approval), commandText(c.Cmd))
	base := context.WithoutCancel(ctx)
	begin := time.Now()
	exit, words, stop := w.runCommand(base, c.Cmd, claimed, signals)
	took := time.Since(begin).Truncate(time.Second)
	report := api.ReportWork{ExecutionID: claimed.ExecutionID, Outcome: "succeeded", Detail: fmt.Sprintf("%s, %s", words, took)}
	if exit != 0 || stop != "" {
		report.Outcome = "failed"
	}
	out.Outcome, out.Exit = report.Outcome, exit
	err := w.report(base, claimed, report, signals)
	refusal, _ := errors.AsType[*core.Error](err)
	switch {
	case stop != "" && err == nil, refusal != nil && refusal.Code == core.CodeCancelled:
		out.Outcome = "stopped"
		w.lines.say("stopped", "%s%s, %s", words, stop, took)
		return status(exitStopped)
	case err != nil:
		return fmt.Errorf("the command ended (%s), and that could not be reported: %w", words, err)
	case exit == 0:
		w.lines.say("done", "%s, %s", words, took)
		return nil
	case c.PassStatus:
		w.lines.say("failed", "%s, %s", words, took)
		return status(exit)
	}
	w.lines.say("failed", "%s, %s", words, took)
	return status(exitStepFailed)
}

// commandText shows a command in one line: words with anything odd in them in quotes.
func commandText(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = summaries.Visible(a)
		if a == "" || strings.ContainsAny(a, " \t\n\"'\\$`") {
			words[i] = fmt.Sprintf("%q", a)
		}
	}
	return summaries.Visible(strings.Join(words, " "))
}

// runCommand runs the command with the terminal, the environment and the directory that are the gate's
// own, and passes signals on. stop tells why it was stopped, "" if it was not.
func (w *gate) runCommand(ctx context.Context, args []string, claimed api.Claimed, signals chan os.Signal) (exit int, words, stop string) {
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH, syscall.SIGCONT)
	cmd := exec.Command(args[0], args[1:]...) //nolint:noctx // it is ended by signals, group and grace, not by a kill of its leader
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	shared := hasTerminal()
	if !shared { // nobody presses keys: a group of its own can be ended whole
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
			return 127, "it could not be started: " + summaries.Visible(err.Error()), ""
		}
		return 126, "it could not be started: " + summaries.Visible(err.Error()), ""
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	watching, enough := context.WithCancel(ctx)
	defer enough()
	stopped := w.stopped(watching, claimed)
	send := func(sig syscall.Signal) {
		target := cmd.Process.Pid
		if !shared {
			target = -target
		}
		_ = syscall.Kill(target, sig) // it may have ended
	}
	var kill <-chan time.Time
	for {
		select {
		case err := <-done:
			if !shared && stop != "" {
				send(syscall.SIGKILL) // what it left behind in its group
			}
			exit, words = exitOfCommand(cmd, err)
			return exit, words, stop
		case sig := <-signals:
			if one, ok := sig.(syscall.Signal); ok && !(shared && typed(one)) {
				send(one)
			}
		case td := <-stopped:
			stop, stopped = " after a stop"+quoted(td.Reason), nil
			send(syscall.SIGTERM)
			kill = time.After(core.DefaultStopGrace.Std())
			if td.Force {
				send(syscall.SIGKILL)
			}
		case <-kill:
			send(syscall.SIGKILL)
		}
	}
}

// exitOfCommand gives the status that a shell would tell, and how it ended in words.
func exitOfCommand(cmd *exec.Cmd, err error) (exit int, words string) {
	if cmd.ProcessState == nil {
		return exitError, summaries.Visible(fmt.Sprint(err))
	}
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal()), "ended by " + unix.SignalName(ws.Signal())
	}
	return cmd.ProcessState.ExitCode(), fmt.Sprintf("exit %d", cmd.ProcessState.ExitCode())
}

// hasTerminal says that the process has a terminal of its own, whose keys reach the command by themselves
// as long as it is in the same process group.
func hasTerminal() bool {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	return f.Close() == nil
}

// typed says that a signal came from the terminal's keys, which sends it to the command too.
func typed(sig syscall.Signal) bool {
	switch sig {
	case syscall.SIGINT, syscall.SIGQUIT, syscall.SIGWINCH, syscall.SIGCONT:
	default:
		return false
	}
	f, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // opened for reading
	front, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err == nil && front == unix.Getpgrp()
}

// lookEach is how often a running command's gate looks whether it was stopped.
const lookEach = time.Second

// stopped tells of the stop of a claim's execution, once.
func (w *gate) stopped(ctx context.Context, claimed api.Claimed) <-chan api.Teardown {
	out := make(chan api.Teardown, 1)
	go func() {
		for ctx.Err() == nil {
			task, err := w.client.Task(ctx, claimed.Approval.TaskID)
			if td, ended := stopOf(task, claimed.ExecutionID); err == nil && ended {
				out <- td
				return
			}
			pause(ctx, lookEach)
		}
	}()
	return out
}

// stopOf says that an execution was cancelled, or ended by somebody else's word.
func stopOf(t api.Task, execution string) (api.Teardown, bool) {
	for _, one := range t.Sessions {
		if x := one.Execution; x != nil && x.ID == execution {
			return x.Teardown, one.State == core.SessionCancelled || x.State == core.ExecEnded
		}
	}
	return api.Teardown{}, false
}

// report tells the daemon how it ended. One that is away is asked again until it answers; a second signal
// ends that.
func (w *gate) report(ctx context.Context, c api.Claimed, r api.ReportWork, signals <-chan os.Signal) error {
	away := time.Duration(0)
	for {
		_, err := w.client.Report(ctx, c.Approval.TaskID, c.Approval.Checkpoint.Index, r)
		if err == nil || !api.WorthAgain(err) {
			return err
		}
		if away == 0 {
			w.lines.say("away", "the command ended (%s); the daemon does not answer and is told once it does", r.Detail)
		}
		away = min(2*away+rest, mostRest)
		again := time.NewTimer(away)
		select {
		case <-again.C:
		case sig := <-signals:
			if sig == os.Interrupt || sig == syscall.SIGTERM {
				again.Stop()
				return err
			}
		}
	}
}
