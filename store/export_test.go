package store

import (
	"context"
	"runtime"

	"go.etcd.io/bbolt"
)

// AddBucket makes a bucket for tests.
func AddBucket(b Bucket) { buckets[b] = bucketSpec{sealed: true} }

// OpenTxN is bbolt's own count of open read transactions: the leak gauge.
func OpenTxN(db *DB) int { return db.bolt.Stats().OpenTxN }

// WrapCommit puts a function around bbolt's commit.
func WrapCommit(db *DB, around func(commit func() error) error) {
	db.commitBolt = func(btx *bbolt.Tx) error { return around(btx.Commit) }
}

// Newest meta and layout, for tests that damage files.
const (
	FileDB   = fileDB
	FileMark = fileMark
	FileKey  = fileKey
	FileLock = fileLock
)

// WithMmap sets the initial map.
func (o Options) WithMmap(n int) Options { o.mmapSize = n; return o }

// WaitQueued returns when n updates wait for the committer.
func WaitQueued(db *DB, n int) {
	for db.waiting.Load() < int64(n) {
		runtime.Gosched()
	}
}

// MigrateWith runs other migrations than the program's.
func MigrateWith(ctx context.Context, db *DB, steps []func(*Tx)) error {
	return db.migrateWith(ctx, steps)
}

// Sealing returns a function that seals a value of a size once.
func Sealing(size int) func() {
	s, key, value := newSealer(newKey()), []byte("01JDQ4ZZZZZZZZZZZZZZZZZZZZ"), make([]byte, size)
	return func() { s.seal(bucketAudit, key, value) }
}
