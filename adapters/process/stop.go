//go:build linux || darwin

package process

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"holdpoint/failpoint"
)

const (
	// overdue is how long a supervisor may be late with KILL before the daemon
	// does it: it may be halted, or hang on a broken disk.
	overdue = 5 * time.Second
	// graceUnknown is the contract's stop_grace, for a spec that is gone.
	graceUnknown = 10 * time.Second
	// maxReason bounds the reason that is kept, in bytes.
	maxReason = 500
)

// Void makes sure that an execution which has not started never will, and
// reports whether it is void now: true also when it was before, false when it
// has started. After an error the outcome is unknown; Void can be repeated.
func (r *Runtime) Void(id string) (won bool, err error) {
	f, err := r.folder(id)
	if err != nil {
		return false, err
	}
	if err := f.ensure(); err != nil {
		return false, err
	}
	if won, err := f.create(startFile, []byte(voidWord)); won || err != nil {
		return err == nil, err
	}
	_, void, err := f.start()
	return void, err
}

// Stop ends an execution and returns nil only once no process of it lives. One
// that has not started is voided. Else all of its processes get TERM, and after
// the grace of its Spec KILL; with force, KILL at once. The request is on disk
// and with the supervisor before Stop waits, so it is carried out also if ctx
// ends or the daemon dies. It can be repeated: the first reason counts, and
// force raises a request that was made without it.
func (r *Runtime) Stop(ctx context.Context, id, reason string, force bool) error {
	void, err := r.Void(id)
	if void || err != nil {
		return err
	}
	f, err := r.folder(id)
	if err != nil {
		return err
	}
	sup, _, err := f.start()
	if err != nil {
		return err
	}
	if sup == nil {
		return errors.New("the execution was removed while it was being stopped")
	}
	force, err = f.askToStop(stopOrder{Reason: firstLine(reason, maxReason), Force: force})
	if err != nil {
		return err
	}
	if err := failpoint.Hit("killBefore"); err != nil {
		return err
	}
	// CONT comes after, for a supervisor that somebody halted.
	if err := errors.Join(sup.signal(syscall.SIGUSR1), sup.signal(syscall.SIGCONT)); err != nil {
		return err
	}
	own := &ladder{session: *sup, grace: f.grace()}
	if err := own.untilGone(ctx, r.ended(id), force); err != nil {
		return err
	}
	return failpoint.Hit("killed")
}

// askToStop leaves the request for the supervisor, and returns whether it is to
// end at once, by this or an earlier request. Nobody is asked after the end.
func (f folder) askToStop(ask stopOrder) (force bool, err error) {
	var before stopOrder
	asked, err := f.load(stopFile, &before)
	if err != nil {
		return false, err
	}
	if asked && (before.Force || !ask.Force) {
		return before.Force, nil
	}
	now, err := f.look()
	if err != nil || now.State == Ended || now.State == Lost {
		return ask.Force, err
	}
	if asked {
		ask.Reason = before.Reason
	}
	return ask.Force, f.replace(stopFile, ask)
}

// untilGone waits for the supervisor to do its work, and does it in its place
// if it is dead or late. ended is a hint that the supervisor is gone.
func (l *ladder) untilGone(ctx context.Context, ended <-chan struct{}, force bool) error {
	late := time.Now().Add(overdue)
	if !force {
		late = late.Add(l.grace)
	}
	p := newPace(closeLook, slowClose)
	defer p.stop()
	for {
		gone, err := l.follow(late, force)
		if gone {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("processes of the execution may still live: %w", ctx.Err()), err)
		case <-ended:
			ended = nil
		case <-p.next():
		}
	}
}

// follow looks once whether all is over, the supervisor's writing included.
func (l *ladder) follow(late time.Time, force bool) (gone bool, err error) {
	alive, err := l.session.alive()
	if err != nil {
		return false, err
	}
	now := time.Now()
	if !alive {
		return l.step(now, force)
	}
	if now.Before(late) {
		return false, nil
	}
	return l.step(now, true)
}

func (f folder) grace() time.Duration {
	var o order
	if found, err := f.load(specFile, &o); err != nil || !found {
		return graceUnknown
	}
	return o.Grace
}
