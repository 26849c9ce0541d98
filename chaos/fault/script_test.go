package fault

import (
	"fmt"
	"testing"

	"github.com/elares/ironcache/chaos/wire"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/door"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/sim/wasm"
)

// parrot is a machine that answers whoever connects with pieces, one after the other,
// and then no more.
type parrot struct {
	poller env.Poller
	pieces []string
	conn   env.Conn
}

func newParrot(t *testing.T, m *sim.Machine, pieces []string) *parrot {
	t.Helper()
	poller, err := m.Doors().Network.Poller()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := poller.Listen(env.ListenAddress{Network: "tcp", Address: m.Host() + ":" + ClientPort, Backlog: 1}); err != nil {
		t.Fatal(err)
	}
	return &parrot{poller: poller, pieces: pieces}
}

// step accepts a connection, or says the next piece on it.
func (p *parrot) step(t *testing.T) {
	t.Helper()
	var events [4]env.Event
	n, err := p.poller.Wait(events[:], 0)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case p.conn == 0 && n > 0:
		if p.conn, _, err = p.poller.Accept(events[0].Conn); err != nil {
			t.Fatal(err)
		}
	case p.conn != 0 && len(p.pieces) > 0:
		if _, err := p.poller.Write(p.conn, []byte(p.pieces[0])); err != nil {
			t.Fatal(err)
		}
		p.pieces = p.pieces[1:]
	}
}

// A script has the replies to all that it asked for, however they arrive, or none.
func TestScriptAsks(t *testing.T) {
	for _, c := range []struct {
		name   string
		pieces []string
		want   string
		well   bool
	}{
		{"in pieces", []string{"+O", "K\r\n*2\r\n:1", "\r\n$1\r\na", "\r\n"}, "[+OK *[:1 $a]]", true},
		{"one is missing", []string{"+OK\r\n"}, "[]", false},
		{"one too many", []string{"+OK\r\n:1\r\n:2\r\n"}, "[]", false},
		{"no reply", []string{"+OK\r\nwhat?\r\n"}, "[]", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := wasm.NewCluster(1, sim.Mix{})
			p := newParrot(t, cluster.Add(door.Start{}).Machine, c.pieces)
			stage, world := NewStage(cluster, nil), cluster.World
			var replies []wire.Value
			well, over := false, false
			s := newScript(stage, func(s *script) {
				replies, well = s.ask(0, []string{"a"}, []string{"b"})
				over = true
			})
			defer s.stop()
			for !over && world.Now() <= 2*scriptPatience {
				s.step()
				p.step(t)
				world.Advance(10 * million)
			}
			if fmt.Sprint(replies) != c.want || well != c.well || !over || !well && s.lines[0] != nil {
				t.Errorf("%v, well: %v, over: %v", replies, well, over)
			}
		})
	}
}

// A node that has just said that a slot is its own may not answer for it yet, but
// sends nobody elsewhere.
func TestMine(t *testing.T) {
	for text, want := range map[string]bool{
		":1\r\n": true, "-CLUSTERDOWN The cluster is down\r\n": true, "-MOVED 7 10.0.0.2:6379\r\n": false,
		"-CLUSTERDOWN Hash slot not served\r\n": false, "$5\r\nMOVED\r\n": true,
	} {
		if a, _, _ := wire.Read([]byte(text)); mine(a) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
