package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"holdpoint/adapters/process"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == "supervise" { // a step's supervisor, not a command of people
		os.Exit(process.Supervise(os.Args[2]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the first signal asks for an orderly end, a second one ends the process
	os.Exit(run(ctx, os.Args[1:], stdio()))
}
