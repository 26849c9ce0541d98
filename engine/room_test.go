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
	const shards, limit, largest = 4, 48 << 20, 5 << 20 / 4
	for _, policy := range []string{"allkeys-lru", "allkeys-lfu", "allkeys-random"} {
		t.Run(policy, func(t *testing.T) {
			r := newRig(t, shards, limit, keyspace.Options{}, usual(policy))
			text := strings.Repeat("x", 1<<20)
			bound := int64(limit + shards*(mostSlack+largest))
			most := int64(0)
			for n := range 12000 {
				r.must("+OK\r\n", "SET", fmt.Sprint("key:", r.rand.below(100000)), text[:uneven(r.rand)])
				if n%100 == 0 {
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
		s.Background()
	}
}

func (r *rig) evicted() (n uint64) {
	for _, s := range r.shards {
		n += s.Evicted()
	}
	return n
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
	const keys = 4000
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
	for range 100 {
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
