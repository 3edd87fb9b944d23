package core

import (
	"fmt"
	"slices"
	"strings"
)

// The roles of people that the program itself knows; any other word may be a role too.
const (
	RoleApprover = "approver" // may decide where a plan names nobody
	RoleOperator = "operator" // may stop and the like
	RoleAdmin    = "admin"    // people, tokens, schedules
)

// Person is somebody who may decide. Names and e-mail addresses are never authority: a surface maps
// its own verified id to a name.
type Person struct {
	Name     string
	Roles    []string
	Slack    string
	Telegram string
	Language string
	Timezone string
	Quiet    string
}

// Has says that the person holds the role.
func (p Person) Has(role string) bool { return slices.Contains(p.Roles, role) }

// Policy is what the configuration says of people and rules. It is judged at the tap and again at the
// claim, always in its newest form.
type Policy struct {
	People    []Person
	AllowSelf bool                // a requester may approve, where the plan says so too
	DecideIn  map[Risk][]string   // surfaces on which a risk may be decided; a risk that is absent: all
	Agents    map[string]struct{} // the configured agents' names
	Limits    Limits
}

// Limits bounds what the daemon does at once.
type Limits struct {
	Running int // steps with `run` and rollbacks at the same time
}

// Find gives a person by name.
func (p Policy) Find(name string) (Person, bool) {
	for _, one := range p.People {
		if one.Name == name {
			return one, true
		}
	}
	return Person{}, false
}

// Resolve gives the names of the people behind a list of approvers as written, in the order of the
// configuration. An empty list means every person with role approver.
func (p Policy) Resolve(approvers []string) []string {
	var out []string
	for _, one := range p.People {
		if (len(approvers) == 0 && one.Has(RoleApprover)) || slices.ContainsFunc(approvers, one.matches) {
			out = append(out, one.Name)
		}
	}
	return out
}

func (p Person) matches(written string) bool {
	if role, ok := strings.CutPrefix(written, "role:"); ok {
		return p.Has(role)
	}
	return p.Name == written
}

func (p Policy) knows(written string) bool {
	return slices.ContainsFunc(p.People, func(one Person) bool { return one.matches(written) })
}

// DecidableOn says that a risk may be decided on a surface. The API belongs to the in-app surface.
func (p Policy) DecidableOn(risk Risk, surface string) bool {
	allowed, limited := p.DecideIn[risk]
	if surface == SurfaceAPI {
		surface = SurfaceInApp
	}
	return !limited || slices.Contains(allowed, surface)
}

// The surfaces on which people decide; api is a person's token over HTTP or the command line.
const (
	SurfaceInApp = "inapp"
	SurfaceAPI   = "api"
)

// Eligible gives the people who may decide an approval now: the resolved approvers without those who
// asked for the work, unless both plan and configuration let them.
func (p Policy) Eligible(approvers []string, allowSelf bool, requesters ...string) []string {
	names := p.Resolve(approvers)
	if allowSelf && p.AllowSelf {
		return names
	}
	return slices.DeleteFunc(names, func(n string) bool { return slices.Contains(requesters, n) })
}

// CheckPeople gives the faults of a plan that depend on who there is: unknown approvers and agents,
// more approvals than people, a person to be told or acted for whom nobody knows. requester is the
// person who starts it, "" for a program.
func (p Plan) CheckPeople(policy Policy, requester string) error {
	var f faults
	check := func(path string, list []string) {
		for i, name := range list {
			if !policy.knows(name) && strings.TrimSpace(name) != "" {
				f.add(fmt.Sprintf("%s[%d]", path, i), "nobody is known as %q", name)
			}
		}
	}
	check("approvers", p.Approvers)
	check("notify", p.Notify)
	if _, ok := policy.Find(p.OnBehalfOf); p.OnBehalfOf != "" && !ok {
		f.add("on_behalf_of", "nobody is known as %q", p.OnBehalfOf)
	}
	for i, e := range p.Escalate {
		check(fmt.Sprintf("escalate[%d].to", i), e.To)
	}
	for i, c := range p.Checkpoints {
		path := fmt.Sprintf("checkpoints[%d]", i)
		if !slices.Equal(c.Approvers, p.Approvers) {
			check(path+".approvers", c.Approvers)
		}
		if _, ok := policy.Agents[c.Agent]; c.Agent != "" && !ok {
			f.add(path+".agent", "no agent %q is configured", c.Agent)
		}
		p.checkQuorum(&f, path, c, policy, requester)
	}
	return f.err()
}

func (p Plan) checkQuorum(f *faults, path string, c Checkpoint, policy Policy, requester string) {
	able := len(policy.Eligible(c.Approvers, p.AllowSelf, requester, p.OnBehalfOf))
	if able >= c.Required {
		return
	}
	if c.Required == p.Required {
		path = ""
	}
	for _, one := range *f {
		if one.Path == strings.TrimPrefix(path+".approvals_required", ".") {
			return
		}
	}
	f.add(strings.TrimPrefix(path+".approvals_required", "."),
		"%d approvals are required and %d people may give them (who asks does not count unless allow_self)", c.Required, able)
}
