package netio

import (
	"fmt"
	"io"
	"log/slog"
	"testing"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/env"
)

// stillNetwork is a network without a world behind it: what a connection has sent is
// set by hand, and what is written to it is counted. It allocates nothing.
type stillNetwork struct{ pollers []*stillPoller }

func (n *stillNetwork) Poller() (env.Poller, error) {
	p := &stillPoller{}
	n.pollers = append(n.pollers, p)
	return p, nil
}

// stillPoller has one connection, number 1, which it accepts at once.
type stillPoller struct {
	accepted bool
	in       []byte // not yet read
	written  int
}

func (p *stillPoller) Listen(env.ListenAddress) (env.Conn, error) { return 0, nil }

func (p *stillPoller) Dial(string) (env.Conn, error) { return 0, env.ErrRefused }

func (p *stillPoller) Accept(env.Conn) (env.Conn, env.Peer, error) {
	if p.accepted {
		return 0, env.Peer{}, env.ErrAgain
	}
	p.accepted = true
	return 1, env.Peer{Remote: "127.0.0.1:1", Loopback: true}, nil
}

func (p *stillPoller) Wait(events []env.Event, _ int64) (int, error) {
	switch {
	case !p.accepted:
		events[0] = env.Event{Conn: 0, Readable: true}
	case len(p.in) > 0:
		events[0] = env.Event{Conn: 1, Readable: true}
	default:
		return 0, nil
	}
	return 1, nil
}

func (p *stillPoller) Read(_ env.Conn, b []byte) (int, error) {
	n := copy(b, p.in)
	p.in = p.in[n:]
	return n, nil
}

func (p *stillPoller) Write(_ env.Conn, b []byte) (int, error) {
	p.written += len(b)
	return len(b), nil
}

func (p *stillPoller) Wake()                    {}
func (p *stillPoller) Park(int64, bool)         {}
func (p *stillPoller) WantRead(env.Conn, bool)  {}
func (p *stillPoller) Gone(env.Conn) bool       { return false }
func (p *stillPoller) WantWrite(env.Conn, bool) {}
func (p *stillPoller) KeepAlive(env.Conn, int)  {}
func (p *stillPoller) Detach(env.Conn)          {}
func (p *stillPoller) Attach(env.Conn) error    { return nil }
func (p *stillPoller) Close(env.Conn)           {}
func (p *stillPoller) Shut()                    {}

// bench is a node on a still network with one connection at each loop.
type bench struct {
	node    *Node
	network *stillNetwork
}

func newBench(tb testing.TB, shards int, options ...string) *bench {
	tb.Helper()
	b := &bench{network: &stillNetwork{}}
	doors := sim.New(1, sim.Mix{}).Machine().Doors()
	doors.Network = b.network
	store := config.New()
	for i := 0; i+1 < len(options); i += 2 {
		if err := store.Set([]config.Setting{{Name: options[i], Value: options[i+1]}}); err != nil {
			tb.Fatal(err)
		}
	}
	var err error
	b.node, err = New(Options{World: doors, Config: store, Shards: shards, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err == nil {
		err = b.node.Listen()
	}
	if err != nil {
		tb.Fatal(err)
	}
	b.turns(4)
	return b
}

// turns gives every loop turns.
func (b *bench) turns(n int) {
	for range n {
		for _, l := range b.node.loops {
			l.Step(false)
		}
	}
}

// ask has the connection of a loop send a pipeline, and runs it until as many
// bytes have come back. It tells whether they came.
func (b *bench) ask(loop int, pipeline []byte, reply int) bool {
	p := b.network.pollers[loop]
	p.in = pipeline
	want := p.written + reply
	for turns := 0; p.written < want && turns < 1000; turns++ {
		b.turns(1)
	}
	return p.written == want
}

// A steady pipeline of GET and SET allocates nothing: on one loop, and where
// each request or stretch of requests hops to another one.
func TestSteadyPipelineAllocatesNothing(t *testing.T) {
	for _, shards := range []int{1, 2} {
		for _, order := range []string{"strict", "relaxed"} {
			t.Run(fmt.Sprintf("%d shards, %s", shards, order), func(t *testing.T) {
				b := newBench(t, shards, "pipeline-order", order)
				var lines []string
				reply := 0
				for i := range 64 {
					key := keyOn(i/3%shards, shards, "key")
					lines = append(lines, "set "+key+" 0123456789", "get "+key)
					reply += len("+OK\r\n") + len("$10\r\n0123456789\r\n")
				}
				pipeline := requests(lines...)
				ask := func() {
					for loop := range shards {
						if !b.ask(loop, pipeline, reply) {
							t.Fatal("replies are missing")
						}
					}
				}
				for range 50 {
					ask()
				}
				if n := testing.AllocsPerRun(200, ask); n != 0 {
					t.Errorf("%v allocations for %d requests", n, shards*len(lines))
				}
			})
		}
	}
}

// Neither do single requests.
func TestSteadyRequestsAllocateNothing(t *testing.T) {
	for _, line := range []string{"ping", "get k", "set k v", "incr n", "exists k", "strlen k", "getrange k 0 3", "append a x", "del none", "expire k 100", "ttl k"} {
		t.Run(line, func(t *testing.T) {
			b := newBench(t, 2)
			pipeline := requests("set k abcdef", line)
			first := b.network.pollers[0].written
			b.network.pollers[0].in = pipeline
			b.turns(20)
			reply := b.network.pollers[0].written - first - len("+OK\r\n")
			request := requests(line)
			ask := func() {
				b.network.pollers[0].in = request
				b.turns(3)
			}
			for range 50 {
				ask()
			}
			if n := testing.AllocsPerRun(200, ask); n != 0 {
				t.Errorf("%v allocations", n)
			}
			if reply == 0 {
				t.Error("no reply")
			}
		})
	}
}
