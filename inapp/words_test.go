package inapp

import (
	"reflect"
	"testing"
)

// A language that leaves a word out would show a gap, or call a function that is not there.
func TestEveryLanguageFillsEveryWord(t *testing.T) {
	for _, w := range []*words{&english, &french} {
		v := reflect.ValueOf(*w)
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; v.Field(i).IsZero() {
				t.Errorf("%s: %s is empty", w.Lang, name)
			}
		}
		if len(w.Events) != len(english.Events) || len(w.Refusals) != len(english.Refusals) {
			t.Errorf("%s: %d events and %d refusals, English has %d and %d", w.Lang, len(w.Events), len(w.Refusals), len(english.Events), len(english.Refusals))
		}
	}
}
