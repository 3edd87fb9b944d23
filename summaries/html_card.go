package summaries

import (
	"html/template"
	"strings"
)

// HTML writes the card as an inert fragment for a page: no script, no style of its own, no form, no
// link, only classes. Each text is escaped where it stands, and was made visible before. The page puts
// its own forms around it and asks for a card without limits.
func (c Card) HTML() template.HTML {
	var b strings.Builder
	if err := fragment.Execute(&b, pageOf(c)); err != nil {
		panic("summaries: the card's template and its values do not fit: " + err.Error()) // tests run every branch
	}
	return template.HTML(b.String()) //nolint:gosec // html/template made it, escaping every text
}

// page is the card sorted into the sections of a page.
type page struct {
	Card
	Words    pageWords
	Sections []section
}

// section is one block of a page. Facts with parts are lists, the rest a text each.
type section struct {
	Place   Place
	Heading string
	Lead    *Fact // stands alone before the rest
	Facts   []Fact
	Steps   []Step
}

func pageOf(c Card) page {
	w := c.Lang.words().Page
	p := page{Card: c, Words: w}
	add := func(s section) {
		if s.Lead != nil || len(s.Facts)+len(s.Steps) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	add(section{Place: PlaceStatus, Heading: w.Status, Facts: c.Status})
	add(leading(section{Place: PlaceRuns, Heading: w.Runs, Facts: c.at(PlaceRuns)}))
	add(section{Place: PlaceChanged, Heading: w.Changed, Facts: c.at(PlaceChanged)})
	add(leading(section{Place: PlaceUndo, Heading: w.Undo, Facts: c.at(PlaceUndo)}))
	add(section{Place: PlacePlan, Heading: w.Plan, Steps: c.Steps})
	add(section{Place: PlaceAsked, Heading: w.Asked, Facts: c.at(PlaceAsked)})
	return p
}

// leading takes the first fact before the others: what runs, and how to undo it.
func leading(s section) section {
	if len(s.Facts) > 0 {
		s.Lead, s.Facts = &s.Facts[0], s.Facts[1:]
	}
	return s
}

func (c Card) at(place Place) []Fact {
	var out []Fact
	for _, f := range c.Facts {
		if f.Place == place {
			out = append(out, f)
		}
	}
	return out
}

// tone is the class of a tone; "" is the ink of the page.
func tone(t Tone) string {
	switch t {
	case ToneWaiting:
		return "hold"
	case ToneGood, ToneGoing:
		return "go"
	case ToneBad:
		return "high"
	}
	return "plain"
}

var fragment = template.Must(template.New("card").Funcs(template.FuncMap{"tone": tone}).Parse(`
{{- define "fact"}}{{if .Items}}<dl class="{{.Place}}">{{range .Items}}<dt>{{.Label}}</dt><dd>
{{- if .Was}}<span class="was">{{.Was}}</span> <span class="now">{{.Text}}</span>{{else}}{{.Text}}{{end}}</dd>{{end}}</dl>
{{- else if .Code}}<pre>{{.Text}}</pre>{{else}}<span class="text">{{.Text}}</span>{{end}}{{end -}}
<article class="card" lang="{{.Lang}}">
<h1>{{.Title}}</h1>
<p class="sub">{{.Sub}}</p>
<p class="chips">{{range .Chips}}<span class="chip {{tone .Tone}}">{{.Text}}</span>{{end}}</p>
{{range .Warnings}}<p class="warn">{{.}}</p>
{{end}}{{range .Sections}}<section class="{{.Place}}"><h2>{{.Heading}}</h2>
{{- with .Lead}}{{if or .Code (eq .Place "undo")}}<pre>{{.Text}}</pre>{{else}}<p class="text">{{.Label}}: {{.Text}}</p>{{end}}{{end}}
{{- if .Facts}}<dl>{{range .Facts}}<dt>{{.Label}}</dt><dd>{{template "fact" .}}</dd>{{end}}</dl>{{end}}
{{- if .Steps}}<ol>{{range .Steps}}<li{{if .Here}} class="here"{{else if .Done}} class="done"{{end}}>
{{- if .Here}}<b>{{.Title}}</b>{{else}}{{.Title}}{{end}}<small>{{.Note}}</small></li>{{end}}</ol>{{end}}</section>
{{end}}</article>
`))
