// Package keyspace stores the keys and values of one shard outside the Go heap:
// pointer-free, compact, and in steps so small that growing, shrinking or
// dropping a database never stalls the loop that owns it. It knows neither
// commands nor clocks: the time, chance and memory come from its caller.
//
// The promise that callers rely on: an Entry, and every slice it gave, is valid
// until the next call that changes anything in the Store of its Space.
//
// A Store belongs to one loop and is not safe for concurrent use, the Ledger is.
package keyspace

// Kind says how the value of an entry is laid out.
type Kind uint8

// The kinds of this package. Others, up to 13, belong to the callers of
// PutString: their values are opaque bytes here.
const (
	KindFree   Kind = 0 // no entry: a free block
	KindRaw    Kind = 1 // a string
	KindEmbstr Kind = 2 // a string that SET stored and that is at most 44 bytes long
	KindInt    Kind = 3 // a string that is the decimal form of an int64
	KindExtent Kind = 4 // a string too large for a block
)

// Sizes in bytes.
const (
	// MaxInline is the longest value that lives in a block; longer ones are extents.
	MaxInline = 16384
	// MaxValue is the longest value.
	MaxValue = 512 << 20
)

// Options of a Store. The zero value of a field means its default.
type Options struct {
	Hash       Hash // the same on all shards of a node
	Databases  int  // number of Spaces; default 16
	ChunkBytes int  // a power of two, 64 KB to 2 MB; default 2 MB
	// Headroom is how many bytes are mapped at least for an extent above 512 KB
	// that grows, so that it grows in place from then on. Only worth it where
	// mapped memory costs nothing until written. Default: no headroom.
	Headroom int
	// SlotCounts keeps the number of keys of every slot, so that SlotLen is one
	// load. It costs 64 KB for each Space that holds a key.
	SlotCounts bool
	// ExpirySlack bounds, in milliseconds, how long after its deadline Due may
	// first report an entry, so that many are found in one sweep. Default 1000.
	ExpirySlack int
	// Fragmentation is the percentage of reserved memory that may lie idle
	// before Compact moves anything. Default 10; above 99 turns compaction off.
	Fragmentation int
	// Release takes memory that goes back to the system, so that the owner can
	// Run it off the loop, and then report it to Store.Released. What it does
	// not want waits for PassOn or Work, as all does by default.
	Release func(Release) bool
	// Spare is how many bytes of freed regions above 512 KB are kept, with
	// their memory, for the next large values. Default: none.
	Spare int
}
