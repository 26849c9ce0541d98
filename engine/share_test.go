package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/slots"
)

// keyOn makes key n of a shard: a hash tag brings it there.
func (r *rig) keyOn(shard, n int) string {
	for tag := range 1 << 14 {
		key := fmt.Sprintf("{%d}:%d", tag*7919+n%13, n)
		if slots.Shard(slots.Of([]byte(key)), len(r.shards)) == shard {
			return key
		}
	}
	panic("no slot of the shard was met")
}

// TestColdShardGivesWay fills four shards, then has one of them grow while the
// data of another has not been used for long: that data goes, not the data in
// use, and the limit holds meanwhile.
func TestColdShardGivesWay(t *testing.T) {
	const shards, limit, cold, growing, size = 4, 32 << 20, 2, 1, 2000
	r := newRig(t, shards, limit, keyspace.Options{}, usual("allkeys-lru"))
	value := strings.Repeat("x", size)
	filled := 0
	for ; r.live() < limit*15/16; filled++ {
		r.must("+OK\r\n", "SET", r.keyOn(filled%shards, filled), value)
	}
	r.sleep(3600_000)
	for i := range filled {
		if i%shards != cold {
			r.must("$2000\r\n"+value+"\r\n", "GET", r.keyOn(i%shards, i))
		}
	}
	r.sleep(60_000)
	r.background()
	most := r.growOn(growing, filled, limit/5/size, value)

	if bound := int64(limit + shards*(mostSlack+2*size)); most > bound {
		t.Errorf("held %d bytes, the bound is %d", most, bound)
	}
	fromCold, all := r.shards[cold].Evicted(), r.evicted()
	if all < 1000 || float64(fromCold) < 0.97*float64(all) {
		t.Errorf("%d of %d evicted keys came from the cold shard, want 97%%", fromCold, all)
	}
	if r.settle(); r.live() < limit*7/8 {
		t.Errorf("held %d bytes in the end: more went than was asked for", r.live())
	}
}

// growOn writes n keys to a shard and gives the most that the node held.
func (r *rig) growOn(shard, first, n int, value string) (most int64) {
	for i := range n {
		r.must("+OK\r\n", "SET", r.keyOn(shard, first+i), value)
		most = max(most, r.live())
		for _, s := range r.shards {
			if s.Asked() {
				s.Background(300_000)
			}
		}
	}
	return most
}

// TestShardWithoutKeysGetsMemory has a shard begin when the others hold all
// there is.
func TestShardWithoutKeysGetsMemory(t *testing.T) {
	for _, policy := range []string{"allkeys-lru", "allkeys-lfu", "allkeys-random"} {
		t.Run(policy, func(t *testing.T) {
			const shards, limit = 2, 8 << 20
			r := newRig(t, shards, limit, keyspace.Options{}, usual(policy))
			value := strings.Repeat("x", 1000)
			for i := range limit / 1000 {
				r.must("+OK\r\n", "SET", r.keyOn(0, i), value)
			}
			if r.evicted() == 0 {
				t.Fatal("nothing was evicted")
			}
			r.background()
			r.growOn(1, 0, 2000, value)
		})
	}
}

// TestSleepingShardCannotBlockOthers has the shard that is asked do nothing:
// the limit holds all the same.
func TestSleepingShardCannotBlockOthers(t *testing.T) {
	const shards, limit = 2, 8 << 20
	r := newRig(t, shards, limit, keyspace.Options{}, usual("allkeys-lru"))
	value := strings.Repeat("x", 1000)
	for i := 0; r.live() < limit-1<<20; i++ {
		r.must("+OK\r\n", "SET", r.keyOn(0, i), value)
	}
	r.background()
	r.sleep(1000_000)
	most := int64(0)
	for i := range 4000 {
		r.must("+OK\r\n", "SET", r.keyOn(1, i), value)
		most = max(most, r.live())
	}
	if !r.shards[0].Asked() || most > limit+mostSlack {
		t.Errorf("asked: %v; held %d bytes, limit %d", r.shards[0].Asked(), most, limit)
	}
}

// TestWideWriteMakesRoomElsewhere is about a command whose coordinator has
// room while another shard that it writes to has none.
func TestWideWriteMakesRoomElsewhere(t *testing.T) {
	for _, c := range []struct {
		policy string
		want   bool
	}{{"allkeys-lru", true}, {"noeviction", false}} {
		t.Run(c.policy, func(t *testing.T) {
			r := newRig(t, 2, 4<<20, keyspace.Options{}, usual(c.policy))
			value := strings.Repeat("x", 1000)
			n := 0
			for r.stores[1].Room(0) {
				r.must("+OK\r\n", "SET", r.keyOn(1, n), value)
				if n++; n > 10000 {
					t.Fatalf("%d bytes are held and still there is room", r.live())
				}
			}
			for _, s := range r.shards {
				s.showColdness()
			}
			before := r.live()
			op := r.op([]string{"MSET", r.keyOn(0, 0), value, r.keyOn(1, 0), value})
			r.shards[0].DoWide(op, r.buf, r.spans, &r.out)
			if got := string(r.out.Buf) == "+OK\r\n"; got != c.want {
				t.Errorf("reply %q", r.out.Buf)
			}
			if evicted := r.shards[1].Evicted() > 0; evicted != c.want || r.live() > before+leastSlack {
				t.Errorf("the other shard evicted: %v; %d bytes were held, then %d", evicted, before, r.live())
			}
		})
	}
}

// TestEvictionWhileWalking has a snapshot begin on a full node: what is evicted
// stays for its sake, which must not make everything else go too.
func TestEvictionWhileWalking(t *testing.T) {
	const limit, queue, written = 16 << 20, 1 << 20, 2000
	r := newRig(t, 1, limit, keyspace.Options{}, usual("allkeys-lru"))
	value := strings.Repeat("x", 400)
	for i := range limit / 400 {
		r.must("+OK\r\n", "SET", fmt.Sprint("key:", i), value)
	}
	store, before := r.stores[0], r.evicted()
	walk := store.StartWalk(keyspace.WalkOptions{QueueBytes: queue})
	for i := range written {
		r.must("+OK\r\n", "SET", fmt.Sprint("new:", i), value)
	}
	if n := r.evicted() - before; n < written/2 || n > written*5/4 {
		t.Errorf("%d keys were evicted for %d written ones", n, written)
	}
	if bound := limit + limit/64 + store.Queued(); r.live() > bound {
		t.Errorf("%d bytes are held, the bound is %d", r.live(), bound)
	}
	for walk.Step(1000, func(int, keyspace.Entry) {}) {
	}
	walk.Close()
	if r.settle(); r.live() > limit || store.Queued() != 0 {
		t.Errorf("%d bytes are held in the end, the limit is %d", r.live(), limit)
	}
}

// TestEvictionTellsOfItself listens to what goes.
func TestEvictionTellsOfItself(t *testing.T) {
	r := newRig(t, 1, 2<<20, keyspace.Options{}, usual("allkeys-random"))
	value := strings.Repeat("x", 1000)
	gone := map[string]bool{}
	r.shards[0].Listen(func(e *command.Effect) {
		if string(e.Args[0]) != "DEL" {
			return
		}
		key := string(e.Args[1])
		touch := e.Touched[0]
		if touch.Event != command.EventEvicted || string(touch.Key.Bytes) != key || touch.DB != 3 || e.DB != 3 {
			t.Fatalf("effect %q in %d, touched %+v", e.Args, e.DB, touch)
		}
		if k := r.hash.Key([]byte(key)); k.Place != touch.Key.Place {
			t.Fatalf("place %x of %q, want %x", touch.Key.Place, key, k.Place)
		}
		gone[key] = true
	})
	const keys = 4000
	for i := range keys {
		r.doIn(3, "SET", fmt.Sprint("key:", i), value)
	}
	for i := range keys {
		if key := fmt.Sprint("key:", i); r.has(3, key) == gone[key] {
			t.Fatalf("%s: told as gone: %v", key, gone[key])
		}
	}
	if uint64(len(gone)) != r.evicted() || len(gone) == 0 {
		t.Errorf("%d keys told as gone, %d counted", len(gone), r.evicted())
	}
}
