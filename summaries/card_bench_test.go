package summaries_test

import "testing"

func BenchmarkForApproval(b *testing.B) {
	for _, sc := range scenes() {
		switch sc.name {
		case "pending-high", "pending-hostile", "pending-40000-bytes":
			b.Run(sc.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_ = inChat(sc.in).Text()
				}
			})
		}
	}
}
