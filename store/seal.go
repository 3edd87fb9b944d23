package store

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"sync"
)

const sealSize = sha256.Size

// A sealer signs values and marks with the key of the store.
type sealer struct {
	key  []byte
	macs sync.Pool
}

func newSealer(key []byte) *sealer {
	return &sealer{key: key, macs: sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

// mac appends the MAC over the parts to dst. Each part but the last is preceded
// by its length, so that no two lists of parts share a text.
func (s *sealer) mac(dst []byte, parts ...[]byte) []byte {
	h := s.macs.Get().(hash.Hash)
	defer s.macs.Put(h)
	h.Reset()
	var n [4]byte
	for i, p := range parts {
		if i < len(parts)-1 {
			binary.BigEndian.PutUint32(n[:], uint32(len(p)))
			h.Write(n[:])
		}
		h.Write(p)
	}
	return h.Sum(dst)
}

// seal returns the stored form of a value.
func (s *sealer) seal(b Bucket, key, value []byte) []byte {
	stored := make([]byte, len(value), len(value)+sealSize)
	copy(stored, value)
	if !b.spec().sealed {
		return stored
	}
	return s.mac(stored, []byte(b), key, value)
}

// open checks a stored value and returns the value inside it, not copied.
func (s *sealer) open(b Bucket, key, stored []byte) ([]byte, error) {
	if !b.spec().sealed {
		return stored, nil
	}
	cut := len(stored) - sealSize
	if cut < 1 {
		return nil, tampered(b, key, "value is too short for its seal")
	}
	value := stored[:cut]
	var buf [sealSize]byte
	if !hmac.Equal(s.mac(buf[:0], []byte(b), key, value), stored[cut:]) {
		return nil, tampered(b, key, "seal does not fit")
	}
	return value, nil
}

// tampered names the record by bucket and key, never by its content.
func tampered(b Bucket, key []byte, what string) error {
	return fmt.Errorf("%w: %s %q: %s; stop, keep a copy of the data directory and restore the last backup", ErrTampered, b, key, what)
}
