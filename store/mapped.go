package store

import "os"

// mapping follows how far bbolt's map reaches, as a lower bound. A commit that
// outgrows it waits for every open reader, so none may wait for that commit.
type mapping struct {
	size int64
	page int64
}

// mayMove is true unless it is certain that a commit fits the map. A commit
// rewrites each page at most once and splits at most one path per write, so
// what it adds is bounded by what is there and what it writes.
func (m *mapping) mayMove(used int64, bytes, puts int) bool {
	const fixed = 1 << 20 // roots, the head, a fresh bucket
	added := used + 4*int64(bytes) + 4*int64(puts)*m.page + fixed
	return used+added >= m.size
}

// grew notes the map after a commit that may have moved it.
func (m *mapping) grew(used int64, moved bool) {
	if moved {
		m.size = max(m.size, mapSize(used))
	}
}

// mapSize is the map bbolt makes for a file of this size: the next power of two
// from 32 KiB to 1 GiB, then whole GiB.
func mapSize(size int64) int64 {
	const step = 1 << 30
	for n := int64(32 << 10); n <= step; n <<= 1 {
		if size <= n {
			return n
		}
	}
	return (size + step - 1) / step * step
}

func newMapping(initial int, file os.FileInfo, page int) mapping {
	return mapping{size: mapSize(max(int64(initial), file.Size())), page: int64(page)}
}
