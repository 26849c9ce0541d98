package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// scene is a change that several connections make over several shards at once,
// and what an observer may see of it.
type scene struct {
	name    string
	setup   func(keys []string) []string
	change  func(d dice, keys []string, i int) []string // one round of a changer
	observe func(keys []string) string
	fits    func(reply string) bool
}

// words joins words to a request.
func words(list ...any) string { return strings.TrimSuffix(fmt.Sprintln(list...), "\n") }

// all is a request with all keys as arguments, each followed by more.
func all(command string, keys []string, more ...string) string {
	for _, key := range keys {
		command += " " + key
		for _, word := range more {
			command += " " + word
		}
	}
	return command
}

// elements splits an array of bulk strings; a missing one is "nil".
func elements(reply string) (list []string) {
	parts := strings.Split(reply, "\r\n")
	for i := 1; i < len(parts)-1; i++ {
		if parts[i] == "$-1" {
			list = append(list, "nil")
			continue
		}
		i++
		list = append(list, parts[i])
	}
	return list
}

// same tells that an array has equal elements.
func same(reply string) bool {
	list := elements(reply)
	for _, e := range list {
		if e != list[0] {
			return false
		}
	}
	return len(list) > 0
}

// pair draws two different keys.
func pair(d dice, keys []string) (string, string) {
	a := d.below(len(keys))
	return keys[a], keys[(a+1+d.below(len(keys)-1))%len(keys)]
}

var scenes = []scene{
	{
		"transfers by MULTI",
		func(keys []string) []string { return []string{all("mset", keys, "100")} },
		func(d dice, keys []string, i int) []string {
			from, to := pair(d, keys)
			return []string{"multi", words("decrby", from, i%7), words("incrby", to, i%7), "exec"}
		},
		func(keys []string) string { return all("mget", keys) },
		func(reply string) bool {
			sum, n := 0, 0
			for _, e := range elements(reply) {
				sum += atoi(e)
				n++
			}
			return n > 0 && sum == 100*n
		},
	},
	{
		"MSET",
		func(keys []string) []string { return []string{all("mset", keys, "0")} },
		func(d dice, keys []string, i int) []string {
			return []string{all("mset", keys, fmt.Sprint(d.below(1000)))}
		},
		func(keys []string) string { return all("mget", keys) },
		same,
	},
	{
		"MSETNX and DEL",
		func(keys []string) []string { return nil },
		func(d dice, keys []string, i int) []string {
			return []string{all("msetnx", keys, fmt.Sprint(i)), all("del", keys)}
		},
		func(keys []string) string { return all("mget", keys) },
		same,
	},
	{
		"FLUSHALL and MSET",
		func(keys []string) []string { return nil },
		func(d dice, keys []string, i int) []string {
			return []string{all("mset", keys, fmt.Sprint(i)), []string{"flushall", "flushdb", "flushall async"}[i%3]}
		},
		func(keys []string) string { return all("mget", keys) },
		same,
	},
	{
		"SWAPDB",
		func(keys []string) []string {
			return []string{all("mset", keys, "0"), "select 1", all("mset", keys, "1"), "select 0"}
		},
		func(d dice, keys []string, i int) []string { return []string{"swapdb 0 1"} },
		func(keys []string) string { return all("mget", keys) },
		same,
	},
	{
		"RENAME seen by EXISTS",
		func(keys []string) []string { return []string{words("set", keys[0], "x")} },
		func(d dice, keys []string, i int) []string {
			a, b := pair(d, keys)
			return []string{words("rename", a, b)}
		},
		func(keys []string) string { return all("exists", keys) },
		func(reply string) bool { return reply == ":1\r\n" },
	},
	{
		"RENAMENX seen by DBSIZE",
		func(keys []string) []string { return []string{all("mset", keys[:2], "x")} },
		func(d dice, keys []string, i int) []string {
			a, b := pair(d, keys)
			return []string{words("renamenx", a, b)}
		},
		func(keys []string) string { return "dbsize" },
		func(reply string) bool { return reply == ":2\r\n" },
	},
	{
		"MSET and DEL seen by KEYS",
		func(keys []string) []string { return nil },
		func(d dice, keys []string, i int) []string {
			return []string{all("mset", keys, "x"), all("unlink", keys)}
		},
		func(keys []string) string { return "keys *" },
		func(reply string) bool { n := len(elements(reply)); return n == 0 || n == sceneKeys },
	},
	{
		"COPY in MULTI",
		func(keys []string) []string { return []string{all("mset", keys[:2], "0")} },
		func(d dice, keys []string, i int) []string {
			return []string{"multi", "incr " + keys[0], words("copy", keys[0], keys[1], "replace"), "exec"}
		},
		func(keys []string) string { return all("mget", keys[:2]) },
		same,
	},
	{
		"MGET in MULTI, and one key at a time",
		func(keys []string) []string { return []string{all("mset", keys, "0")} },
		func(d dice, keys []string, i int) []string {
			lines := []string{"multi"}
			for _, key := range keys {
				lines = append(lines, "incr "+key)
			}
			return append(lines, all("mget", keys), "exec")
		},
		func(keys []string) string { return all("mget", keys) },
		same,
	},
}

// sceneKeys is how many keys a scene plays with.
const sceneKeys = 6

func atoi(text string) (n int) {
	_, _ = fmt.Sscan(text, &n)
	return n
}

// play has changers and observers act at the same time, each on a connection of
// its own, with pipelines dealt out in pieces.
func play(t *testing.T, seed uint64, world *sim.World, s scene) {
	d := newDice(seed)
	shards := []int{2, 3, 4, 8}[d.below(4)]
	place := newTownIn(t, world, shards)
	var keys []string
	for i := range sceneKeys {
		keys = append(keys, keyOn(i%shards, shards, fmt.Sprintf("k%d", i)))
	}
	first := place.dial()
	first.pipeline(s.setup(keys)...)
	first.next(len(s.setup(keys)))

	const rounds = 40
	var actors []*caller
	var rest [][]byte
	for a := range 2 * shards {
		var lines []string
		for i := range rounds {
			if a%2 == 0 {
				lines = append(lines, s.change(d, keys, i)...)
			} else {
				lines = append(lines, s.observe(keys))
			}
		}
		actors, rest = append(actors, place.dial()), append(rest, requests(append(lines, "quit")...))
	}
	seen := 0
	place.until("the end of the scene", func() bool {
		left := false
		for a, c := range actors {
			c.deal(d, &rest[a], 3000)
			for _, reply := range c.arrived() {
				if a%2 == 1 && reply != "+OK\r\n" {
					seen++
					if !s.fits(reply) {
						t.Errorf("an observer saw %q", reply)
					}
				}
			}
			left = left || c.Err() == nil
		}
		return !left
	})
	if seen != shards*rounds {
		t.Errorf("%d observations", seen)
	}
}

// What spans several shards is seen whole or not at all, while every loop
// raises barriers.
func TestWideCommandsAreAtomic(t *testing.T) {
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			eachSeed(t, 12, func(t *testing.T, seed uint64, world *sim.World) { play(t, seed, world, s) })
		})
	}
}

// step gives turns to some loops only, by number: enough in each round for all
// that they can do without the others. Time may stand still meanwhile, since
// the others have something to do.
func (t *town) step(rounds int, loops ...int) {
	t.tb.Helper()
	var some []sim.Actor
	for _, id := range loops {
		some = append(some, t.node.loops[id])
	}
	turns := 0
	if err := t.world.Run(func() bool { turns++; return turns > 50*rounds }, some...); err != nil {
		t.tb.Fatal(err)
	}
}

// crew is a node of four loops with one caller at each.
func crew(t *testing.T) (*town, []*caller) {
	place := newTownIn(t, sim.New(7, sim.Mix{}), 4)
	var callers []*caller
	for range 4 {
		callers = append(callers, place.dial())
		place.pass(1)
	}
	byLoop := make([]*caller, 4)
	for _, c := range callers {
		byLoop[c.settle().id] = c
	}
	for id, c := range byLoop {
		if c == nil {
			t.Fatalf("no connection at loop %d", id)
		}
	}
	return place, byLoop
}

// Barriers over disjoint sets do not wait for each other.
func TestDisjointBarriersOverlap(t *testing.T) {
	place, callers := crew(t)
	a, b, c, d := keyOn(0, 4, "k"), keyOn(1, 4, "k"), keyOn(2, 4, "k"), keyOn(3, 4, "k")
	callers[0].pipeline(all("mset", []string{a, b}, "1"))
	place.step(1, 0)
	callers[2].pipeline(all("mset", []string{c, d}, "2"))
	place.step(20, 0, 2, 3)
	if got := callers[2].arrived(); len(got) != 1 || got[0] != "+OK\r\n" {
		t.Errorf("beside a barrier that waits for loop 1: %q", got)
	}
	if got := callers[0].arrived(); len(got) != 0 {
		t.Errorf("without loop 1: %q", got)
	}
	if got := callers[0].reply(); got != "+OK\r\n" {
		t.Errorf("at last: %q", got)
	}
}

// A loop that takes no turns holds the ring of barriers up once it is full, and
// nothing is lost, doubled or mixed up when it goes on.
func TestFullBarrierRingWaitsForTheSlowestLoop(t *testing.T) {
	place, callers := crew(t)
	keys := []string{keyOn(0, 4, "k"), keyOn(1, 4, "k"), keyOn(2, 4, "k")}
	const rounds = 100
	for _, c := range callers[:3] {
		for range rounds {
			c.pipeline("multi", "incr "+keys[0], "incr "+keys[1], "incr "+keys[2], "exec")
		}
	}
	place.step(200, 0, 1, 2)
	log := place.node.barriers
	if lag := log.tail.Load() - place.node.loops[3].passed.Load(); lag != uint64(len(log.cells)) {
		t.Fatalf("loop 3 lags by %d barriers, the ring has %d", lag, len(log.cells))
	}
	for _, c := range callers[:3] {
		for i, reply := range c.next(5 * rounds) {
			if reply[0] == '-' {
				t.Fatalf("reply %d: %q", i, reply)
			}
		}
	}
	if got := elements(callers[3].do(strings.Fields(all("mget", keys))...)); strings.Join(got, " ") != "300 300 300" {
		t.Errorf("%q", got)
	}
}

// While a loop's barrier finds no room in the ring, answers of other loops wait:
// what they would resume may need a barrier of its own.
func TestAnswersWaitWhileABarrierFindsNoRoom(t *testing.T) {
	place, callers := crew(t)
	second := place.dial().at(0)
	keys := []string{keyOn(0, 4, "k"), keyOn(1, 4, "k"), keyOn(2, 4, "k")}
	log, slow := place.node.barriers, place.node.loops[3]
	for log.tail.Load()-slow.passed.Load() < uint64(len(log.cells)) {
		callers[1].pipeline(all("mset", keys, "1"))
		place.step(2, 0, 1, 2)
	}
	for _, c := range []*caller{callers[0], second} {
		c.pipeline("get "+keys[1], all("mset", keys, "2"))
	}
	place.step(1, 0)
	place.step(1, 1)
	place.step(1, 0)
	place.step(20, 0, 1, 2)
	callers[0].next(2)
	second.next(2)
}

// Many messages from one loop to another that takes no turns wait at the
// sender, in order.
func TestFullMessageRingSpills(t *testing.T) {
	place, callers := crew(t)
	l := place.node.loops[0]
	var order []int
	tell := func(from, to int) {
		for i := from; i < to; i++ {
			l.tell(place.node.loops[1], func(*Loop) { order = append(order, i) })
		}
	}
	tell(0, 2*ringSize)
	place.node.loops[1].Step(false)
	if len(order) != ringSize {
		t.Fatalf("%d messages were received", len(order))
	}
	tell(2*ringSize, 3*ringSize) // the ring has room, but others wait already
	place.until("every message", func() bool { return len(order) == 3*ringSize })
	for i, n := range order {
		if i != n {
			t.Fatalf("message %d came as number %d", n, i)
		}
	}
	callers[1].line("ping")
}
