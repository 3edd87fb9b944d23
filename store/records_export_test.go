package store

import (
	"fmt"
	"time"
)

// JoinedKey and StampKey make keys as the records have them, for tests that write past Apply.
func JoinedKey(parts ...string) []byte { return joined(parts...) }

// StampKey is a time as part of a key.
func StampKey(t time.Time) string { return string(stamp(t)) }

// Rewrite reads a stored record of a bucket and gives what would be stored for it now.
func Rewrite(b Bucket, stored []byte) ([]byte, error) {
	again, ok := map[Bucket]func([]byte) ([]byte, error){
		bucketTasks: rewrite(tasks), bucketApprovals: rewrite(approvals), bucketClaims: rewrite(claims),
		bucketSessions: rewrite(sessions), bucketExecutions: rewrite(executions), bucketCards: rewrite(cards),
		bucketTokens: rewrite(tokens), bucketSignIns: rewrite(signIns), bucketWebSessions: rewrite(webSessions),
		bucketRequests: rewrite(requests),
	}[b]
	if !ok {
		return nil, fmt.Errorf("no records in %s", b)
	}
	return again(stored)
}

func rewrite[T any](k kind[T]) func([]byte) ([]byte, error) {
	return func(stored []byte) ([]byte, error) {
		v, err := k.decode(stored)
		if err != nil {
			return nil, err
		}
		return k.encode(v), nil
	}
}
