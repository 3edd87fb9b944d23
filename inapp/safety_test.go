package inapp_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
)

const one = "title: T\ncheckpoints: [{title: one, run: ./one.sh}]"

// paths are all pages of a site with one task in a state to look at.
func paths(s *site, task core.Task, link string) []string {
	a, t := s.approval(task), "/tasks/"+task.ID
	return []string{
		"/", "/tasks", "/tasks?state=rejected", t, t + "/log?execution=none", t + "/retry", t + "/resolve", t + "/pause", t + "/resume", t + "/cancel",
		a, a + "/approve", a + "/reject", a + "?decision=approve", "/approvals/a_000000", "/signin", link, "/signin/none", "/signout", "/static/none", "/no/such/page",
	}
}

func TestGetAndHeadChangeNothing(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask(one)
		b, link := s.as("bo"), s.link("chloe")
		synctest.Wait()
		before := s.head()
		for _, path := range paths(s, task, link) {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				got := b.send(method, path, nil, nil)
				if method == http.MethodHead && got.Body.Len() > 0 {
					t.Errorf("HEAD %s has a body", path)
				}
				if got.Code >= 500 {
					t.Errorf("%s %s: %d", method, path, got.Code)
				}
				if now := s.head(); now != before {
					t.Fatalf("%s %s wrote %d rows into the audit", method, path, now-before)
				}
			}
		}
		if got := s.browser().post(link, nil); got.Code != http.StatusSeeOther {
			t.Errorf("the link is used up by looking at it: %d", got.Code)
		}
	})
}

func TestMethodsAndAddressesThatNobodyTakes(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask(one)
		b := s.as("bo")
		for _, c := range []struct {
			method, path, allow string
			status              int
		}{
			{http.MethodGet, "/tasks/" + task.ID + "/retry", "POST", 405},
			{http.MethodGet, "/signout", "POST", 405},
			{http.MethodPost, "/", "GET, HEAD", 405},
			{http.MethodDelete, s.approval(task), "GET, HEAD, POST", 405},
			{http.MethodPut, "/tasks", "GET, HEAD", 405},
			{http.MethodGet, "/approvals/", "", 404},
			{http.MethodGet, "/approvals/a_0000000000", "", 404},
			{http.MethodGet, "/tasks/t_0000000000", "", 404},
			{http.MethodGet, "/tasks/..%2f..%2fetc%2fpasswd", "", 404},
			{http.MethodGet, "/nothing", "", 404},
			{http.MethodPost, "/nothing", "", 404},
			{http.MethodGet, "/tasks?state=strange", "", 422},
		} {
			got := b.send(c.method, c.path, nil, nil)
			if got.Code != c.status || got.Header().Get("Allow") != c.allow {
				t.Errorf("%s %s: %d, Allow %q; want %d, %q", c.method, c.path, got.Code, got.Header().Get("Allow"), c.status, c.allow)
			}
			wants(t, got.text(), "<h1>")
		}
	})
}

func TestEveryAnswerCarriesTheHeaders(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask(one)
		b, link := s.as("bo"), s.link("chloe")
		style := between(b.get("/").text(), `rel="stylesheet" href="`, `"`)
		for _, path := range append(paths(s, task, link), style) {
			h := b.get(path).Header()
			for name, want := range map[string]string{
				"Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
				"X-Content-Type-Options":  "nosniff",
				"Referrer-Policy":         "no-referrer",
			} {
				if h.Get(name) != want {
					t.Errorf("%s: %s is %q", path, name, h.Get(name))
				}
			}
			if private := h.Get("Cache-Control") == "no-store"; private == (path == style) {
				t.Errorf("%s: Cache-Control is %q", path, h.Get("Cache-Control"))
			}
		}
		got := b.send(http.MethodGet, style, nil, func(r *http.Request) { r.Header.Set("If-None-Match", b.get(style).Header().Get("ETag")) })
		if got.Code != http.StatusNotModified || got.Body.Len() > 0 {
			t.Errorf("an unchanged style: %d with %d bytes", got.Code, got.Body.Len())
		}
	})
}

func TestFormsOfOthersDecideNothing(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask(one)
		b, path := s.as("bo"), s.approval(task)
		good := form(t, b.get(path).text(), path)
		without := func(name string) url.Values {
			f := url.Values{}
			for k, v := range good {
				if k != name {
					f[k] = v
				}
			}
			return f
		}
		with := func(name, value string) url.Values { f := without(name); f.Set(name, value); return f }
		header := func(name, value string) func(*http.Request) {
			return func(r *http.Request) { r.Header.Set(name, value) }
		}
		bare := func(r *http.Request) { r.Header.Del("Origin"); r.Header.Del("Sec-Fetch-Site") }
		for name, c := range map[string]struct {
			form   url.Values
			edit   func(*http.Request)
			status int
		}{
			"from another site":                  {good, header("Sec-Fetch-Site", "cross-site"), 403},
			"from another host of the site":      {good, header("Sec-Fetch-Site", "same-site"), 403},
			"from a foreign origin":              {good, func(r *http.Request) { bare(r); r.Header.Set("Origin", "https://evil.example") }, 403},
			"from a page without origin":         {good, func(r *http.Request) { bare(r); r.Header.Set("Origin", "null") }, 403},
			"without any header and token":       {without("csrf_token"), bare, 403},
			"without a token":                    {without("csrf_token"), nil, 403},
			"with an empty token":                {with("csrf_token", ""), nil, 403},
			"with the token of another":          {with("csrf_token", form(t, s.as("ana").get(path).text(), path).Get("csrf_token")), nil, 403},
			"with the token in the address":      {without("csrf_token"), func(r *http.Request) { r.URL.RawQuery = "csrf_token=" + good.Get("csrf_token") }, 403},
			"as JSON":                            {good, header("Content-Type", "application/json"), 403},
			"with a field twice":                 {url.Values{"csrf_token": good["csrf_token"], "decision": {"reject", "approve"}}, nil, 422},
			"larger than 64 KiB":                 {with("reason", strings.Repeat("x", 65<<10)), nil, 413},
			"with a reason above 4096 bytes":     {with("reason", strings.Repeat("x", 4097)), nil, 422},
			"with a reason that is not text":     {with("reason", "\xff\xfe"), nil, 422},
			"with a verdict that nobody knows":   {with("decision", "always"), nil, 422},
			"with another fingerprint":           {with("fingerprint", "v1:00"), nil, 409},
			"with the id of another request":     {with("approval", "a_00000000"), nil, 409},
			"signed out":                         {good, func(r *http.Request) { r.Header.Del("Cookie") }, 401},
			"with a cookie that an attacker set": {good, func(r *http.Request) { r.Header.Set("Cookie", "holdpoint=known-to-the-attacker") }, 401},
		} {
			got := b.send(http.MethodPost, path, c.form, c.edit)
			if got.Code != c.status {
				t.Errorf("%s: %d instead of %d\n%s", name, got.Code, c.status, plain(got.text()))
			}
			if d := s.World.Task(task.ID); len(d.Approval.Decisions) > 0 || d.Task.State != core.TaskAwaiting {
				t.Fatalf("%s: something was decided", name)
			}
		}
		if got := b.post(path, good); got.Code != http.StatusSeeOther {
			t.Errorf("the good form: %d", got.Code)
		}
	})
}

func TestALinkSignsInOnceAndInTime(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		link := s.link("bo")
		if got := s.browser().post(link, nil); got.Code != http.StatusSeeOther {
			t.Fatalf("the first use: %d", got.Code)
		}
		for _, got := range []answer{s.browser().post(link, nil), s.browser().get(link)} {
			if got.Code != http.StatusUnauthorized || len(got.Result().Cookies()) > 0 {
				t.Errorf("a used link: %d, cookies %v", got.Code, got.Result().Cookies())
			}
			wants(t, got.text(), "Nobody was signed in.", "holdpoint signin --person NAME")
		}
		late := s.link("bo")
		time.Sleep(core.SignInLife - time.Millisecond)
		if got := s.browser().get(late); got.Code != http.StatusOK {
			t.Errorf("a millisecond before its end: %d", got.Code)
		}
		time.Sleep(time.Millisecond)
		if got := s.browser().post(late, nil); got.Code != http.StatusUnauthorized {
			t.Errorf("at its end: %d", got.Code)
		}
		forged := s.browser().send(http.MethodPost, s.link("bo"), url.Values{}, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") })
		if forged.Code != http.StatusForbidden {
			t.Errorf("a link pressed by another site: %d", forged.Code)
		}
	})
}

func TestFailedSignInsAreLimitedByAddress(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		b := s.browser()
		for range 10 {
			if got := b.post("/signin/guess", nil); got.Code != http.StatusUnauthorized {
				t.Fatalf("a wrong link: %d", got.Code)
			}
		}
		good := s.link("bo")
		got := b.post(good, nil)
		if got.Code != http.StatusTooManyRequests || got.Header().Get("Retry-After") != "600" {
			t.Errorf("after ten failures: %d, Retry-After %q", got.Code, got.Header().Get("Retry-After"))
		}
		other := s.browser()
		other.addr = "192.0.2.8:1"
		if got := other.get(good); got.Code != http.StatusOK {
			t.Errorf("from another address: %d", got.Code)
		}
		time.Sleep(10 * time.Minute)
		if got := b.get(s.link("bo")); got.Code != http.StatusOK {
			t.Errorf("ten minutes later: %d", got.Code)
		}
	})
}

func TestSessions(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		b := s.as("bo")
		first := b.cookies["holdpoint"]
		if !first.HttpOnly || first.SameSite != http.SameSiteLaxMode || first.Path != "/" || first.Secure {
			t.Errorf("the cookie on http: %+v", first)
		}
		if got := b.post(s.link("bo"), nil); got.Code != http.StatusSeeOther || b.cookies["holdpoint"].Value == first.Value {
			t.Errorf("signing in again: %d, the same cookie: %t", got.Code, b.cookies["holdpoint"].Value == first.Value)
		}
		old := s.browser()
		old.cookies["holdpoint"] = first
		if got := old.get("/"); got.Code != http.StatusUnauthorized {
			t.Errorf("the session before it: %d", got.Code)
		}
		if tab := *b; tab.get("/").Code != http.StatusOK || b.get("/").Code != http.StatusOK {
			t.Error("two tabs of one session")
		}
		kept := b.cookies["holdpoint"]
		if got := b.press(b.get("/").text(), "/signout"); got.Code != http.StatusSeeOther || got.where() != "/signin" {
			t.Errorf("signing out: %d to %s", got.Code, got.where())
		}
		b.cookies["holdpoint"] = kept
		if got := b.get("/"); got.Code != http.StatusUnauthorized {
			t.Errorf("the cookie after signing out: %d", got.Code)
		}
		idle := s.as("bo")
		time.Sleep(core.WebSessionIdle)
		if got := idle.get("/"); got.Code != http.StatusUnauthorized {
			t.Errorf("after half an hour without a page: %d", got.Code)
		}
		gone := s.as("bo")
		s.Engine.SetPolicy(core.Policy{People: []core.Person{{Name: "ana", Roles: []string{core.RoleApprover}}}})
		if got := gone.get("/"); got.Code != http.StatusUnauthorized {
			t.Errorf("a person who left the configuration: %d", got.Code)
		}
	})
}

func TestOverHTTPSTheCookieIsBoundToTheHost(t *testing.T) {
	withURL(t, "https://holdpoint.test", func(t *testing.T, s *site) {
		b := s.as("bo")
		c := b.cookies["__Host-holdpoint"]
		if c == nil || !c.Secure || c.Path != "/" || c.Domain != "" {
			t.Fatalf("cookie: %+v", c)
		}
		task := s.StartTask(one)
		path := s.approval(task)
		got := b.send(http.MethodPost, path, form(t, b.get(path).text(), path), func(r *http.Request) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "http://holdpoint.test")
		})
		if got.Code != http.StatusForbidden {
			t.Errorf("the same host without TLS: %d", got.Code)
		}
	})
}

func TestSigningInLeadsBackToThePage(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		task := s.StartTask(one)
		path := s.approval(task)
		b := s.browser()
		got := b.get(path + "?x=1")
		if got.Code != http.StatusUnauthorized {
			t.Fatalf("signed out: %d", got.Code)
		}
		wants(t, got.text(), "Signed out", "holdpoint signin --person NAME", "you come back to this page")
		if got := b.post(s.link("bo"), nil); got.where() != path+"?x=1" {
			t.Errorf("back to %q", got.where())
		}
		for next, want := range map[string]string{
			"/tasks": "/tasks", "//evil.example": "/", "https://evil.example/": "/", `/\evil.example`: "/", "/\t/evil.example": "/", "javascript:alert(1)": "/", "": "/",
		} {
			if got := s.browser().post(s.link("bo"), url.Values{"next": {next}}); got.where() != want {
				t.Errorf("next %q leads to %q, want %q", next, got.where(), want)
			}
		}
	})
}

func TestForeignTextIsInert(t *testing.T) {
	const evil = `</title></textarea><script>alert(1)</script>"'><img src=x onerror=y>{{.CSRF}}`
	inSite(t, func(t *testing.T, s *site) {
		plan := s.Plan(one)
		plan.Title, plan.Vars, plan.Env = evil, map[string]string{"V": evil}, map[string]string{"E": evil}
		c := &plan.Checkpoints[0]
		c.Title, c.Detail, c.Run.Line, c.Note, c.Env = evil, evil, evil, evil+"\u202e", plan.Env
		plan.Checkpoints = append(plan.Checkpoints, *c)
		plan.Checkpoints[1].Title = "second"
		task, _, err := s.Engine.StartTask(t.Context(), engine.StartTask{Actor: core.Actor{Kind: core.ActorOperator, Name: evil}, Plan: plan})
		if err != nil {
			t.Fatal(err)
		}
		b, first := s.as("bo"), s.approval(task)
		look := func(list ...string) {
			for _, path := range list {
				page := b.get(path).text()
				lacks(t, page, "<script>alert", "<img", "onerror=y>", "\u202e", "</textarea><")
				if form := strings.Count(page, "<form"); form > 0 {
					lacks(t, strings.ReplaceAll(page, `name="csrf_token" value="`+between(page, `name="csrf_token" value="`, `"`), ""), between(page, `name="csrf_token" value="`, `"`))
				}
			}
		}
		home := "/tasks/" + task.ID
		look("/", "/tasks", home, first, first+"/reject")
		wants(t, b.get(first).text(), "⟨U+202E⟩", "<script>alert(1)")
		b.press(b.get(first).text(), first)
		x := s.end(engine.Sighting{Summary: evil}, evil+"\x1b[2K"+evil)
		look("/", home, first, home+"/log?execution="+x)
		wants(t, b.get(home+"/log?execution="+x).text(), "⟨U+001B⟩[2K", "<script>alert(1)")
		second := s.approval(task)
		b.post(second, url.Values{"csrf_token": {form(t, b.get("/").text(), "/signout").Get("csrf_token")}, "decision": {"reject"}, "reason": {evil}})
		look("/", home, second)
		wants(t, b.get(home).text(), "<script>alert(1)")
	})
}

// between gives what stands between two texts.
func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}
