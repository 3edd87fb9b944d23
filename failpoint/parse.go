//go:build failpoints

package failpoint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	actionExit  = "exit"
	actionError = "error"
	actionSleep = "sleep"
)

// point is one armed place.
type point struct {
	action string
	delay  time.Duration // of a sleep
	only   int64         // the one hit to act on, counted from 1; 0 means every hit
	hits   atomic.Int64
}

// due counts a hit and tells whether the action belongs to it.
func (p *point) due() bool {
	n := p.hits.Add(1)
	return p.only == 0 || n == p.only
}

// parse reads the form `name=action;name=N*action`. Empty entries are skipped.
func parse(spec string) (map[string]*point, error) {
	points := map[string]*point{}
	for entry := range strings.SplitSeq(spec, ";") {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		name, action, _ := strings.Cut(entry, "=")
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("HOLDPOINT_FAILPOINTS: %q is not declared in failpoint/names.go", name)
		}
		if points[name] != nil {
			return nil, fmt.Errorf("HOLDPOINT_FAILPOINTS: %s stands twice", name)
		}
		p, err := parseAction(action)
		if err != nil {
			return nil, fmt.Errorf("HOLDPOINT_FAILPOINTS: %s: %w", name, err)
		}
		points[name] = p
	}
	return points, nil
}

func parseAction(action string) (*point, error) {
	p := &point{}
	if count, rest, found := strings.Cut(action, "*"); found {
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q: the count before * is a number from 1", action)
		}
		p.only, action = n, rest
	}
	if arg, found := strings.CutPrefix(action, actionSleep+"("); found {
		delay, err := time.ParseDuration(strings.TrimSuffix(arg, ")"))
		if err != nil || delay < 0 || !strings.HasSuffix(arg, ")") {
			return nil, fmt.Errorf("%q: sleep takes a duration, as in sleep(5s)", action)
		}
		p.action, p.delay = actionSleep, delay
		return p, nil
	}
	if action != actionExit && action != actionError {
		return nil, fmt.Errorf("%q is no action: exit, error or sleep(5s)", action)
	}
	p.action = action
	return p, nil
}
