package netio

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elares/ironcache/sim"
)

// watchCase is a change between WATCH and EXEC. Requests are separated by ";",
// "wait" lets 60 ms pass, K and J stand for keys of different shards where there
// are any. Each outcome is redis-server's.
type watchCase struct {
	setup, watch, change string
	holds                bool
}

var watchCases = []watchCase{
	{"", "watch K", "set K v", false},
	{"set K v", "watch K", "set K v", false},
	{"set K v", "watch K", "get K; touch K; getex K; strlen K", true},
	{"set K v", "watch K", "append K x", false},
	{"set K v", "watch K", "del K", false},
	{"set K v", "watch K", "unlink K", false},
	{"", "watch K", "del K", true},
	{"", "watch K", "set K v; del K", false},
	{"set K v", "watch K", "setnx K w", true},
	{"set K v", "watch K", "msetnx J x K w", true},
	{"set K v", "watch K", "mset J x K w", false},
	{"set K v", "watch K", "expire K 100", false},
	{"set K v", "watch K", "persist K", true},
	{"set K v", "watch K", "rename K J", false},
	{"set J v", "watch K", "rename J K", false},
	{"set K v", "watch K", "rename K K", true},
	{"set J v", "watch K", "copy J K", false},
	{"set K v", "watch K", "copy K J", true},
	{"set K v", "watch K", "move K 1", false},
	{"select 1; set K v; select 0", "watch K", "select 1; move K 0; select 0", false},
	{"", "watch K", "select 1; set K v; select 0", true},
	{"set K v; set J v", "watch K", "set J w; del J", true},

	{"set J v", "watch K", "flushall", true},
	{"set K v", "watch K", "flushall", false},
	{"set K v", "watch K", "flushall async", false},
	{"set K v", "watch K", "flushdb", false},
	{"set J v", "watch K", "flushdb", true},
	{"set K v", "watch K", "select 1; flushdb; select 0", true},
	{"set K v", "watch K", "select 1; flushall; select 0", false},
	{"set K v", "watch K", "swapdb 0 1", false},
	{"select 1; set K v; select 0", "watch K", "swapdb 1 0", false},
	{"select 1; set J v; select 0", "watch K", "swapdb 0 1", true},
	{"set K v", "watch K", "swapdb 1 2", true},
	{"set K v", "watch K", "multi; set K w; exec", false},
	{"set K v", "watch K", "multi; flushall; exec", false},

	{"set K v px 30", "watch K", "wait", false},
	{"set K v px 100", "watch K", "wait", true},
	{"lazy; set K v px 30", "watch K", "wait", false},
	{"lazy; set K v px 30", "watch K", "wait; get K", false},
	{"lazy; set K v px 30; wait", "watch K", "ping", true},
	{"lazy; set K v px 30; wait", "watch K", "get K", true},
	{"lazy; set K v px 30; wait", "watch K", "get K; set K w", false},
	{"lazy; set K v px 30; wait", "watch K", "set K w", false},
	{"lazy; set K v px 30; wait", "watch K", "flushall", true},
	{"lazy; set K v px 30; wait", "watch K", "eager; wait; wait", true},

	{"set K v", "watch K K; watch K J", "set K w", false},
	{"set K v", "watch J K", "set K w", false},
	{"set K v", "watch K; watch J", "ping", true},
	{"set K v", "watch K; unwatch", "set K w", true},
	{"set K v", "watch K; multi; discard", "set K w", true},
	{"set K v", "watch K; multi; exec", "set K w", true},
	{"set K v", "watch K; set K w; multi; exec", "ping", true},
	{"set K v", "watch K; set K w", "ping", false},
	{"set K v", "watch K; multi; nosuch; exec", "set K w", true},
	{"set K v", "watch K; reset", "set K w", true},
	{"set K v", "select 1; watch K; select 0", "set K w", true},
	{"set K v", "watch K; select 1", "set K w", false},
}

// say has a client say a list of requests.
func (c *caller) say(list string, k, j string) {
	c.town.tb.Helper()
	for line := range strings.SplitSeq(list, ";") {
		line = strings.TrimSpace(line)
		switch line {
		case "":
		case "wait":
			c.town.pass(60)
		case "lazy":
			c.line("debug set-active-expire 0")
		case "eager":
			c.line("debug set-active-expire 1")
		default:
			c.do(strings.Fields(strings.NewReplacer("K", k, "J", j).Replace(line))...)
		}
	}
}

func TestWatch(t *testing.T) {
	for _, shards := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("%d shards", shards), func(t *testing.T) {
			for i, w := range watchCases {
				t.Run(w.setup+" | "+w.watch+" | "+w.change, func(t *testing.T) { w.test(t, shards, i) })
			}
		})
	}
}

func (w watchCase) test(t *testing.T, shards, i int) {
	place := newTownIn(t, sim.New(uint64(i), sim.Mix{}), shards, "enable-debug-command=yes")
	watcher, other := place.dial(), place.dial()
	k, j := keyOn(i%shards, shards, "k"), keyOn((i+1)%shards, shards, "j")
	other.say(w.setup, k, j)
	watcher.say(w.watch, k, j)
	other.say(w.change, k, j)
	want := "*-1\r\n"
	if w.holds {
		want = "*1\r\n+PONG\r\n"
	}
	if watcher.line("multi"); watcher.line("ping") != "+QUEUED\r\n" {
		t.Error("not queued")
	}
	if got := watcher.line("exec"); got != want {
		t.Errorf("exec: %q, want %q", got, want)
	}
	place.watchesGone(t)
}

// watchesGone checks that no shard remembers a watch.
func (t *town) watchesGone(test *testing.T) {
	test.Helper()
	t.pass(1)
	if n := t.total(func(l *Loop) int64 { return int64(l.shard.WatchedKeys()) }); n != 0 {
		test.Errorf("%d keys are still watched", n)
	}
}

// However a watcher ends, nothing of its watches stays.
func TestWatchesEndWithTheirClient(t *testing.T) {
	ends := map[string]func(c *caller, other *caller){
		"close": func(c, other *caller) { c.Close() },
		"reset": func(c, other *caller) { c.Reset() },
		"quit":  func(c, other *caller) { c.line("quit") },
		"kill": func(c, other *caller) {
			other.line(words("client kill id", c.conn().client))
		},
		"exec in a pipeline": func(c, other *caller) { c.pipeline("multi", "get a", "exec"); c.next(3) },
		"protocol error":     func(c, other *caller) { c.Send([]byte("*x\r\n")) },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			place := newTownIn(t, sim.New(3, sim.Mix{}), 4)
			c, other := place.dial(), place.dial()
			c.settle()
			c.line("watch a b c d e f g h i j k l m n")
			if n := place.total(func(l *Loop) int64 { return int64(l.shard.WatchedKeys()) }); n != 14 {
				t.Fatalf("%d keys are watched", n)
			}
			end(c, other)
			place.watchesGone(t)
		})
	}
}

// To watch many keys takes a time that grows with their number, not with its
// square; a key that is named again is watched once.
func TestWatchOfManyKeys(t *testing.T) {
	const keys = 200_000
	place := newTown(t, 2)
	c := place.dial()
	c.settle()
	words := []string{"watch"}
	for i := range keys {
		words = append(words, fmt.Sprint("k", i))
	}
	from := time.Now()
	for range 2 {
		if got := c.do(words...); got != "+OK\r\n" {
			t.Fatal(got)
		}
	}
	if n := len(c.conn().watching); n != keys {
		t.Errorf("%d keys are watched", n)
	}
	if took := time.Since(from); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if got := c.line("unwatch"); got != "+OK\r\n" {
		t.Fatal(got)
	}
	place.watchesGone(t)
}

// Two clients that increment by WATCH, GET, MULTI, SET, EXEC lose no increment.
func TestOptimisticIncrements(t *testing.T) {
	eachSeed(t, 20, func(t *testing.T, seed uint64, world *sim.World) {
		shards := 1 + int(seed%4)
		place := newTownIn(t, world, shards)
		key := keyOn(int(seed)%shards, shards, "n")
		done := 0
		var racers []*racer
		for range 4 {
			racers = append(racers, &racer{caller: place.dial(), key: key, left: 15, done: &done})
		}
		place.until("the end of the race", func() bool {
			left := 0
			for _, r := range racers {
				r.act()
				left += r.left
			}
			return left == 0
		})
		if got := number(racers[0].do("get", key)); got != done || done != 60 {
			t.Errorf("%d after %d increments", got, done)
		}
		place.watchesGone(t)
	})
}

// racer increments a key by optimistic transactions.
type racer struct {
	*caller
	key     string
	left    int // increments to make
	done    *int
	waiting bool
	wrote   bool
}

// act sends the next requests when the replies to the last ones are there.
func (r *racer) act() {
	list := r.arrived()
	switch {
	case r.left == 0:
	case !r.waiting:
		r.pipeline("watch "+r.key, "get "+r.key)
		r.waiting, r.wrote = true, false
	case !r.wrote && len(list) == 2:
		r.pipeline("multi", fmt.Sprintf("set %s %d", r.key, number(list[1])+1), "exec")
		r.wrote = true
	case r.wrote && len(list) == 3:
		if list[2] != "*-1\r\n" {
			r.left--
			*r.done++
		}
		r.waiting = false
	case len(list) > 0:
		// The rest of the replies is still to come.
		r.got = append([]byte(strings.Join(list, "")), r.got...)
	}
}
