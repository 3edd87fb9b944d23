package inapp

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strconv"

	"holdpoint/summaries"
)

//go:embed templates
var templateFiles embed.FS

// views are the parsed templates by the name of their page.
type views struct {
	byName map[string]*template.Template
	assets assets
}

func loadViews(a assets) views {
	vs := views{byName: map[string]*template.Template{}, assets: a}
	for _, name := range []string{"queue", "history", "approval", "confirm", "reject", "task", "log", "signin", "message"} {
		vs.byName[name] = template.Must(template.ParseFS(templateFiles, "templates/layout.html", "templates/"+name+".html"))
	}
	return vs
}

// page is what the layout prints. Every text of somebody else's in it went through shown or block.
type page struct {
	W       *words
	Assets  assets
	Title   string
	Code    string // of the approval, beside the name of the program
	Me      string
	CSRF    string
	Path    string // of this page, for refreshing without a script
	Head    string // the audit's newest number before the page was read
	Live    bool
	Waiting int // how many approvals wait for the person
	Side    []row
	Body    any
}

// message is the body of a page that has only words.
type message struct {
	Lines []string
	Code  string
	Back  string
}

// row is one line of a list.
type row struct {
	Href, Title, Sub string
	Chips            []chip
	Mine             bool
}

// chip is a short fact; its class colours what its words say already.
type chip struct{ Text, Class string }

type fact struct{ Label, Text, Href, Link string }

type link struct{ Href, Text, Class string }

// result says what was recorded, or why nothing was.
type result struct {
	Class, Heading string
	Lines          []string
	Links          []link
}

// shown renders foreign text for one line, block for several.
func shown(s string) string { return summaries.Visible(s) }

func block(s string) string { return summaries.Block(s) }

// quoted sets a title, or what somebody said, into quotation marks, as the cards do.
func quoted(s string) string {
	text, _ := summaries.Quote(s, nil)
	return text
}

// show prints a page. It is made whole first, so that a fault of ours never leaves half a page behind.
func (s *Server) show(v *visit, status int, name string, p page) error {
	p.W, p.Assets = v.words, s.assets
	if v.session.ID != "" {
		p.Me, p.CSRF = shown(v.actor.Name), v.session.CSRF
	}
	var b bytes.Buffer
	if err := s.views.byName[name].ExecuteTemplate(&b, "layout", p); err != nil {
		return fmt.Errorf("printing the page %s: %w", name, err)
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	v.w.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		_, _ = v.w.Write(b.Bytes()) // a browser that went away needs no answer
	}
	return nil
}

// frame gives a live page what stands around its body. It has to be called before the body is read: what
// changes in between is then noticed by the stream.
func (s *Server) frame(ctx context.Context, v *visit, p page) (page, error) {
	head, err := s.engine.EventHead(ctx)
	if err != nil {
		return p, err
	}
	q, err := s.readQueue(ctx, v)
	if err != nil {
		return p, err
	}
	p.Live, p.Head, p.Waiting = true, strconv.FormatInt(head, 10), len(q.mine)
	if p.Path == "" {
		p.Path = v.r.URL.RequestURI()
	}
	if p.Path != "/" {
		p.Side = s.approvalRows(v, q.mine[:min(len(q.mine), maxSide)])
	}
	return p, nil
}

// maxSide is how much of the queue stands beside a page on a wide screen.
const maxSide = 8
