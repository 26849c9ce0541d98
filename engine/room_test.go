package engine

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/keyspace"
)

// uneven draws the length of a value: from 1 byte to 1 MB, each order of
// magnitude as often as the others.
func uneven(r *countingRand) int {
	return int(math.Exp(float64(r.below(1<<20)) / (1 << 20) * math.Log(1<<20)))
}

// TestMemoryStaysWithinLimit writes values of very uneven length to four
// shards in turn. What the stores hold may exceed the limit by what the
// commands that run have just added, and by the slack of each shard.
func TestMemoryStaysWithinLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	const shards, limit, largest = 4, 48 << 20, 5 << 20 / 4
	for _, policy := range []string{"allkeys-lru", "allkeys-lfu", "allkeys-random"} {
		t.Run(policy, func(t *testing.T) {
			r := newRig(t, shards, limit, keyspace.Options{}, usual(policy))
			text := strings.Repeat("x", 1<<20)
			bound := int64(limit + limit/64 + shards*largest)
			most := int64(0)
			for n := range 6000 {
				r.must("+OK\r\n", "SET", fmt.Sprint("key:", r.rand.below(100000)), text[:uneven(r.rand)])
				if n%500 == 0 {
					r.background()
				}
				most = max(most, r.live())
			}
			if most > bound {
				t.Errorf("held %d bytes, %d beyond the limit; %d are allowed", most, most-limit, bound-limit)
			}
			if r.evicted() == 0 || most < limit {
				t.Errorf("held at most %d of %d bytes, evicted %d keys: nothing was tested", most, limit, r.evicted())
			}
		})
	}
}

// background lets every shard do what a loop would have it do between
// commands, once.
func (r *rig) background() {
	for _, s := range r.shards {
		s.Background(300_000)
	}
}

func (r *rig) evicted() (n uint64) {
	for _, s := range r.shards {
		n += s.Evicted()
	}
	return n
}

// TestSlowEvictionsKeepTheLimit writes large values where thousands of small
// ones have to go for each, which takes longer than a command may: commands are
// turned away rather than let through.
func TestSlowEvictionsKeepTheLimit(t *testing.T) {
	const limit, size = 8 << 20, 100_000
	r := newRig(t, 1, limit, keyspace.Options{}, usual("allkeys-lru"))
	for i := range limit / 80 {
		r.must("+OK\r\n", "SET", fmt.Sprint("key:", i), "value")
	}
	r.shards[0].Listen(func(*command.Effect) { r.clock.now += 200_000 })
	large, stored, most := strings.Repeat("x", size), 0, int64(0)
	for i := range 500 {
		from := r.clock.now
		if r.do("SET", fmt.Sprint("large:", i), large) == "+OK\r\n" {
			stored++
		}
		most = max(most, r.live())
		between := r.clock.now
		r.do("GET", "large:0")
		if took := between - from; took > longest+3_000_000 {
			t.Fatalf("a command took %d ns", took)
		}
		if took := r.clock.now - between; took > 3_000_000 {
			t.Fatalf("a command that takes no memory took %d ns", took)
		}
	}
	if bound := int64(limit + limit/64 + 5*size/2); most > bound {
		t.Errorf("held %d bytes, the bound is %d", most, bound)
	}
	if stored < 50 || stored == 500 {
		t.Errorf("%d of 500 values were stored", stored)
	}
}

// TestLargeValuesWaitInTurns is the same with an owner that lets commands wait:
// none of its turns takes long, nothing is turned away, and the limit holds.
func TestLargeValuesWaitInTurns(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	const limit, size = 8 << 20, 100_000
	r := newRig(t, 1, limit, keyspace.Options{}, usual("allkeys-lru"))
	for i := range limit / 80 {
		r.must("+OK\r\n", "SET", fmt.Sprint("key:", i), "value")
	}
	s := r.shards[0]
	s.Listen(func(*command.Effect) { r.clock.now += 20_000 })
	large, most, waited := strings.Repeat("x", size), int64(0), 0
	turn := func(args ...string) bool {
		op := r.op(args)
		from := r.clock.now
		n, waits := s.DoWaiting([]command.Op{op}, r.buf, r.spans, &r.out)
		if waits != (n == 0) || n == 0 && len(r.out.Buf) > 0 {
			t.Fatalf("%d operations ran, the next waits: %v; reply %.40q", n, waits, r.out.Buf)
		}
		if took := r.clock.now - from; took > slice+clockEvery*25_000 {
			t.Fatalf("%s took %d ns of a turn", args[0], took)
		}
		return n == 1
	}
	for i := range 300 {
		for s.Turn(); !turn("SET", fmt.Sprint("large:", i), large); s.Turn() {
			waited++
			if !turn("GET", "large:0") {
				t.Fatal("a command that takes no memory waits")
			}
		}
		if string(r.out.Buf) != "+OK\r\n" {
			t.Fatalf("reply %q", r.out.Buf)
		}
		most = max(most, r.live())
	}
	if bound := int64(limit + limit/64 + 5*size/2); most > bound {
		t.Errorf("held %d bytes, the bound is %d", most, bound)
	}
	if waited < 100 || s.Row(command.Lookup([]byte("set")).ID).Rejected > 0 {
		t.Errorf("commands waited %d times", waited)
	}
}

// TestCommandsDoNotWaitForEvictions lowers the limit of a full node: commands
// evict for half a millisecond each, no longer, and run.
func TestCommandsDoNotWaitForEvictions(t *testing.T) {
	r := newRig(t, 1, 0, keyspace.Options{}, usual("allkeys-lru"))
	for i := range 20000 {
		r.must("+OK\r\n", "SET", fmt.Sprint("key:", i), "value")
	}
	r.shards[0].Listen(func(*command.Effect) { r.clock.now += 1000 })
	r.ledger.SetLimit(r.live() / 2)
	commands := 0
	for ; r.stores[0].Over() && commands < 1000; commands++ {
		from := r.clock.now
		r.must("+OK\r\n", "SET", "key:1", "value")
		if took := r.clock.now - from; took > 550_000 {
			t.Fatalf("command %d took %d ns", commands, took)
		}
	}
	if commands < 5 || commands == 1000 {
		t.Errorf("there was room after %d commands", commands)
	}
}

// TestUsedCandidateStays has the best candidate used before its turn comes.
func TestUsedCandidateStays(t *testing.T) {
	r := newRig(t, 1, 0, keyspace.Options{}, usual("allkeys-lru"))
	s := r.shards[0]
	for i := range 50 {
		r.must("+OK\r\n", "SET", fmt.Sprint("key:", i), "value")
	}
	r.sleep(100_000)
	s.follow()
	for range 20 {
		s.sample()
		best := string(s.evict.pool.Best().Key)
		r.sleep(1000)
		r.do("GET", best)
		s.follow()
		if freed := s.evictOne(); freed == 0 || !r.has(0, best) {
			t.Fatalf("%s was used and evicted all the same", best)
		}
	}
}

// TestPersistedCandidateStays has candidates lose the expiry that made them so.
func TestPersistedCandidateStays(t *testing.T) {
	r := newRig(t, 1, 0, keyspace.Options{}, usual("volatile-lru"))
	r.fill(0, 5, begin+1000_000)
	s := r.shards[0]
	s.follow()
	s.sample()
	for i := range 5 {
		k := r.hash.Key(fmt.Append(nil, "key:", i))
		s.store.Space(0).SetExpiry(k, s.store.Space(0).Find(k), 0)
	}
	if freed := s.evictOne(); freed != 0 || r.keys(0) != 5 {
		t.Errorf("%d of 5 keys are left", r.keys(0))
	}
}

// TestEvictionDoesNotAllocate looks at the steady state.
func TestEvictionDoesNotAllocate(t *testing.T) {
	for _, policy := range []string{"allkeys-lru", "allkeys-random", "volatile-ttl"} {
		t.Run(policy, func(t *testing.T) {
			r := newRig(t, 1, 0, keyspace.Options{}, usual(policy))
			r.fill(0, 20000, begin+1000_000)
			s := r.shards[0]
			s.follow()
			if n := testing.AllocsPerRun(2000, func() { s.evictOne() }); n > 0.1 {
				t.Errorf("%v allocations an eviction", n)
			}
		})
	}
}

// TestFullNodeRefusesWrites is about policies under which nothing may go.
func TestFullNodeRefusesWrites(t *testing.T) {
	const oom = "-OOM command not allowed when used memory > 'maxmemory'.\r\n"
	for _, policy := range []string{"noeviction", "volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl"} {
		t.Run(policy, func(t *testing.T) {
			r := newRig(t, 1, 2<<20, keyspace.Options{}, usual(policy))
			value := strings.Repeat("x", 1000)
			n := 0
			for r.do("SET", fmt.Sprint("key:", n), value) == "+OK\r\n" {
				if n++; n > 10000 {
					t.Fatalf("%d bytes are held and still nothing is refused", r.live())
				}
			}
			r.must(oom, "SET", "key:0", value)
			r.must("$1000\r\n"+value+"\r\n", "GET", "key:0")
			for i := range n / 2 {
				r.must(":1\r\n", "DEL", fmt.Sprint("key:", i))
			}
			r.must("+OK\r\n", "SET", "key:0", value)
			if got := r.shards[0].Row(command.Lookup([]byte("set")).ID).Rejected; got != 2 {
				t.Errorf("%d calls of SET count as rejected, want 2", got)
			}
		})
	}
}

// TestPoliciesPickTheirVictims fills a node with two sorts of keys of which
// the policy has to prefer the first.
func TestPoliciesPickTheirVictims(t *testing.T) {
	const keys = 2000
	for _, c := range []struct {
		policy       string
		least, most  float64 // share of the first sort among the victims
		first, other func(r *rig, key string)
	}{
		{"allkeys-lru", 0.97, 1, idle, used},
		{"allkeys-lfu", 0.97, 1, rare, often},
		{"allkeys-random", 0.4, 0.6, used, used},
		{"volatile-lru", 0.97, 1, fleeting(idle, 100_000), fleeting(used, 100_000)},
		{"volatile-lfu", 0.97, 1, fleeting(rare, 100_000), fleeting(often, 100_000)},
		{"volatile-random", 1, 1, fleeting(used, 100_000), used},
		{"volatile-ttl", 0.97, 1, fleeting(used, 5_000), fleeting(used, 100_000)},
	} {
		t.Run(c.policy, func(t *testing.T) {
			r := newRig(t, 1, 0, keyspace.Options{}, usual(c.policy))
			value := strings.Repeat("x", 500)
			for i := range keys {
				r.must("+OK\r\n", "SET", fmt.Sprint("first:", i), value)
				r.must("+OK\r\n", "SET", fmt.Sprint("other:", i), value)
			}
			r.sleep(1000_000)
			for i := range keys {
				c.first(r, fmt.Sprint("first:", i))
				c.other(r, fmt.Sprint("other:", i))
			}
			r.shrink(r.live() * 3 / 4)
			first, other := r.missing("first:", keys), r.missing("other:", keys)
			share := float64(first) / float64(first+other)
			if share < c.least || share > c.most || first+other < keys/4 {
				t.Errorf("of %d victims %d were of the preferred sort, want %v to %v of them",
					first+other, first, c.least, c.most)
			}
		})
	}
}

func idle(*rig, string)       {}
func used(r *rig, key string) { r.do("GET", key) }
func rare(r *rig, key string) { used(r, key) }
func often(r *rig, key string) {
	for range 40 {
		r.do("GET", key)
	}
}

// fleeting gives a key a deadline, in seconds, without using it.
func fleeting(use func(*rig, string), seconds int64) func(*rig, string) {
	return func(r *rig, key string) {
		k := r.hash.Key([]byte(key))
		space := r.home(key).store.Space(0)
		space.SetExpiry(k, space.Find(k), r.shards[0].Now()+seconds*1000)
		use(r, key)
	}
}

// shrink lowers the limit and lets the shards do what follows from it.
func (r *rig) shrink(limit int64) {
	r.ledger.SetLimit(limit)
	for range 10000 {
		if r.live() <= limit {
			return
		}
		r.background()
	}
	r.t.Fatalf("%d bytes are still held, the limit is %d", r.live(), limit)
}

func (r *rig) missing(prefix string, keys int) (n int) {
	for i := range keys {
		if !r.has(0, fmt.Sprint(prefix, i)) {
			n++
		}
	}
	return n
}
