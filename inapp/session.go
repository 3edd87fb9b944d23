package inapp

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"holdpoint/core"
)

// The names of our cookies. A __Host- name is taken by browsers only with Secure and Path=/, and from no
// other host; on plain http it can't be set.
const (
	cookieSecure = "__Host-holdpoint"
	cookiePlain  = "holdpoint"
	cookieNext   = "holdpoint-next" // where a person wanted to go before signing in
)

func (s *Server) cookieName() string {
	if s.secure() {
		return cookieSecure
	}
	return cookiePlain
}

// recognise finds the session and the person behind the cookie.
func (s *Server) recognise(v *visit) error {
	c, err := v.r.Cookie(s.cookieName())
	if err != nil || c.Value == "" {
		return core.Refuse(core.CodeUnauthorized, "", "nobody is signed in here")
	}
	actor, session, err := s.engine.WebSession(v.r.Context(), c.Value)
	if err != nil {
		return err
	}
	v.actor, v.session = actor, session
	if p, ok := s.engine.Policy().Find(actor.Name); ok {
		v.readsAs(p)
	}
	return nil
}

// readsAs takes a person's own language and time zone, where they are set.
func (v *visit) readsAs(p core.Person) {
	if p.Language != "" {
		v.words = wordsOf(p.Language)
	}
	if p.Timezone == "" {
		return
	}
	if zone, err := time.LoadLocation(p.Timezone); err == nil {
		v.zone = zone
	}
}

func (s *Server) setCookie(w http.ResponseWriter, name, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, Secure: s.secure(), SameSite: http.SameSiteLaxMode}) //nolint:gosec // Secure wherever people come over https
}

// rememberNext keeps the page that a person asked for, until they are signed in.
func (s *Server) rememberNext(v *visit) {
	path := v.r.URL.RequestURI()
	if v.r.Method == http.MethodPost && strings.HasPrefix(path, "/tasks/") {
		path = path[:strings.LastIndexByte(path, '/')] // the page whose form it was
	}
	if local(path) && path != "/" && path != "/live" && path != "/signout" && len(path) < 1024 {
		s.setCookie(v.w, cookieNext, url.QueryEscape(path), int(core.SignInLife/time.Second))
	}
}

// next is where to go after signing in.
func (s *Server) next(v *visit) string {
	path := v.r.PostForm.Get("next")
	if c, err := v.r.Cookie(cookieNext); path == "" && err == nil {
		path, _ = url.QueryUnescape(c.Value)
	}
	if !local(path) {
		return "/"
	}
	return path
}

// local says that a text is a path on this site: browsers read // and /\ as another host, and drop
// control characters before they read.
func local(path string) bool {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == '\\' || r == 0x7f }) {
		return false
	}
	u, err := url.Parse(path)
	return err == nil && u.Host == "" && u.Scheme == ""
}

// signInHelp says how a link is made.
func (s *Server) signInHelp(v *visit) error {
	return s.show(v, http.StatusOK, "message", page{Title: v.words.SignInTitle, Body: message{Lines: v.words.SignInHelp, Code: v.words.SignInCommand}})
}

// signInForm is what a sign-in link shows.
type signInForm struct {
	Person string
	Action string
	Next   string
}

// signInPage shows a button. It leaves the link as it is: mail scanners and previews open links too.
func (s *Server) signInPage(v *visit) error {
	if err := s.mayTry(v); err != nil {
		return err
	}
	secret := v.r.PathValue("secret")
	person, err := s.engine.SignInPerson(v.r.Context(), secret)
	if err != nil {
		return s.failedLink(v, err)
	}
	if p, ok := s.engine.Policy().Find(person); ok {
		v.readsAs(p)
	}
	next := v.r.URL.Query().Get("next")
	if !local(next) {
		next = ""
	}
	return s.show(v, http.StatusOK, "signin", page{Title: v.words.SignInTitle, Body: signInForm{Person: shown(person), Action: "/signin/" + url.PathEscape(secret), Next: next}})
}

// signIn consumes the link and opens a session. A session that was open here before is ended: its
// cookie is overwritten and nobody could end it any more.
func (s *Server) signIn(v *visit) error {
	if err := s.mayTry(v); err != nil {
		return err
	}
	cookie, _, err := s.engine.SignIn(v.r.Context(), v.r.PathValue("secret"))
	if err != nil {
		return s.failedLink(v, err)
	}
	if old, err := v.r.Cookie(s.cookieName()); err == nil && old.Value != "" {
		if err := s.engine.SignOut(v.r.Context(), old.Value); err != nil {
			return err
		}
	}
	s.setCookie(v.w, s.cookieName(), cookie, int(core.WebSessionAbsolute/time.Second))
	s.setCookie(v.w, cookieNext, "", -1)
	return seeOther(v, s.next(v))
}

// mayTry refuses an address that failed too often.
func (s *Server) mayTry(v *visit) error {
	wait := s.failures.blocked(address(v.r), v.now)
	if wait <= 0 {
		return nil
	}
	v.w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	return core.Refuse(core.CodeRateLimited, "", "too many sign-ins failed from here")
}

// failedLink counts a link that is not good. Its page is the answer to the link, not to a lost session.
func (s *Server) failedLink(v *visit, err error) error {
	if codeOf(err) != core.CodeUnauthorized {
		return err
	}
	s.failures.fail(address(v.r), v.now)
	lines := append([]string{v.words.BadLink}, v.words.SignInHelp...)
	return s.show(v, http.StatusUnauthorized, "message", page{Title: v.words.SignInTitle, Body: message{Lines: lines, Code: v.words.SignInCommand}})
}

// signOut ends the session.
func (s *Server) signOut(v *visit) error {
	c, err := v.r.Cookie(s.cookieName())
	if err != nil {
		return err
	}
	if err := s.engine.SignOut(v.r.Context(), c.Value); err != nil {
		return err
	}
	s.setCookie(v.w, s.cookieName(), "", -1)
	return seeOther(v, "/signin")
}

// seeOther sends the browser to a page after a POST, so that a reload asks for nothing again.
func seeOther(v *visit, path string) error {
	http.Redirect(v.w, v.r, path, http.StatusSeeOther)
	return nil
}
