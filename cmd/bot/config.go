package main

import (
	"cmp"
	"strings"
	"time"
	_ "time/tzdata" // a person's time zone is known on every machine

	"holdpoint/core"
	"holdpoint/summaries"
)

// Config is the configuration as section 12 of the contract names it. Precedence: flag, environment
// (HOLDPOINT_<KEY>), file, default.
type Config struct {
	DataDir   string              `json:"data_dir,omitempty"`
	Listen    string              `json:"listen,omitempty"`
	PublicURL string              `json:"public_url,omitempty"`
	Language  string              `json:"language,omitempty"`
	Timezone  string              `json:"timezone,omitempty"`
	People    []PersonConfig      `json:"people"`
	Plans     map[string]string   `json:"plans,omitempty"`
	Limits    LimitsConfig        `json:"limits,omitzero"`
	DecideIn  map[string][]string `json:"decide_in,omitempty"`
	AllowSelf *bool               `json:"allow_self,omitempty"`
}

// PersonConfig is one person of the configuration.
type PersonConfig struct {
	Name     string   `json:"name"`
	Roles    []string `json:"roles,omitempty"`
	Slack    string   `json:"slack,omitempty"`
	Telegram string   `json:"telegram,omitempty"`
	Language string   `json:"language,omitempty"`
	Timezone string   `json:"timezone,omitempty"`
	Quiet    string   `json:"quiet,omitempty"`
}

// LimitsConfig bounds what the daemon does at once.
type LimitsConfig struct {
	Running int `json:"running,omitempty"`
}

// The defaults of the configuration.
const (
	defaultConfigFile = "holdpoint.yaml"
	defaultDataDir    = "./holdpoint-data"
	defaultListen     = "127.0.0.1:8420"
	envPrefix         = "HOLDPOINT_"
)

// policy is what the engine judges by. Without people there is one, owner, who approves and administers,
// and may approve what owner asked for where the plan says so.
func (c Config) policy() core.Policy {
	p := core.Policy{Limits: core.Limits{Running: c.Limits.Running}, DecideIn: map[core.Risk][]string{}, AllowSelf: c.People == nil}
	if c.AllowSelf != nil {
		p.AllowSelf = *c.AllowSelf
	}
	for risk, surfaces := range c.DecideIn {
		p.DecideIn[core.Risk(risk)] = surfaces
	}
	for _, one := range c.People {
		p.People = append(p.People, core.Person{Name: one.Name, Roles: one.Roles, Slack: one.Slack, Telegram: one.Telegram,
			Language: one.Language, Timezone: one.Timezone, Quiet: one.Quiet})
	}
	if c.People == nil {
		p.People = []core.Person{{Name: ownerName, Roles: []string{core.RoleApprover, core.RoleAdmin}}}
	}
	return p
}

// ownerName is the one person where none is configured.
const ownerName = "owner"

// lang gives the configured language; complete has checked that it is one of ours.
func (c Config) lang() summaries.Lang { return summaries.Lang(c.Language) }

// zone gives the configured time zone; complete has checked that it exists.
func (c Config) zone() *time.Location {
	loc, err := time.LoadLocation(c.Timezone)
	if err != nil {
		return time.UTC
	}
	return loc
}

// url is the address under which people reach the page.
func (c Config) url(listen string) string {
	return strings.TrimSuffix(cmp.Or(c.PublicURL, "http://"+reachable(listen)), "/")
}
