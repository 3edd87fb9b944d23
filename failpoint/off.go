//go:build !failpoints

package failpoint

// Hit does nothing and returns nil: this build has no failpoints. With the tag
// `failpoints` it does what HOLDPOINT_FAILPOINTS says for the name; the caller
// treats its error like a failure of the operation that stands beside it.
func Hit(string) error { return nil }
