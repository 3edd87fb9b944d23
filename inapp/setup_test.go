package inapp_test

import (
	"bytes"
	"context"
	"html"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holdpoint/core"
	"holdpoint/core/engine"
	"holdpoint/fixtures/world"
	"holdpoint/inapp"
)

// base is where people of these tests reach the page.
const base = "http://holdpoint.test"

// logs are the outputs of executions, by id.
type logs map[string]string

func (l logs) OpenLog(id string) (io.ReadSeekCloser, error) {
	text, ok := l[id]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return struct {
		io.ReadSeeker
		io.Closer
	}{strings.NewReader(text), io.NopCloser(nil)}, nil
}

// site is a world with its pages.
type site struct {
	*world.World
	t     testing.TB
	mux   *http.ServeMux
	pages *inapp.Server
	logs  logs
	url   string
}

// inSite runs a test in a bubble of its own time, over a world with pages.
func inSite(t *testing.T, fn func(t *testing.T, s *site)) {
	t.Helper()
	withURL(t, base, fn)
}

func withURL(t *testing.T, public string, fn func(t *testing.T, s *site)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &site{World: world.New(t), t: t, logs: logs{}, url: public}
		defer s.Stop()
		s.open(inapp.Options{Engine: s.Engine, Logs: s.logs, PublicURL: public, Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
		fn(t, s)
	})
}

func (s *site) open(o inapp.Options) {
	s.mux, s.pages = http.NewServeMux(), inapp.New(o)
	s.pages.Register(s.mux)
}

// link makes a sign-in link's path.
func (s *site) link(person string) string {
	s.t.Helper()
	secret, _, err := s.Engine.NewSignIn(context.Background(), s.Person("ana"), person)
	if err != nil {
		s.t.Fatalf("a sign-in link for %s: %v", person, err)
	}
	return "/signin/" + secret
}

// browser keeps cookies and sends what browsers send.
type browser struct {
	s       *site
	cookies map[string]*http.Cookie
	addr    string
}

func (s *site) browser() *browser {
	return &browser{s: s, cookies: map[string]*http.Cookie{}, addr: "192.0.2.7:4711"}
}

// as signs a person in.
func (s *site) as(person string) *browser {
	s.t.Helper()
	b := s.browser()
	if got := b.post(s.link(person), nil); got.Code != http.StatusSeeOther {
		s.t.Fatalf("signing %s in: %d\n%s", person, got.Code, got.Body)
	}
	return b
}

type answer struct{ *httptest.ResponseRecorder }

func (a answer) text() string { return a.Body.String() }

// where is the path to which an answer sends the browser.
func (a answer) where() string { return a.Header().Get("Location") }

func (b *browser) send(method, path string, form url.Values, edit func(*http.Request)) answer {
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r := httptest.NewRequest(method, b.s.url+path, body)
	r.RemoteAddr = b.addr
	if form != nil || method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", b.s.url)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for _, c := range b.cookies {
		r.AddCookie(c)
	}
	if edit != nil {
		edit(r)
	}
	w := httptest.NewRecorder()
	b.s.mux.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		} else {
			b.cookies[c.Name] = c
		}
	}
	return answer{w}
}

// get asks for a page once the daemon has nothing more to do.
func (b *browser) get(path string) answer {
	synctest.Wait()
	return b.send(http.MethodGet, path, nil, nil)
}

func (b *browser) post(path string, form url.Values) answer {
	if form == nil {
		form = url.Values{}
	}
	return b.send(http.MethodPost, path, form, nil)
}

// follow gets the page that an answer sends to.
func (b *browser) follow(a answer) answer {
	b.s.t.Helper()
	if a.Code != http.StatusSeeOther {
		b.s.t.Fatalf("status %d instead of 303\n%s", a.Code, a.Body)
	}
	return b.get(a.where())
}

var (
	formTag  = regexp.MustCompile(`(?s)<form[^>]*action="([^"]*)"[^>]*>.*?</form>`)
	inputTag = regexp.MustCompile(`<(?:input|button)[^>]*\bname="([^"]*)"[^>]*\bvalue="([^"]*)"`)
)

// form gives the fields of a page's form, as a click on its button sends them; a button outside of the
// form is the caller's to add.
func form(t testing.TB, page, action string) url.Values {
	t.Helper()
	for _, m := range formTag.FindAllStringSubmatch(page, -1) {
		if m[1] != action {
			continue
		}
		out := url.Values{}
		for _, in := range inputTag.FindAllStringSubmatch(m[0], -1) {
			out.Set(in[1], in[2])
		}
		return out
	}
	t.Fatalf("the page has no form for %s:\n%s", action, page)
	return nil
}

// press sends a form of a page.
func (b *browser) press(page, action string, more ...string) answer {
	b.s.t.Helper()
	f := form(b.s.t, page, action)
	for i := 0; i < len(more); i += 2 {
		f.Set(more[i], more[i+1])
	}
	return b.post(action, f)
}

// approval is the path of a task's current approval.
func (s *site) approval(task core.Task) string {
	return "/approvals/" + s.World.Task(task.ID).Approval.ID
}

// end ends the one live execution.
func (s *site) end(seen engine.Sighting, printed string) string {
	s.t.Helper()
	synctest.Wait()
	live := s.Runtime.Live()
	if len(live) != 1 {
		s.t.Fatalf("%d executions live", len(live))
	}
	if printed != "" {
		s.logs[live[0]] = printed
	}
	s.Runtime.End(live[0], seen)
	synctest.Wait()
	return live[0]
}

// sleep moves the clock of the bubble.
func sleep(d time.Duration) { time.Sleep(d) }

// head is the audit's newest number.
func (s *site) head() int64 {
	n, err := s.Engine.EventHead(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

func wants(t testing.TB, page string, texts ...string) {
	t.Helper()
	page = html.UnescapeString(page)
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q:\n%s", text, plain(page))
		}
	}
}

func lacks(t testing.TB, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(page, text) {
			t.Errorf("the page says %q:\n%s", text, plain(page))
		}
	}
}

var tags = regexp.MustCompile(`<[^>]*>|\n\s*`)

// plain is a page for people who read test logs.
func plain(page string) string {
	var b bytes.Buffer
	for line := range strings.Lines(tags.ReplaceAllString(page, "\n")) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(line)
		}
	}
	return b.String()
}
