// Package inapp is the in-app surface: pages rendered on the server, plain
// forms, sign-in links and one stream of events. It is always on, and it is
// whole without JavaScript; the one script only fetches the same page again
// when something changed.
//
// What lives here: routes, sessions in cookies, the words of pages, and the
// shapes that templates print. What may not: rules. Who may do what is asked of
// core.May, what happened is told by the engine, and the words of cards come
// from summaries.
//
// # What every answer keeps to
//
//   - GET and HEAD change nothing. A sign-in link's GET shows a button; its POST
//     consumes the link.
//   - A POST passes [net/http.CrossOriginProtection] first, then the session,
//     then the token that the session's forms carry, and only then is its form
//     looked at.
//   - Foreign text goes through summaries.Visible or Block exactly once, where a
//     view is made; templates print views and nothing else.
//   - A decision is told to the person after the engine returned, by reading the
//     record again: the page after a POST is the page that any later GET shows.
//   - Pages are never cached, and no answer carries a Referer onward, since the
//     address of a sign-in link is a secret.
package inapp
