package raftlog

import (
	"errors"
	"fmt"
	"io"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim/invariant"
)

// machine is the state machine as hashicorp/raft drives it: from one goroutine.
type machine struct{ plane *Plane }

// applied is what becomes of an entry.
type applied struct {
	outcome state.Outcome
	index   uint64
}

// Apply takes an entry of the log. A program that cannot follow the log stops.
func (m machine) Apply(l *raft.Log) any {
	p := m.plane
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.Index <= p.reached {
		return applied{index: l.Index} // after a snapshot that Restore did not go back to
	}
	p.reached = l.Index
	outcome, err := p.state.Apply(l.Index, l.Data)
	if err != nil {
		panic(err)
	}
	if outcome.Refused() {
		p.log.Debug("raftlog: an entry was refused", "index", l.Index, "why", outcome)
	}
	p.publish(l.Index)
	if watch := p.options.WatchApply; watch != nil {
		watch(l.Index, l.Term, l.Data, p.state.Snapshot)
	}
	return applied{outcome, l.Index}
}

// snapshot is a state to be written.
type snapshot []byte

// Snapshot encodes the state; it is small.
func (m machine) Snapshot() (raft.FSMSnapshot, error) {
	m.plane.mu.Lock()
	defer m.plane.mu.Unlock()
	invariant.Reached("snapshot taken")
	return snapshot(m.plane.state.Snapshot()), nil
}

// Persist writes the snapshot.
func (s snapshot) Persist(sink raft.SnapshotSink) error {
	if _, err := sink.Write(s); err != nil {
		_ = sink.Cancel()
		return err
	}
	return sink.Close()
}

// Release has nothing to do.
func (snapshot) Release() {}

// mostSnapshot bounds what is read of a snapshot.
const mostSnapshot = 64 << 20

// Restore replaces the state by a snapshot, unless that is of an earlier time: the
// library takes one from a leader even where this node has applied more. A node that
// went back would answer for slots that it has given up since.
func (m machine) Restore(from io.ReadCloser) error {
	defer from.Close()
	text, err := io.ReadAll(io.LimitReader(from, mostSnapshot))
	if err != nil {
		return fmt.Errorf("raftlog: read a snapshot: %w", err)
	}
	p := m.plane
	p.mu.Lock()
	defer p.mu.Unlock()
	var restored state.State
	if err := restored.Restore(text); errors.Is(err, state.ErrTooOld) {
		panic(err) // the library would be sent it again and again
	} else if err != nil {
		return err
	}
	if restored.Changed() <= p.state.Changed() && p.state.Formed() {
		return nil
	}
	p.state, p.reached = restored, max(p.reached, restored.Changed())
	p.publish(p.state.Changed())
	invariant.Reached("snapshot restored")
	return nil
}

// publish makes the state what the node goes by, with the lease that it has
// by then. The lock is held.
func (p *Plane) publish(index uint64) {
	before := p.view.Load()
	v := before.Next(p.state, p.id, index, p.lease.Lease, p.world.Clock.Boot())
	if p.state.Formed() {
		p.claims = nil // they were granted, or refused, for good
	}
	p.placeIn(v)
	v.Claims = p.claims
	if m := v.Member(); m != nil {
		v.Until = p.lease.until(m)
	}
	v.heard = p.noteRenewals(v.State.Members())
	p.view.Store(v)
	p.watching.seen(v)
	close(p.moved)
	p.moved = make(chan struct{})
	if p.changed != nil {
		p.changed()
	}
}
