package report

import (
	"fmt"
	"slices"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/linearize"
)

// story is what the page's program draws. Times are nanoseconds.
type story struct {
	End    int64       `json:"end"`
	Healed int64       `json:"healed"`
	Focus  int64       `json:"focus"`
	Marks  []mark      `json:"marks"`
	Nodes  []nodeStory `json:"nodes"`
	Ops    [][]op      `json:"ops"` // by client
	Rows   []row       `json:"rows"`
	Kinds  []play.Kind `json:"kinds"`
	Cut    string      `json:"cut"`
}

// mark is a moment that a judge names.
type mark struct {
	At   int64  `json:"at"`
	Text string `json:"text"`
}

type nodeStory struct {
	Name   string     `json:"name"`
	Spans  []span     `json:"spans"`
	Roles  []span     `json:"roles"`
	Leases []span     `json:"leases"`
	Epochs []mark     `json:"epochs"`
	Faults []faultBar `json:"faults"`
}

// span is a time in which something was so.
type span struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Is   string `json:"is"`
	Text string `json:"text,omitempty"`
}

type faultBar struct {
	span
	Family string `json:"family"`
	Seen   int64  `json:"seen"`
}

// op is an operation of a client.
type op struct {
	Call   int64  `json:"call"`
	Return int64  `json:"return"` // -1: never
	Is     string `json:"is"`     // "ok", "refused" or "unknown"
	Text   string `json:"text"`
	Named  bool   `json:"named"` // by what was found
}

// row is a line of the log.
type row struct {
	Step    int64  `json:"n"`
	At      int64  `json:"t"`
	Kind    int    `json:"k"`
	Who     string `json:"w"`
	With    string `json:"o,omitempty"`
	Text    string `json:"x"`
	Message uint64 `json:"m,omitempty"`
	Notable bool   `json:"b,omitempty"`
}

// tell makes the story of a run.
func tell(r *play.Result, log *Log, violated []linearize.Verdict) *story {
	e := r.Evidence
	s := &story{End: max(r.Virtual, 1), Healed: e.Healed, Focus: focus(r, violated), Marks: []mark{}}
	if f := first(r); f != nil {
		for _, at := range moments(f.Text) {
			s.Marks = append(s.Marks, mark{at, "named by the judge " + f.Judge})
		}
		if len(s.Marks) == 0 && s.Focus < s.End {
			s.Marks = append(s.Marks, mark{s.Focus, "what cannot be explained"})
		}
	}
	for node := range r.Plan.Nodes + r.Plan.Spares {
		s.Nodes = append(s.Nodes, storyOf(node, e))
	}
	s.Ops = operations(r, violated)
	for _, k := range play.Kinds {
		s.Kinds = append(s.Kinds, k.Kind)
	}
	lines, said := log.cut(mostLines, s.Focus)
	s.Rows, s.Cut = make([]row, 0, len(lines)), said
	for i := range lines {
		h := &lines[i]
		s.Rows = append(s.Rows, row{h.Step, h.At, slices.Index(s.Kinds, h.Kind), h.Who, h.With, h.Text, h.Message, h.Notable})
	}
	return s
}

// storyOf is what happened to a node.
func storyOf(node int, e *judge.Evidence) nodeStory {
	n := nodeStory{
		Name: fmt.Sprintf("node %d", node), Spans: []span{}, Roles: []span{}, Leases: []span{}, Epochs: []mark{}, Faults: []faultBar{},
	}
	for _, s := range e.Spans {
		if s.Node == node {
			n.Spans = append(n.Spans, span{s.From, s.To, fmt.Sprintf("life %d", s.Life.Life), s.How})
			n.live(s, e.Standings)
		}
	}
	for _, f := range e.Faults {
		if f.Node == node {
			n.Faults = append(n.Faults, faultBar{span{f.From, f.To, f.Fault, saidOf(&f)}, family(f.Fault), f.Seen})
		}
	}
	return n
}

// saidOf is what a reader learns of a fault.
func saidOf(f *judge.Fault) string {
	text := f.Fault
	if known := fault.Find(f.Fault); known != nil {
		text = known.Does
		if known.Amount != "" {
			text += fmt.Sprintf(" Amount %d: %s.", f.Amount, known.Amount)
		}
	}
	if f.Seen == 0 {
		text += " Its effect was not seen."
	}
	return text
}

// live adds how a life of the node stood in the cluster.
func (n *nodeStory) live(life judge.Span, standings []judge.Standing) {
	role := span{life.From, life.To, "starting", ""}
	lease, epoch := span{Is: "lease"}, uint64(0)
	for i := range standings {
		s := &standings[i]
		if s.Life != life.Life {
			continue
		}
		at := min(s.At, life.To)
		if is, text := s.Role.String(), fmt.Sprintf("term %d", s.Term); is != role.Is || text != role.Text {
			role.To = at
			n.Roles = append(n.Roles, role)
			role = span{at, life.To, is, text}
		}
		if s.Epoch != epoch {
			epoch = s.Epoch
			n.Epochs = append(n.Epochs, mark{at, fmt.Sprintf("epoch %d", epoch)})
		}
		if lease.To < at {
			n.hold(lease)
			lease = span{From: at, Is: "lease"}
		}
		lease.To = min(s.Ends, life.To)
	}
	n.Roles = append(n.Roles, role)
	n.hold(lease)
}

// hold adds a lease, if it was one.
func (n *nodeStory) hold(lease span) {
	if lease.To > lease.From {
		n.Leases = append(n.Leases, lease)
	}
}

// operations are those of every client.
func operations(r *play.Result, violated []linearize.Verdict) [][]op {
	list, f := make([][]op, r.Plan.Clients), first(r)
	for i := range list {
		list[i] = []op{}
	}
	for i := range r.Evidence.History.Operations {
		o := &r.Evidence.History.Operations[i]
		if o.Client < 1 || o.Client > len(list) {
			continue
		}
		named := slices.ContainsFunc(violated, func(v linearize.Verdict) bool { return v.Blocked != nil && *v.Blocked == *o })
		named = named || f != nil && names(f.Text, o)
		list[o.Client-1] = append(list[o.Client-1], opOf(o, named))
	}
	return list
}

func opOf(o *linearize.Operation, named bool) op {
	one := op{Call: o.Call, Return: o.Return, Is: "ok", Text: fmt.Sprintf("%q: %s", o.Key, o), Named: named}
	switch {
	case o.Return == linearize.Infinite:
		one.Return, one.Is = -1, "unknown"
	case o.Outcome.Result == linearize.Refused:
		one.Is = "refused"
	}
	return one
}
