package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"holdpoint/summaries"
)

// cli is the command line of section 11 of the contract.
type cli struct {
	Globals

	Serve ServeCmd `cmd:"" help:"Run the daemon."`
	Plan  PlanCmd  `cmd:"" help:"Look at plan files, without a daemon."`
	Task  TaskCmd  `cmd:"" help:"Start tasks and look after them."`

	Gate      GateCmd      `cmd:"" help:"Ask, wait, claim, run a command here, and report how it ended."`
	Session   SessionCmd   `cmd:"" help:"Look at sessions, and stop them."`
	Approvals ApprovalsCmd `cmd:"" help:"List approvals, or show one."`
	Approve   ApproveCmd   `cmd:"" help:"Release a step. Takes a person's token."`
	Reject    RejectCmd    `cmd:"" help:"Refuse a step, which then never runs. Takes a person's token."`

	Person PersonCmd `cmd:"" help:"Look at the people of the configuration."`
	Signin SignInCmd `cmd:"" help:"Print a link that signs one person in, once, within 10 minutes."`
	Token  TokenCmd  `cmd:"" help:"Make, list and end tokens."`

	Check   CheckCmd   `cmd:"" help:"Prove the store's invariants; of a live daemon on its snapshot."`
	Audit   AuditCmd   `cmd:"" help:"Verify or export the audit."`
	Backup  BackupCmd  `cmd:"" help:"Write one archive of database, key and files. It holds the key: keep it as the data directory is kept."`
	Restore RestoreCmd `cmd:"" help:"Make a data directory out of a backup. Every older tap is stale afterwards."`

	Doctor      DoctorCmd      `cmd:"" help:"Look at all that a daemon needs, and say what to do about what is wrong."`
	Healthcheck HealthcheckCmd `cmd:"" help:"Say by the exit status whether the daemon is healthy."`
	Version     VersionCmd     `cmd:"" help:"Tell the version."`
	Completion  CompletionCmd  `cmd:"" help:"Print a completion script for a shell."`
}

// Globals are the flags that may stand with every command.
type Globals struct {
	Config    string `help:"The configuration; default holdpoint.yaml where it exists." placeholder:"FILE" type:"path"`
	Data      string `help:"The data directory; else HOLDPOINT_DATA_DIR, else the configuration's." placeholder:"DIR" type:"path"`
	Server    string `help:"The daemon's address; else HOLDPOINT_SERVER, else where the configuration lets it listen." placeholder:"URL"`
	TokenFile string `help:"Read the token from this file; else HOLDPOINT_TOKEN, else operator.token of the data directory." placeholder:"FILE" type:"path"`
	JSON      bool   `help:"Answer in JSON." name:"json"`
}

// load reads the configuration with the flags laid over it.
func (g *Globals) load(s std) (Config, error) {
	return loadConfig(g.Config, s.environ, map[string]any{"data_dir": g.Data})
}

// std is what a command reads and writes, and the environment it stands in.
type std struct {
	in       io.Reader
	out, err io.Writer
	environ  func() []string
	terminal bool // out is a terminal
}

func stdio() std {
	info, err := os.Stdout.Stat()
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

// say writes a line for people beside the answer. What is foreign in it was made safe by the caller.
func (s std) say(format string, args ...any) {
	_, _ = fmt.Fprintf(s.err, format+"\n", args...) // a terminal that is gone is no reason to stop
}

// run parses and runs one command, and gives its exit status. kong's own statuses never get out.
func run(ctx context.Context, args []string, s std) int {
	var c cli
	helped := false
	parser, err := kong.New(&c, kong.Name("holdpoint"), kong.Description("Risky work waits at hold points until a person releases it."),
		kong.Writers(s.out, s.err), kong.Exit(func(int) { helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(s), kong.Bind(&c.Globals))
	if err != nil {
		panic(fmt.Sprintf("the grammar of the command line: %v", err)) // a programmer's error
	}
	parsed, err := parser.Parse(args)
	if helped {
		return exitOK
	}
	if err != nil {
		s.say("holdpoint: %s", summaries.Terminal(err.Error()))
		s.say("holdpoint --help tells what there is")
		return exitUsage
	}
	return exitStatus(s, parsed.Run())
}
