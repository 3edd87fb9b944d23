package process

import "time"

// pace is an interval that grows by half each time it was waited for.
type pace struct {
	timer     *time.Timer
	now, most time.Duration
}

func newPace(first, most time.Duration) *pace {
	return &pace{timer: time.NewTimer(first), now: first, most: most}
}

// next is ready after the next interval, counted from this call.
func (p *pace) next() <-chan time.Time {
	p.timer.Reset(p.now)
	p.now = min(p.now+p.now/2, p.most)
	return p.timer.C
}

// quicken starts again with a short interval.
func (p *pace) quicken(first, most time.Duration) { p.now, p.most = first, most }

func (p *pace) stop() { p.timer.Stop() }
