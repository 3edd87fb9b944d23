// Package engine is the one way in: a method a command, one transaction each, and the loops that close
// the differences between what is stored and what is so outside.
//
// Every surface hands its taps, forms and calls to a method here. A method reads the clock once, loads
// what core.Step needs, lets it decide, and writes everything it returns in the same transaction; only
// after the commit does it answer and wake whoever waits. No surface and no runtime is called inside a
// transaction.
//
// The loops are level-triggered. The runner closes "approved, but without an execution" and "an
// execution, but no recorded end"; the cards loop "a newer revision wanted than shown"; the watchdog "a
// deadline passed, but nothing ended". A wake is a hint, a slow look is the guarantee, and after a crash
// the same loops go on: beside noticing which executions died there is no second path for recovery.
//
// The package declares the small interfaces that it calls (ports.go) and knows neither os, net,
// net/http nor the store's engine. It holds no rule of the domain: those are core's.
package engine
