// Package planfile reads what people and programs write: plan files and configuration files in YAML
// or JSON, and the JSON bodies of requests. It is strict where the libraries under it are not, and
// it says of every fault where it stands: path, line, column and the line as it was written.
//
// A text goes through three rooms. A front end (yaml.go, json.go) turns it into nodes that know their
// places and keep the spelling of every scalar, so that 4.20 stays 4.20. The binder (bind.go) lays
// the nodes over a Go value by its json tags. Place and Locate find a path again in the text, for
// faults that a later rule found.
//
// What may not live here: rules about plans (they are core's), reading files or the network, and
// making text safe for a terminal or a page (callers do that; Source and messages carry text as it
// was written).
package planfile
