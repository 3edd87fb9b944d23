package api

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"holdpoint/core"
)

// planWords are the words of a plan that are a choice.
var planWords = map[string][]any{
	"task_kind": {string(core.KindTask), string(core.KindGoal)},
	"risk":      {string(core.RiskLow), string(core.RiskMedium), string(core.RiskHigh)},
	"on_expiry": {string(core.ExpiryHold), string(core.ExpiryRenew), string(core.ExpiryCancel)},
	"overlap":   {"skip", "allow", "replace"},
}

// PlanSchema gives the JSON Schema of plan files, made from the types that they are read into. It says
// what an editor can know; the rules that need more are those of core.NewPlan.
func PlanSchema() ([]byte, error) {
	const defs = "#/$defs/"
	r := huma.NewMapRegistry(defs, huma.DefaultSchemaNamer)
	aliases(r)
	top := r.Schema(reflect.TypeFor[core.PlanInput](), true, "Plan")
	for _, schema := range r.Map() {
		honest(schema)
		for name, words := range planWords {
			if property, ok := schema.Properties[name]; ok {
				property.Enum = words
			}
		}
		for _, property := range schema.Properties {
			if property.Type == huma.TypeInteger {
				property.Nullable, property.Minimum = false, new(1.0)
			}
		}
	}
	out, err := json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "a holdpoint plan", "$ref": top.Ref, "$defs": r.Map(),
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the schema: %w", err)
	}
	return append(out, '\n'), nil
}
