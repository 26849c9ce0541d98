package keyspace

import (
	"unsafe"

	"github.com/elares/ironcache/sim/env"
)

// Key is a key with its Place. Bytes belong to the caller; nothing keeps them.
type Key struct {
	Bytes []byte
	Place uint64
}

// Hash is the keyed hash of a node: without its seeds, nobody can choose keys
// that collide.
type Hash struct{ seed0, seed1 uint64 }

// NewHash draws the seeds.
func NewHash(r env.Rand) Hash { return Hash{r.Uint64(), r.Uint64()} }

// Key gives the key with its Place.
func (h Hash) Key(b []byte) Key { panic("soon") }

// Place is slot<<50 | 50 bits of the hash of the whole key. The keyspace is
// ordered by it.
func (h Hash) Place(b []byte) uint64 { panic("soon") }

// Slot is the slot of the key.
func (k Key) Slot() uint16 { return uint16(k.Place >> 50) }

// Entry is a found entry. The zero Entry is none.
type Entry struct {
	block unsafe.Pointer
	store *Store
	ref   uint64
}

// Ok tells whether there is an entry.
func (e Entry) Ok() bool { return e.block != nil }

// Kind is never KindFree.
func (e Entry) Kind() Kind { panic("soon") }

// Key is the key; read only.
func (e Entry) Key() []byte { panic("soon") }

// Expiry is the deadline in Unix milliseconds, 0 for none.
func (e Entry) Expiry() int64 { panic("soon") }

// Value is the value, contiguous and read only (Space.Resize gives a writable
// one); an integer is formatted into scratch.
func (e Entry) Value(scratch *[24]byte) []byte { panic("soon") }

// Int is the value of a KindInt.
func (e Entry) Int() (int64, bool) { panic("soon") }

// Len is the length of Value.
func (e Entry) Len() int { panic("soon") }

// Clock is the 24-bit access clock (LRU or LFU) of the entry.
func (e Entry) Clock() uint32 { panic("soon") }

// SetClock sets the low 24 bits of the access clock. It invalidates nothing.
func (e Entry) SetClock(clock uint32) { panic("soon") }

// Bytes is the memory that the entry takes, its share of the table included.
func (e Entry) Bytes() int { panic("soon") }

// Store holds the databases of one shard.
type Store struct{}

// NewStore makes an empty store. It fails when the system refuses the first
// chunk of memory. Later refusals of the system panic: see Store.Room.
func NewStore(mem env.Memory, ledger *Ledger, opts Options) (*Store, error) { panic("soon") }

// Space gives database db, 0 <= db < Options.Databases. SwapSpaces ends the
// validity of the pointer.
func (s *Store) Space(db int) *Space { panic("soon") }

// SwapSpaces exchanges the contents of two databases.
func (s *Store) SwapSpaces(a, b int) { panic("soon") }

// Over tells that the store holds more than it has leased from the ledger, or
// that the node is over its limit: the owner then calls Room, and when that
// fails, evicts or refuses. It is two loads and two compares.
func (s *Store) Over() bool { panic("soon") }

// Room leases what is needed so that the store may grow by n bytes, and tells
// whether it may. When it may not, evict something and ask again.
func (s *Store) Room(n int64) bool { panic("soon") }

// Trim returns unused lease to the ledger, so that other shards can use it.
func (s *Store) Trim() { panic("soon") }

// Publish makes the current use visible to Ledger.Used. The owner calls it once
// a step; leasing and trimming do it too.
func (s *Store) Publish() { panic("soon") }

// Work does up to budget steps (a step is one entry, or about 100 ns) of what was left undone: freeing cleared
// spaces, ending abandoned walks. It tells whether more is left.
func (s *Store) Work(budget int) bool { panic("soon") }

// Compact moves up to budget blocks so that sparse memory can be returned, and
// tells whether more is worth doing.
func (s *Store) Compact(budget int) bool { panic("soon") }

// Close returns all memory. Nothing of the store may be used afterwards.
func (s *Store) Close() { panic("soon") }

// NextDue is the earliest time at which Due of any space may find something,
// Unix milliseconds; math.MaxInt64 when nothing expires.
func (s *Store) NextDue() int64 { panic("soon") }

// Stats of a store, in bytes.
type Stats struct {
	Live     int64 // blocks as rounded to their class, tables, directories, extents
	Reserved int64 // held from the system for it
	Tables   int64 // part of Live: tables and directories
	Extents  int64 // part of Live: extents
	Queued   int64 // part of Live: pre-images for walks
	Keys     int
	Segments int
}

// Fragmentation is the part of Reserved that is idle, 0 to 1.
func (s Stats) Fragmentation() float64 { panic("soon") }

// Stats tells the current figures. It is cheap.
func (s *Store) Stats() Stats { panic("soon") }

// Release is memory on its way back to the system.
type Release struct{ part []byte }

// Run gives the memory back in pieces of at most 2 MB. Any thread may call it.
func (r Release) Run(mem env.Memory) { panic("soon") }

// Released tells the store that Run is done.
func (s *Store) Released(r Release) { panic("soon") }

// Space is one database of one shard.
type Space struct{}

// DB is the number of the database.
func (s *Space) DB() int { panic("soon") }

// Find looks a key up. It does not look at the expiry.
func (s *Space) Find(k Key) Entry { panic("soon") }

// Prefetch1 asks for the memory that Find(k) reads first. Some 100 ns later
// Prefetch2 asks for the entry, and some 100 ns after that Find is fast.
func (s *Space) Prefetch1(place uint64) { panic("soon") }

// Prefetch2 follows Prefetch1.
func (s *Space) Prefetch2(place uint64) { panic("soon") }

// PutString creates or overwrites an entry. A value above MaxInline becomes a
// KindExtent. The expiry is in Unix milliseconds, 0 for none. The value may not
// lie in the memory of the store.
func (s *Space) PutString(k Key, value []byte, kind Kind, expiry int64, clock uint32) Entry {
	panic("soon")
}

// Assign is PutString for a caller that holds the result of Find(k), found or not.
func (s *Space) Assign(k Key, e Entry, value []byte, kind Kind, expiry int64, clock uint32) Entry {
	panic("soon")
}

// PutInt creates or overwrites an entry with a KindInt.
func (s *Space) PutInt(k Key, n int64, expiry int64, clock uint32) Entry { panic("soon") }

// AssignInt is PutInt for a caller that holds the result of Find(k), found or not.
func (s *Space) AssignInt(k Key, e Entry, n int64, expiry int64, clock uint32) Entry { panic("soon") }

// PutRegion creates or overwrites an entry with the first n bytes of a region
// that env.Memory.Map gave. The store owns the region from then on.
func (s *Space) PutRegion(k Key, region []byte, n int, expiry int64, clock uint32) Entry {
	panic("soon")
}

// Resize makes the value of a found string n bytes long, zero-filled where it
// grows, and gives it writable. It is also how to change a value in place: n
// may be its length. Integers become text first. The kind becomes KindRaw or
// KindExtent; expiry and clock stay.
func (s *Space) Resize(k Key, e Entry, n int) (Entry, []byte) { panic("soon") }

// SetExpiry sets the deadline of a found entry, Unix milliseconds; 0 removes it.
func (s *Space) SetExpiry(k Key, e Entry, at int64) Entry { panic("soon") }

// Delete removes a key and tells whether it was there.
func (s *Space) Delete(k Key) bool { panic("soon") }

// Remove removes a found entry.
func (s *Space) Remove(k Key, e Entry) { panic("soon") }

// Move gives a found entry of one space another key, in the same or another
// space (also of another Store with the same Memory), replacing what is
// there. Expiry, clock and kind go along; large values are not copied.
func Move(from *Space, k Key, e Entry, to *Space, k2 Key) Entry { panic("soon") }

// Clear empties the space at once. Its memory is freed by Store.Work.
func (s *Space) Clear() { panic("soon") }

// Len is the number of keys.
func (s *Space) Len() int { panic("soon") }

// Expires is the number of keys with an expiry.
func (s *Space) Expires() int { panic("soon") }

// AvgTTL estimates the mean remaining life of the keys that expire, in
// milliseconds, from a few of them.
func (s *Space) AvgTTL(now int64, r env.Rand) int64 { panic("soon") }

// SlotLen is the number of keys in a slot.
func (s *Space) SlotLen(slot uint16) int { panic("soon") }

// SlotKeys calls fn for up to n entries of a slot. fn changes nothing.
func (s *Space) SlotKeys(slot uint16, n int, fn func(Entry)) { panic("soon") }

// Random draws an entry, each with the same chance; none when empty.
func (s *Space) Random(r env.Rand) Entry { panic("soon") }

// Sample calls fn for up to n entries drawn about evenly, for eviction. An
// entry may come twice. fn changes nothing; keep the keys, not the entries.
func (s *Space) Sample(r env.Rand, n int, volatileOnly bool, fn func(Entry)) { panic("soon") }

// Scan calls fn for about count entries from the cursor on and gives the next
// cursor, 0 at the end. A cursor is slot<<38 | 38 bits of the hash; it stays
// valid for ever. Every key that is there throughout a whole scan is
// reported at least once. A cursor at or above 2^52 ends the scan. fn changes nothing.
func (s *Space) Scan(cursor uint64, count int, fn func(Entry)) uint64 { panic("soon") }

// Due looks for entries with 0 < expiry <= now, looking at about budget
// entries at most. It removes those for which fn is true; fn changes nothing. It tells how many it removed.
func (s *Space) Due(now int64, budget int, fn func(Entry) bool) int { panic("soon") }

// NextDue is the earliest time at which Due may find something.
func (s *Space) NextDue() int64 { panic("soon") }

// WalkOptions of a snapshot walk.
type WalkOptions struct {
	QueueBytes int    // bound of the queue of pre-images
	First      uint16 // first slot
	Last       uint16 // last slot; 0 means all of them
}

// Walk reports what the Store held when it started, while the Store changes.
type Walk struct{}

// StartWalk starts a walk over all databases. At most 4 run at a time.
func (s *Store) StartWalk(opts WalkOptions) *Walk { panic("soon") }

// Step reports about n entries, each once in the whole walk and as it was at
// the start, with the number that its database had then. It tells whether more
// is left. Databases are not in order, nor are the entries. fn changes nothing.
func (w *Walk) Step(n int, fn func(db int, e Entry)) bool { panic("soon") }

// Full tells that the queue of pre-images is at its bound: writers should wait
// until Step has drained it. A write that comes anyway is still kept.
func (w *Walk) Full() bool { panic("soon") }

// Close ends a walk, finished or not.
func (w *Walk) Close() { panic("soon") }

// Ledger counts the memory of a node against its limit. It is safe for
// concurrent use.
type Ledger struct{}

// NewLedger makes a ledger with a limit in bytes, 0 for none.
func NewLedger(limit int64) *Ledger { panic("soon") }

// SetLimit changes the limit at runtime.
func (l *Ledger) SetLimit(limit int64) { panic("soon") }

// Limit is the limit in bytes, 0 for none.
func (l *Ledger) Limit() int64 { panic("soon") }

// Used is the sum of all accounts as last published and of all charges.
func (l *Ledger) Used() int64 { panic("soon") }

// Charge counts n bytes (or -n when they are free again) held outside of
// Stores: connection buffers, the Go heap. It never fails; stores feel it.
func (l *Ledger) Charge(n int64) { panic("soon") }
