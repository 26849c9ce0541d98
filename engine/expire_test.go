package engine

import (
	"fmt"
	"math"
	"testing"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/keyspace"
)

// fill makes keys in a database that expire at a time, Unix milliseconds.
func (r *rig) fill(db, keys int, at int64) {
	for i := range keys {
		k := r.hash.Key([]byte(fmt.Sprint("key:", i)))
		r.home(string(k.Bytes)).store.Space(db).PutInt(k, int64(i), at, 0)
	}
}

func (r *rig) keys(db int) (n int) {
	for _, s := range r.stores {
		n += s.Space(db).Len()
	}
	return n
}

// removal is the time, in nanoseconds, that the removal of a key takes.
const removal = 150

// Whoever sets the civil time forward or back has commands go by it within moments,
// whether or not the loop looked around meanwhile.
func TestCivilTimeIsSet(t *testing.T) {
	r := newRig(t, 1, 0, keyspace.Options{}, usual("noeviction"))
	r.must("+OK\r\n", "SET", "k", "v", "PX", "1000")
	r.clock.ahead -= 500e6
	r.clock.now += 1200e6
	r.must("$1\r\nv\r\n", "GET", "k")
	r.clock.ahead += 500e6
	r.clock.now += wallAge
	r.must("$-1\r\n", "GET", "k")
}

// A node that stands still between its readings of two clocks takes neither for what the
// other was: a deadline that is set then comes in time.
func TestPauseBetweenClocks(t *testing.T) {
	r := newRig(t, 1, 0, keyspace.Options{}, usual("noeviction"))
	r.clock.now += wallAge
	r.clock.stands = 3000e6
	r.must("$-1\r\n", "GET", "k")
	r.must("+OK\r\n", "SET", "k", "v", "PX", "1000")
	r.clock.now += 900e6
	r.must("$1\r\nv\r\n", "GET", "k")
	r.clock.now += 200e6
	r.must("$-1\r\n", "GET", "k")
}

// TestMassExpiry lets many keys of two databases expire at one instant: no
// step may take long, all of them go, and each is told of once.
func TestMassExpiry(t *testing.T) {
	const keys = 60000
	r := newRig(t, 1, 0, keyspace.Options{}, usual("noeviction"))
	s := r.shards[0]
	at := s.Now() + 10_000
	r.fill(0, keys, at)
	r.fill(7, keys, at)
	told := [16]int{}
	s.Listen(func(e *command.Effect) {
		r.clock.now += removal
		if string(e.Args[0]) == "DEL" && e.Touched[0].Event == command.EventExpired {
			told[e.DB]++
		}
	})
	if s.ExpireStep() || r.keys(0) != keys {
		t.Fatal("keys went before their time")
	}
	r.sleep(10_000 + 2000)
	steps := 0
	for more := true; more; steps++ {
		from := r.clock.now
		more = s.ExpireStep()
		if took := r.clock.now - from; took > 500_000 {
			t.Fatalf("step %d took %d ns", steps, took)
		}
	}
	if r.keys(0) != 0 || r.keys(7) != 0 || told[0] != keys || told[7] != keys {
		t.Errorf("%d and %d keys are left, %d and %d were told of", r.keys(0), r.keys(7), told[0], told[7])
	}
	got := s.ExpireStats()
	if got.Expired != 2*keys || got.Capped != uint64(steps-1) || got.Stale < 50 {
		t.Errorf("statistics after %d steps: %+v", steps, got)
	}
}

// TestExpiryLeavesTheRest mixes keys that expire with others.
func TestExpiryLeavesTheRest(t *testing.T) {
	r := newRig(t, 1, 0, keyspace.Options{}, usual("noeviction"))
	s := r.shards[0]
	for i := range 3000 {
		k := r.hash.Key([]byte(fmt.Sprint("key:", i)))
		expiry := []int64{0, s.Now() + 1000, s.Now() + 100_000}[i%3]
		s.store.Space(0).PutInt(k, 0, expiry, 0)
	}
	r.sleep(3000)
	for s.ExpireStep() {
	}
	for i := range 3000 {
		if key := fmt.Sprint("key:", i); r.has(0, key) == (i%3 == 1) {
			t.Fatalf("%s is there: %v", key, i%3 == 1)
		}
	}
	if stale := s.ExpireStats().Stale; stale > 5 {
		t.Errorf("%v%% count as stale", stale)
	}
}

// TestExpiryIsPrompt follows the timer as a loop does.
func TestExpiryIsPrompt(t *testing.T) {
	const slack = 50
	r := newRig(t, 1, 0, keyspace.Options{ExpirySlack: slack}, usual("noeviction"))
	s := r.shards[0]
	first := s.Now() + 500
	for i := range 1000 {
		k := r.hash.Key([]byte(fmt.Sprint("key:", i)))
		s.store.Space(0).PutInt(k, 0, first+int64(i), 0)
	}
	for r.keys(0) > 0 {
		due := s.NextDue()
		if due == math.MaxInt64 {
			t.Fatalf("%d keys are left and nothing is due", r.keys(0))
		}
		r.sleep(max(1, due-s.Now()))
		s.ExpireStep()
		if late := s.Now() - first - int64(1000-r.keys(0)); late > 2*slack {
			t.Fatalf("%d keys are left %d ms after the next one's deadline", r.keys(0), late)
		}
	}
	if due := s.NextDue(); due != math.MaxInt64 {
		t.Errorf("nothing is left, yet something is due at %d", due)
	}
}

// TestExpiryIsOff lets keys stay that expired, where nothing removes them by itself.
func TestExpiryIsOff(t *testing.T) {
	off := usual("noeviction")
	off.ActiveExpiry = false
	r := newRig(t, 1, 0, keyspace.Options{}, off)
	r.fill(0, 100, r.shards[0].Now()+10)
	r.sleep(10_000)
	if r.shards[0].ExpireStep() || r.keys(0) != 100 || r.shards[0].NextDue() != math.MaxInt64 {
		t.Errorf("%d of 100 keys are left", r.keys(0))
	}
}

// TestExpiryEffort compares the time that a step may take.
func TestExpiryEffort(t *testing.T) {
	took := func(effort int) int64 {
		opts := usual("noeviction")
		opts.ExpireEffort = effort
		r := newRig(t, 1, 0, keyspace.Options{}, opts)
		r.fill(0, 20000, r.shards[0].Now()+10)
		r.sleep(10_000)
		r.shards[0].Listen(func(*command.Effect) { r.clock.now += removal })
		from := r.clock.now
		r.shards[0].ExpireStep()
		return r.clock.now - from
	}
	if least, most := took(1), took(10); least < 140_000 || most < least+150_000 || most > 400_000 {
		t.Errorf("a step takes %d ns with the least effort, %d with the most", least, most)
	}
}

// TestPausesSpare lets a key expire while clients are paused: it is hidden, stays
// where it is, and goes when a command writes or the pause is over.
func TestPausesSpare(t *testing.T) {
	r := newRig(t, 1, 0, keyspace.Options{}, usual("noeviction"))
	s := r.shards[0]
	r.fill(0, 2, s.Now()+5)
	s.Spare(true)
	r.sleep(10)
	if s.ExpireStep() || s.NextDue() != math.MaxInt64 {
		t.Error("keys expire during a pause")
	}
	if got := r.do("exists", "key:0"); got != ":0\r\n" || r.keys(0) != 2 {
		t.Errorf("%q, %d keys", got, r.keys(0))
	}
	if got := r.do("setnx", "key:0", "v"); got != ":1\r\n" || r.keys(0) != 2 {
		t.Errorf("%q, %d keys", got, r.keys(0))
	}
	s.Spare(false)
	if s.ExpireStep(); r.keys(0) != 1 {
		t.Errorf("%d keys are left", r.keys(0))
	}
}
