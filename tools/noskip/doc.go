// Command noskip reads `go test -json` on standard input, prints what plain
// `go test` would print, and ends with a list of the tests that were skipped.
//
//	go test -json ./... | noskip
//
// It exits 1 when a test or a build failed and, with HOLDPOINT_NO_SKIP=1, also
// when a test was skipped or none ran at all: where everything that tests need
// is installed, a skip is a test that nobody runs.
//
// What may not live here: anything that needs a module, since it is built on
// every machine before the first test.
package main
