//go:build wasip1

package main

import (
	"hash/fnv"
	"unsafe"

	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/sim/door"
)

// tellFence tells the host that replies of some slots were released, or not:
// what its judge of leases looks at.
func tellFence(touched []uint16, v *raftlog.View, released bool) {
	epochs := make([]uint64, len(touched))
	for i, slot := range touched {
		s := v.Map.At(slot)
		if epochs[i] = s.Epoch; s.Owner != v.Self {
			epochs[i] = door.Importing | s.Move
		}
	}
	hostFence(unsafe.Pointer(unsafe.SliceData(touched)), unsafe.Pointer(unsafe.SliceData(epochs)), int32(len(touched)),
		flag(released), v.Until)
}

// tellStanding tells the host of a change that its page of a run shows, and its judge
// of promises looks at.
func tellStanding(s raftlog.Standing) {
	hostStanding(int32(s.Role), int64(s.Term), int64(s.Voted), int64(s.Kept), int64(s.Epoch), s.Until)
}

// tellApplied tells the host what an entry of the log made of the state: what
// its judge of the log compares between nodes. To write all of the state takes
// longer than all else that an entry costs, so that is done at some places of the
// log only, the same on all nodes; a difference stays. Two neighbours are among
// them, since often every other entry is none of the state's.
func tellApplied(index, term uint64, entry []byte, snapshot func() []byte) {
	state := uint64(0)
	if index/2%4 == 0 {
		state = sum(snapshot())
	}
	hostApplied(int64(index), int64(term), int64(sum(entry)), int64(state), unsafe.Pointer(unsafe.SliceData(entry)), int32(len(entry)))
}

// tellLead tells the host which log the node had when it came to lead: what its
// judge of leaders compares with what was committed.
func tellLead(term, covered uint64, log []raftlog.Held) {
	words := make([]uint64, 0, 3*len(log))
	for _, l := range log {
		words = append(words, l.Index, l.Term, sum(l.Data))
	}
	hostLead(int64(term), int64(covered), unsafe.Pointer(unsafe.SliceData(words)), int32(len(log)))
}

func sum(text []byte) uint64 {
	h := fnv.New64a()
	h.Write(text)
	return h.Sum64()
}
