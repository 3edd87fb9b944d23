package core

import (
	"fmt"
	"strings"

	"github.com/robfig/cron/v3"
)

func cadence(f *faults, list []string) []string {
	if list == nil {
		return []string{"before_each"}
	}
	if len(list) == 0 {
		f.add("summary_cadence", "an empty list: leave it out for before_each")
	}
	for i, c := range list {
		if err := checkCadence(c); err != nil {
			path := "summary_cadence"
			if len(list) > 1 {
				path = fmt.Sprintf("summary_cadence[%d]", i)
			}
			f.add(path, "%v", err)
		}
	}
	return list
}

func checkCadence(c string) error {
	switch c {
	case "before_each", "after_each", "on_change":
		return nil
	}
	if d, ok := strings.CutPrefix(c, "every "); ok {
		_, err := ParseDuration(strings.TrimSpace(d), false)
		return err
	}
	if expr, ok := strings.CutPrefix(c, "cron "); ok {
		return checkCron(strings.TrimSpace(expr))
	}
	return fmt.Errorf("%q is no cadence: before_each, after_each, on_change, every DURATION or cron with 5 fields", c)
}

// checkCron takes five plain fields; the parser's own extras (TZ=, @every) are not part of the
// contract and stay out because only these five fields are asked for.
func checkCron(expr string) error {
	if n := len(strings.Fields(expr)); n != 5 || strings.Contains(expr, "=") {
		return fmt.Errorf("cron %q: give 5 fields (minute hour day month weekday)", expr)
	}
	parser := cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)
	if _, err := parser.Parse(expr); err != nil {
		return fmt.Errorf("cron %q: %w", expr, err)
	}
	return nil
}

func escalate(f *faults, in []EscalateInput) []Escalation {
	var out []Escalation
	for i, e := range in {
		path := fmt.Sprintf("escalate[%d]", i)
		if e.After == "" {
			f.add(path+".after", "say after how long")
		}
		if len(e.To) == 0 {
			f.add(path+".to", "say to whom")
		}
		out = append(out, Escalation{After: span(f, path+".after", e.After, 0), To: e.To})
	}
	return out
}
