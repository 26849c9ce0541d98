package play

import (
	"fmt"
	"slices"
	"strings"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/mark"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim/wasm"
	"github.com/elares/ironcache/slots"
)

// mostLast is how much of what nodes wrote is kept for the report of an exit.
const mostLast = 4096

// wrote hears what a node wrote.
func (r *run) wrote(n *wasm.Node, at int64, text []byte) {
	last := append(r.last[n], text...)
	r.last[n] = last[max(0, len(last)-mostLast):]
	r.watcher.says(n, at, text)
	if r.tell == nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		r.tell(fmt.Sprintf("%12d node %d says %s", at, n.ID(), strings.TrimRight(line, "\n")))
	}
}

func life(n *wasm.Node) judge.Life { return judge.Life{Node: n.ID(), Life: n.Lives()} }

func (r *run) fenced(n *wasm.Node, f wasm.Fencing) {
	e := r.result.Evidence
	e.Fences = append(e.Fences, judge.Fence{Life: life(n), Fencing: f})
	r.watcher.fenced(n, f)
}

func (r *run) applied(n *wasm.Node, a wasm.Applying) {
	r.owners.take(a)
	a.Text = nil // it has served its purpose
	e := r.result.Evidence
	e.Applied = append(e.Applied, judge.Applied{Life: life(n), Applying: a})
	r.watcher.applied(n, a)
}

func (r *run) led(n *wasm.Node, l wasm.Leading) {
	e := r.result.Evidence
	e.Leads = append(e.Leads, judge.Lead{Life: life(n), Leading: l})
}

func (r *run) stands(n *wasm.Node, s wasm.Standing) {
	e := r.result.Evidence
	e.Standings = append(e.Standings, judge.Standing{Life: life(n), Standing: s})
	r.watcher.stands(n, s)
}

// openSpan notes that the next life of a node begins.
func (r *run) openSpan(n *wasm.Node, now int64) {
	e := r.result.Evidence
	e.Spans = append(e.Spans, judge.Span{Life: judge.Life{Node: n.ID(), Life: n.Lives() + 1}, From: now, To: -1})
	r.watcher.lives(n, now, fmt.Sprintf("starts, life %d", n.Lives()+1))
}

// closeSpan notes that the life of a node has ended.
func (r *run) closeSpan(n *wasm.Node, now int64) {
	how := "it was ended from outside"
	switch {
	case n.Crashed:
		how = "it crashed in the middle of what it did"
	case n.Ended != nil:
		how = fmt.Sprintf("it ended by itself: %v", n.Ended)
	}
	if n.Crashed || n.Ended != nil {
		now = max(now, n.Reached())
	}
	spans := r.result.Evidence.Spans
	for i := range spans {
		if s := &spans[i]; s.Life == life(n) {
			s.To, s.How = now, how
		}
	}
	r.watcher.lives(n, now, fmt.Sprintf("life %d is over: %s", n.Lives(), how))
}

// finish has the judges look at the evidence.
func (r *run) finish() {
	for _, g := range r.going {
		r.watch(g, r.world.Now())
		if g.Stop != nil {
			g.Stop()
		}
	}
	r.clocks.end(r)
	res, e := r.result, r.result.Evidence
	r.crowd.Leave()
	e.History, e.Odd = &r.crowd.History, slices.Concat(r.crowd.Odd, r.stage.Odd)
	e.Options = linearize.Options{Clock: clockOf(r.plan), Wipes: true, LostWrites: true, Limits: linearize.Limits{Unknowns: mostUnknown}}
	e.Voided, e.Moved, e.Sent = r.plan.Voids(), r.crowd.Moved, r.crowd.Sent
	e.Ended = r.world.Now()
	e.Served = (r.plan.Heal + plan.Recovery) * million
	for i := range r.cluster.Nodes {
		e.Nodes = append(e.Nodes, r.standing(i))
	}
	for _, c := range r.crowd.Clients {
		e.Clients = append(e.Clients, judge.Client{Answered: c.Answered, Silent: c.Silent})
	}
	concern(e.History, r.plan.Nodes, r.stage.Moved)
	r.losses(e)
	e.Given = r.owners.given
	r.readers(e)
	for _, g := range r.going { // for those who look at the pictures
		e.History.Marks = append(e.History.Marks, linearize.Mark{
			Kind: linearize.Note, Node: nodeName(g.event.Node), Text: g.event.Fault,
			From: g.event.At * million, To: max(g.end(e.Ended), g.event.At*million),
		})
	}
	res.Steps = int64(r.world.Step())
	res.Trace, res.Virtual, res.Asked, res.Given = r.world.Trace(), r.world.Now(), r.crowd.Asked, r.crowd.Given
	res.Marks = mark.Count(e, r.marks)
	res.Class, res.Findings, res.Checks = judge.All(e)
}

// standing is how a node is at the end.
func (r *run) standing(i int) judge.Node {
	node := r.cluster.Nodes[i]
	disk := node.Machine.Disk
	n := judge.Node{
		Host: node.Machine.Host(), Spare: i >= r.plan.Nodes, Spoiled: r.stage.Nodes[i].Spoiled, Emptied: r.stage.Nodes[i].Emptied,
		Lives: node.Lives(), Memory: node.Memory, Disk: disk.Used(), Files: disk.Files(),
	}
	if i < len(r.late) {
		n.Stands = r.late[i]
	}
	if i < len(r.probes) {
		n.Served, n.Ledger = r.probes[i].Served, r.probes[i].Ledger
	}
	return n
}

// readers adds what only readers look at.
func (r *run) readers(e *judge.Evidence) {
	for _, g := range r.going {
		e.Faults = append(e.Faults, judge.Fault{Event: g.event, From: g.begun, To: g.end(e.Ended), Seen: g.seen})
	}
	for i := range e.Spans {
		if s := &e.Spans[i]; s.To < 0 {
			s.To = e.Ended
		}
	}
}

// end is when the fault was over, or the run.
func (g *going) end(ended int64) int64 {
	if g.over == 0 {
		return max(ended, g.begun)
	}
	return g.over
}

// concern says which keys each wipe is about: those of the node's slots, without
// those that were moved.
func concern(h *linearize.History, nodes int, moved map[uint16]bool) {
	keys := h.Keys()
	for i := range h.Marks {
		m := &h.Marks[i]
		for _, key := range keys {
			if m.Node == nodeName(owner(key, nodes)) && !moved[slots.Of([]byte(key))] {
				m.Keys = append(m.Keys, key)
			}
		}
	}
	var kept []linearize.Mark // without keys it would be about every key
	for _, m := range h.Marks {
		if len(m.Keys) > 0 {
			kept = append(kept, m)
		}
	}
	h.Marks = kept
}

// mostUnknown is how many operations with unknown outcome a key may have: a few, and
// those of all clients that are under way when a fault comes, of whom each may have
// sent several. The judge's steps are bounded whatever it is.
const mostUnknown = 40
