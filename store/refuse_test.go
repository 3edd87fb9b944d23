package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"holdpoint/store"
)

// seeded is a closed store with a history, and the database as it was one
// commit earlier.
func seeded(t *testing.T) (dir string, older []byte) {
	t.Helper()
	dir = t.TempDir()
	db, err := store.Open(t.Context(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		put(t, db, fmt.Sprintf("k%02d", i), "PENDING")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	older = read(t, filepath.Join(dir, store.FileDB))
	if db, err = store.Open(t.Context(), options(t, dir)); err != nil {
		t.Fatal(err)
	}
	put(t, db, "k00", "REJECTED")
	closeAndCheck(t, db, dir)
	return dir, older
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestBadFilesAreRefusedAndNotTouched(t *testing.T) {
	seed, older := seeded(t)
	other, _ := seeded(t)
	good := read(t, filepath.Join(seed, store.FileDB))
	mark := read(t, filepath.Join(seed, store.FileMark))
	newest, oldest := metaPages(good)
	cases := []struct {
		name string
		file string
		data []byte // nil: removed
		want error
	}{
		{"an empty database", store.FileDB, []byte{}, store.ErrDamaged},
		{"one byte", store.FileDB, []byte{1}, store.ErrForeignFile},
		{"text", store.FileDB, bytes.Repeat([]byte("hello\n"), 4000), store.ErrForeignFile},
		{"zeros", store.FileDB, make([]byte, 64<<10), store.ErrForeignFile},
		{"another program's database", store.FileDB, append([]byte("SQLite format 3\x00"), make([]byte, 64<<10)...), store.ErrForeignFile},
		{"half a page", store.FileDB, good[:2048], store.ErrDamaged},
		{"one page", store.FileDB, good[:4096], store.ErrDamaged},
		{"both meta pages only", store.FileDB, good[:8192], store.ErrDamaged},
		{"three pages", store.FileDB, good[:12288], store.ErrDamaged},
		{"four pages", store.FileDB, good[:16384], store.ErrDamaged},
		{"both meta pages damaged", store.FileDB, flip(flip(good, 16+50), 4096+16+50), store.ErrDamaged},
		{"the newest meta page flipped by a bit", store.FileDB, flip(good, newest+16+50), store.ErrRolledBack},
		{"the newest meta page zeroed", store.FileDB, zero(good, newest, 4096), store.ErrRolledBack},
		{"the database of one commit earlier", store.FileDB, older, store.ErrRolledBack},
		{"another store's database", store.FileDB, read(t, filepath.Join(other, store.FileDB)), store.ErrKey},
		{"the first data pages zeroed", store.FileDB, zero(good, 8192, 16384), store.ErrDamaged},
		{"a key that is missing", store.FileKey, nil, store.ErrKey},
		{"a key of another store", store.FileKey, read(t, filepath.Join(other, store.FileKey)), store.ErrKey},
		{"a key that is cut", store.FileKey, []byte("abcd\n"), store.ErrKey},
		{"a mark that is missing", store.FileMark, nil, store.ErrMark},
		{"a mark that is cut", store.FileMark, mark[:100], store.ErrMark},
		{"a mark of another store", store.FileMark, read(t, filepath.Join(other, store.FileMark)), store.ErrMark},
		{"a mark of zeros", store.FileMark, make([]byte, len(mark)), store.ErrMark},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := copyDir(t, seed)
			path := filepath.Join(dir, c.file)
			if c.data == nil {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			} else {
				write(t, path, c.data)
			}
			wantRefused(t, dir, c.want)
		})
	}
	t.Run("the older meta page damaged is no harm", func(t *testing.T) {
		dir := copyDir(t, seed)
		write(t, filepath.Join(dir, store.FileDB), flip(good, oldest+16+50))
		if got := get(t, open(t, dir), "k00"); got != "REJECTED" {
			t.Errorf("reads %q, want REJECTED", got)
		}
	})
	t.Run("one half of the mark torn is no harm", func(t *testing.T) {
		dir := copyDir(t, seed)
		write(t, filepath.Join(dir, store.FileMark), zero(mark, 0, 4096))
		open(t, dir)
	})
}

// wantRefused opens for serving and for reading; both refuse, and no file has
// changed afterwards.
func wantRefused(t *testing.T, dir string, want error) {
	t.Helper()
	before := contents(t, dir)
	for i := range 2 {
		_, err := store.Open(t.Context(), options(t, dir))
		if !errors.Is(err, want) {
			t.Errorf("open %d: %v, want %v", i+1, err, want)
		}
		if _, err := store.OpenReadOnly(t.Context(), options(t, dir)); !errors.Is(err, want) {
			t.Errorf("open %d for reading: %v, want %v", i+1, err, want)
		}
	}
	for name, data := range contents(t, dir) {
		if !bytes.Equal(data, before[name]) && name != store.FileLock {
			t.Errorf("%s was changed", name)
		}
	}
}

func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		files[e.Name()] = read(t, filepath.Join(dir, e.Name()))
	}
	return files
}

func TestANewerSchemaIsRefused(t *testing.T) {
	seed, _ := seeded(t)
	dir := copyDir(t, seed)
	db, err := store.Open(t.Context(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	steps := make([]func(*store.Tx), store.SchemaVersion)
	for i := range steps {
		steps[i] = func(tx *store.Tx) { tx.Put(things, []byte("migrated"), []byte("v")) }
	}
	if err := store.MigrateWith(t.Context(), db, steps); err != nil {
		t.Fatal(err)
	}
	if got := get(t, db, "migrated"); got != "v" {
		t.Errorf("the migration wrote %q, want v", got)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, dir, store.ErrNewerSchema)
}

func TestADirectoryWithOtherContentIsRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "thesis.txt"), []byte("do not touch"))
	if _, err := store.Open(t.Context(), options(t, dir)); !errors.Is(err, store.ErrForeignDir) {
		t.Errorf("got %v, want ErrForeignDir", err)
	}
	if got := contents(t, dir); len(got) != 1 {
		t.Errorf("the directory now holds %d files, want the one it had", len(got))
	}
}

func TestACreationCutOffIsBegunAnewOrCompleted(t *testing.T) {
	for name, arrange := range map[string]func(t *testing.T, dir string){
		"before the database had its name": func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "holdpoint.db.tmp"), []byte("torn"))
			write(t, filepath.Join(dir, store.FileLock), nil)
		},
		"after the database had its name": func(t *testing.T, dir string) {
			db, err := store.Open(t.Context(), options(t, dir))
			if err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{store.FileKey, store.FileMark} {
				path := filepath.Join(dir, name)
				if err := os.Rename(path, path+".tmp"); err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			arrange(t, dir)
			put(t, open(t, dir), "k", "v")
		})
	}
}

func TestModesAreForTheOwnerOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	open(t, dir)
	for name, want := range map[string]os.FileMode{".": 0o700, store.FileDB: 0o600, store.FileKey: 0o600, store.FileMark: 0o600, store.FileLock: 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}

// metaPages tells where the newer and the older meta page lie: the transaction
// id is 48 bytes into the meta.
func metaPages(db []byte) (newest, oldest int) {
	if bytes.Compare(reversed(db[16+48:16+56]), reversed(db[4096+16+48:4096+16+56])) > 0 {
		return 0, 4096
	}
	return 4096, 0
}

func reversed(b []byte) []byte {
	r := make([]byte, len(b))
	for i, c := range b {
		r[len(b)-1-i] = c
	}
	return r
}

func flip(data []byte, at int) []byte {
	out := bytes.Clone(data)
	out[at] ^= 1
	return out
}

func zero(data []byte, at, n int) []byte {
	out := bytes.Clone(data)
	clear(out[at : at+n])
	return out
}
