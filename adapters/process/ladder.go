//go:build linux || darwin

package process

import (
	"syscall"
	"time"
)

// How often those look who wait for processes to end that were told to.
const (
	closeLook = 10 * time.Millisecond
	slowClose = 200 * time.Millisecond
)

// ladder is one way down for all processes of a session: TERM, a grace, KILL.
// The supervisor walks it, and the daemon where the supervisor is dead.
type ladder struct {
	session identity
	grace   time.Duration
	sent    bool      // some signal was
	asked   bool      // TERM was
	until   time.Time // the end of the grace
}

// step does what is due at now, and reports whether nobody is left. It is to
// be called again until then. TERM is sent once: what a process starts in order
// to tidy up is not hit by it. An error means that a signal was refused or the
// processes could not be seen; the next step tries again.
func (l *ladder) step(now time.Time, force bool) (gone bool, err error) {
	members, err := l.session.members()
	if err != nil || len(members) == 0 {
		return err == nil, err
	}
	l.sent = true
	if force || l.asked && !now.Before(l.until) || !l.asked && l.grace <= 0 {
		return false, l.session.signalAll(members, syscall.SIGKILL)
	}
	if l.asked {
		return false, nil
	}
	l.asked, l.until = true, now.Add(l.grace)
	if err := l.session.signalAll(members, syscall.SIGTERM); err != nil {
		return false, err
	}
	// A process that was halted would not hear TERM before KILL comes.
	return false, l.session.signalAll(members, syscall.SIGCONT)
}
