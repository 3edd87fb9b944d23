package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"holdpoint/core"
	"holdpoint/planfile"
	"holdpoint/summaries"
)

// cli is the command line of section 11 of the contract.
type cli struct {
	Globals

	Serve ServeCmd `cmd:"" help:"Run the daemon."`
	Plan  PlanCmd  `cmd:"" help:"Look at plan files, without a daemon."`

	Version VersionCmd `cmd:"" help:"Tell the version."`
}

// Globals are the flags of every command that talks.
type Globals struct {
	Server    string `help:"The daemon's address." placeholder:"URL" env:"HOLDPOINT_SERVER"`
	TokenFile string `help:"Read the token from this file; else HOLDPOINT_TOKEN, else the data directory's operator.token." placeholder:"FILE" type:"path"`
	JSON      bool   `help:"Answer in JSON." name:"json"`
}

// Exit statuses, from section 11 of the contract.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitRejected    = 3
	exitExpired     = 4
	exitStopped     = 5
	exitStepFailed  = 6
	exitStale       = 7
	exitUnreachable = 69
)

// std is what a command reads and writes, and the environment it stands in.
type std struct {
	in       io.Reader
	out, err io.Writer
	environ  func() []string
	terminal bool // err is a terminal
}

func stdio() std {
	info, err := os.Stderr.Stat()
	return std{in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Environ,
		terminal: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// getenv reads one variable of the command's environment.
func (s std) getenv(name string) string {
	for _, pair := range s.environ() {
		if len(pair) > len(name) && pair[len(name)] == '=' && pair[:len(name)] == name {
			return pair[len(name)+1:]
		}
	}
	return ""
}

// say writes a line for people, made safe to read.
func (s std) say(format string, args ...any) {
	_, _ = fmt.Fprintf(s.err, format+"\n", args...) // a terminal that is gone is no reason to stop
}

// status is an error that says with which exit status a command ends. Its text was told already.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// run parses and runs one command, and gives its exit status.
func run(ctx context.Context, args []string, s std) int {
	var c cli
	exited, code := false, exitOK
	parser, err := kong.New(&c, kong.Name("holdpoint"), kong.Description("Risky work waits at hold points until a person releases it."),
		kong.Writers(s.out, s.err), kong.Exit(func(n int) { exited, code = true, n }), kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(s), kong.Bind(&c.Globals))
	if err != nil {
		panic(fmt.Sprintf("the grammar of the command line: %v", err)) // a programmer's error
	}
	parsed, err := parser.Parse(args)
	if exited { // --help told what there is
		return code
	}
	if err != nil {
		s.say("holdpoint: %s", summaries.Terminal(err.Error()))
		s.say("holdpoint --help tells what there is")
		return exitUsage
	}
	return exitStatus(s, parsed.Run())
}

// exitStatus tells an error, once, and maps it.
func exitStatus(s std, err error) int {
	if err == nil {
		return exitOK
	}
	if st, ok := errors.AsType[status](err); ok {
		return int(st)
	}
	s.say("holdpoint: %s", safeLines(err))
	if refusal, ok := errors.AsType[*core.Error](err); ok {
		return exitOf(refusal.Code)
	}
	return exitError
}

// safeLines makes an error's text safe, line by line: a plan's fault shows the offending line.
func safeLines(err error) string {
	if refusal, ok := errors.AsType[*core.Error](err); ok && len(refusal.Fields) > 0 {
		if f, ok := errors.AsType[*fileError](err); ok {
			return summaries.Block(planfile.Format(f.name, f.err))
		}
	}
	return summaries.Block(err.Error())
}

var exits = map[core.Code]int{
	core.CodeRejected: exitRejected, core.CodeExpired: exitExpired, core.CodeCancelled: exitStopped,
	core.CodeStale: exitStale, core.CodeAlreadyDecided: exitStale, core.CodeAlreadyClaimed: exitStale,
	core.CodeValidation: exitError,
}

func exitOf(code core.Code) int {
	if n, ok := exits[code]; ok {
		return n
	}
	return exitError
}
