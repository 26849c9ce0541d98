package sim

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/elares/ironcache/sim/env"
)

// story sends text over several connections through an unkind network, and
// gives the world in which that happened.
func story(t *testing.T, seed uint64, mix Mix) (*World, *echo, []*Peer) {
	w := New(seed, mix)
	server := newEcho(t, w.Machine(), tcp())
	var peers []*Peer
	for i := range 3 {
		p := w.Dial(echoAddress)
		p.Send(text(i))
		p.CloseWrite()
		peers = append(peers, p)
	}
	err := w.Run(func() bool { return allEnded(peers) }, server)
	if err != nil {
		t.Fatal(err)
	}
	return w, server, peers
}

func text(i int) []byte { return bytes.Repeat([]byte{byte('a' + i), '0', '1', '2'}, 5000*(i+1)) }

func allEnded(peers []*Peer) bool {
	for _, p := range peers {
		if p.Err() == nil {
			return false
		}
	}
	return true
}

// What is sent arrives, in order and whole, however unkind the network is.
func TestStreamsArrive(t *testing.T) {
	for seed := range uint64(100) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			mix := DrawMix(seed)
			mix.Reset = 0
			_, _, peers := story(t, seed, mix)
			for i, p := range peers {
				if got := p.Receive(); p.Err() != io.EOF || !bytes.Equal(got, text(i)) {
					t.Errorf("peer %d: %d bytes, then %v", i, len(got), p.Err())
				}
			}
		})
	}
}

// With resets, what arrives is a prefix.
func TestResetsCut(t *testing.T) {
	resets := 0
	for seed := range uint64(50) {
		mix := DrawMix(seed)
		mix.Reset = 50_000
		_, server, peers := story(t, seed, mix)
		for i, p := range peers {
			if got := p.Receive(); !bytes.HasPrefix(text(i), got) {
				t.Errorf("seed %d: peer %d received what it did not send", seed, i)
			}
		}
		resets += server.resets
	}
	if resets == 0 {
		t.Error("no connection was ever reset")
	}
}

func TestSeedDecidesAll(t *testing.T) {
	traces := map[uint64]uint64{}
	for seed := range uint64(50) {
		mix := DrawMix(seed)
		first, _, _ := story(t, seed, mix)
		again, _, _ := story(t, seed, mix)
		if first.Trace() != again.Trace() || first.Now() != again.Now() {
			t.Errorf("seed %d: two runs differ", seed)
		}
		if other, seen := traces[first.Trace()]; seen && mix != DrawMix(other) {
			t.Errorf("seeds %d and %d have the same trace", seed, other)
		}
		traces[first.Trace()] = seed
	}
	if len(traces) < 40 {
		t.Errorf("only %d traces of 50 seeds", len(traces))
	}
}

func TestSlowReader(t *testing.T) {
	w := New(1, Mix{Window: 1000})
	server := newEcho(t, w.Machine(), tcp())
	p := w.Dial(echoAddress)
	p.Pause(true)
	p.Send(make([]byte, 100_000))
	if err := w.Run(func() bool { return false }, server); err != ErrIdle {
		t.Fatal(err)
	}
	if got := p.Receive(); len(got) != 0 || p.Unsent() == 0 {
		t.Errorf("a paused peer received %d bytes and has %d to send", len(got), p.Unsent())
	}
	p.Pause(false)
	if err := w.Run(func() bool { return false }, server); err != ErrIdle {
		t.Fatal(err)
	}
	if got := p.Receive(); len(got) != 100_000 {
		t.Errorf("%d bytes came back", len(got))
	}
}

func TestRefused(t *testing.T) {
	w := New(1, Mix{})
	p := w.Dial("127.0.0.1:1")
	w.Advance(1)
	if !p.Refused() || p.Err() != env.ErrReset {
		t.Errorf("refused %v, %v", p.Refused(), p.Err())
	}
	at := tcp()
	at.Backlog = 2
	newEcho(t, w.Machine(), at)
	var peers []*Peer
	for range 3 {
		peers = append(peers, w.Dial(echoAddress))
	}
	w.Advance(1)
	for i, p := range peers {
		if p.Refused() != (i == 2) {
			t.Errorf("peer %d: refused is %v", i, p.Refused())
		}
	}
}

func TestAddresses(t *testing.T) {
	w := New(1, Mix{})
	m := w.Machine()
	poller, _ := m.Doors().Network.Poller()
	listen := func(at env.ListenAddress) error { _, err := poller.Listen(at); return err }
	all := env.ListenAddress{Network: "tcp", Address: "0.0.0.0:7000", Backlog: 1}
	unix := env.ListenAddress{Network: "unix", Address: "/run/sock", Backlog: 1}
	shared := env.ListenAddress{Network: "tcp", Address: "127.0.0.1:7001", Backlog: 1, Shared: true}
	for _, at := range []env.ListenAddress{all, unix, shared, shared} {
		if err := listen(at); err != nil {
			t.Error(err)
		}
	}
	if listen(all) == nil {
		t.Error("two listeners on an address that they do not share")
	}
	w.Dial("127.0.0.1:7000")
	w.Dial("unix:/run/sock")
	w.DialFrom("10.0.0.7:4000", "127.0.0.1:7001")
	w.Advance(1)
	want := map[env.Conn]env.Peer{
		3: {Remote: "127.0.0.1:32769", Local: "127.0.0.1:7000", Loopback: true},
		4: {Remote: "/run/sock", Local: "/run/sock", Loopback: true, Unix: true},
	}
	for id, peer := range want {
		if _, got, err := poller.Accept(id); err != nil || got != peer {
			t.Errorf("listener %d: %+v, %v", id, got, err)
		}
	}
	_, got, err := poller.Accept(5)
	if err != nil {
		_, got, err = poller.Accept(6)
	}
	if err != nil || got.Loopback || got.Remote != "10.0.0.7:4000" {
		t.Errorf("from afar: %+v, %v", got, err)
	}
}

func TestTooMany(t *testing.T) {
	w := New(1, Mix{})
	m := w.Machine()
	m.LimitConns(2)
	server := newEcho(t, m, tcp())
	peers := []*Peer{w.Dial(echoAddress), w.Dial(echoAddress), w.Dial(echoAddress)}
	for _, p := range peers {
		p.Send([]byte("x"))
	}
	answered := func(n int) func() bool {
		return func() bool {
			count := 0
			for _, p := range peers {
				count += len(p.got)
			}
			return count == n
		}
	}
	if err := w.Run(answered(2), server); err != nil {
		t.Fatal(err)
	}
	if err := w.RunFor(2*restPeriod, server); err != nil || server.refusals == 0 {
		t.Fatalf("%d refusals, %v", server.refusals, err)
	}
	peers[0].CloseWrite()
	peers[1].CloseWrite()
	if err := w.Run(answered(3), server); err != nil {
		t.Fatal(err)
	}
}

func TestDetach(t *testing.T) {
	w := New(1, Mix{})
	network := w.Machine().Doors().Network
	a, _ := network.Poller()
	b, _ := network.Poller()
	listener, _ := a.Listen(tcp())
	p := w.Dial(echoAddress)
	p.Send([]byte("hello"))
	w.Advance(1)
	c, _, err := a.Accept(listener)
	if err != nil {
		t.Fatal(err)
	}
	a.WantRead(c, false)
	a.Detach(c)
	var events [4]env.Event
	if n, _ := a.Wait(events[:], 0); n != 0 {
		t.Errorf("%d events of a detached connection", n)
	}
	if err := b.Attach(c); err != nil {
		t.Fatal(err)
	}
	n, _ := b.Wait(events[:], 0)
	if n != 1 || events[0] != (env.Event{Conn: c, Readable: true}) {
		t.Fatalf("%+v", events[:n])
	}
	var buf [16]byte
	if n, err := b.Read(c, buf[:]); err != nil || string(buf[:n]) != "hello" {
		t.Errorf("%q, %v", buf[:n], err)
	}
	b.Close(c)
	w.Advance(1)
	if p.Err() != io.EOF {
		t.Errorf("the peer saw %v", p.Err())
	}
	p.Send([]byte("to nobody"))
	w.Advance(1)
	if p.Err() != io.EOF || !p.link.dead {
		t.Error("bytes to a closed connection are answered by a reset")
	}
}

func TestPeerResets(t *testing.T) {
	w := New(1, Mix{})
	server := newEcho(t, w.Machine(), tcp())
	p, q := w.Dial(echoAddress), w.Dial(echoAddress)
	for _, peer := range []*Peer{p, q} {
		peer.Send([]byte("hello"))
	}
	idle := func() bool { return false }
	if err := w.Run(idle, server); err != ErrIdle {
		t.Fatal(err)
	}
	p.Reset()
	q.Close()
	if err := w.Run(idle, server); err != ErrIdle || server.resets != 1 || len(server.unsent) != 0 {
		t.Errorf("%v, %d resets, %d connections open", err, server.resets, len(server.unsent))
	}
	if p.Err() != env.ErrReset || q.Err() != io.EOF {
		t.Errorf("the peers saw %v and %v", p.Err(), q.Err())
	}
}

// A close without reading the answers makes the machine's next write fail.
func TestWriteToClosedPeer(t *testing.T) {
	w := New(1, Mix{})
	server := newEcho(t, w.Machine(), tcp())
	p := w.Dial(echoAddress)
	p.Send(make([]byte, 10_000))
	p.Close()
	if err := w.Run(func() bool { return false }, server); err != ErrIdle || server.resets != 1 {
		t.Errorf("%v, %d resets", err, server.resets)
	}
}

// A crash breaks every connection, frees the addresses and starts the machine
// with another stream of chance.
func TestMachineCrash(t *testing.T) {
	w := New(1, Mix{})
	m := w.Machine()
	before := m.Doors()
	server := newEcho(t, m, tcp())
	p := w.Dial(echoAddress)
	p.Send([]byte("hello"))
	if err := w.Run(func() bool { return len(p.Receive()) == 5 }, server); err != nil {
		t.Fatal(err)
	}
	waiting := w.Dial(echoAddress)
	w.Advance(1)
	m.Crash()
	w.Advance(1)
	if p.Err() != env.ErrReset || waiting.Err() != env.ErrReset {
		t.Errorf("the peers saw %v and %v", p.Err(), waiting.Err())
	}
	server = newEcho(t, m, tcp())
	p = w.Dial(echoAddress)
	p.Send([]byte("hello"))
	if err := w.Run(func() bool { return len(p.Receive()) == 5 }, server); err != nil {
		t.Fatal(err)
	}
	if before.Rand.Uint64() == m.Doors().Rand.Uint64() {
		t.Error("the second life draws what the first drew")
	}
}

func TestTell(t *testing.T) {
	w := New(1, Mix{})
	var lines []string
	w.Tell(func(line string) { lines = append(lines, line) })
	w.Dial("127.0.0.1:1")
	w.Advance(1)
	if len(lines) == 0 || lines[0] != "           0 refuse 1 0" {
		t.Errorf("%q", lines)
	}
}
