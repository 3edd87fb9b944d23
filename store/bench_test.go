package store_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"go.etcd.io/bbolt"

	"holdpoint/store"
)

// BenchmarkUpdate has as many callers waiting as its name says; each writes one
// record of 200 bytes and one audit row.
func BenchmarkUpdate(b *testing.B) {
	for _, callers := range []int{1, 64, 256} {
		b.Run(fmt.Sprint(callers), func(b *testing.B) {
			db := open(b, b.TempDir())
			var n atomic.Int64
			together(b, callers, func() error {
				key := fmt.Appendf(nil, "%012d", n.Add(1))
				return db.Update(testContext, func(tx *store.Tx) error {
					tx.Put(things, key, make([]byte, 200))
					tx.AppendAudit(store.AuditRow{Type: "put", Subject: string(key)})
					return nil
				})
			})
		})
	}
}

// BenchmarkRawGroups is the ceiling: bbolt alone, commits of as many pairs of
// plain records as the name says, with no seal, chain, mark or waiting caller.
func BenchmarkRawGroups(b *testing.B) {
	for _, group := range []int{1, 64, 256} {
		b.Run(fmt.Sprint(group), func(b *testing.B) {
			db, err := bbolt.Open(filepath.Join(b.TempDir(), "raw.db"), 0o600, &bbolt.Options{NoFreelistSync: true, FreelistType: bbolt.FreelistMapType, InitialMmapSize: 1 << 30})
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			b.ResetTimer()
			for done := 0; done < b.N; done += group {
				if err := db.Update(func(tx *bbolt.Tx) error { return rawGroup(tx, done, min(group, b.N-done)) }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func rawGroup(tx *bbolt.Tx, from, n int) error {
	things, err := tx.CreateBucketIfNotExists([]byte("things"))
	if err != nil {
		return err
	}
	audit, err := tx.CreateBucketIfNotExists([]byte("audit"))
	for i := from; i < from+n && err == nil; i++ {
		key := fmt.Appendf(nil, "%012d", i)
		if err = things.Put(key, make([]byte, 232)); err == nil {
			err = audit.Put(key, make([]byte, 260))
		}
	}
	return err
}

// BenchmarkView reads one record of 200 bytes.
func BenchmarkView(b *testing.B) {
	db := open(b, b.TempDir())
	put(b, db, "k", string(make([]byte, 200)))
	for b.Loop() {
		err := db.View(testContext, func(tx *store.ReadTx) error { tx.Get(things, []byte("k")); return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSeal is the price of sealing a record, paid at each write and read.
func BenchmarkSeal(b *testing.B) {
	for _, size := range []int{200, 1000, 10000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			seal := store.Sealing(size)
			for b.Loop() {
				seal()
			}
		})
	}
}

// together spreads b.N calls over callers.
func together(b *testing.B, callers int, call func() error) {
	b.ResetTimer()
	var left atomic.Int64
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := call(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}
