package store

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// An archive is a tar of the database, the key, files/…, and last the manifest,
// whose presence shows that nothing was cut off.
const (
	archiveFormat   = 1
	archiveManifest = "manifest.json"
	maxManifest     = 64 << 10
)

type manifest struct {
	Format int       `json:"format"`
	At     time.Time `json:"at"`
	Schema int       `json:"schema"`
	Epoch  uint64    `json:"epoch"`
	Commit uint64    `json:"commit"`
	Audit  uint64    `json:"audit"`
	Files  int       `json:"files"`
	Sum    digest    `json:"sum"` // SHA-256 over name, size and content of every entry before
}

type archiveSource struct {
	db    string
	key   []byte
	files string
	head  state
	at    time.Time
}

// writeArchive makes the archive; it is on disk when it returns.
func writeArchive(ctx context.Context, to string, src archiveSource) error {
	f, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	w := &archiveWriter{ctx: ctx, tar: tar.NewWriter(f), sum: newEntrySum(), at: src.at}
	err = w.all(src)
	if err == nil {
		err = w.tar.Close()
	}
	return errors.Join(err, f.Sync(), f.Close())
}

type archiveWriter struct {
	ctx   context.Context
	tar   *tar.Writer
	sum   entrySum
	at    time.Time
	files int
}

func (w *archiveWriter) all(src archiveSource) error {
	db, err := os.Open(src.db)
	if err != nil {
		return err
	}
	err = w.addFile(fileDB, db)
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	key := encodeKey(src.key)
	if err := w.add(fileKey, int64(len(key)), bytes.NewReader(key)); err != nil {
		return err
	}
	if err := w.addTree(src.files); err != nil {
		return err
	}
	h := src.head
	m := manifest{Format: archiveFormat, At: src.at.UTC(), Schema: h.Schema, Epoch: h.Epoch, Commit: h.Commit, Audit: h.Audit, Files: w.files, Sum: w.sum.digest()}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return w.add(archiveManifest, int64(len(text)), bytes.NewReader(text))
}

// addTree adds the regular files below a directory under files/. One that is
// pruned meanwhile is left out; one still being written is no content.
func (w *archiveWriter) addTree(dir string) error {
	if dir == "" || !exists(dir) {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // opened for reading
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case !d.Type().IsRegular() || strings.HasSuffix(name, tmpSuffix):
			return nil
		}
		f, err := root.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // opened for reading
		w.files++
		return w.addFile(path.Join(dirFiles, name), f)
	})
}

func (w *archiveWriter) addFile(name string, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return w.add(name, info.Size(), f)
}

func (w *archiveWriter) add(name string, size int64, r io.Reader) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: fileMode, ModTime: w.at}
	if err := w.tar.WriteHeader(h); err != nil {
		return err
	}
	w.sum.entry(name, size)
	_, err := io.CopyN(io.MultiWriter(w.tar, w.sum.Hash), r, size)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// readArchive walks an archive and hands each entry but the manifest to take,
// which reads it to its end. The manifest must be there, last, and right.
func readArchive(ctx context.Context, from string, take func(name string, size int64, r io.Reader) error) (manifest, error) {
	var m manifest
	f, err := os.Open(from)
	if err != nil {
		return m, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	sum, files := newEntrySum(), 0
	for t := tar.NewReader(f); ; {
		if ctx.Err() != nil {
			return m, context.Cause(ctx)
		}
		h, err := t.Next()
		if err != nil {
			return m, fmt.Errorf("%w: %s ends before its manifest: %w", ErrArchive, from, err)
		}
		if h.Name == archiveManifest {
			return m, m.read(t, from, sum.digest(), files)
		}
		if err := admitEntry(h); err != nil {
			return m, fmt.Errorf("%w: %s: %w", ErrArchive, from, err)
		}
		if strings.HasPrefix(h.Name, dirFiles+"/") {
			files++
		}
		sum.entry(h.Name, h.Size)
		body := io.TeeReader(t, sum.Hash)
		if err := take(h.Name, h.Size, body); errors.Is(err, io.ErrUnexpectedEOF) {
			return m, fmt.Errorf("%w: %s is cut in %s", ErrArchive, from, h.Name)
		} else if err != nil {
			return m, err
		}
		if _, err := io.Copy(io.Discard, body); err != nil {
			return m, fmt.Errorf("%w: %s: %w", ErrArchive, from, err)
		}
	}
}

// admitEntry refuses what a backup never holds.
func admitEntry(h *tar.Header) error {
	known := h.Name == fileDB || h.Name == fileKey || strings.HasPrefix(h.Name, dirFiles+"/")
	if h.Typeflag != tar.TypeReg || !known || !fs.ValidPath(h.Name) {
		return fmt.Errorf("entry %q does not belong into a backup", h.Name)
	}
	return nil
}

func (m *manifest) read(r io.Reader, from string, sum digest, files int) error {
	text, err := io.ReadAll(io.LimitReader(r, maxManifest))
	if err == nil {
		err = json.Unmarshal(text, m)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s: manifest: %w", ErrArchive, from, err)
	case m.Format != archiveFormat:
		return fmt.Errorf("%w: %s has format %d, this program reads %d", ErrArchive, from, m.Format, archiveFormat)
	case m.Sum != sum || m.Files != files:
		return fmt.Errorf("%w: the content of %s is not what its manifest says", ErrArchive, from)
	}
	return nil
}

// readBack proves that an archive can be read to its end.
func readBack(ctx context.Context, from string) error {
	_, err := readArchive(ctx, from, func(string, int64, io.Reader) error { return nil })
	return err
}
