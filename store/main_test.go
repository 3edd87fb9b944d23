package store_test

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"holdpoint/store"
)

// childEnv makes this test binary a process that writes to a store.
const childEnv = "STORE_TEST_CHILD_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		os.Exit(child(dir))
	}
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		_ = flag.Set("rapid.checks", "30") // each run opens files; the flag asks for more
	}
	goleak.VerifyTestMain(m)
}

// child writes numbered keys and prints each number once it is confirmed. Two
// numbers are under way at any time, so that batches form.
func child(dir string) int {
	db, err := store.Open(testContext, store.Options{Dir: dir, ReserveBytes: -1, Watch: 20 * time.Millisecond})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	fmt.Println("open")
	for i := 0; ; i++ {
		if err := writePair(db, os.Getpid(), i); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 4
		}
	}
}

func writePair(db *store.DB, pid, i int) error {
	errs := make(chan error, 2)
	for _, half := range []string{"a", "b"} {
		go func() {
			key := fmt.Sprintf("%d-%06d%s", pid, i, half)
			err := db.Update(testContext, func(tx *store.Tx) error {
				tx.Put(things, []byte(key), []byte(key))
				tx.AppendAudit(store.AuditRow{Type: "put", Subject: key})
				return nil
			})
			if err == nil {
				fmt.Println(key)
			}
			errs <- err
		}()
	}
	if err := <-errs; err != nil {
		return err
	}
	return <-errs
}
