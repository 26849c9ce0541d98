package wasm

// AllCores stands for whatever a node does, on any of its cores.
const AllCores = -1

// slowness is how much longer a core takes than others.
type slowness struct {
	core int
	more int64 // nanoseconds of each call of a door; 0: none
}

// Slow makes a core of the node slow: each time its loop asks the network for
// something, that takes so many nanoseconds more, 0 for none; more >= 0. Cores are
// numbered from 0, as shards are; with AllCores every call of a door takes longer,
// those of the clock and of the disk included. A core stays slow through the lives
// of its node. What is late on one core makes the others late as well: the cores of
// a simulated node take turns.
func (n *Node) Slow(core int, more int64) { n.slowness = slowness{core, more} }

// drag lets a call of a door take its time on a core.
func (l *life) drag(core int) {
	if s := &l.node.slowness; s.more > 0 && s.core == core {
		l.node.Slowed++
		l.world.Spend(s.more)
	}
}

// coreOf is the core of a poller, from its number: the control plane's comes before
// those of the loops.
func (l *life) coreOf(poller uint32) int {
	if l.node.Start.Cluster != nil {
		poller--
	}
	return int(int32(poller))
}
