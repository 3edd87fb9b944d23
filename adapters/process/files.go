package process

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"holdpoint/core/engine"
)

// Files digests the files that a step's command names, as they are at this moment.
type Files struct{}

var _ engine.Files = Files{}

// Digests gives the SHA-256 of those names that are regular files inside dir, symbolic links followed as
// long as they stay inside. What is no such file, or lies outside, is left out; a file that is there and
// can't be read is an error, since nobody could say what would run. Names count from dir, an absolute
// one only where it lies inside.
func (Files) Digests(ctx context.Context, dir string, names []string) (map[string]string, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // the step's own directory is made when it starts
	}
	if err != nil {
		return nil, fmt.Errorf("opening the working directory: %w", err)
	}
	defer root.Close() //nolint:errcheck // opened for reading
	var out map[string]string
	for _, name := range names {
		rel, ok := inside(dir, name)
		if !ok {
			continue
		}
		sum, found, err := digest(ctx, root, rel)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		if found {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = sum
		}
	}
	return out, nil
}

func inside(dir, name string) (string, bool) {
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return "", false
		}
		name = rel
	}
	name = filepath.Clean(name)
	if name == "." || name == ".." || strings.HasPrefix(name, ".."+string(filepath.Separator)) {
		return "", false
	}
	return name, true
}

func digest(ctx context.Context, root *os.Root, name string) (sum string, found bool, err error) {
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return "", false, nil // no such file, or one that leads outside: not covered, as docs say
	}
	f, err := root.Open(name)
	if err != nil {
		return "", false, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	h := sha256.New()
	if _, err := io.Copy(h, reader{ctx, f}); err != nil {
		return "", false, err
	}
	return hex.EncodeToString(h.Sum(nil)), true, nil
}

// reader ends a long read with its context.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
