package raftlog

import (
	"cmp"
	"log/slog"
	"runtime"
	"sync"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/sim/invariant"
)

// A node whose disk takes nothing more, for instance because it is full, can append no
// entry: it hears of no decision, and of no renewal of its lease either. It goes on by
// itself when the disk takes something again, since the leader sends the entries again.
// Until then it asks for no lease, so that the others see that it serves nothing.

// upkeep is whether each of the kept things could be written last time.
type upkeep struct {
	log *slog.Logger

	mu   sync.Mutex
	last [writes]error
}

// write is what the disk has to take all the time.
type write int

const (
	writesEntries write = iota
	writesTerm
	writesLeft
	writes
)

// note takes how a write ended, and tells of it if all was well before, or is now.
func (u *upkeep) note(what write, err error) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	before := u.ailing()
	u.last[what] = err
	switch now := u.ailing(); {
	case before == nil && now != nil:
		u.log.Error("raftlog: the disk does not take what this node has to write: it hears of no decision, and answers for no slot once its lease is over; it goes on by itself when the disk takes it", "err", err)
	case before != nil && now == nil:
		u.log.Info("raftlog: the disk takes what this node has to write again")
	}
}

func (u *upkeep) ailing() error { return cmp.Or(u.last[:]...) }

// Ailing is the error for which the node's disk took no entry of the log, or no term,
// when it was last to; nil if it did.
func (p *Plane) Ailing() error {
	p.upkeep.mu.Lock()
	defer p.upkeep.mu.Unlock()
	return p.upkeep.ailing()
}

// terms is a stable store that tells when the library writes down a term or a vote, and lets a term
// wait while that fails: it would stop the program, and with it the keys would be gone.
// A node that waits gives no vote and takes no entry, as one that stands still.
type terms struct {
	raft.StableStore
	plane *Plane
}

// Where the library keeps its term, and that of its last vote.
const (
	termKey = "CurrentTerm"
	voteKey = "LastVoteTerm"
)

// SetUint64 writes a number.
func (t terms) SetUint64(key []byte, value uint64) error {
	p := t.plane
	if string(key) != termKey {
		err := t.StableStore.SetUint64(key, value)
		if err == nil && string(key) == voteKey {
			p.watching.change(func(s *Standing) { s.Voted = value })
		}
		return err
	}
	known, err := t.StableStore.GetUint64(key)
	invariant.Check(err == nil && known <= value, "a term does not fall")
	for {
		err := t.StableStore.SetUint64(key, value)
		p.upkeep.note(writesTerm, err)
		switch {
		case err == nil:
			p.watching.change(func(s *Standing) { s.Term = value })
			return nil
		case !p.pause(p.options.Election):
			runtime.Goexit() // the plane is closed, and the library would go on with a term that is not on disk, or stop the program
		}
	}
}
