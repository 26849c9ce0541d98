package netio

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
)

// newTownIn starts a node on a machine of a world, with options, each
// "name=value".
func newTownIn(tb testing.TB, world *sim.World, shards int, options ...string) *town {
	tb.Helper()
	return newTownWith(tb, world, shards, keyspace.Options{}, options...)
}

// newTownWith is newTownIn with options of the stores.
func newTownWith(tb testing.TB, world *sim.World, shards int, stores keyspace.Options, options ...string) *town {
	tb.Helper()
	return newTownBy(tb, world, Options{Shards: shards, Store: stores}, options...)
}

// newTownBy is newTownIn with the options of the node that are given.
func newTownBy(tb testing.TB, world *sim.World, o Options, options ...string) *town {
	tb.Helper()
	var flags []config.Setting
	for _, option := range options {
		name, value, _ := strings.Cut(option, "=")
		flags = append(flags, config.Setting{Name: name, Value: value})
	}
	store, err := config.Load(config.Inputs{Flags: flags})
	if err != nil {
		tb.Fatal(err)
	}
	t := &town{tb: tb, world: world, machine: world.Machine()}
	o.World, o.Config, o.Log = t.machine.Doors(), store, slog.New(slog.NewTextHandler(&t.log, nil))
	t.node, err = New(o)
	if err == nil {
		err = t.node.Listen()
	}
	if err != nil {
		tb.Fatal(err)
	}
	for _, l := range t.node.Loops() {
		t.actors = append(t.actors, l)
	}
	return t
}

// eachSeed runs a test in the worlds of seeds; no connection of theirs breaks.
func eachSeed(t *testing.T, seeds int, test func(t *testing.T, seed uint64, world *sim.World)) {
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			mix := sim.DrawMix(seed)
			mix.Reset = 0
			test(t, seed, sim.New(seed, mix))
		})
	}
}

// patience is how long, in virtual nanoseconds, a test waits for what has to
// come.
const patience = 600e9

// until takes turns until done, and fails when that does not come.
func (t *town) until(what string, done func() bool) {
	t.tb.Helper()
	limit := t.world.Now() + patience
	err := t.world.Run(func() bool { return done() || t.world.Now() > limit }, t.actors...)
	if err != nil || !done() {
		t.tb.Fatalf("%s does not come: %v, at %d ns", what, err, t.world.Now())
	}
}

// pass takes turns for a number of virtual milliseconds.
func (t *town) pass(ms int64) {
	t.tb.Helper()
	if err := t.world.RunFor(ms*1e6, t.actors...); err != nil {
		t.tb.Fatal(err)
	}
}

// pull takes what has arrived.
func (c *caller) pull() { c.got = append(c.got, c.Receive()...) }

// next waits for the next n replies.
func (c *caller) next(n int) []string {
	c.town.tb.Helper()
	var list []string
	for range n {
		list = append(list, c.reply())
	}
	return list
}

// arrived takes the whole replies that are there.
func (c *caller) arrived() (list []string) {
	c.pull()
	for size := replySize(c.got); size > 0; size = replySize(c.got) {
		list = append(list, string(c.got[:size]))
		c.got = c.got[size:]
	}
	return list
}

// ended waits for the end of the connection and gives what came before it.
func (c *caller) ended() string {
	c.town.tb.Helper()
	c.town.until("the end of a connection", func() bool { return c.Err() != nil })
	c.pull()
	text := string(c.got)
	c.got = nil
	return text
}

// pipeline sends requests, each words separated by spaces, in one piece.
func (c *caller) pipeline(lines ...string) { c.Send(requests(lines...)) }

// requests spells requests, each words separated by spaces.
func requests(lines ...string) []byte {
	w := resp.Writer{Proto: 2}
	for _, line := range lines {
		words := strings.Fields(line)
		w.Array(len(words))
		for _, word := range words {
			w.BulkString(word)
		}
	}
	return w.Bytes()
}

// keyOn gives a key that a shard of so many owns.
func keyOn(shard, shards int, name string) string {
	for i := 0; ; i++ {
		key := fmt.Sprintf("%s:%d", name, i)
		if slots.Shard(slots.Of([]byte(key)), shards) == shard {
			return key
		}
	}
}

// conn is the node's side of a caller's connection, nil when there is none.
func (c *caller) conn() *Conn {
	for _, l := range c.town.node.loops {
		for _, conn := range l.conns {
			if conn != nil && conn.name == c.label() {
				return conn
			}
		}
	}
	return nil
}

// label is a name that no other caller has.
func (c *caller) label() string { return fmt.Sprintf("caller-%p", c.Peer) }

// settle names the connection, so that conn finds it, and gives the loop that
// serves it.
func (c *caller) settle() *Loop {
	c.town.tb.Helper()
	if got := c.line("client setname " + c.label()); got != "+OK\r\n" {
		c.town.tb.Fatalf("client setname: %q", got)
	}
	return c.conn().loop
}

// at moves the connection to a loop, where it stays while the others have as
// many or fewer by one.
func (c *caller) at(loop int) *caller {
	c.town.tb.Helper()
	from, to := c.settle(), c.town.node.loops[loop]
	if from != to {
		conn := c.conn()
		from.conns[conn.id] = nil
		from.clients.Add(-1)
		from.handOver(conn, to)
	}
	if c.settle() != to {
		c.town.tb.Fatalf("the connection is not at loop %d", loop)
	}
	return c
}

// dice draws for a test.
type dice struct{ env.Rand }

func newDice(seed uint64) dice { return dice{sim.NewRand(seed ^ 0x646963650000)} }

func (d dice) below(n int) int { return int(d.Uint64() % uint64(n)) }

// deal sends bytes in pieces, some turns apart, until all is sent; call it once
// a turn.
func (c *caller) deal(d dice, rest *[]byte, most int) {
	if c.Unsent() > 0 || len(*rest) == 0 {
		return
	}
	size := min(len(*rest), 1+d.below(most))
	c.Send((*rest)[:size])
	*rest = (*rest)[size:]
}

// total sums a figure over all loops.
func (t *town) total(figure func(*Loop) int64) (sum int64) {
	for _, l := range t.node.loops {
		sum += figure(l)
	}
	return sum
}
