package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"holdpoint/store"
)

var testContext = context.Background()

// start runs a child on a directory and waits until it has opened the store.
func start(t *testing.T, dir string) (*exec.Cmd, *bufio.Scanner, *strings.Builder) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+dir)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		err := cmd.Wait()
		t.Fatalf("child did not open: %v: %s", err, complaint.String())
	}
	return cmd, lines, &complaint
}

func TestKillNineLosesNoConfirmation(t *testing.T) {
	rounds := 30
	if testing.Short() {
		rounds = 5
	}
	dir := t.TempDir()
	var confirmed []string
	for range rounds {
		cmd, lines, _ := start(t, dir)
		time.AfterFunc(time.Duration(3+rand.IntN(40))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		for lines.Scan() {
			confirmed = append(confirmed, lines.Text())
		}
		_ = cmd.Wait() // killed
		// A line cut by the kill is no confirmation.
		if n := len(confirmed); n > 0 && len(confirmed[n-1]) < len("1-000000a") {
			confirmed = confirmed[:n-1]
		}
	}
	if len(confirmed) < rounds {
		t.Fatalf("only %d confirmations in %d rounds: the run proves nothing", len(confirmed), rounds)
	}
	db := open(t, dir)
	lost := 0
	for _, key := range confirmed {
		if get(t, db, key) != key {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d confirmations are lost", lost, len(confirmed))
	}
	t.Logf("%d confirmations over %d kills", len(confirmed), rounds)
}

func TestASecondProcessIsRefusedWithinTwoSeconds(t *testing.T) {
	dir := t.TempDir()
	cmd, lines, _ := start(t, dir)
	go func() { // keep its pipe empty
		for lines.Scan() {
		}
	}()
	for name, openIt := range map[string]func(context.Context, store.Options) (*store.DB, error){
		"serving": store.Open, "reading": store.OpenReadOnly,
	} {
		began := time.Now()
		_, err := openIt(t.Context(), options(t, dir))
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s: refused after %v, want at most 2 s", name, took)
		}
		if !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), strconv.Itoa(cmd.Process.Pid)) {
			t.Errorf("%s: %v, want ErrLocked with process %d", name, err, cmd.Process.Pid)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	open(t, dir)
}

func TestARenamedDatabaseDoesNotLetASecondProcessIn(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(t.Context(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, store.FileDB)
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	_, err = store.Open(t.Context(), options(t, dir))
	if !errors.Is(err, store.ErrForeignDir) && !errors.Is(err, store.ErrLocked) {
		t.Errorf("got %v, want a refusal", err)
	}
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	closeAndCheck(t, db, dir)
}

func TestAFileThatChangesUnderneathStopsTheStore(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"replaced": func(p string) error { return errors.Join(copyFile(p, p+".new"), os.Rename(p+".new", p)) },
		"removed":  os.Remove,
		"renamed":  func(p string) error { return os.Rename(p, p+".away") },
		"cut":      func(p string) error { return os.Truncate(p, 16<<10) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, told := t.TempDir(), make(chan error, 2)
			opt := options(t, dir)
			opt.Watch, opt.OnFailStop = -1, func(err error) { told <- err }
			db, err := store.Open(t.Context(), opt)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			put(t, db, "k", strings.Repeat("v", 64<<10))
			if err := db.StillMine(); err != nil {
				t.Fatalf("before: %v", err)
			}
			if err := change(filepath.Join(dir, store.FileDB)); err != nil {
				t.Fatal(err)
			}
			if err := db.StillMine(); !errors.Is(err, store.ErrReplaced) {
				t.Errorf("got %v, want ErrReplaced", err)
			}
			if err := <-told; !errors.Is(err, store.ErrReplaced) {
				t.Errorf("owner was told %v, want ErrReplaced", err)
			}
			wantStopped(t, db)
		})
	}
}

func TestTheWatchNoticesByItself(t *testing.T) {
	dir, told := t.TempDir(), make(chan error, 1)
	opt := options(t, dir)
	opt.Watch, opt.OnFailStop = 5*time.Millisecond, func(err error) { told <- err }
	db, err := store.Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := os.Remove(filepath.Join(dir, store.FileDB)); err != nil {
		t.Fatal(err)
	}
	if err := <-told; !errors.Is(err, store.ErrReplaced) {
		t.Errorf("owner was told %v, want ErrReplaced", err)
	}
}

func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// copyDir copies the files of a closed store.
func copyDir(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	for _, name := range []string{store.FileDB, store.FileKey, store.FileMark} {
		if err := copyFile(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			t.Fatal(fmt.Errorf("copying a store: %w", err))
		}
	}
	return to
}
