package keyspace

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/elares/ironcache/sim/env"
)

// Store holds the databases of one shard.
type Store struct {
	arena
	extents
	spares
	spaces     []*Space
	byID       []*Space // by Space.id, cleared ones included
	freeIDs    []uint16
	cleared    []*Space // to be freed by Work
	walks      [maxWalks]*Walk
	walking    int // walks in use
	hash       Hash
	slotCounts bool
	slack      int64 // of Due, milliseconds
	idleRate   int64 // percentage of reserved bytes that may lie idle
	headroom   int
	maxRun     int
	tables     int64 // bytes of tables and directories
	queued     int64 // bytes of pre-images
	scratch    splitter
}

// NewStore makes an empty store. It fails when the options are out of range or
// the system refuses the first memory. When it refuses more later on, keyspace
// panics, save for extents above 512 KB: those calls say so.
func NewStore(mem env.Memory, ledger *Ledger, opts Options) (*Store, error) {
	opts.Databases = cmp.Or(opts.Databases, 16)
	opts.ChunkBytes = cmp.Or(opts.ChunkBytes, maxChunkPages*pageBytes)
	if n := opts.ChunkBytes; bits.OnesCount(uint(n)) != 1 || n < 64<<10 || n > maxChunkPages*pageBytes {
		return nil, fmt.Errorf("keyspace: a chunk cannot have %d bytes", n)
	}
	if n := opts.Databases; n < 1 || n > 1<<14 {
		return nil, fmt.Errorf("keyspace: a store cannot have %d databases", n)
	}
	s := &Store{
		hash: opts.Hash, slotCounts: opts.SlotCounts, headroom: opts.Headroom,
		slack:    int64(cmp.Or(opts.ExpirySlack, 1000)),
		idleRate: int64(cmp.Or(opts.Fragmentation, 10)),
		maxRun:   min(maxRun, opts.ChunkBytes/4),
		spares:   spares{mostSpare: int64(opts.Spare)},
	}
	if err := s.arena.open(opts, mem, ledger.open(), opts.Release); err != nil {
		return nil, err
	}
	for db := range opts.Databases {
		s.spaces = append(s.spaces, s.newSpace(db))
	}
	return s, nil
}

func (s *Store) newSpace(db int) *Space {
	p := &Space{store: s}
	s.reset(p, db)
	return p
}

// reset makes a space empty, without a trace of what it held.
func (s *Store) reset(p *Space, db int) {
	*p = Space{
		store: s, db: db, id: s.takeID(p), leaves: 1, shift: 63,
		root: []uint64{leafCell(emptyTable, 0, 0), leafCell(emptyTable, 0, 0)},
	}
	s.chargeTables(16)
}

func (s *Store) takeID(p *Space) uint16 {
	if last := len(s.freeIDs) - 1; last >= 0 {
		id := s.freeIDs[last]
		s.freeIDs = s.freeIDs[:last]
		s.byID[id] = p
		return id
	}
	s.byID = append(s.byID, p)
	return uint16(len(s.byID) - 1)
}

// Space gives database db, 0 <= db < Options.Databases. It stays the same.
func (s *Store) Space(db int) *Space { return s.spaces[db] }

// Databases is the number of spaces.
func (s *Store) Databases() int { return len(s.spaces) }

// SwapSpaces exchanges the contents of two databases.
func (s *Store) SwapSpaces(a, b int) {
	if a == b {
		return
	}
	s.moves++
	p, q := s.spaces[a], s.spaces[b]
	*p, *q = *q, *p
	p.db, q.db = a, b
	s.byID[p.id], s.byID[q.id] = p, q
	for _, w := range s.walks {
		if w != nil {
			w.swapped(p, q)
		}
	}
}

// chargeTables counts bytes of tables and directories that lie in the Go heap.
func (s *Store) chargeTables(n int) {
	s.account.live += int64(n)
	s.tables += int64(n)
}

// Over tells that the store holds more than it has leased from the ledger, or
// that the node is over its limit: the owner then calls Room, and when that
// fails, evicts or refuses. It is two loads and two compares.
func (s *Store) Over() bool { return s.account.over() }

// Room leases what is needed so that the store may grow by n bytes, and tells
// whether it may. When it may not, evict something and ask again. Memory that
// Work has yet to free is freed first, a little at each call.
func (s *Store) Room(n int64) bool {
	for range 4 {
		if s.account.ensure(n) {
			return true
		}
		if len(s.cleared) == 0 {
			return false
		}
		s.Work(1024)
	}
	return s.account.ensure(n)
}

// Trim returns unused lease to the ledger, so that other shards can use it.
func (s *Store) Trim() { s.account.trim(0) }

// Publish makes the current use visible to Ledger.Used. The owner calls it once
// a step; Room and Trim do it too.
func (s *Store) Publish() {
	s.account.publish()
	s.account.inHeap.Store(s.inHeap())
}

// inHeap is what lies in the Go heap: all, where mapped memory does so.
func (s *Store) inHeap() int64 {
	if s.headroom == 0 {
		return s.reserved()
	}
	return s.heapBytes()
}

// Live is the number of bytes in use, as the ledger counts them.
func (s *Store) Live() int64 { return s.account.live }

// Queued is the part of Live that pre-images take. It is free again when the
// walks have reported them.
func (s *Store) Queued() int64 { return s.queued }

// Close returns all memory. Nothing of the store may be used afterwards.
func (s *Store) Close() {
	for _, m := range s.maps {
		if m.region != nil {
			s.mem.Unmap(m.whole())
		}
	}
	for _, one := range s.ready {
		s.mem.Unmap(one.region)
	}
	for _, r := range s.releases {
		if r.whole {
			s.mem.Unmap(r.part)
		}
	}
	s.pages.close()
	s.account.close()
	*s = Store{}
}

// Stats of a store, in bytes but for the last two.
type Stats struct {
	Live     int64 // blocks as rounded to their class, tables, directories, extents
	Reserved int64 // memory held from the system for them
	Tables   int64 // part of Live: tables and directories
	Extents  int64 // part of Live: extents
	Queued   int64 // part of Live: pre-images for walks
	Keys     int
	Segments int
}

// Fragmentation is the part of Reserved that is idle, 0 to 1.
func (s Stats) Fragmentation() float64 {
	if s.Reserved <= s.Live {
		return 0
	}
	return 1 - float64(s.Live)/float64(s.Reserved)
}

// Stats tells the current figures. It is cheap.
func (s *Store) Stats() Stats {
	st := Stats{
		Live: s.account.live, Reserved: s.reserved(), Tables: s.tables,
		Extents: s.extents.live, Queued: s.queued,
	}
	for _, p := range s.spaces {
		st.Keys += p.count
		st.Segments += p.agenda.n
	}
	return st
}

// reserved is what the pages hold, and what lies elsewhere.
func (s *Store) reserved() int64 { return s.held + s.mapped + s.spared + s.heapBytes() }

// heapBytes are the directories' roots, agendas and slot counts, and what pins
// keep.
func (s *Store) heapBytes() int64 {
	n := int(s.kept)
	for _, p := range s.byID {
		if p != nil {
			n += 8*len(p.root) + agendaBytes*len(p.agenda.pages) + 4*len(p.perSlot)
		}
	}
	return int64(n)
}
