package raftlog

import (
	"errors"
	"fmt"

	"github.com/elares/ironcache/raftlog/bus"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// A node's log, term and vote are those of one Raft group. If another group sent it
// entries, it would drop what it has promised to the first. So the disk is bound to a
// cluster, by forming it or by the first connection of Raft from it, and lets none of
// another cluster in afterwards. The latter needs an invitation: the node has promised
// to come into that cluster, and no other since. It is kept as well: the cluster may take
// long to come, and the node be started anew meanwhile.
//
// Of the two, what is on disk changes first, and what is in memory after it. A node
// that is bound is not invited anywhere else.

// Where they are kept.
var (
	clusterKey = []byte("ironcache-cluster")
	invitedKey = []byte("ironcache-invited")
)

var (
	errBound     = errors.New("raftlog: the node belongs to another cluster: stop it and remove the folder cluster in dir, to have it join this one")
	errUninvited = errors.New("raftlog: the node has not agreed to come into this cluster: CLUSTER MEET")
	errTookPart  = errors.New("raftlog: the node took part in a cluster: to make a free one of it, stop it and remove the folder cluster in dir")
	errBusy      = errors.New("raftlog: the cluster that this node is bound to goes on to talk to it: try again")
)

// recallCluster reads which cluster the disk belongs to, or may come to.
func (p *Plane) recallCluster() error {
	for _, known := range []struct {
		key []byte
		to  *state.ID
	}{{clusterKey, &p.bound}, {invitedKey, &p.invited}} {
		text, err := p.store.Stable.Get(known.key)
		if err != nil {
			return err
		}
		if len(text) != len(known.to) && len(text) > 0 {
			return fmt.Errorf("raftlog: %s has %d bytes, not %d", known.key, len(text), len(known.to))
		}
		copy(known.to[:], text)
	}
	if p.invited != (state.ID{}) && p.bound == (state.ID{}) {
		p.suit.keep(p.invited, p.world.Clock.Boot()) // how long ago it was given is not known
	}
	return nil
}

// ties tells which cluster the disk is bound to, and which the node is invited to; zero if
// none.
func (p *Plane) ties() (bound, invited state.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bound, p.invited
}

// boundTo tells which cluster the disk belongs to, zero if none.
func (p *Plane) boundTo() bus.ID {
	bound, _ := p.ties()
	return bus.ID(bound)
}

// tie writes one of the two down. The lock of binding is held, that of the plane is not:
// disks may take long.
func (p *Plane) tie(key []byte, to *state.ID, cluster state.ID) error {
	if err := (values{p.store.Stable}).Set(key, cluster[:]); err != nil {
		return fmt.Errorf("raftlog: write %s: %w", key, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	*to = cluster
	return nil
}

// bind binds the disk to a cluster that this node forms, if it is bound to no other.
func (p *Plane) bind(cluster state.ID) error {
	p.binding.Lock()
	defer p.binding.Unlock()
	return p.bindTo(cluster)
}

func (p *Plane) bindTo(cluster state.ID) error {
	switch bound, _ := p.ties(); bound {
	case cluster:
		return nil
	case state.ID{}:
		return p.tie(clusterKey, &p.bound, cluster)
	}
	return errBound
}

// admitLine looks at who is let in to a line: to that of Raft, nodes of one cluster, if
// this node has agreed to come into it.
func (p *Plane) admitLine(line bus.Line, cluster bus.ID) error {
	if line != lineRaft {
		return nil
	}
	if cluster == (bus.ID{}) {
		return errors.New("raftlog: a node of no cluster has nothing to say to Raft")
	}
	p.binding.Lock()
	defer p.binding.Unlock()
	if bound, invited := p.ties(); bound == (state.ID{}) && invited != state.ID(cluster) {
		return errUninvited
	}
	return p.bindTo(state.ID(cluster))
}

// Unbind undoes what binds the node to a cluster in which it took no part: that it has
// agreed to come into one, and that one began to talk to it. What has come into the log, or
// as much as a term, cannot be undone: the error says so. A node that is or was a member
// stays with its cluster, and so does one that forms one. That it was one is written down.
func (p *Plane) Unbind() error {
	if err := p.noteLeft(); err != nil {
		return err
	}
	p.binding.Lock()
	defer p.binding.Unlock()
	p.mu.Lock()
	stays := p.state.Formed() || p.suit.founding || p.left != slots.None
	free := p.bound == state.ID{} && p.invited == state.ID{}
	p.suit.until = 0
	p.mu.Unlock()
	if stays || free {
		return nil
	}
	if !p.bus.Sever(lineRaft, p.patience()) { // nobody is let in as long as binding is held
		return errBusy
	}
	if p.raft.CurrentTerm() > 0 || p.raft.LastIndex() > 0 {
		return errTookPart
	}
	if err := p.tie(invitedKey, &p.invited, state.ID{}); err != nil {
		return err
	}
	return p.tie(clusterKey, &p.bound, state.ID{})
}
