package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // a person's time zone is known on every machine

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/v2"

	"holdpoint/core"
	"holdpoint/planfile"
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

// configKeys are the keys that the environment may set, by their path; each is also HOLDPOINT_ and the
// path in capitals with _ for the dot. Lists and maps are given as YAML or JSON.
var configKeys = []string{
	"data_dir", "listen", "public_url", "language", "timezone", "people", "plans", "limits.running", "decide_in", "allow_self",
}

// loadConfig reads file and environment and lays flags over them. file "" means the default file where it
// exists; one that was named has to exist.
func loadConfig(file string, environ func() []string, flags map[string]any) (Config, error) {
	k := koanf.New(".")
	if err := loadFile(k, file); err != nil {
		return Config{}, err
	}
	provider := env.Provider(".", env.Opt{Prefix: envPrefix, EnvironFunc: environ, TransformFunc: fromEnv})
	if err := k.Load(provider, nil); err != nil {
		return Config{}, fmt.Errorf("reading the environment: %w", err)
	}
	maps.DeleteFunc(flags, func(_ string, v any) bool { return v == "" })
	if err := k.Load(confmap.Provider(flags, "."), nil); err != nil {
		return Config{}, fmt.Errorf("reading the flags: %w", err)
	}
	merged, err := json.Marshal(k.Raw())
	if err != nil {
		return Config{}, fmt.Errorf("joining file, environment and flags: %w", err)
	}
	var c Config
	if err := planfile.Decode(merged, &c, planfile.Options{}); err != nil {
		return Config{}, fmt.Errorf("the configuration (file, environment and flags together): %w", err)
	}
	return c, c.complete()
}

func loadFile(k *koanf.Koanf, file string) error {
	name := cmp.Or(file, defaultConfigFile)
	text, err := os.ReadFile(name) //nolint:gosec // the file that the operator names
	if errors.Is(err, fs.ErrNotExist) && file == "" {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the configuration: %w", err)
	}
	var c Config
	if err := planfile.Decode(text, &c, planfile.Options{}); err != nil {
		return &fileError{name: name, err: err}
	}
	b, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	tree := map[string]any{}
	if err := json.Unmarshal(b, &tree); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return k.Load(confmap.Provider(tree, ""), nil)
}

// fileError is a fault of a file that was named to us, shown with place and line.
type fileError struct {
	name string
	err  error
}

func (e *fileError) Error() string { return planfile.Format(e.name, e.err) }
func (e *fileError) Unwrap() error { return e.err }

// fromEnv takes the variables that name a key; the others that begin with the prefix are commands' own
// (HOLDPOINT_SERVER, HOLDPOINT_TOKEN) or those of a step.
func fromEnv(name, value string) (string, any) {
	name = strings.ToLower(strings.TrimPrefix(name, envPrefix))
	i := slices.IndexFunc(configKeys, func(key string) bool { return strings.ReplaceAll(key, ".", "_") == name })
	if i < 0 {
		return "", nil
	}
	key := configKeys[i]
	switch key {
	case "people", "plans", "decide_in":
		var v any
		if planfile.Decode([]byte(value), &v, planfile.Options{}) == nil {
			return key, v
		}
	case "allow_self":
		if b, err := strconv.ParseBool(value); err == nil {
			return key, b
		}
	case "limits.running":
		if n, err := strconv.Atoi(value); err == nil {
			return key, n
		}
	}
	return key, value
}

// complete fills defaults and refuses what does not fit together.
func (c *Config) complete() error {
	c.DataDir = cmp.Or(c.DataDir, defaultDataDir)
	c.Listen = cmp.Or(c.Listen, defaultListen)
	c.Language = cmp.Or(c.Language, "en")
	c.Timezone = cmp.Or(c.Timezone, "Local")
	var faults []core.FieldError
	fault := func(path, format string, args ...any) {
		faults = append(faults, core.FieldError{Path: path, Message: fmt.Sprintf(format, args...)})
	}
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		fault("listen", "%q is no address: write host:port", c.Listen)
	}
	if u, err := url.Parse(c.PublicURL); c.PublicURL != "" && (err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https")) {
		fault("public_url", "write http:// or https:// and a host")
	}
	checkLanguage(fault, "language", c.Language)
	checkZone(fault, "timezone", c.Timezone)
	seen := map[string]bool{}
	for i, p := range c.People {
		path := fmt.Sprintf("people[%d]", i)
		if strings.TrimSpace(p.Name) == "" || strings.ContainsAny(p.Name, ": ,") {
			fault(path+".name", "a name is not blank and holds no space, comma or colon")
		}
		if seen[p.Name] {
			fault(path+".name", "%q stands twice", p.Name)
		}
		seen[p.Name] = true
		checkLanguage(fault, path+".language", cmp.Or(p.Language, c.Language))
		checkZone(fault, path+".timezone", cmp.Or(p.Timezone, c.Timezone))
	}
	if c.People != nil && len(c.People) == 0 {
		fault("people", "an empty list lets nobody approve: name people, or leave it out")
	}
	for _, risk := range slices.Sorted(maps.Keys(c.DecideIn)) {
		checkDecideIn(fault, risk, c.DecideIn[risk])
	}
	if c.Limits.Running < 0 {
		fault("limits.running", "a number from 1")
	}
	if faults != nil {
		return core.Invalid(faults...)
	}
	return nil
}

func checkLanguage(fault func(string, string, ...any), path, lang string) {
	if lang != "en" && lang != "fr" {
		fault(path, "%q is unknown: en, fr", lang)
	}
}

func checkZone(fault func(string, string, ...any), path, zone string) {
	if _, err := time.LoadLocation(zone); err != nil {
		fault(path, "%q is no time zone: write one like Europe/Paris", zone)
	}
}

func checkDecideIn(fault func(string, string, ...any), risk string, surfaces []string) {
	switch core.Risk(risk) {
	case core.RiskLow, core.RiskMedium, core.RiskHigh:
	default:
		fault("decide_in."+risk, "a risk is low, medium or high")
	}
	if len(surfaces) == 0 {
		fault("decide_in."+risk, "an empty list lets nobody decide: name surfaces, or leave it out")
	}
	for i, s := range surfaces {
		if !slices.Contains([]string{"slack", "telegram", core.SurfaceInApp}, s) {
			fault(fmt.Sprintf("decide_in.%s[%d]", risk, i), "%q is no surface: slack, telegram, inapp", s)
		}
	}
}

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
	return strings.TrimSuffix(cmp.Or(c.PublicURL, "http://"+listen), "/")
}
