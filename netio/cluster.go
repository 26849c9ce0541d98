package netio

import (
	"net/netip"
	"slices"
	"strconv"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// A node of a cluster answers for the slots that it owns while its lease holds.
// Three things see to that. Before a request runs, redirect turns it away if its
// slot is not this node's. After it ran and before its reply leaves, release
// reads the clock: a reply is sent only if the lease still holds by then, and
// the slot is this node's by the same entry of the log as when the request ran.
// What counts is the order of these two: a reply that is sent late after the
// clock was read is still right. And when a slot is lost, its keys are dropped.

// lookAtCluster refreshes what a Step knows of the cluster.
func (l *Loop) lookAtCluster() {
	if l.node.plane == nil {
		return
	}
	l.boot = l.clock.Boot()
	if v := l.node.plane.View(); v != l.view {
		before := l.view
		l.view = v
		l.dropLost(before)
	}
	if l.cfg.ClusterRequireFullCoverage {
		l.lookAtCoverage()
	}
}

// lookTogether refreshes what the loops of a set know, which stand still: this one
// runs commands on their shards, by what it knows itself.
func (l *Loop) lookTogether(set shardSet) {
	if l.node.plane == nil {
		return
	}
	l.lookAtCluster()
	for _, other := range l.node.loops {
		if other != l && set.has(other.id) {
			other.lookAtCluster()
		}
	}
}

// lookAtCoverage refreshes whether all slots are served, as far as this node
// knows.
func (l *Loop) lookAtCoverage() {
	if l.view.Map != l.surveyed {
		l.surveyed, l.covered, l.owners = l.view.Map, l.view.Covered(), l.view.Owners()
	}
	l.whole = l.covered && l.view.Holds(l.boot)
	for _, n := range l.owners {
		l.whole = l.whole && (n == l.view.Self || l.view.Lively(n, l.boot))
	}
}

// redirected is what redirect found out about a request.
type redirected struct {
	away   resp.Error // with which it is turned away; empty: it runs
	slot   uint16
	asking bool
	there  bool // another shard has to be asked whether it runs
}

// redirect tells whether this node may run a request. If it may, its slot is among
// those that the batch has touched.
func (l *Loop) redirect(c *Conn, b *batch, row *command.Row) (at redirected) {
	at.asking = c.asking
	c.asking = c.asking && lasts(c, row)
	if row == execRow {
		at.away = l.redirectExec(c, b)
		return at
	}
	var found bool
	if at.slot, found, at.away = l.slotOf(row, b.args(b.next)); at.away != "" || !found {
		return at
	}
	if at.away = l.mayServe(at.slot, at.asking); at.away == "" && l.moving(at.slot) {
		if at.there = slots.Shard(at.slot, len(l.node.loops)) != l.id; at.there {
			return at
		}
		at.away = l.placed(b, row, at.slot, at.asking)
	}
	switch {
	case at.away != "":
	case c.tx != nil:
		c.tx.note(at)
	default:
		l.touch(b, at.slot)
	}
	return at
}

// lasts tells whether ASKING is good for more than a command: until the end of the
// transaction if that is one.
func lasts(c *Conn, row *command.Row) bool {
	return row.Name == "multi" || c.tx != nil && row.Flags&command.EndsMulti == 0
}

// note notes the slot of a command that is to be queued.
func (tx *transaction) note(at redirected) {
	tx.crossed = tx.crossed || tx.keyed && tx.slot != at.slot
	tx.slot, tx.keyed, tx.asking = at.slot, true, tx.asking || at.asking
}

// redirectExec looks at the slots of the queued commands: there must be one.
func (l *Loop) redirectExec(c *Conn, b *batch) resp.Error {
	if c.tx == nil || c.tx.spoiled || !c.tx.keyed {
		return ""
	}
	e := resp.ErrCrossSlot
	if !c.tx.crossed {
		e = l.mayServe(c.tx.slot, c.tx.asking)
	}
	if e == "" {
		l.touch(b, c.tx.slot)
	}
	return e
}

// slotOf is the slot of a request's keys. A request without keys has none.
func (l *Loop) slotOf(row *command.Row, args command.Args) (slot uint16, found bool, e resp.Error) {
	refs, ok := command.AppendKeys(l.keys[:0], row, args)
	l.keys = refs
	if !ok {
		return 0, false, ""
	}
	for i, ref := range refs {
		switch at := slots.Of(args.At(int(ref.Arg))); {
		case i > 0 && at == slot:
		case i == 0 && l.view.Map.Owner(at) == slots.None:
			return 0, false, resp.ErrSlotUnserved // as in Redis, this comes before CROSSSLOT
		case i == 0:
			slot = at
		default:
			return 0, false, resp.ErrCrossSlot
		}
	}
	return slot, len(refs) > 0, ""
}

// mayServe tells why this node does not answer for a slot; empty if it does.
func (l *Loop) mayServe(slot uint16, asking bool) resp.Error {
	s := l.view.Map.At(slot)
	switch {
	case s.Owner == slots.None:
		return resp.ErrSlotUnserved
	case l.view.Self == slots.None:
		return resp.ErrNotAMember
	case l.cfg.ClusterRequireFullCoverage && !l.whole:
		return resp.ErrClusterDown
	case s.Owner != l.view.Self && !(asking && s.To == l.view.Self):
		return l.moved(slot, s.Owner)
	case s.Owner == l.view.Self && s.Standing != slots.Served, !l.view.Holds(l.boot), l.node.dropped(slot):
		return resp.ErrClusterDown
	case l.node.withholds(slot) && s.To != slots.None: // in a moment it is another's
		return resp.ErrTryAgain
	case l.node.withholds(slot):
		return resp.ErrClusterDown
	}
	return ""
}

// moved sends a client to the owner of a slot, but never to where it is: another
// member may have been at the address that is this node's now.
func (l *Loop) moved(slot uint16, owner slots.Node) resp.Error {
	m, here := l.view.State.Member(owner), l.node.plane.Address()
	switch {
	case m == nil:
		return resp.ErrSlotUnserved
	case m.Address.Host == here.Host && m.Address.Port == here.Port:
		return resp.ErrSamePlace
	}
	return resp.Moved(slot, endpoint(&m.Address, slot))
}

// endpoint is the address of a node as clients of a slot are told it.
func endpoint(a *state.Address, slot uint16) string {
	return preferred(a) + ":" + strconv.Itoa(int(portOf(a, slot)))
}

// preferred is the host of a node as it wants to be told to clients.
func preferred(a *state.Address) string {
	switch a.Endpoint {
	case state.ByHostname:
		if a.Hostname == "" {
			return "?"
		}
		return a.Hostname
	case state.ByNothing:
		return ""
	}
	return hostOf(a)
}

// hostOf is where a node is found: its IP address, if it has one.
func hostOf(a *state.Address) string {
	if ip, err := netip.ParseAddr(a.Host); err == nil {
		return ip.String()
	}
	return a.Host
}

// touch notes that a batch runs a request of a slot.
func (l *Loop) touch(b *batch, slot uint16) {
	if b.under == nil {
		b.under, b.drops = l.view, l.node.drops.Load()
	}
	if n := len(b.touched); n == 0 || b.touched[n-1] != slot {
		b.touched = append(b.touched, slot)
	}
}

// release tells whether the replies in a batch may leave. The clock is read
// here, after all that they tell of was done. Where they may not, the connection
// is closed without them: the client must not take for done what may be undone.
func (l *Loop) release(c *Conn, b *batch) bool {
	now := l.clock.Boot()
	v := l.node.plane.View()
	fine := v.Holds(now) && (v.Map == b.under.Map || l.unchanged(b, v)) && b.drops == l.node.drops.Load() && !l.withheld(b)
	l.node.fenced(b, v, fine)
	b.touched, b.under = b.touched[:0], nil
	if fine {
		return true
	}
	if args, ok := l.told.fenced.Line(l.mono, "client", c.peer.Remote); ok {
		l.node.log.Warn("replies dropped and client closed: the lease on their slots ended", args...)
	}
	l.stats.fencedReplies++
	b.out.Reset()
	l.close(c)
	return false
}

// unchanged tells whether this node serves every slot that a batch touched by
// the same right as when it did.
func (l *Loop) unchanged(b *batch, v *raftlog.View) bool {
	for _, slot := range b.touched {
		was, is := b.under.Map.At(slot), v.Map.At(slot)
		if is.Epoch != was.Epoch || is.Move != was.Move || !v.Map.ServedBy(slot, v.Self) && is.To != v.Self {
			return false
		}
	}
	return true
}

// withheld tells whether a slot that a batch touched is being given up.
func (l *Loop) withheld(b *batch) bool {
	return l.node.withholding.Load() != 0 && slices.ContainsFunc(b.touched, l.node.withholds)
}

// fenced tells whoever watches that replies were released, or not.
func (n *Node) fenced(b *batch, v *raftlog.View, released bool) {
	if n.watchFence != nil {
		n.watchFence(b.touched, v, released)
	}
}

// dropLost begins to drop the keys of this shard's slots that changed hands: unless
// this node has the slot as before, or imports it as before, or owns now what it
// imported, others may have written meanwhile what is not here. Who is no member any more,
// or one by another number, has no slot as before, whatever the map says.
func (l *Loop) dropLost(before *raftlog.View) {
	if before == nil || before.Map == l.view.Map && before.Self == l.view.Self {
		return
	}
	changed := []slots.Range{slots.All}
	if before.Self == l.view.Self {
		changed = l.view.Map.Changed(before.Map)
	}
	for _, r := range changed {
		first := max(int(r.First), slots.First(l.id, len(l.node.loops)))
		last := min(int(r.Last), slots.First(l.id+1, len(l.node.loops))-1)
		for slot := first; slot <= last; slot++ {
			was, is := before.Map.At(uint16(slot)), l.view.Map.At(uint16(slot))
			if !keeps(&was, &is, l.view.Self) && l.shard.Store().Space(0).SlotLen(uint16(slot)) > 0 {
				l.beginDrop(uint16(slot))
			}
		}
	}
}

// keeps tells whether the keys of a slot that a node has stay good.
func keeps(was, is *slots.Slot, self slots.Node) bool {
	imported := was.Owner != self && was.To == self
	switch self {
	case slots.None:
		return false
	case is.Owner:
		return was.Owner == self && was.Epoch == is.Epoch || imported && is.Via == was.Move
	case is.To:
		return imported && is.Move == was.Move
	}
	return false
}

func (l *Loop) beginDrop(slot uint16) {
	word := &l.node.dropping[slot/64]
	if word.Load()>>(slot%64)&1 != 0 {
		return
	}
	word.Or(1 << (slot % 64))
	l.node.drops.Add(1)
	l.dropping = append(l.dropping, slot)
}

// dropped tells whether the keys of a slot are being dropped.
func (n *Node) dropped(slot uint16) bool { return n.dropping[slot/64].Load()>>(slot%64)&1 != 0 }

// dropsAtOnce is how many keys of a lost slot one Step drops.
const dropsAtOnce = 256

// dropSome goes on with dropping keys.
func (l *Loop) dropSome() {
	for keys := dropsAtOnce; len(l.dropping) > 0 && keys > 0; keys -= 8 {
		slot := l.dropping[0]
		if l.shard.DropSlot(slot, keys) {
			return
		}
		l.dropping = l.dropping[1:]
		l.node.dropping[slot/64].And(^(uint64(1) << (slot % 64)))
		l.node.drops.Add(1)
	}
}
