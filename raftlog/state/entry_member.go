package state

import (
	"math"

	"github.com/elares/ironcache/slots"
)

// Join makes a node a member: an owner and a learner, with the slots that it
// claimed before it had a cluster.
type Join struct {
	ID          ID
	Address     Address
	Incarnation uint64 // 0 if it is not known
	Speaks      uint8
	Claims      []slots.Range
}

func (e *Join) code(c *coder) {
	c.raw("a node id", e.ID[:])
	e.Address.code(c)
	any64(c, "an incarnation", &e.Incarnation)
	number(c, "the version a node speaks", &e.Speaks, firstVersion, math.MaxUint8)
	ranges(c, &e.Claims)
}

func (e *Join) apply(d *draft) Outcome {
	if o := d.fresh(e.ID, &e.Address); o.Refused() {
		return o
	}
	if o := d.speaks(e.Speaks); o.Refused() {
		return o
	}
	m := d.enrol(Member{ID: e.ID, Address: e.Address, Stamp: Stamp{Incarnation: e.Incarnation}, Speaks: e.Speaks})
	return d.claim(m, e.Claims)
}

// speaks refuses a program that does not understand what the log already has.
func (d *draft) speaks(version uint8) Outcome {
	if version < d.version {
		return refuse(VersionTooLow, "the log has entries of version %d, and the node understands %d", d.version, version)
	}
	return Outcome{}
}

// Forget ends a membership. The number is not given again.
type Forget struct{ Node slots.Node }

func (e *Forget) code(c *coder) { node(c, "a node", &e.Node) }

func (e *Forget) apply(d *draft) Outcome {
	m, o := d.known(e.Node)
	if o.Refused() {
		return o
	}
	if o := d.unbound(m); o.Refused() {
		return o
	}
	if o := d.Dispensable(m); o.Refused() {
		return o
	}
	d.ownMembers()
	at, _ := find(d.members, e.Node)
	d.members = append(d.members[:at], d.members[at+1:]...)
	return Outcome{}
}

// unbound refuses a member that something of the cluster's data hangs on.
func (d *draft) unbound(m *Member) Outcome {
	switch owned := d.owned(); {
	case owned.Owns(m.Number):
		return refuse(OwnsSlots, "node %v owns slots", m)
	case owned.Imports(m.Number):
		return refuse(ImportsSlots, "slots migrate to node %v", m)
	case owned.Syncs(m.Number):
		return refuse(HoldsSyncs, "node %v is in in-sync sets: shrink them first", m)
	case d.replicas(m.Number):
		return refuse(HasReplicas, "node %v has replicas", m)
	}
	return Outcome{}
}

// Dispensable refuses the last voter: without it nothing could be decided any more.
func (s *State) Dispensable(m *Member) Outcome {
	for _, other := range s.members {
		if other.Suffrage == Voter && other != m {
			return Outcome{}
		}
	}
	return refuse(LastVoter, "without node %v nobody has a vote", m)
}

// Announce says where a node is, and that it runs in an incarnation.
//
// A later incarnation knows nothing of what an earlier one promised. So its
// slots are orphaned: they are not served before the earlier leases are waited
// out and the slots assigned again. It leaves all in-sync sets, and migrations to
// it end.
type Announce struct {
	Node    slots.Node
	By      Stamp
	Speaks  uint8
	Address Address
}

func (e *Announce) code(c *coder) {
	node(c, "a node", &e.Node)
	e.By.code(c)
	number(c, "the version a node speaks", &e.Speaks, firstVersion, math.MaxUint8)
	e.Address.code(c)
}

func (e *Announce) apply(d *draft) Outcome {
	m, o := d.known(e.Node)
	if o.Refused() {
		return o
	}
	if e.By.Incarnation <= m.Stamp.Incarnation {
		if _, o := d.requests(e.Node, e.By); o.Refused() {
			return o
		}
	}
	if o := d.speaks(e.Speaks); o.Refused() {
		return o
	}
	changed := d.change(e.Node)
	if m.Stamp.Incarnation != 0 && e.By.Incarnation > m.Stamp.Incarnation {
		d.restart(changed)
	}
	changed.Stamp, changed.Speaks, changed.Address = e.By, e.Speaks, e.Address
	return Outcome{}
}

// restart takes from a member what its earlier incarnation had.
func (d *draft) restart(m *Member) {
	m.Former = max(m.Former, m.Renew.Index)
	m.Renew = Renewal{}
	d.leaveSets(m.Number)
	d.stopImports(m.Number)
	for _, r := range d.owned().OwnedBy(m.Number) {
		each(r, func(slot uint16) Outcome {
			if s := d.edit.At(slot); s.Standing == slots.Served {
				s.Standing = slots.Orphaned
				d.edit.Put(slot, s)
			}
			return Outcome{}
		})
	}
}

// SetRole makes a member a replica, or an owner without slots.
type SetRole struct {
	Node slots.Node
	Of   slots.Node // None: an owner
}

func (e *SetRole) code(c *coder) {
	node(c, "a node", &e.Node)
	maybeNode(c, "the owner of a replica", &e.Of)
}

func (e *SetRole) apply(d *draft) Outcome {
	m, o := d.known(e.Node)
	if o.Refused() {
		return o
	}
	if m.Of == e.Of {
		return refuse(NothingToDo, "node %v has that role", m)
	}
	if e.Of != slots.None {
		return d.follow(e.Node, e.Of)
	}
	if o := d.unbound(m); o.Refused() {
		return o
	}
	changed := d.change(e.Node)
	changed.Of, changed.Shard = slots.None, d.newShard()
	return Outcome{}
}

// follow makes a member that nothing hangs on a replica of an owner.
func (d *draft) follow(n, of slots.Node) Outcome {
	m, o := d.known(n)
	if o.Refused() {
		return o
	}
	owner, o := d.known(of)
	switch {
	case o.Refused():
		return o
	case n == of:
		return refuse(ReplicatesItself, "node %v cannot replicate itself", m)
	case owner.Of != slots.None:
		return refuse(IsReplica, "node %v is a replica itself", owner)
	}
	if o := d.unbound(m); o.Refused() {
		return o
	}
	changed := d.change(n)
	changed.Of, changed.Shard = of, owner.Shard
	return Outcome{}
}

// SetSuffrage gives a member a vote, or takes it.
type SetSuffrage struct {
	Node     slots.Node
	Suffrage Suffrage
}

func (e *SetSuffrage) code(c *coder) {
	node(c, "a node", &e.Node)
	number(c, "a suffrage", &e.Suffrage, 0, uint64(suffrages-1))
}

func (e *SetSuffrage) apply(d *draft) Outcome {
	m, o := d.known(e.Node)
	if o.Refused() {
		return o
	}
	if m.Suffrage == e.Suffrage {
		return refuse(NothingToDo, "node %v has that suffrage", m)
	}
	if e.Suffrage == Learner {
		if o := d.Dispensable(m); o.Refused() {
			return o
		}
	}
	d.change(e.Node).Suffrage = e.Suffrage
	return Outcome{}
}

// BumpEpoch gives a member an epoch above all others, for CLUSTER NODES to show.
// The epochs of slots, which fences go by, stay.
type BumpEpoch struct{ Node slots.Node }

func (e *BumpEpoch) code(c *coder) { node(c, "a node", &e.Node) }

func (e *BumpEpoch) apply(d *draft) Outcome {
	m, o := d.known(e.Node)
	if o.Refused() {
		return o
	}
	if m.Of != slots.None {
		return refuse(IsReplica, "node %v is a replica, which has its owner's epoch", m)
	}
	d.change(e.Node).Epoch = d.index
	return Outcome{}
}
