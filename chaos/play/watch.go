package play

import (
	"fmt"
	"strings"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/wasm"
)

// Happening is one thing that happened in a run, for those who read what did.
type Happening struct {
	Step int64 // how many events the trace had by then
	At   int64 // true time, in nanoseconds
	Kind Kind
	Who  string // to whom it happened, "node 0" or "client 3"; empty: to none of them
	With string // the other side, if there is one
	Text string
	// Message is the number of what is sent or arrives, 0 of anything else.
	Message uint64
	// Notable tells that it is one of the few things that a reader wants first.
	Notable bool
}

// String is a line of a log.
func (h *Happening) String() string {
	who := h.Who
	switch {
	case h.Kind == Sent:
		who += " -> " + h.With
	case h.Kind == Arrived:
		who += " <- " + h.With
	case h.With != "":
		who += ", " + h.With
	}
	if h.Message != 0 {
		return fmt.Sprintf("%8d %14.6f s  %-8s %-20s #%d %s", h.Step, float64(h.At)/1e9, h.Kind, who, h.Message, h.Text)
	}
	return fmt.Sprintf("%8d %14.6f s  %-8s %-20s %s", h.Step, float64(h.At)/1e9, h.Kind, who, h.Text)
}

// Concerns tells whether something happened to a node, or between it and another.
func (h *Happening) Concerns(node int) bool {
	name := nodeName(node)
	return h.Who == name || h.With == name
}

// Kind is a kind of happening.
type Kind string

// The kinds.
const (
	Fault   Kind = "fault"
	Life    Kind = "life"
	Role    Kind = "role"
	Lease   Kind = "lease"
	Entry   Kind = "entry"
	Reply   Kind = "reply"
	Sent    Kind = "sent"
	Arrived Kind = "arrived"
	Link    Kind = "link"
	Disk    Kind = "disk"
	Says    Kind = "says"
)

// Kinds lists the kinds, with what they are.
var Kinds = []struct {
	Kind  Kind
	Means string
}{
	{Fault, "the simulator lets something go wrong, and ends it"},
	{Life, "a node starts, crashes or ends"},
	{Role, "a node becomes follower, candidate or leader, or its term rises"},
	{Lease, "a node's lease is renewed, or its map of slots has a higher epoch"},
	{Entry, "a node applies an entry of the log of decisions"},
	{Reply, "a node has run commands and looks at its clock: may their replies leave?"},
	{Sent, "a node or client sends something"},
	{Arrived, "what was sent arrives"},
	{Link, "a connection is made, refused, ended or broken"},
	{Disk, "a node writes to its disk, or a sync or write fails"},
	{Says, "a line of a node's own log"},
}

// watcher puts what happens into words. A nil watcher has nobody to tell.
type watcher struct {
	tell  func(*Happening)
	world *sim.World
	names map[string]string // of hosts
	stood map[int]wasm.Standing
	said  map[uint64]string // by number: what is under way, in words
	begun map[way][]byte    // what was sent of a message that is not whole yet
}

// way is a direction of a connection.
type way struct {
	link uint64
	from string
}

// nodePrefix is what names of nodes begin with.
const nodePrefix = "node "

func nodeName(node int) string { return nodePrefix + fmt.Sprint(node) }

// watchBy has all that happens told to a function, if there is one.
func (r *run) watchBy(tell func(*Happening)) {
	if tell == nil {
		return
	}
	w := &watcher{tell: tell, world: r.world, names: map[string]string{}, stood: map[int]wasm.Standing{}, said: map[uint64]string{}, begun: map[way][]byte{}}
	r.watcher = w
	for i, n := range r.cluster.Nodes {
		w.names[n.Machine.Host()] = nodeName(i)
		w.disk(i, n.Machine.Disk)
	}
	r.world.Watch(w.passage)
}

// name is what a host is called.
func (w *watcher) name(host string) string {
	if name := w.names[host]; name != "" {
		return name
	}
	name := "client " + host[strings.LastIndexByte(host, '.')+1:]
	switch {
	case strings.HasPrefix(host, "10.9.1."):
		name = "probe"
	case host == fault.ScriptHost:
		name = "operator"
	}
	w.names[host] = name
	return name
}

// note tells of something that happens now.
func (w *watcher) note(kind Kind, node int, notable bool, format string, args ...any) {
	w.tell(&Happening{
		Step: int64(w.world.Step()), At: w.world.Now(), Kind: kind, Who: nodeName(node), Text: fmt.Sprintf(format, args...), Notable: notable,
	})
}

func (w *watcher) fault(e fault.Event, what string) {
	if w == nil {
		return
	}
	text := e.Fault + " " + what
	if what == begins {
		f := fault.Find(e.Fault)
		text += ": " + f.Does
		if e.For > 0 {
			text += fmt.Sprintf(" For %d ms.", e.For)
		}
		if f.Amount != "" {
			text += fmt.Sprintf(" Amount %d: %s.", e.Amount, f.Amount)
		}
	}
	w.note(Fault, e.Node, true, "%s", text)
}

// begins is what a fault does first.
const begins = "begins"

func (w *watcher) lives(n *wasm.Node, at int64, text string) {
	if w != nil {
		w.tell(&Happening{Step: int64(w.world.Step()), At: at, Kind: Life, Who: nodeName(n.ID()), Text: text, Notable: true})
	}
}

// says passes on what a node logs, a line each.
func (w *watcher) says(n *wasm.Node, at int64, text []byte) {
	if w == nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		loud := !strings.HasPrefix(line, "level=DEBUG") && !strings.HasPrefix(line, "level=INFO")
		w.tell(&Happening{Step: int64(w.world.Step()), At: at, Kind: Says, Who: nodeName(n.ID()), Text: line, Notable: loud})
	}
}

func (w *watcher) fenced(n *wasm.Node, f wasm.Fencing) {
	switch {
	case w == nil:
	case f.Released && f.Ends <= f.At:
		w.note(Reply, n.ID(), true, "replies leave for slots %v, of epochs %v, and the lease is over", f.Slots, f.Epochs)
	case f.Released:
		w.note(Reply, n.ID(), false, "replies leave for slots %v, of epochs %v; the lease lasts until %.6f s", f.Slots, f.Epochs, seconds(f.Ends))
	default:
		w.note(Reply, n.ID(), true, "replies for slots %v, of epochs %v, are dropped: the lease is over or the slots are another's", f.Slots, f.Epochs)
	}
}

func (w *watcher) applied(n *wasm.Node, a wasm.Applying) {
	if w != nil {
		w.note(Entry, n.ID(), false, "applies entry %d of term %d (%016x)", a.Index, a.Term, a.Entry)
	}
}

// stands tells what is different in the standing of a node.
func (w *watcher) stands(n *wasm.Node, s wasm.Standing) {
	if w == nil {
		return
	}
	before := w.stood[n.ID()]
	w.stood[n.ID()] = s
	if s.Role != before.Role || s.Term != before.Term {
		w.note(Role, n.ID(), true, "is %s in term %d", s.Role, s.Term)
	}
	if s.Voted != before.Voted {
		w.note(Role, n.ID(), false, "gives its vote in term %d", s.Voted)
	}
	if s.Epoch != before.Epoch {
		w.note(Lease, n.ID(), true, "knows a map of slots with epoch %d", s.Epoch)
	}
	switch {
	case s.Ends == before.Ends:
	case s.Ends == 0:
		w.note(Lease, n.ID(), true, "has no lease")
	case s.Ends <= s.At:
		w.note(Lease, n.ID(), true, "is told of a renewal of its lease that is over already")
	default:
		w.note(Lease, n.ID(), false, "holds its lease until %.6f s", seconds(s.Ends))
	}
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// acts are what a disk does, in words; what is read is not told.
var acts = map[sim.Act]string{
	sim.Writing: "writes to", sim.Truncating: "cuts", sim.Syncing: "syncs", sim.Renaming: "renames a file to", sim.Removing: "removes",
	sim.SyncingDir: "syncs the folder",
}

// disk tells of what a node's disk does.
func (w *watcher) disk(node int, d *sim.Disk) {
	fails := d.Fault
	d.Fault = func(act sim.Act, path string) error {
		err := fails(act, path)
		switch does := acts[act]; {
		case err != nil:
			w.note(Disk, node, true, "an act on %s fails: %v", path, err)
		case does != "":
			w.note(Disk, node, false, "%s %s", does, path)
		}
		return err
	}
}

// lost is what becomes of what arrives where nobody reads.
const lost = "lost: nobody reads the connection any more"

// passage tells of what passes through the network.
func (w *watcher) passage(p sim.Passage) {
	h := &Happening{Step: int64(w.world.Step()), At: p.At, Kind: Link, Who: w.name(p.Route.From), With: w.name(p.Route.To)}
	there := func() { h.Who, h.With = h.With, h.Who }
	switch p.What {
	case sim.Sent:
		h.Kind, h.Message, h.Text = Sent, p.Number, w.describe(&p)
		w.said[p.Number] = h.Text
		if p.Held {
			h.Text += " (held: a fault cuts the way)"
		}
	case sim.Arrived:
		h.Kind, h.Message, h.Text = Arrived, p.Number, w.said[p.Number]
		delete(w.said, p.Number)
		there()
	case sim.Lost:
		h.Kind, h.Message, h.Text = Arrived, p.Number, lost
		delete(w.said, p.Number)
		there()
	case sim.Connected:
		h.Text = fmt.Sprintf("connection %d is made, to port %s", p.Link, p.Route.Port)
	case sim.Refused:
		h.Text = fmt.Sprintf("connection %d is refused: nobody listens on port %s", p.Link, p.Route.Port)
	case sim.Finished:
		h.Text = fmt.Sprintf("connection %d: all that the other side sent has arrived", p.Link)
		there()
	case sim.Broken:
		h.Text = fmt.Sprintf("connection %d is broken", p.Link)
		there()
	}
	w.tell(h)
}
