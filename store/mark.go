package store

import (
	"bytes"
	"crypto/hmac"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// The mark is two slots of 96 bytes, each inside a disk sector of its own, the
// newer in turn overwriting the older: a torn write costs one slot and the
// other still holds the commit before.
//
//	magic 8 | epoch 8 | commit 8 | audit 8 | head 32 | MAC 32
const (
	markMagic = "HPMARK1\n"
	markBody  = 8 + 8 + 8 + 8 + 32
	markSlot  = markBody + sealSize
	markPitch = 4096
	markSize  = 2 * markPitch
)

// mark is the open high-water mark. A commit writes it before it answers; a
// timer syncs it soon after, so that no answer waits for a second sync.
type mark struct {
	file  *os.File
	seals *sealer
	delay time.Duration
	fail  func(error)

	mu    sync.Mutex
	timer *time.Timer // nil: nothing written since the last sync
	done  bool
}

// write stores the head of a commit. It is on its way to the disk when it
// returns and survives the death of this process.
func (m *mark) write(st state) error {
	slot := encodeMark(m.seals, st)
	if _, err := m.file.WriteAt(slot, int64(st.Commit%2)*markPitch); err != nil {
		return fmt.Errorf("high-water mark: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.timer == nil && !m.done {
		m.timer = time.AfterFunc(m.delay, m.sync)
	}
	return nil
}

func (m *mark) sync() {
	m.mu.Lock()
	if m.done {
		m.mu.Unlock()
		return
	}
	m.timer = nil
	err := syncData(m.file)
	m.mu.Unlock()
	if err != nil {
		m.fail(fmt.Errorf("high-water mark: %w", err))
	}
}

// close syncs and closes.
func (m *mark) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.timer != nil {
		m.timer.Stop()
	}
	m.done = true
	return errors.Join(syncData(m.file), m.file.Close())
}

func encodeMark(s *sealer, st state) []byte {
	b := append(make([]byte, 0, markSlot), markMagic...)
	b = binary.BigEndian.AppendUint64(b, st.Epoch)
	b = binary.BigEndian.AppendUint64(b, st.Commit)
	b = binary.BigEndian.AppendUint64(b, st.Audit)
	b = append(b, st.Head[:]...)
	return s.mac(b, []byte("mark"), b)
}

// newMark is the whole file of a new mark.
func newMark(s *sealer, st state) []byte {
	file := make([]byte, markSize)
	copy(file[st.Commit%2*markPitch:], encodeMark(s, st))
	return file
}

// decodeMark returns the higher of the valid slots.
func decodeMark(s *sealer, file []byte) (st state, ok bool) {
	for i := range 2 {
		got, valid := decodeSlot(s, file[i*markPitch:i*markPitch+markSlot])
		if valid && (!ok || got.Epoch > st.Epoch || got.Epoch == st.Epoch && got.Commit > st.Commit) {
			st, ok = got, true
		}
	}
	return st, ok
}

func decodeSlot(s *sealer, slot []byte) (st state, ok bool) {
	body := slot[:markBody]
	if !bytes.HasPrefix(body, []byte(markMagic)) || !hmac.Equal(s.mac(nil, []byte("mark"), body), slot[markBody:]) {
		return st, false
	}
	st.Epoch = binary.BigEndian.Uint64(body[8:])
	st.Commit = binary.BigEndian.Uint64(body[16:])
	st.Audit = binary.BigEndian.Uint64(body[24:])
	copy(st.Head[:], body[32:])
	return st, true
}

// readMark reads the mark of a directory.
func readMark(dir string, s *sealer) (state, error) {
	const hint = "put back the file that belongs to this database, or restore the last backup"
	f, err := os.Open(filepath.Join(dir, fileMark))
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, fmt.Errorf("%w: %s is not in %s; %s", ErrMark, fileMark, dir, hint)
	}
	if err != nil {
		return state{}, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	file := make([]byte, markSize)
	if _, err := io.ReadFull(f, file); err != nil {
		return state{}, fmt.Errorf("%w: %s is cut: %w; %s", ErrMark, f.Name(), err, hint)
	}
	st, ok := decodeMark(s, file)
	if !ok {
		return state{}, fmt.Errorf("%w: neither half of %s carries this store's seal; %s", ErrMark, f.Name(), hint)
	}
	return st, nil
}
