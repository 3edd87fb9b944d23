package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/v2"

	"holdpoint/core"
	"holdpoint/planfile"
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
	from, err := loadFile(k, file)
	if err != nil {
		return Config{}, err
	}
	written := k.Raw()
	provider := env.Provider(".", env.Opt{Prefix: envPrefix, EnvironFunc: environ, TransformFunc: fromEnv})
	if err := k.Load(provider, nil, koanf.WithMergeFunc(replace)); err != nil {
		return Config{}, fmt.Errorf("reading the environment: %w", err)
	}
	maps.DeleteFunc(flags, func(_ string, v any) bool { return v == "" })
	if err := k.Load(confmap.Provider(flags, "."), nil, koanf.WithMergeFunc(replace)); err != nil {
		return Config{}, fmt.Errorf("reading the flags: %w", err)
	}
	merged, err := json.Marshal(k.Raw())
	if err != nil {
		return Config{}, fmt.Errorf("joining file, environment and flags: %w", err)
	}
	var c Config
	if err := planfile.Decode(merged, &c, planfile.Options{}); err != nil {
		return Config{}, from.fault(err, written, k.Raw())
	}
	if err := c.complete(); err != nil {
		return Config{}, from.fault(err, written, k.Raw())
	}
	return c, nil
}

// replace lays one source over those below it: a key that is given is given whole, but for limits,
// whose parts have variables of their own.
func replace(over, under map[string]any) error {
	for key, value := range over {
		below, nested := under[key].(map[string]any)
		if parts, ok := value.(map[string]any); ok && nested && key == "limits" {
			maps.Copy(below, parts)
			continue
		}
		under[key] = value
	}
	return nil
}

// loadFile reads the file strictly, so that a fault has its place in it.
func loadFile(k *koanf.Koanf, file string) (configFile, error) {
	f := configFile{name: cmp.Or(file, defaultConfigFile)}
	var err error
	f.text, err = os.ReadFile(f.name)
	if errors.Is(err, fs.ErrNotExist) && file == "" {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("reading the configuration: %w", err)
	}
	var c Config
	if err := planfile.Decode(f.text, &c, planfile.Options{}); err != nil {
		return f, &fileError{name: f.name, err: err}
	}
	b, err := json.Marshal(c)
	if err != nil {
		return f, fmt.Errorf("reading %s: %w", f.name, err)
	}
	tree := map[string]any{}
	if err := json.Unmarshal(b, &tree); err != nil {
		return f, fmt.Errorf("reading %s: %w", f.name, err)
	}
	return f, k.Load(confmap.Provider(tree, ""), nil)
}

// configFile is a configuration as it was written; without one the text is empty.
type configFile struct {
	name string
	text []byte
}

// fault tells the faults of what file, environment and flags came to together. Those of keys that still
// are as the file has them get their place in it; of the others the path alone is known.
func (f configFile) fault(err error, written, merged map[string]any) error {
	refusal, ok := errors.AsType[*core.Error](err)
	if !ok || len(refusal.Fields) == 0 {
		return fmt.Errorf("the configuration: %w", err)
	}
	faults := make([]core.FieldError, len(refusal.Fields))
	placed := false
	for i, one := range refusal.Fields {
		key, _, _ := strings.Cut(one.Path, ".")
		key, _, _ = strings.Cut(key, "[")
		faults[i] = core.FieldError{Path: one.Path, Message: one.Message}
		if _, inFile := written[key]; inFile && reflect.DeepEqual(written[key], merged[key]) {
			faults[i] = planfile.Place(f.text, "", faults[i:i+1])[0]
			placed = placed || faults[i].Line > 0
		}
	}
	if !placed {
		return fmt.Errorf("the configuration (file, environment and flags together): %w", core.Invalid(faults...))
	}
	return &fileError{name: f.name, err: core.Invalid(faults...)}
}

// fromEnv takes the variables that name a key; the others that begin with the prefix are commands' own
// (HOLDPOINT_SERVER, HOLDPOINT_TOKEN) or those of a step.
func fromEnv(name, value string) (string, any) {
	name = strings.ToLower(strings.TrimPrefix(name, envPrefix))
	i := slices.IndexFunc(configKeys, func(key string) bool { return strings.ReplaceAll(key, ".", "_") == name })
	if i < 0 || value == "" { // an empty variable is one that is not set
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
