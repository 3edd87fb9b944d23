package store

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"go.etcd.io/bbolt"
)

// state is the head of the store, rewritten with every commit. Its own counter
// stands in for bbolt's transaction id, which does not survive compaction.
type state struct {
	Schema int    `json:"schema"`
	Epoch  uint64 `json:"epoch"`  // raised by every restore
	Commit uint64 `json:"commit"` // 0 in a new store
	Audit  uint64 `json:"audit"`  // number of the newest audit row, 0 when there is none
	Head   digest `json:"head"`   // hash of that row
}

// digest is a SHA-256 sum; in JSON it is hex.
type digest [32]byte

// MarshalText writes lower-case hex.
func (d digest) MarshalText() ([]byte, error) {
	return hex.AppendEncode(nil, d[:]), nil
}

// UnmarshalText reads exactly 64 hex digits.
func (d *digest) UnmarshalText(text []byte) error {
	if len(text) != 2*len(d) {
		return fmt.Errorf("a digest has %d hex digits, not %d", 2*len(d), len(text))
	}
	_, err := hex.Decode(d[:], text)
	return err
}

// readState reads the head; a store without one is no store of ours.
func readState(btx *bbolt.Tx, s *sealer) (state, error) {
	var st state
	b := btx.Bucket([]byte(bucketMeta))
	if b == nil {
		return st, fmt.Errorf("%w: it has no %s bucket", ErrForeignFile, bucketMeta)
	}
	stored := b.Get(keyState)
	if stored == nil {
		return st, fmt.Errorf("%w: it has no head record", ErrForeignFile)
	}
	value, err := s.open(bucketMeta, keyState, stored)
	if err != nil {
		return st, err
	}
	if err := json.Unmarshal(value, &st); err != nil {
		return st, fmt.Errorf("%w: head record: %w", ErrDamaged, err)
	}
	return st, nil
}

// writeState puts the head into an open write transaction.
func writeState(btx *bbolt.Tx, s *sealer, st state) error {
	value, err := json.Marshal(st)
	if err != nil {
		return err
	}
	b, err := btx.CreateBucketIfNotExists([]byte(bucketMeta))
	if err != nil {
		return err
	}
	return b.Put(keyState, s.seal(bucketMeta, keyState, value))
}
