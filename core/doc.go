// Package core is the domain of holdpoint, pure: records, rules, and what may happen. It does no I/O,
// reads no clock, starts no goroutine and knows no context; time, ids and randomness arrive as
// arguments. What is written here is the specification.
//
// # The nouns
//
// A Plan says what is to be done: ordered checkpoints with rollback notes. It becomes a Task, a durable
// record; a goal is a task that goes round its checkpoints until its check is met. Each checkpoint is
// one risky transition: it stands under an Approval, one request to release one attempt of it, which
// people settle by a Decision each. An approved one is used once, by a Claim, which makes a Session and
// an Execution: one concrete run with its own id.
//
// # The life of a task
//
// A task begins at its first gate, before anything of it runs. The decision that completes an approval
// queues it; the claim checks again that what was approved is what would run, by whom it was approved,
// and in time, and only then makes the execution. Its end leads to the next gate, to the end, or, where
// nobody knows what it did, to review, where a person says so. The transition table is in transition.go;
// docs/lifecycle.md is printed from it.
//
// # What holds at every moment
//
//   - Nothing runs without a claim, and a claim names one approved approval with the same task,
//     checkpoint, attempt, round and fingerprint. Each approval is claimed at most once.
//   - Only a person who may decides, judged at the tap and again at the claim by May and Policy.
//   - Silence, doubt and failure never approve: an approval that ran out is refused and a fresh one asked
//     for; there is no word that means "always".
//   - A refusal changes nothing but the audit, save that a late tap on the current gate asks afresh.
//   - Terminal states are left by a person's retry alone, and only failed and rejected ones.
//
// # How to change it
//
// Step is the one way in: (Snapshot, Command, now) → (Change, refusal). A new rule belongs to the file of
// the command that it governs; a new record gets a field in Change and a file in store. Nothing here may
// import os, net, context or sync; a test at the root keeps it so.
package core
