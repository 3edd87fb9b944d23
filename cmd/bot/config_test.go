package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holdpoint/core"
)

// configured loads a configuration as a command would, in a directory of its own.
func configured(t *testing.T, file string, environ []string, flags map[string]any) (Config, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	name := ""
	if file != "" {
		name = "c.yaml"
		if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return loadConfig(name, func() []string { return environ }, flags)
}

func TestPrecedenceOfTheConfiguration(t *testing.T) {
	for _, tc := range []struct {
		key, file, variable, fromEnv string
		get                          func(Config) any
		fallback, inFile, inEnv      any
		flag                         string
	}{
		{key: "data_dir", file: "data_dir: from-file", variable: "HOLDPOINT_DATA_DIR", fromEnv: "from-env",
			get: func(c Config) any { return c.DataDir }, fallback: "./holdpoint-data", inFile: "from-file", inEnv: "from-env", flag: "from-flag"},
		{key: "listen", file: "listen: 127.0.0.1:1", variable: "HOLDPOINT_LISTEN", fromEnv: "127.0.0.1:2",
			get: func(c Config) any { return c.Listen }, fallback: "127.0.0.1:8420", inFile: "127.0.0.1:1", inEnv: "127.0.0.1:2", flag: "127.0.0.1:3"},
		{key: "public_url", file: "public_url: https://a.example", variable: "HOLDPOINT_PUBLIC_URL", fromEnv: "https://b.example",
			get: func(c Config) any { return c.PublicURL }, fallback: "", inFile: "https://a.example", inEnv: "https://b.example"},
		{key: "language", file: "language: fr", variable: "HOLDPOINT_LANGUAGE", fromEnv: "en",
			get: func(c Config) any { return c.Language }, fallback: "en", inFile: "fr", inEnv: "en"},
		{key: "timezone", file: "timezone: Europe/Paris", variable: "HOLDPOINT_TIMEZONE", fromEnv: "Asia/Tokyo",
			get: func(c Config) any { return c.Timezone }, fallback: "Local", inFile: "Europe/Paris", inEnv: "Asia/Tokyo"},
		{key: "people", file: "people: [{name: ana, roles: [approver]}]", variable: "HOLDPOINT_PEOPLE", fromEnv: "[{name: bo}]",
			get: func(c Config) any { return c.People }, fallback: []PersonConfig(nil), inFile: []PersonConfig{{Name: "ana", Roles: []string{"approver"}}}, inEnv: []PersonConfig{{Name: "bo"}}},
		{key: "plans", file: "plans: {vacuum: a.yaml, other: o.yaml}", variable: "HOLDPOINT_PLANS", fromEnv: `{"vacuum": "b.yaml"}`,
			get: func(c Config) any { return c.Plans }, fallback: map[string]string(nil), inFile: map[string]string{"vacuum": "a.yaml", "other": "o.yaml"}, inEnv: map[string]string{"vacuum": "b.yaml"}},
		{key: "limits.running", file: "limits: {running: 4}", variable: "HOLDPOINT_LIMITS_RUNNING", fromEnv: "7",
			get: func(c Config) any { return c.Limits.Running }, fallback: 0, inFile: 4, inEnv: 7},
		{key: "decide_in", file: "decide_in: {high: [inapp]}", variable: "HOLDPOINT_DECIDE_IN", fromEnv: "{low: [slack]}",
			get: func(c Config) any { return c.DecideIn }, fallback: map[string][]string(nil), inFile: map[string][]string{"high": {"inapp"}}, inEnv: map[string][]string{"low": {"slack"}}},
		{key: "allow_self", file: "allow_self: true", variable: "HOLDPOINT_ALLOW_SELF", fromEnv: "false",
			get: func(c Config) any { return c.policy().AllowSelf }, fallback: true, inFile: true, inEnv: false},
	} {
		t.Run(tc.key, func(t *testing.T) {
			check := func(what, file string, environ []string, flags map[string]any, want any) {
				t.Helper()
				c, err := configured(t, file, environ, flags)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				if diff := cmp.Diff(want, tc.get(c)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", what, diff)
				}
			}
			set := []string{tc.variable + "=" + tc.fromEnv}
			check("the default", "", nil, nil, tc.fallback)
			check("the file before the default", tc.file, nil, nil, tc.inFile)
			check("the environment before the file", tc.file, set, nil, tc.inEnv)
			check("the environment alone", "", set, nil, tc.inEnv)
			check("an empty variable is not set", tc.file, []string{tc.variable + "="}, nil, tc.inFile)
			if tc.flag != "" {
				check("the flag before the environment", tc.file, set, map[string]any{tc.key: tc.flag}, tc.flag)
				check("an empty flag is not given", tc.file, set, map[string]any{tc.key: ""}, tc.inEnv)
			}
		})
	}
}

func TestEveryKeyHasItsVariable(t *testing.T) {
	for _, key := range configKeys {
		variable := envPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
		if got, _ := fromEnv(variable, "x"); got != key {
			t.Errorf("%s sets %q, want %s", variable, got, key)
		}
	}
	for _, foreign := range []string{envServer, envToken, envSession, "HOLDPOINT_SUMMARY", "HOLDPOINT_TASK"} {
		if got, _ := fromEnv(foreign, "x"); got != "" {
			t.Errorf("%s sets %q: it is no key", foreign, got)
		}
	}
}

func TestWrongConfigurationsAreRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		file    string
		environ []string
		path    string
		line    int
		words   string
	}{
		"an unknown key":                    {file: "language: en\nlang: fr", path: "lang", line: 2, words: "unknown"},
		"an unknown key of a person":        {file: "people:\n  - name: ana\n    slak: U1", path: "people[0].slak", line: 3, words: "unknown"},
		"a doubled key":                     {file: "language: en\nlanguage: fr", path: "language", line: 2, words: "line 1"},
		"another letter case":               {file: "Language: en", path: "Language", line: 1, words: "unknown"},
		"a wrong type":                      {file: "limits: {running: many}", path: "limits.running", line: 1},
		"people, but nobody":                {file: "language: en\npeople: []", path: "people", line: 2, words: "nobody"},
		"a person without a name":           {file: "people: [{roles: [admin]}]", path: "people[0].name", words: "blank"},
		"a name that a role could be":       {file: "people: [{name: 'role:dba'}]", path: "people[0].name", line: 1, words: "colon"},
		"a person twice":                    {file: "people:\n  - name: ana\n  - name: ana", path: "people[1].name", line: 3, words: "twice"},
		"an unknown language":               {file: "language: de", path: "language", line: 1, words: "en, fr"},
		"an unknown language of a person":   {file: "people: [{name: ana, language: de}]", path: "people[0].language", line: 1, words: "en, fr"},
		"an unknown time zone":              {file: "timezone: Mars/Olympus", path: "timezone", line: 1, words: "Europe/Paris"},
		"no address":                        {file: "listen: somewhere", path: "listen", line: 1, words: "host:port"},
		"a public address without a scheme": {file: "public_url: holdpoint.example.org", path: "public_url", line: 1, words: "https"},
		"an unknown risk":                   {file: "decide_in: {huge: [inapp]}", path: "decide_in.huge", line: 1, words: "low, medium or high"},
		"an unknown surface":                {file: "decide_in: {high: [fax]}", path: "decide_in.high[0]", line: 1, words: "slack, telegram, inapp"},
		"no surface at all":                 {file: "decide_in: {high: []}", path: "decide_in.high", line: 1, words: "nobody"},
		"fewer than no steps at a time":     {file: "limits: {running: -1}", path: "limits.running", line: 1},
		"a variable of a wrong type":        {environ: []string{"HOLDPOINT_ALLOW_SELF=perhaps"}, path: "allow_self"},
		"a variable that is no list":        {environ: []string{"HOLDPOINT_PEOPLE=ana"}, path: "people"},
		"people out of a variable, nobody":  {environ: []string{"HOLDPOINT_PEOPLE=[]"}, path: "people", words: "nobody"},
		"a right file, a wrong variable":    {file: "language: fr", environ: []string{"HOLDPOINT_LANGUAGE=de"}, path: "language", words: "en, fr"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := configured(t, tc.file, tc.environ, nil)
			refusal, ok := errors.AsType[*core.Error](err)
			if !ok || refusal.Code != core.CodeValidation || len(refusal.Fields) != 1 {
				t.Fatalf("got %v, want one fault", err)
			}
			f := refusal.Fields[0]
			if f.Path != tc.path || !strings.Contains(f.Message, tc.words) {
				t.Errorf("got %q: %q, want %q: %q", f.Path, f.Message, tc.path, tc.words)
			}
			if f.Line != tc.line && !(tc.line == 0 && tc.file != "" && len(tc.environ) == 0) {
				t.Errorf("got line %d, want %d", f.Line, tc.line)
			}
			if tc.line > 0 && !strings.Contains(explain(err), "c.yaml:") {
				t.Errorf("%q does not name the file", explain(err))
			}
		})
	}
}

func TestAConfigurationThatIsNamedHasToBeThere(t *testing.T) {
	_, err := loadConfig(filepath.Join(t.TempDir(), "absent.yaml"), func() []string { return nil }, nil)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want that it is not there", err)
	}
}

func TestWithoutPeopleThereIsOneOwner(t *testing.T) {
	c, err := configured(t, "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []core.Person{{Name: "owner", Roles: []string{core.RoleApprover, core.RoleAdmin}}}
	if diff := cmp.Diff(want, c.policy().People); diff != "" {
		t.Errorf("people (-want +got):\n%s", diff)
	}
	if !c.policy().AllowSelf {
		t.Error("owner may not approve what owner asked for: alone, nobody else could")
	}
	c, err = configured(t, "people: [{name: ana, roles: [approver]}]", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.policy().AllowSelf {
		t.Error("with people configured, who asks may approve, want that it has to be allowed")
	}
}
