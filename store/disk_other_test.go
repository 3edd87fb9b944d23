//go:build !linux

package store_test

import "testing"

func smallDisk(t *testing.T, _ int) string {
	t.Helper()
	t.Skip("SKIPPED: a small disk is made on Linux only")
	return ""
}
