package engine_test

import (
	"slices"
	"time"

	"holdpoint/core"
)

// The reference model: tasks and approvals as section 3 and 4 of the contract tell of them, in as few
// words as they can be told, and without a look at the rules of core. One method a command; each returns
// the code of the answer, "" for yes.

type modelApproval struct {
	id       string
	state    core.ApprovalState
	approves []string // in the order of the taps
	rejected string
	expires  time.Time
	resolved time.Time
	used     bool
	files    string // what the files that it names held when it was asked for
	attempt  int
	round    int
	cp       int
}

type modelTask struct {
	id        string
	goal      bool
	quorum    int
	onExpiry  core.OnExpiry
	requester string
	state     core.TaskState
	back      core.TaskState // while paused
	current   int
	round     int
	cps       []core.CheckpointState
	attempts  []int
	checking  bool
	list      []*modelApproval
	launches  int
}

type model struct {
	tasks     []*modelTask
	approvers []string
	files     map[string]string
	slots     int
	now       time.Time
}

const (
	modelExpires   = 10 * time.Minute
	modelUseWithin = 5 * time.Minute
	modelRounds    = 2
	modelSteps     = 2
)

func (t *modelTask) approval() *modelApproval { return t.list[len(t.list)-1] }

func (m *model) start(goal bool, quorum int, onExpiry core.OnExpiry, requester string) core.Code {
	able := slices.DeleteFunc(slices.Clone(m.approvers), func(n string) bool { return n == requester })
	if len(able) < quorum {
		return core.CodeValidation
	}
	t := &modelTask{goal: goal, quorum: quorum, onExpiry: onExpiry, requester: requester, state: core.TaskAwaiting, round: 1,
		cps: []core.CheckpointState{"pending", "pending"}, attempts: make([]int, modelSteps)}
	m.tasks = append(m.tasks, t)
	m.gate(t, 1)
	return ""
}

// named is what the files hold that a checkpoint's commands name.
func (m *model) named(t *modelTask, cp int) string {
	out := m.files[[]string{"./a.sh", "./b.sh"}[cp]]
	if t.goal {
		out += "|" + m.files["./check.sh"]
	}
	return out
}

func (m *model) gate(t *modelTask, attempt int) {
	t.cps[t.current], t.attempts[t.current] = core.CheckpointAwaiting, attempt
	t.list = append(t.list, &modelApproval{state: core.ApprovalPending, expires: m.now.Add(modelExpires),
		files: m.named(t, t.current), attempt: attempt, round: t.round, cp: t.current})
}

func (m *model) may(t *modelTask, who string) bool {
	return slices.Contains(m.approvers, who) && who != t.requester
}

func (m *model) decide(t *modelTask, a *modelApproval, who string, v core.Verdict) core.Code {
	switch {
	case !m.may(t, who):
		return core.CodeForbidden
	case v == core.Approve && slices.Contains(a.approves, who), v == core.Reject && a.rejected == who:
		return ""
	case a.state == core.ApprovalApproved, a.state == core.ApprovalRejected:
		return core.CodeAlreadyDecided
	case a.state != core.ApprovalPending:
		if a == t.approval() && a.state == core.ApprovalExpired && (t.state == core.TaskAwaiting || t.state == core.TaskPaused) {
			m.gate(t, t.attempts[t.current])
		}
		return core.CodeStale
	case t.state != core.TaskAwaiting:
		return core.CodeConflict
	case v == core.Reject:
		a.approves = slices.DeleteFunc(a.approves, func(n string) bool { return n == who })
		a.rejected, a.state, a.resolved = who, core.ApprovalRejected, m.now
		t.state, t.cps[t.current] = core.TaskRejected, core.CheckpointRejected
		return ""
	}
	if a.approves = append(a.approves, who); len(a.approves) == t.quorum {
		a.state, a.resolved = core.ApprovalApproved, m.now
		t.state, t.cps[t.current] = core.TaskQueued, core.CheckpointApproved
	}
	return ""
}

// holds says that what was approved may still be used.
func (m *model) holds(t *modelTask) bool {
	a, still := t.approval(), 0
	for _, who := range a.approves {
		if m.may(t, who) {
			still++
		}
	}
	return still >= t.quorum && a.files == m.named(t, t.current) && !m.now.After(a.resolved.Add(modelUseWithin))
}

func (m *model) supersede(t *modelTask) {
	t.approval().state = core.ApprovalSuperseded
	if t.state == core.TaskPaused {
		t.back = core.TaskAwaiting
	} else {
		t.state = core.TaskAwaiting
	}
	m.gate(t, t.attempts[t.current])
}

// settle is the runner: whoever is queued is claimed as long as there is a slot, the oldest first.
func (m *model) settle() {
	for _, t := range m.tasks {
		busy := 0
		for _, other := range m.tasks {
			if other.state == core.TaskRunning && !other.checking {
				busy++
			}
		}
		switch {
		case t.state != core.TaskQueued || busy >= m.slots:
		case !m.holds(t):
			m.supersede(t)
		default:
			t.approval().used = true
			t.state, t.cps[t.current] = core.TaskRunning, core.CheckpointRunning
			t.launches++
		}
	}
}

// advance moves the clock and acts on every deadline that it passes, in their order.
func (m *model) advance(d time.Duration) {
	until := m.now.Add(d)
	for {
		var due *modelTask
		var at time.Time
		for _, t := range m.tasks {
			a := t.approval()
			var when time.Time
			switch {
			case a.state == core.ApprovalPending:
				when = a.expires.Add(time.Millisecond)
			case a.state == core.ApprovalApproved && !a.used:
				when = a.resolved.Add(modelUseWithin + time.Millisecond)
			default:
				continue
			}
			if !when.After(until) && (due == nil || when.Before(at)) {
				due, at = t, when
			}
		}
		if due == nil {
			m.now = until
			return
		}
		m.now = at
		m.deadline(due)
		m.settle()
	}
}

func (m *model) deadline(t *modelTask) {
	a := t.approval()
	if a.state == core.ApprovalApproved {
		m.supersede(t)
		return
	}
	a.state = core.ApprovalExpired
	switch t.onExpiry {
	case core.ExpiryRenew:
		m.gate(t, t.attempts[t.current])
	case core.ExpiryCancel:
		t.state, t.cps[t.current] = core.TaskCancelled, core.CheckpointPending
	}
}

func (m *model) end(t *modelTask, o core.Outcome, exit int) {
	switch {
	case t.checking && o == core.OutcomeLost:
		t.launches++ // run again
	case t.checking && o == core.OutcomeSucceeded:
		t.state, t.checking = core.TaskCompleted, false
	case t.checking && o == core.OutcomeFailed && exit == 1:
		if t.round == modelRounds {
			t.state = core.TaskFailed
			return
		}
		m.nextRound(t)
	case t.checking:
		t.state = core.TaskReview
	case o == core.OutcomeSucceeded:
		m.onward(t)
	case o == core.OutcomeFailed, o == core.OutcomeTimedOut:
		t.state, t.cps[t.current] = core.TaskFailed, core.CheckpointFailed
	default:
		t.state = core.TaskReview
	}
}

func (m *model) nextRound(t *modelTask) {
	t.round++
	t.state, t.checking, t.current = core.TaskAwaiting, false, 0
	for i := range t.cps {
		t.cps[i], t.attempts[i] = core.CheckpointPending, 0
	}
	m.gate(t, 1)
}

// onward is behind a checkpoint that is done.
func (m *model) onward(t *modelTask) {
	t.cps[t.current] = core.CheckpointSucceeded
	switch {
	case t.current+1 < modelSteps:
		t.current++
		t.state = core.TaskAwaiting
		m.gate(t, t.attempts[t.current]+1)
	case t.goal:
		t.state, t.checking = core.TaskRunning, true
		t.launches++
	default:
		t.state = core.TaskCompleted
	}
}

func (m *model) retry(t *modelTask) core.Code {
	switch {
	case t.state == core.TaskAwaiting && t.approval().state == core.ApprovalExpired:
		m.gate(t, t.attempts[t.current])
	case t.state != core.TaskFailed && t.state != core.TaskRejected && t.state != core.TaskReview:
		return core.CodeConflict
	case t.checking && t.round == modelRounds:
		return core.CodeConflict
	case t.checking:
		m.nextRound(t)
	default:
		t.state = core.TaskAwaiting
		m.gate(t, t.attempts[t.current]+1)
	}
	return ""
}

func (m *model) resolve(t *modelTask, who string, done bool) core.Code {
	switch {
	case !m.may(t, who):
		return core.CodeForbidden
	case t.state != core.TaskReview:
		return core.CodeConflict
	case t.checking && done:
		t.state, t.checking = core.TaskCompleted, false
	case t.checking:
		t.state = core.TaskFailed
	case done:
		m.onward(t)
	default:
		t.state, t.cps[t.current] = core.TaskFailed, core.CheckpointFailed
	}
	return ""
}

func (m *model) pause(t *modelTask) core.Code {
	if t.state != core.TaskQueued && t.state != core.TaskAwaiting {
		return core.CodeConflict
	}
	t.back, t.state = t.state, core.TaskPaused
	return ""
}

func (m *model) resume(t *modelTask) core.Code {
	if t.state != core.TaskPaused {
		return core.CodeConflict
	}
	if t.state = t.back; t.state == core.TaskQueued && !m.holds(t) {
		m.supersede(t)
	}
	return ""
}

func (m *model) cancel(t *modelTask) core.Code {
	switch {
	case t.state.Terminal():
		return ""
	case t.state == core.TaskRunning:
		return core.CodeConflict
	}
	if a := t.approval(); a.state == core.ApprovalPending || a.state == core.ApprovalApproved && !a.used {
		a.state = core.ApprovalCancelled
	}
	if s := t.cps[t.current]; s == core.CheckpointAwaiting || s == core.CheckpointApproved {
		t.cps[t.current] = core.CheckpointPending
	}
	t.state = core.TaskCancelled
	return ""
}
