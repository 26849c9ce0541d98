package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/linearize"
)

// About is what a page tells of a run beside what the run left behind.
type About struct {
	Replay string // the command that runs it again
	Module string // SHA-256 of the node's bytes
	Commit string // of the checkout; empty: it is not known
	Mutant string // that the node is; empty: it is right
}

//go:embed page.html
var text string

//go:embed page.css
var style string

//go:embed page.js
var script string

var layout = template.Must(template.New("page").Funcs(template.FuncMap{
	"next":    func(i int) int { return i + 1 },
	"seconds": seconds,
}).Parse(text))

// page is what the layout shows.
type page struct {
	About
	Result   *play.Result
	Class    judge.Class
	Means    string
	Judge    string // whose finding gives the class; empty: nobody's
	Asks     string
	First    []piece
	Others   []said
	Trace    string
	Seconds  float64
	Events   []event
	Checks   []check
	Kinds    any
	Glossary []term
	Hosts    []string // of nodes
	Pictures []picture
	Style    template.CSS
	Script   template.JS
	Data     template.JS
}

// said is a finding, with its judge.
type said struct {
	Judge string
	Class judge.Class
	Text  []piece
}

// event is a fault of the plan.
type event struct {
	At, For    float64 // seconds
	Fault      string
	Node       int
	Does       string
	Amount     string
	Begun      bool
	Seen       bool
	Began      int64
	FamilyName string
}

// check is what a judge did.
type check struct {
	Name, Asks string
	Checks     int
	Findings   int
}

// picture is porcupine's of a key.
type picture struct{ Key, Page string }

// Page writes the page of a run, with what happened in it.
func Page(w io.Writer, about About, r *play.Result, log *Log) error {
	var violated []linearize.Verdict
	report, err := r.Report()
	if err == nil {
		violated = report.Of(linearize.Violated)
	}
	data, err := json.Marshal(tell(r, log, violated)) // it escapes what HTML knows
	if err != nil {
		return fmt.Errorf("report: page: %w", err)
	}
	p := &page{
		About: about, Result: r, Class: r.Class, Means: means[r.Class], Trace: fmt.Sprintf("%016x", r.Trace), Seconds: float64(r.Virtual) / 1e9,
		Events: eventsOf(r), Checks: checksOf(r), Kinds: play.Kinds, Glossary: glossary,
		Style: template.CSS(style), Script: template.JS(script), Data: template.JS(data),
	}
	p.find(r)
	p.Hosts = make([]string, r.Plan.Nodes+r.Plan.Spares)
	for i, n := range r.Evidence.Nodes[:min(len(p.Hosts), len(r.Evidence.Nodes))] {
		p.Hosts[i] = n.Host
	}
	if report != nil {
		if p.Pictures, err = picturesOf(report, violated); err != nil {
			return fmt.Errorf("report: page: %w", err)
		}
	}
	if err := layout.Execute(w, p); err != nil {
		return fmt.Errorf("report: page: %w", err)
	}
	return nil
}

// find sorts what was found: what gives the run its class, and all else.
func (p *page) find(r *play.Result) {
	f := first(r)
	if f != nil {
		p.Judge, p.First = f.Judge, pieces(gist(f.Text))
		for _, j := range judge.Table {
			if j.Name == f.Judge {
				p.Asks = j.Asks
			}
		}
	}
	for i := range r.Findings {
		if other := &r.Findings[i]; other != f || gist(other.Text) != other.Text {
			p.Others = append(p.Others, said{other.Judge, other.Class, pieces(other.Text)})
		}
	}
}

// eventsOf lists the plan's faults, with what became of them.
func eventsOf(r *play.Result) (list []event) {
	happened := slices.Clone(r.Evidence.Faults)
	for _, e := range r.Plan.Events {
		v := event{At: float64(e.At) / 1e3, For: float64(e.For) / 1e3, Fault: e.Fault, Node: e.Node, FamilyName: family(e.Fault)}
		if f := fault.Find(e.Fault); f != nil {
			v.Does = f.Does
			if f.Amount != "" {
				v.Amount = fmt.Sprintf("%d: %s", e.Amount, f.Amount)
			}
		}
		if i := slices.IndexFunc(happened, func(f judge.Fault) bool { return f.Event == e }); i >= 0 {
			v.Begun, v.Began, v.Seen = true, happened[i].From, happened[i].Seen > 0
			happened = slices.Delete(happened, i, i+1)
		}
		list = append(list, v)
	}
	return list
}

// checksOf lists the judges, those that found something first.
func checksOf(r *play.Result) (list []check) {
	for _, j := range judge.Table {
		c := check{Name: j.Name, Asks: j.Asks, Checks: r.Checks[j.Name]}
		for _, f := range r.Findings {
			if f.Judge == j.Name {
				c.Findings++
			}
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b check) int { return cmp.Compare(b.Findings, a.Findings) })
	return list
}

// mostPictures bounds how many keys are drawn.
const mostPictures = 3

// picturesOf draws the first keys that cannot be explained.
func picturesOf(report *linearize.Report, violated []linearize.Verdict) (list []picture, err error) {
	for _, v := range violated[:min(len(violated), mostPictures)] {
		var out bytes.Buffer
		if err := report.Picture(&out, v.Key); err != nil {
			return nil, err
		}
		list = append(list, picture{fmt.Sprintf("%q", v.Key), out.String()})
	}
	return list, nil
}
