package main

import (
	"fmt"
	"runtime/debug"
)

// version is set by the release build; else the module's own, as Go recorded it.
var version = ""

// VersionCmd tells the version.
type VersionCmd struct{}

// Run prints one line.
func (VersionCmd) Run(s std, g *Globals) error {
	if g.JSON {
		return writeJSON(s.out, map[string]string{"version": versionText()})
	}
	_, err := fmt.Fprintf(s.out, "holdpoint %s\n", versionText())
	return err
}

func versionText() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
