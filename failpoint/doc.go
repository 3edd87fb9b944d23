// Package failpoint holds the named places at which a test may end, fail or
// slow the program.
//
// A place is one call, `failpoint.Hit("claimCommitted")`, at a line where a
// crash would be interesting: just before or just after something becomes
// durable. In an ordinary build Hit is an empty function that the compiler
// inlines away. Built with the tag `failpoints`, it obeys the environment:
//
//	HOLDPOINT_FAILPOINTS="claimCommitted=exit;outboxSent=2*error;tapInTx=sleep(5s)"
//
// Each name has one action:
//
//   - exit kills the process with SIGKILL: no deferred call runs, no buffer is
//     flushed, exactly as if someone had used `kill -9`;
//   - error makes Hit return an error that names the place;
//   - sleep(D) makes Hit wait for D, a Go duration, and then return nil;
//   - N* before an action confines it to the N-th hit of that place, counted
//     from 1; without it the action is taken at every hit.
//
// The variable is read once, at the first hit. A name that is not declared in
// names.go, and an action that cannot be read, panic: a kill test that never
// fires would otherwise pass.
//
// What may not live here: anything that an ordinary build would execute, and
// any import beyond the standard library, since every other package may import
// this one.
package failpoint
