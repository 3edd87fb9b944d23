// Package holdpoint is the root of the repository and holds no code of the
// product.
//
// holdpoint turns a plan into a governed task that waits at every checkpoint
// until a named person releases it. The program is built from cmd/bot; the
// rules are in core, the one way to change a record is core/engine, and
// CONTRIBUTING.md shows the other rooms.
//
// What lives here are the tests that keep the house as docs/design.md draws
// it: who may import whom, where the clock may be read, how long a file may
// grow, which failpoints exist. What may not live here: anything that another
// package would import.
package holdpoint
