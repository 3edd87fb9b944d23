// Package store keeps what holdpoint knows in one bbolt file, and answers only
// for what is on disk.
//
// What lives here: the narrow key-value core (this file's subject), the records
// and indexes that sit on it, backup and restore, and Check, which proves that
// a store is whole. What may not: rules of the domain, surfaces, clocks other
// than Options.Now for stamps of the store itself, and any network.
//
// # Promises
//
// Update is durable when it returns nil. One committer takes every waiting
// update, runs each exactly once on an overlay of its own, writes the accepted
// ones in one bbolt transaction, syncs once and answers all. Nothing is delayed
// while the store is idle.
//
// An error tells what is known. The closure's own error comes back as it is and
// nothing of that update was written. ErrNotWritten: nothing was written. An
// error that matches ErrUnknownOutcome: the commit failed in a way that may
// still have reached the disk; the store is then poisoned (ErrFailStopped) and
// only a restart, which reads the disk, can tell.
//
// View sees only what is synced. bbolt shows a commit one sync early, so while
// a commit is under way views borrow read transactions that were opened before
// it. A view waits neither for the queue nor for the sync.
//
// # Order of a commit
//
// data pages, sync, meta page, sync (bbolt), then the high-water mark, then the
// answers. The mark is written with every commit and synced within a second:
// it survives the death of the process at once and a power cut with a lag. A
// mark that lags is accepted, a mark ahead of the database is ErrRolledBack.
//
// # Files
//
//	holdpoint.db    the database
//	holdpoint.mark  the highest commit that was answered, signed
//	holdpoint.key   32 random bytes in hex: seals records and signs the mark
//	holdpoint.lock  held while a process serves the directory; names its pid
//
// Whoever can read the key is the operator. The seals notice a file that was
// changed by someone who cannot, by a failing disk, or by mistake; they do not
// notice one record put back to an older sealed value of its own key.
//
// # Buckets and key orders
//
// keys.go lists every bucket. Keys sort as bytes; the audit is keyed by its
// sequence number, big-endian, first number 1. No value is empty. Everything
// that crosses this package's edge is copied, both ways.
package store
