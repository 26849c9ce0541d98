package raftlog

import (
	"errors"
	"fmt"

	"github.com/elares/ironcache/raftlog/bus"
	"github.com/elares/ironcache/raftlog/state"
)

// A node's log, term and vote are those of one Raft group. If another group sent it
// entries, it would drop what it has promised to the first. So the disk is bound to
// a cluster by the first connection of Raft that it accepts, or by forming one, and
// accepts none of another cluster afterwards.

// clusterKey is where the cluster is kept.
var clusterKey = []byte("ironcache-cluster")

var errBound = errors.New("raftlog: the node belongs to another cluster: stop it and remove the folder cluster in dir, to have it join this one")

// recallCluster reads which cluster the disk belongs to.
func (p *Plane) recallCluster() error {
	text, err := p.store.Stable.Get(clusterKey)
	if err != nil || len(text) == 0 {
		return err
	}
	if len(text) != len(p.bound) {
		return fmt.Errorf("raftlog: the id of the node's cluster has %d bytes, not %d", len(text), len(p.bound))
	}
	copy(p.bound[:], text)
	return nil
}

// boundTo tells which cluster the disk belongs to, zero if none.
func (p *Plane) boundTo() bus.ID {
	p.mu.Lock()
	defer p.mu.Unlock()
	return bus.ID(p.bound)
}

// bind binds the disk to a cluster, if it is bound to no other.
func (p *Plane) bind(cluster state.ID) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch p.bound {
	case cluster:
		return nil
	case state.ID{}:
		if err := p.store.Stable.Set(clusterKey, cluster[:]); err != nil {
			return fmt.Errorf("raftlog: bind the node to its cluster: %w", err)
		}
		p.bound = cluster
		return nil
	}
	return errBound
}

// admitLine looks at who is let in to a line: to that of Raft, nodes of one cluster.
func (p *Plane) admitLine(line bus.Line, cluster bus.ID) error {
	if line != lineRaft {
		return nil
	}
	if cluster == (bus.ID{}) {
		return errors.New("raftlog: a node of no cluster has nothing to say to Raft")
	}
	return p.bind(state.ID(cluster))
}
