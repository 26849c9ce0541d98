package sim_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"testing"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/netio"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/env"
)

const serverAddress = "127.0.0.1:6379"

// server is a whole node on a simulated machine.
type server struct {
	world  *sim.World
	node   *netio.Node
	actors []sim.Actor
}

func startServer(t *testing.T, seed uint64, shards int, mix sim.Mix) *server {
	w := sim.New(seed, mix)
	node, err := netio.New(netio.Options{
		World: w.Machine().Doors(), Config: config.New(), Shards: shards,
		Log:   slog.New(slog.NewTextHandler(io.Discard, nil)),
		Store: keyspace.Options{},
	})
	if err == nil {
		err = node.Listen()
	}
	if err != nil {
		t.Fatal(err)
	}
	s := &server{world: w, node: node}
	for _, l := range node.Loops() {
		s.actors = append(s.actors, l)
	}
	return s
}

// client is a connection with what it asked and what it must be told.
type client struct {
	*sim.Peer
	name  string
	rand  env.Rand
	model map[string]string
	asks  resp.Writer
	want  resp.Writer
	got   []byte
	incrs int
}

func newClient(s *server, i int, r env.Rand) *client {
	c := &client{
		Peer: s.world.Dial(serverAddress), name: fmt.Sprintf("c%d", i), rand: r, model: map[string]string{},
		asks: resp.Writer{Proto: 2}, want: resp.Writer{Proto: 2},
	}
	for range 200 {
		questions[c.below(len(questions))](c)
	}
	c.ask("QUIT")
	c.want.OK()
	return c
}

func (c *client) below(n int) int { return int(c.rand.Uint64() % uint64(n)) }

// key draws one of the client's own keys.
func (c *client) key() string { return fmt.Sprintf("%s:%d", c.name, c.below(12)) }

func (c *client) ask(words ...string) {
	c.asks.Array(len(words))
	for _, word := range words {
		c.asks.BulkString(word)
	}
}

func (c *client) wantText(key string) {
	if text, ok := c.model[key]; ok {
		c.want.BulkString(text)
		return
	}
	c.want.Null()
}

// questions are what a client may ask, each with the answer of a map.
var questions = []func(c *client){
	func(c *client) {
		key, text := c.key(), fmt.Sprintf("%0*d", 1+c.below(300), c.below(1000))
		c.ask("SET", key, text)
		c.model[key] = text
		c.want.OK()
	},
	func(c *client) {
		key := c.key()
		c.ask("GET", key)
		c.wantText(key)
	},
	func(c *client) {
		key := c.key()
		c.ask("APPEND", key, "x")
		c.model[key] += "x"
		c.want.Int(int64(len(c.model[key])))
	},
	func(c *client) {
		a, b, text := c.key(), c.key(), c.key()
		c.ask("MSET", a, text, b, text)
		c.model[a], c.model[b] = text, text
		c.want.OK()
	},
	func(c *client) {
		a, b, d := c.key(), c.key(), c.key()
		c.ask("MGET", a, b, d)
		c.want.Array(3)
		c.wantText(a)
		c.wantText(b)
		c.wantText(d)
	},
	func(c *client) {
		a, b := c.key(), c.key()
		c.ask("DEL", a, b)
		before := len(c.model)
		delete(c.model, a)
		delete(c.model, b)
		c.want.Int(int64(before - len(c.model)))
	},
	func(c *client) {
		c.incrs++
		c.ask("INCR", "counter:"+c.name)
		c.want.Int(int64(c.incrs))
	},
	func(c *client) {
		key := c.key()
		c.ask("MULTI")
		c.ask("SET", key, "a")
		c.ask("APPEND", key, "b")
		c.ask("EXEC")
		c.model[key] = "ab"
		c.want.OK()
		c.want.Queued()
		c.want.Queued()
		c.want.Array(2)
		c.want.OK()
		c.want.Int(2)
	},
}

// send hands the peer the next piece of what the client asks, and reads.
func (c *client) send() {
	size := min(len(c.asks.Bytes()), 1+c.below(2000))
	c.Send(c.asks.Buf[:size])
	c.asks.Buf = c.asks.Buf[size:]
	c.got = append(c.got, c.Receive()...)
}

// converse has several clients ask a server in the world of a seed.
func converse(t *testing.T, seed uint64, mix sim.Mix) (*server, []*client) {
	r := sim.NewRand(seed)
	s := startServer(t, seed, 1+int(r.Uint64()%4), mix)
	var clients []*client
	for i := range 1 + r.Uint64()%6 {
		clients = append(clients, newClient(s, int(i), r.Fork()))
	}
	err := s.world.Run(func() bool {
		open := false
		for _, c := range clients {
			c.send()
			open = open || c.Err() == nil
		}
		return !open
	}, s.actors...)
	if err != nil {
		t.Fatalf("%v at %d ns", err, s.world.Now())
	}
	return s, clients
}

// Each client gets the answers of a map, however unkind the network and
// however many loops there are.
func TestServerAnswers(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			mix := sim.DrawMix(seed)
			mix.Reset = 0
			_, clients := converse(t, seed, mix)
			for _, c := range clients {
				c.compare(t)
			}
		})
	}
}

func (c *client) compare(t *testing.T) {
	if c.Err() != io.EOF || !bytes.Equal(c.got, c.want.Bytes()) {
		at := 0
		for at < min(len(c.got), len(c.want.Buf)) && c.got[at] == c.want.Buf[at] {
			at++
		}
		from := max(0, at-20)
		t.Errorf("%s: %v after %d of %d bytes; at %d got %.60q, want %.60q", c.name, c.Err(), len(c.got), len(c.want.Buf),
			at, c.got[min(from, len(c.got)):], c.want.Buf[min(from, len(c.want.Buf)):])
	}
}

// With resets, what arrived is a prefix of the answers.
func TestServerSurvivesResets(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			mix := sim.DrawMix(seed)
			mix.Reset = 5_000
			s, clients := converse(t, seed, mix)
			for _, c := range clients {
				if !bytes.HasPrefix(c.want.Bytes(), c.got) {
					t.Errorf("%s got what it did not ask for", c.name)
				}
			}
			s.ping(t)
		})
	}
}

// ping checks that the server still answers.
func (s *server) ping(t *testing.T) {
	kinder := sim.Mix{Window: sim.DefaultWindow, Tick: sim.DefaultTick}
	s.world.SetMix(kinder)
	p := s.world.Dial(serverAddress)
	p.Send([]byte("PING\r\n"))
	var got []byte
	err := s.world.Run(func() bool { got = append(got, p.Receive()...); return len(got) >= 7 }, s.actors...)
	if err != nil || string(got) != "+PONG\r\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestServerIsDecidedBySeed(t *testing.T) {
	for seed := range uint64(20) {
		a, _ := converse(t, seed, sim.DrawMix(seed))
		b, _ := converse(t, seed, sim.DrawMix(seed))
		if a.world.Trace() != b.world.Trace() {
			t.Errorf("seed %d: two runs differ", seed)
		}
	}
}
