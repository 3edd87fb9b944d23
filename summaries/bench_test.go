package summaries_test

import (
	"strings"
	"testing"

	"holdpoint/summaries"
)

func BenchmarkVisible(b *testing.B) {
	for name, unit := range map[string]string{
		"plain":   "pg_dump orders | gzip > backups/orders.gz; ",
		"lines":   "2026-11-30 validation: 12,403,118 rows ok\n",
		"French":  "Bascule après l’été : « prêt », cœur, façade ",
		"Russian": "обновить PostgreSQL и проверить данные ",
		"hostile": "prоd\u202e\u200b\xff    ✅⟨ ",
	} {
		text := strings.Repeat(unit, 64<<10/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				summaries.Block(text)
				summaries.Visible(text)
			}
		})
	}
}

func BenchmarkCut(b *testing.B) {
	for name, unit := range map[string]string{"plain": "a", "French": "é", "escapes": "⟨U+202E⟩"} {
		text := strings.Repeat(unit, 1<<20/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				summaries.Cut(text, summaries.Limit{Max: 3_000, Unit: summaries.UTF16, Missing: notShown})
			}
		})
	}
}
