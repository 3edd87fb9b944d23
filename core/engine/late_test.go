package engine_test

import (
	"context"
	"sync"

	"holdpoint/core/engine"
)

// lateRuntime holds the first launch between its preparation and its arrival.
type lateRuntime struct {
	engine.Runtime
	once          sync.Once
	arrived, hold chan struct{}
}

func (r *lateRuntime) Launch(ctx context.Context, l engine.Launch) error {
	r.once.Do(func() {
		close(r.arrived)
		<-r.hold
	})
	return r.Runtime.Launch(ctx, l)
}
