package netio

import (
	"hash/fnv"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// FuzzNode feeds any bytes, cut anywhere, to a node of two loops: it neither
// panics nor hangs, other clients go on being served, and the connection ends
// when its client has nothing more to say.
func FuzzNode(f *testing.F) {
	for _, list := range [][]talk{talksOpen, talksClosed} {
		for _, k := range list {
			f.Add(k.bytes())
		}
	}
	for _, broken := range faulty {
		f.Add([]byte("mset a 1 b 2 c 3\r\n" + broken.bytes))
	}
	for _, w := range watchCases {
		f.Add(talk{say: strings.NewReplacer("K", "k", "J", "j").Replace(w.setup + ";" + w.watch + ";" + w.change + ";multi;exec")}.bytes())
	}
	f.Add([]byte("client pause 100000\r\nget a\r\n"))
	f.Add([]byte("*3\r\n$3\r\nset\r\n$1\r\nk\r\n$70000\r\n" + strings.Repeat("x", 70_000) + "\r\nget k\r\nmget k k k k\r\n"))
	f.Add([]byte("monitor\r\nget a\r\nmulti\r\nget b\r\nexec\r\nclient reply skip\r\nget c\r\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		if len(stream) > 1<<20 {
			return
		}
		feed(t, stream)
	})
}

// feed has one client say the stream, while another one asks now and then.
func feed(t *testing.T, stream []byte) {
	sum := fnv.New64a()
	_, _ = sum.Write(stream)
	d := newDice(sum.Sum64())
	world := sim.New(sum.Sum64(), sim.Mix{ShortRead: d.below(2) * 200_000, ShortWrite: d.below(2) * 200_000, Hidden: 100_000})
	place := newTownIn(t, world, 2, "maxmemory=32mb", "pipeline-order="+[]string{"strict", "relaxed"}[d.below(2)])
	place.machine.Memory.Limit = 256 << 20
	fed, other := place.dial(), place.dial()
	other.settle()
	rest := stream
	limit := world.Now() + patience
	err := world.Run(func() bool {
		fed.deal(d, &rest, 1+d.below(4000))
		if len(rest) == 0 && fed.Unsent() == 0 {
			fed.CloseWrite()
		}
		if d.below(50) == 0 && other.Err() == nil {
			other.pipeline("client unpause", "get "+keyOn(d.below(2), 2, "k"))
		}
		fed.Receive()
		return fed.Err() != nil || place.ended() || world.Now() > limit
	}, place.actors...)
	if err != nil || world.Now() > limit {
		t.Fatalf("the connection does not end: %v", err)
	}
	if place.ended() || other.Err() != nil {
		return // the stream had SHUTDOWN or CLIENT KILL in it
	}
	other.ask("client", "unpause")
	other.ask("ping")
	answered := false
	place.until("the other client's reply", func() bool {
		for _, reply := range other.arrived() {
			answered = answered || reply == "+PONG\r\n"
		}
		return answered || other.Err() != nil || place.ended()
	})
}

// ended tells that the loops of the node have ended.
func (t *town) ended() bool { return t.node.loops[0].ended }
