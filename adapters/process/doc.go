// Package process runs executions as local processes that outlive the daemon.
//
// An execution is started through a supervisor: the same binary, told
// `supervise DIR`, in a session of its own. The supervisor runs the command,
// keeps its timeout, carries out a stop, and writes the exit status durably.
// The daemon may die and come back meanwhile: everything that is known about
// an execution stands in its folder, steps/<id>/, and a [Runtime] holds no
// state that it could not read again from there.
//
//	spec.json       what to run and for how long; never the environment
//	start           who runs it, or the word void: written once, see below
//	stdin           what the command reads, if anything
//	out             its output and error output, in the order they came
//	summary         where $HOLDPOINT_SUMMARY points
//	stop.json       that the execution is to end, why, and whether at once
//	status.json     how it ended; complete and synced once it is there
//	supervisor.log  what a supervisor in trouble had to say; normally empty
//
// # Whoever is first decides
//
// `start` is made exclusively, with its whole content, and synced before
// anything runs. A supervisor writes its own identity into it, [Runtime.Void]
// the word void. A supervisor that finds the file there runs nothing. So an
// execution runs at most once, and once it is void no launch can come late.
//
// # Identity
//
// A process is known by its pid, its start time, and the boot (on linux also
// the pid namespace) in which both count; so a pid that was given to somebody
// else is never taken for ours. What belongs to an execution is its session,
// which is named after the supervisor's pid. A kernel does not give a pid away
// while a session or process group still carries it, so the members are found
// also when the supervisor is dead. The command has a process group of its own
// there; groups that it makes further down (shells with job control, `timeout`)
// belong to the session too, and are stopped with it. A process that calls
// setsid itself has left, and is not followed.
//
// # What may not live here
//
// No rule about tasks, approvals or sessions: the values are this package's own,
// and [Port] alone translates them for the engine. Whether a command may run was
// decided before [Runtime.Launch] is called.
package process
