package store

import "errors"

// What Update and View say about an outcome.
var (
	// ErrNotWritten: nothing of this update is on disk, and the store works on.
	// It may be tried again.
	ErrNotWritten = errors.New("not recorded")
	// ErrUnknownOutcome: the commit failed and may or may not be on disk. Never
	// tell anybody "no"; the store is fail-stopped and a restart will tell.
	ErrUnknownOutcome = errors.New("outcome unknown until the daemon has restarted")
	// ErrFailStopped: the store met something it must not go on after. It
	// answers nothing more; the process has to end.
	ErrFailStopped = errors.New("the store has stopped")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the store is closed")
	// ErrDiskFull: refused before a commit could fail. Decisions go on longer
	// than new work does.
	ErrDiskFull = errors.New("disk full")
	// ErrInvalidRecord: the closure wrote a key or value outside the limits.
	ErrInvalidRecord = errors.New("record outside the store's limits")
	// ErrReadOnly: an update on a store that was opened for reading only.
	ErrReadOnly = errors.New("the store is open for reading only")
	// ErrTampered: a record does not carry this store's seal, or the audit
	// chain is broken: the store was changed from outside.
	ErrTampered = errors.New("the store was changed from outside")
	// ErrReplaced: the database file under the path is not the open one.
	ErrReplaced = errors.New("the database file was replaced while it was open")
)

// Why Open and Restore refuse a directory. The text around each says what to do.
// A refused file is never written to.
var (
	// ErrLocked: another process serves this directory.
	ErrLocked = errors.New("data directory is in use")
	// ErrDamaged: the database is empty, short, cut or its pages do not hold
	// together.
	ErrDamaged = errors.New("database is damaged")
	// ErrForeignFile: holdpoint.db is not a holdpoint database.
	ErrForeignFile = errors.New("not a holdpoint database")
	// ErrForeignDir: the directory has other content and no database.
	ErrForeignDir = errors.New("directory holds other files and no database")
	// ErrNewerSchema: written by a newer holdpoint.
	ErrNewerSchema = errors.New("database was written by a newer holdpoint")
	// ErrRolledBack: the database is older than what was confirmed to people,
	// or belongs to another history than its mark.
	ErrRolledBack = errors.New("database is older than its high-water mark")
	// ErrMark: the high-water mark is missing or unreadable.
	ErrMark = errors.New("high-water mark is missing or unreadable")
	// ErrKey: the key is missing, unreadable, or another store's.
	ErrKey = errors.New("key does not fit the database")
	// ErrReadOnlyDir: the directory or a file in it cannot be written.
	ErrReadOnlyDir = errors.New("data directory cannot be written")
	// ErrNotEmpty: a backup is only restored where there is no database.
	ErrNotEmpty = errors.New("directory already holds a database")
	// ErrArchive: the archive is not a whole backup.
	ErrArchive = errors.New("not a whole backup")
	// ErrFilesystem: the directory is on a file system whose locks or syncs
	// cannot be trusted.
	ErrFilesystem = errors.New("file system is not fit for the database")
)
