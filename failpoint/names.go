package failpoint

import "slices"

// names are all places there are. Each is hit somewhere in the product, and
// each hit names one of these: a test at the root of the repository compares
// the two.
var names = []string{
	// The store.
	"storeBeforeCommit", // the batch is staged, bbolt has not been asked to commit
	"storeAfterCommit",  // bbolt has synced the batch, nobody has been answered
	"storeMarkWritten",  // the high-water mark beside the file is written
	"backupWritten",     // the archive is complete under its temporary name, not yet renamed
	"createRenamed",     // a new database has its final name, its folder is not yet synced
	"migrStep",          // one migration step is done, the next one has not begun

	// A decision on its way in.
	"tapVerified",  // the input is authentic and mapped to a person
	"tapInTx",      // inside the transaction of the decision
	"tapCommitted", // the decision is on disk, the person has not been told

	// From the claim to the recorded outcome.
	"claimInTx",        // inside the transaction of the claim
	"claimCommitted",   // the claim is on disk, nothing was started
	"spawnBefore",      // the execution's folder is ready, the supervisor is not started
	"spawned",          // the supervisor was started, the daemon has not noted it
	"outcomeCommitted", // the end of the execution is on disk, nobody was woken

	// Inside the supervisor.
	"superviseBeforeStart",   // it runs, and has not yet created `start`
	"superviseStarted",       // `start` is its own and synced, the command is not started
	"superviseBeforeStatus",  // the command ended, its exit status is not written
	"superviseStatusWritten", // the exit status is durable, the supervisor still lives

	// Stopping.
	"stopCommitted", // CANCELLED and the intent to tear down are on disk, nothing was signalled
	"killBefore",    // the teardown is about to signal the process group
	"killed",        // no member of the group lives, the teardown is not recorded
	"shutdownBegun", // the daemon was told to end, nothing was closed

	// Cards and messages on their way out.
	"outboxPicked",     // a card was chosen, nothing was sent
	"outboxSent",       // the surface took it, the receipt is not written
	"receiptCommitted", // the receipt is on disk
}

// Names returns every declared name, in the order of names.go. The slice is
// the caller's own. It is the same in both builds.
func Names() []string { return slices.Clone(names) }
