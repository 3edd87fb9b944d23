// Package examples proves that the examples of this folder work: its test takes the scripts out of the
// files, as the systems that they are for would, and runs them against a real daemon on the loopback.
//
// What lives here: files that people copy, and that test. What may not: anything that the program uses.
package examples
