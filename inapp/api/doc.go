// Package api is the HTTP API under /api/v1, the health endpoints at the root, and the Go client that
// the commands use. Server and client share their types, so that neither can drift from the other; the
// OpenAPI document is made from them too.
//
// A request goes through the same rooms in the same order: an id and the security headers (server.go),
// its route or a problem (server.go), its token (auth.go), then, and only then, its body: bounded,
// of the right type, read strictly (body.go). A handler is a few lines: one command of the engine, and
// the shape of its answer (the *_view.go files). Every refusal becomes a problem document in one place
// (problem.go).
//
// What may not live here: rules about who may do what or what may happen (they are core's), sessions by
// cookie (the page has its own actions), sentences about a task (they are those of summaries).
package api
