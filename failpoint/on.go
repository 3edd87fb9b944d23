//go:build failpoints

package failpoint

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Hit does what HOLDPOINT_FAILPOINTS says for the name: nothing, or kill this
// process, or return an error that names the place, or wait. The caller treats
// its error like a failure of the operation that stands beside it. A name that
// is not declared in names.go panics.
func Hit(name string) error {
	if !slices.Contains(names, name) {
		panic(fmt.Sprintf("failpoint %q is hit but not declared in failpoint/names.go", name))
	}
	p := armed()[name]
	if p == nil || !p.due() {
		return nil
	}
	return p.act(name)
}

// armed reads the environment at the first hit. A panic in it is repeated at
// every later hit, so that no goroutine can swallow it.
var armed = sync.OnceValue(func() map[string]*point {
	points, err := parse(os.Getenv("HOLDPOINT_FAILPOINTS"))
	if err != nil {
		panic(err)
	}
	return points
})

func (p *point) act(name string) error {
	switch p.action {
	case actionError:
		return fmt.Errorf("failpoint %s", name)
	case actionSleep:
		time.Sleep(p.delay)
		return nil
	default:
		// The signal to oneself may be delivered a moment after the call
		// returns; nothing more of this goroutine may run in that moment.
		err := syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
		if err != nil {
			panic(fmt.Sprintf("failpoint %s: kill: %v", name, err))
		}
		select {}
	}
}
