package engine

import (
	"testing"
	"unsafe"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/evict"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
)

// rig is a node without loops: shards that share a ledger, driven by hand.
type rig struct {
	t      *testing.T
	clock  *tickingClock
	rand   *countingRand
	ledger *keyspace.Ledger
	hash   keyspace.Hash
	stores []*keyspace.Store
	shards []*Shard
	buf    []byte
	spans  []resp.Span
	out    resp.Writer
}

// begin is the time at which a rig starts, Unix milliseconds.
const begin = 1_700_000_000_000

func newRig(t *testing.T, shards int, limit int64, store keyspace.Options, opts Options) *rig {
	r := &rig{t: t, clock: &tickingClock{tick: 2000}, rand: &countingRand{1}, ledger: keyspace.NewLedger(limit)}
	r.hash = keyspace.NewHash(r.rand)
	store.Hash = r.hash
	exchange := evict.NewExchange(shards)
	for range shards {
		s, err := keyspace.NewStore(sliceMemory{}, r.ledger, store)
		if err != nil {
			t.Fatal(err)
		}
		r.stores = append(r.stores, s)
	}
	r.shards = make([]*Shard, shards)
	for id := range shards {
		s := NewShard(id, r.stores, r.hash, r.clock, r.rand.Fork())
		s.Join(exchange, r.shards)
		s.Configure(opts)
		r.shards[id] = s
	}
	return r
}

// usual are the options of a node with that policy.
func usual(policy string) Options {
	lfu := policy == "allkeys-lfu" || policy == "volatile-lfu"
	return Options{
		Policy:       command.Policy{LFU: lfu, LFULogFactor: 10, LFUDecayTime: 1, Databases: 16, MaxBulk: 512 << 20},
		Eviction:     Eviction{Policy: policy, Samples: 5, Tenacity: 10},
		SlowerThan:   -1,
		ExpireEffort: 1, ActiveExpiry: true,
	}
}

// home is the shard of a key.
func (r *rig) home(key string) *Shard {
	return r.shards[slots.Shard(slots.Of([]byte(key)), len(r.shards))]
}

// do runs a command on the shard of its key, argument 1, in database 0.
func (r *rig) do(args ...string) string { return r.doIn(0, args...) }

func (r *rig) doIn(db int, args ...string) string {
	op := r.op(args)
	op.DB = uint16(db)
	r.home(args[1]).Do([]command.Op{op}, r.buf, r.spans, &r.out)
	return string(r.out.Bytes())
}

// op lays a request out as its batch would.
func (r *rig) op(args []string) command.Op {
	row := command.Lookup([]byte(args[0]))
	r.buf, r.spans = r.buf[:0], r.spans[:0]
	r.out.Reset()
	for _, arg := range args {
		r.spans = append(r.spans, resp.Span{Off: uint32(len(r.buf)), Len: uint32(len(arg))})
		r.buf = append(r.buf, arg...)
	}
	return command.Op{
		Place: r.hash.Place([]byte(args[1])), Argc: uint32(len(args)), Row: row.ID, Key: 1, Proto: 2,
	}
}

// must fails the test unless the reply is as wanted.
func (r *rig) must(want string, args ...string) {
	r.t.Helper()
	if got := r.do(args...); got != want {
		r.t.Fatalf("%s %s: reply %q, want %q", args[0], args[1], got, want)
	}
}

// live is what all stores hold, in bytes.
func (r *rig) live() int64 {
	sum := int64(0)
	for _, s := range r.stores {
		sum += s.Live()
	}
	return sum
}

// sleep lets time pass.
func (r *rig) sleep(ms int64) {
	r.clock.now += ms * 1e6
	for _, s := range r.shards {
		s.Tick()
	}
}

func (r *rig) has(db int, key string) bool {
	k := r.hash.Key([]byte(key))
	return r.home(key).store.Space(db).Find(k).Ok()
}

// tickingClock takes a fixed time for each look at it. Its civil time can be set.
type tickingClock struct {
	now, tick, ahead int64
	stands           int64 // how long it stands still with its owner after the next reading of the civil time
}

func (c *tickingClock) Boot() int64      { return c.Monotonic() }
func (c *tickingClock) Monotonic() int64 { c.now += c.tick; return c.now }
func (c *tickingClock) Wall() int64 {
	was := c.now
	c.now, c.stands = c.now+c.stands, 0
	return begin*1e6 + was + c.ahead
}

// countingRand is splitmix64.
type countingRand struct{ state uint64 }

func (r *countingRand) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (r *countingRand) Fork() env.Rand { return &countingRand{r.Uint64()} }

// below draws 0 <= n < limit.
func (r *countingRand) below(limit int) int { return int(r.Uint64() % uint64(limit)) }

// sliceMemory gives memory of the Go heap.
type sliceMemory struct{}

const slicePage = 4096

func (sliceMemory) Map(size int) ([]byte, error) {
	raw := make([]byte, size+slicePage)
	skip := int(-uintptr(unsafe.Pointer(&raw[0])) & (slicePage - 1))
	return raw[skip : skip+size : skip+size], nil
}

func (sliceMemory) Unmap([]byte)        {}
func (sliceMemory) Discard(part []byte) { clear(part) }
func (sliceMemory) PageSize() int       { return slicePage }
func (sliceMemory) Resident() int64     { return 0 }
