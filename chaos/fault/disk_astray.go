package fault

import (
	"strings"

	"github.com/elares/ironcache/sim"
)

var diskAstray = Fault{
	Name:   "disk-astray",
	Does:   "A write to a node's disk lands at another offset, or in another file; the disk says that all is well.",
	Seen:   "one of the two files was read afterwards",
	Amount: "which write, counted from then",
	Spoils: true,
	Draw: func(d Dice, e *Event) {
		e.For, e.Amount = d.Between(3000, 9000), d.Between(1, 30)
	},
	Begin: func(s *Stage, e Event) Going {
		a := &astray{stage: s, event: e, left: e.Amount}
		s.disk(e.Node).Astray = a.write
		s.hook(e.Node, a.act)
		return Going{Seen: func() bool { return a.seen }, End: func() { s.disk(e.Node).Astray = nil }}
	},
}

// astray is one write that is to go, or went, where it should not.
type astray struct {
	stage  *Stage
	event  Event
	left   int64     // writes until it does
	files  [2]string // that which was meant, and that which was written to; empty before
	syncs  int       // of logs since
	proven bool
	seen   bool
}

// write tells where a write lands.
func (a *astray) write(name string, off int64, _ int) (string, int64) {
	if a.left--; a.left != 0 {
		return name, off
	}
	disk := a.stage.disk(a.event.Node)
	d := a.stage.dice(a.event)
	to := name
	if files := filesOf(disk, "/data"); len(files) > 0 && d.Chance(50) {
		to = files[d.Below(len(files))]
	}
	at := int64(d.Uint64() % uint64(disk.SizeOf(to)+1))
	if to == name && at == off {
		at++
	}
	a.files = [2]string{base(name), base(to)}
	n := &a.stage.Nodes[a.event.Node]
	n.Spoiled, n.Doomed = true, true
	return to, at
}

// act looks for what shows the effect, and for what lets the node find it out. A
// log's last entry is taken for one that a crash tore unless something behind
// it is durable. So a node that ends before does not come back: it may have lost
// what it promised to keep, and nobody could tell.
func (a *astray) act(act sim.Act, name string) error {
	switch {
	case a.files[0] == "":
	case act == sim.Reading:
		a.seen = a.seen || base(name) == a.files[0] || base(name) == a.files[1]
	case act == sim.Syncing && strings.HasSuffix(name, ".seg") && !a.proven:
		if a.syncs++; a.syncs > 2 {
			a.proven = true
			a.stage.Nodes[a.event.Node].Doomed = false
		}
	}
	return nil
}

// base is the name that a file has once it is whole.
func base(name string) string { return strings.TrimSuffix(name, ".tmp") }
