package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"holdpoint/store"
)

// errDropped is what the model's refused updates return.
var errDropped = errors.New("dropped")

var keys = rapid.Custom(func(t *rapid.T) string {
	return strings.Repeat(rapid.SampledFrom([]string{"a", "b", "\xff"}).Draw(t, "letter"), 1+rapid.IntRange(0, 2).Draw(t, "length")) +
		rapid.SampledFrom([]string{"", "a", "\x00", "\xff"}).Draw(t, "end")
})

// TestStoreBehavesLikeAMap runs random updates, refused ones among them, beside
// a map, and compares every read and scan, with the store reopened at random.
func TestStoreBehavesLikeAMap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		db, err := store.Open(t.Context(), options(t, dir))
		if err != nil {
			rt.Fatal(err)
		}
		model := map[string]string{}
		rt.Repeat(map[string]func(*rapid.T){
			"update": func(rt *rapid.T) { model = modelUpdate(rt, t, db, model) },
			"view": func(rt *rapid.T) {
				err := db.View(t.Context(), func(tx *store.ReadTx) error { return compare(rt, tx, model) })
				if err != nil {
					rt.Fatal(err)
				}
			},
			"reopen": func(rt *rapid.T) {
				closeAndCheck(t, db, dir)
				if db, err = store.Open(t.Context(), options(t, dir)); err != nil {
					rt.Fatal(err)
				}
			},
		})
		closeAndCheck(t, db, dir)
	})
}

// modelUpdate does a few writes on both and returns the model that then holds.
func modelUpdate(rt *rapid.T, t *testing.T, db *store.DB, before map[string]string) map[string]string {
	staged := map[string]string{}
	maps.Copy(staged, before)
	steps := rapid.IntRange(0, 6).Draw(rt, "steps")
	drop := rapid.Bool().Draw(rt, "drop")
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		for range steps {
			k := keys.Draw(rt, "key")
			if rapid.Bool().Draw(rt, "put") {
				v := rapid.StringN(1, 8, -1).Draw(rt, "value")
				tx.Put(things, []byte(k), []byte(v))
				staged[k] = v
			} else {
				tx.Delete(things, []byte(k))
				delete(staged, k)
			}
			if err := compare(rt, &tx.ReadTx, staged); err != nil {
				return err
			}
		}
		if drop {
			return errDropped
		}
		return nil
	})
	if drop {
		if !errors.Is(err, errDropped) {
			rt.Fatalf("dropped update: %v", err)
		}
		return before
	}
	if err != nil {
		rt.Fatal(err)
	}
	return staged
}

// compare reads one key and one scan, of random shape, on both sides.
func compare(rt *rapid.T, tx *store.ReadTx, model map[string]string) error {
	k := keys.Draw(rt, "get")
	got, ok := tx.Get(things, []byte(k))
	if want, there := model[k]; ok != there || string(got) != want {
		return fmt.Errorf("get %q: %q %v, want %q %v", k, got, ok, want, there)
	}
	var prefix, from []byte
	if rapid.Bool().Draw(rt, "prefixed") {
		prefix = []byte(keys.Draw(rt, "prefix"))[:1]
	}
	if rapid.Bool().Draw(rt, "from inside") {
		from = []byte(keys.Draw(rt, "from"))
	}
	reverse := rapid.Bool().Draw(rt, "reverse")
	var have []string
	for k, v := range tx.Scan(things, prefix, from, reverse) {
		have = append(have, string(k)+"="+string(v))
	}
	if want := scanModel(model, prefix, from, reverse); !slices.Equal(have, want) {
		return fmt.Errorf("scan prefix %q from %q reverse %v: %q, want %q", prefix, from, reverse, have, want)
	}
	return nil
}

func scanModel(model map[string]string, prefix, from []byte, reverse bool) (rows []string) {
	var in []string
	for k := range model {
		c := 0
		if from != nil {
			c = bytes.Compare([]byte(k), from)
		}
		if bytes.HasPrefix([]byte(k), prefix) && (!reverse && c >= 0 || reverse && c <= 0) {
			in = append(in, k)
		}
	}
	slices.Sort(in)
	if reverse {
		slices.Reverse(in)
	}
	for _, k := range in {
		rows = append(rows, k+"="+model[k])
	}
	return rows
}

func TestAScanSeesWhatItsBodyWritesAhead(t *testing.T) {
	db := open(t, t.TempDir())
	put(t, db, "a", "1")
	put(t, db, "c", "1")
	put(t, db, "d", "1")
	var seen []string
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		for k := range tx.Scan(things, nil, nil, false) {
			seen = append(seen, string(k))
			tx.Delete(things, k)
			if string(k) == "a" {
				tx.Put(things, []byte("b"), []byte("1"))
				tx.Delete(things, []byte("c"))
			}
		}
		return nil
	})
	if got := strings.Join(seen, ""); err != nil || got != "abd" {
		t.Errorf("scan saw %s (error %v), want abd", got, err)
	}
}
