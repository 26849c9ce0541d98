package raftlog

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim/invariant"
)

// values are the stable ones as all of the control plane writes them. When it is unknown
// which of them are durable, the program stops, as it does for the log: the store refuses
// everything from then on, and the node would give no vote and come into no cluster.
type values struct{ *store.Stable }

// Set writes one down.
func (v values) Set(key, value []byte) error { return v.checked(v.Stable.Set(key, value)) }

// SetUint64 writes a number down.
func (v values) SetUint64(key []byte, value uint64) error {
	return v.checked(v.Stable.SetUint64(key, value))
}

func (v values) checked(err error) error {
	if err := v.Broken(); err != nil {
		panic(fmt.Errorf("raftlog: start the node again: nobody knows what of its votes and ties is on disk: %w", err))
	}
	return err
}

// durable is the log as the library has it. When it is unknown what of the log is
// durable, the store refuses everything until it is opened again, and the library
// would go on for ever with a member that can neither follow nor renew a lease. So
// the program stops, and begins anew with what the disk has. The same goes for a log
// that cannot be read: a leader would go on to lead, by its heartbeats, and never
// again hand anybody an entry. And for one that takes no entry where some were just
// removed: the library still counts those, and looks for them for ever.
type durable struct {
	*store.Log
	upkeep *upkeep                   // nil: nobody is told
	raft   atomic.Pointer[raft.Raft] // nil while the library begins
	cut    atomic.Bool               // entries were removed from the end, and none put in their place
}

// GetLog reads an entry, or gives what stands in for it.
func (d *durable) GetLog(index uint64, l *raft.Log) error {
	err := d.Log.GetLog(index, l)
	if term, ok := d.Before(index); ok && errors.Is(err, raft.ErrLogNotFound) && !d.leads() {
		invariant.Reached("entry known by a snapshot alone")
		*l = raft.Log{Index: index, Term: term, Type: standIn}
		return nil
	}
	if err != nil && !errors.Is(err, raft.ErrLogNotFound) {
		panic(fmt.Errorf("raftlog: the node's log cannot be read: %w", err))
	}
	return err
}

func (d *durable) leads() bool {
	r := d.raft.Load()
	return r != nil && r.State() == raft.Leader
}

// StoreLog appends an entry.
func (d *durable) StoreLog(l *raft.Log) error { return d.StoreLogs([]*raft.Log{l}) }

// StoreLogs appends entries.
func (d *durable) StoreLogs(logs []*raft.Log) error {
	err := d.Log.StoreLogs(logs)
	d.check()
	if err == nil {
		d.cut.Store(false)
	} else if d.cut.Load() {
		panic(fmt.Errorf("raftlog: start the node again: entries were removed from its log, and the disk took none in their place: %w", err))
	}
	d.upkeep.note(writesEntries, err)
	return err
}

// DeleteRange removes entries at an end of the log.
func (d *durable) DeleteRange(low, high uint64) error {
	first, _ := d.Log.FirstIndex()
	last, _ := d.Log.LastIndex()
	err := d.Log.DeleteRange(low, high)
	d.check()
	switch {
	case err != nil || first == 0:
	case low <= first && high >= last:
		invariant.Reached("log dropped behind an installed snapshot")
	case low <= first:
		invariant.Reached("log compacted")
	default:
		invariant.Reached("log truncated")
		d.cut.Store(true)
	}
	return err
}

func (d *durable) check() {
	if err := d.Broken(); err != nil {
		panic(fmt.Errorf("raftlog: start the node again: nobody knows what of its log is on disk: %w", err))
	}
}
