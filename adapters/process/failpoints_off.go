//go:build !failpoints

package process

// withFailpoints changes nothing in this build.
func withFailpoints(env []string) []string { return env }
