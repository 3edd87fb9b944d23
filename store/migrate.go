package store

import (
	"context"
	"fmt"

	"holdpoint/failpoint"
)

// SchemaVersion is what this program writes. It opens older ones and brings
// them forward, and refuses newer ones.
const SchemaVersion = 1

// migrations bring a store forward: the function at index i from schema i+1 to
// i+2. Each is one update, so that one cut off is repeated as a whole.
var migrations = []func(*Tx){}

func (db *DB) migrate(ctx context.Context) error {
	return db.migrateWith(ctx, migrations)
}

func (db *DB) migrateWith(ctx context.Context, steps []func(*Tx)) error {
	for from := db.state.Schema; from < 1+len(steps); from++ {
		err := db.Update(ctx, func(tx *Tx) error {
			steps[from-1](tx)
			tx.state.Schema = from + 1
			tx.dirty = true
			return nil
		})
		if err == nil {
			err = failpoint.Hit("migrStep")
		}
		if err != nil {
			return fmt.Errorf("bringing the database from schema %d to %d: %w; start again to go on", from, from+1, err)
		}
	}
	return nil
}
