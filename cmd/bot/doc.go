// Command bot is holdpoint: the daemon and the commands that talk to it, in one binary.
//
// What lives here is the composition root: the command line, the configuration, and the wiring of store,
// engine, runtime and surfaces into one program with a start and an end. No rule of the domain may.
package main
