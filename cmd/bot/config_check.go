package main

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"holdpoint/core"
)

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
