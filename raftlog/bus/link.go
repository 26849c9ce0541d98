package bus

import (
	"bytes"
	"cmp"
	"slices"
)

// Link describes a connection that has passed the greeting.
type Link struct {
	Peer    ID
	Dialled bool  // by this node
	Since   int64 // Unix nanoseconds
	Sending bool  // there is something to be sent that the system did not take yet
	Room    int   // bytes of memory for what is to be sent
	Used    int   // of these
}

// Links lists the connections with other nodes that stand, by the id of the other
// node, those that it dialled first.
func (b *Bus) Links() (list []Link) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.conns {
		if c.proven && !c.gone && !c.closing {
			list = append(list, Link{c.peer, c.dialled, c.since, len(c.out) > 0, cap(c.out), len(c.out)})
		}
	}
	slices.SortFunc(list, func(x, y Link) int {
		return cmp.Or(bytes.Compare(x.Peer[:], y.Peer[:]), compareBool(x.Dialled, y.Dialled), cmp.Compare(x.Since, y.Since), cmp.Compare(x.Room, y.Room), cmp.Compare(x.Used, y.Used))
	})
	return list
}

func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}
