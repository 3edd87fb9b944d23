//go:build failpoints

package process

import "os"

// withFailpoints lets a kill test reach the supervisor, whose environment is
// otherwise the step's alone.
func withFailpoints(env []string) []string {
	if points, set := os.LookupEnv("HOLDPOINT_FAILPOINTS"); set {
		return append(env, "HOLDPOINT_FAILPOINTS="+points)
	}
	return env
}
