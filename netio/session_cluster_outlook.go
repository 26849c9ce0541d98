package netio

import (
	"fmt"
	"strings"

	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// outlook is the cluster as one command describes it.
type outlook struct {
	*raftlog.View
	self    *state.Member   // this node
	members []*state.Member // with this node, by number
	faces   []*face         // of these
	now     int64           // of the Boot clock
	wall    int64           // milliseconds
	owns    map[slots.Node][]slots.Range
	epochs  map[slots.Node]uint64 // highest of the slots
}

// myself is this node's record: what it would be if it is no member.
func (n *Node) myself(v *raftlog.View) *state.Member {
	if m := v.Member(); m != nil {
		return m
	}
	return &state.Member{ID: n.plane.ID(), Address: n.plane.Address()}
}

// outlook looks at the cluster.
func (l *Loop) outlook() *outlook {
	v := l.view
	o := &outlook{
		View: v, self: l.node.myself(v), members: v.State.Members(), now: l.clock.Boot(), wall: l.clock.Wall() / 1e6,
		owns: map[slots.Node][]slots.Range{}, epochs: map[slots.Node]uint64{},
	}
	if v.Self == slots.None { // what it knows of others may be long over
		o.members, o.owns[slots.None] = []*state.Member{o.self}, v.Claims
	}
	for r, n := range v.Map.Owners() {
		o.owns[n] = append(o.owns[n], r)
		for slot := int(r.First); slot <= int(r.Last); slot++ {
			o.epochs[n] = max(o.epochs[n], v.Map.Epoch(uint16(slot)))
		}
	}
	for _, m := range o.members {
		list := facesOf(m, o.owns[m.Number])
		list[l.id%len(list)].self = m == o.self
		o.faces = append(o.faces, list...)
	}
	return o
}

// epoch is the epoch that is shown for a member; a replica has its owner's.
func (o *outlook) epoch(m *state.Member) uint64 {
	if of := o.State.Member(m.Of); of != nil {
		return o.epoch(of)
	}
	return max(m.Epoch, o.epochs[m.Number])
}

// highest is the highest epoch of all.
func (o *outlook) highest() (top uint64) {
	for _, m := range o.members {
		top = max(top, o.epoch(m))
	}
	return top
}

// lively tells whether a member was heard of lately. Of itself a node knows.
func (o *outlook) lively(m *state.Member) bool { return m == o.self || o.Lively(m.Number, o.now) }

// failed tells whether a member is without a lease for certain; without a lease
// of its own a node does not know.
func (o *outlook) failed(m *state.Member) bool { return !o.lively(m) && o.Holds(o.now) }

// whole tells whether all slots are served, as far as this node knows.
func (o *outlook) whole() bool {
	if !o.Holds(o.now) || !o.Covered() {
		return false
	}
	for _, n := range o.Owners() {
		if n != o.View.Self && !o.Lively(n, o.now) {
			return false
		}
	}
	return true
}

// flags are the words about a member in CLUSTER NODES.
func (o *outlook) flags(f *face) string {
	var words []string
	m := f.Member
	for _, flag := range []struct {
		on   bool
		word string
	}{
		{f.self, "myself"}, {m.Of == slots.None, "master"}, {m.Of != slots.None, "slave"},
		{!o.lively(m) && !o.failed(m), "fail?"}, {o.failed(m), "fail"},
		{m.Address.Flags&state.NoFailover != 0, "nofailover"},
	} {
		if flag.on {
			words = append(words, flag.word)
		}
	}
	return strings.Join(words, ",")
}

// line describes a member as CLUSTER NODES does.
func (o *outlook) line(f *face) string {
	var text strings.Builder
	m, a := f.Member, &f.Member.Address
	fmt.Fprintf(&text, "%v %s:%d@%d", f.id, hostOf(a), f.port, a.BusPort)
	if a.Hostname != "" {
		text.WriteString("," + a.Hostname)
	}
	of, link := "-", "connected"
	if owner := o.State.Member(m.Of); owner != nil {
		of = owner.ID.String()
	}
	if !o.lively(m) {
		link = "disconnected"
	}
	fmt.Fprintf(&text, " %s %s 0 %d %d %s", o.flags(f), of, o.heard(m), o.epoch(m), link)
	for _, r := range f.owns {
		if r.First == r.Last {
			fmt.Fprintf(&text, " %d", r.First)
			continue
		}
		fmt.Fprintf(&text, " %d-%d", r.First, r.Last)
	}
	if f.self {
		o.writeMoves(&text)
	}
	return text.String()
}

// heard is when a member was last heard of, in civil milliseconds; 0 of itself.
func (o *outlook) heard(m *state.Member) int64 {
	at, ok := o.Heard(m.Number)
	if !ok || m == o.self {
		return 0
	}
	return o.wall - (o.now-at)/1e6
}

// writeMoves lists the slots that leave this node or come to it.
func (o *outlook) writeMoves(text *strings.Builder) {
	self := o.self.Number
	moves := o.Map.Where(func(s *slots.Slot) bool { return s.To != slots.None && (s.Owner == self || s.To == self) })
	for _, r := range moves {
		for slot := int(r.First); slot <= int(r.Last); slot++ {
			s := o.Map.At(uint16(slot))
			arrow, other := "->-", s.To
			if s.To == self {
				arrow, other = "-<-", s.Owner
			}
			if m := o.State.Member(other); m != nil {
				fmt.Fprintf(text, " [%d%s%v]", slot, arrow, m.ID)
			}
		}
	}
}
