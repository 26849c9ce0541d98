package host

import (
	"bytes"
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/elares/ironcache/sim/env"
)

// networks are the two ways to reach the same world; a behaviour test runs on
// both.
var networks = []struct {
	name    string
	options Options
}{
	{"system", Options{}},
	{"portable", Options{Portable: true}},
}

func onEach(t *testing.T, test func(*testing.T, *desk)) {
	for _, n := range networks {
		t.Run(n.name, func(t *testing.T) { test(t, newDesk(t, NewNetwork(n.options))) })
	}
}

// desk is a poller under test with what a test needs around it.
type desk struct {
	t       *testing.T
	network env.Network
	env.Poller
	events [64]env.Event
}

func newDesk(t *testing.T, network env.Network) *desk {
	t.Helper()
	p, err := network.Poller()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Shut)
	return &desk{t: t, network: network, Poller: p}
}

func (d *desk) listen(at env.ListenAddress) (env.Conn, string) {
	d.t.Helper()
	if at.Network == "" {
		at.Network = "tcp"
	}
	if at.Address == "" {
		at.Address = "127.0.0.1:0"
	}
	if at.Backlog == 0 {
		at.Backlog = 128
	}
	conn, err := d.Listen(at)
	if err != nil {
		d.t.Fatal(err)
	}
	return conn, d.Poller.(interface{ Address(env.Conn) string }).Address(conn)
}

// wait gives the first event for which ok holds.
func (d *desk) wait(what string, ok func(env.Event) bool) env.Event {
	d.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		n, err := d.Wait(d.events[:], int64(time.Second))
		if err != nil {
			d.t.Fatal(err)
		}
		for _, e := range d.events[:n] {
			if ok(e) {
				return e
			}
		}
	}
	d.t.Fatalf("no event: %s", what)
	return env.Event{}
}

func (d *desk) readable(conn env.Conn) {
	d.t.Helper()
	d.wait("readable", func(e env.Event) bool { return e.Conn == conn && e.Readable })
}

func (d *desk) writable(conn env.Conn) {
	d.t.Helper()
	d.wait("writable", func(e env.Event) bool { return e.Conn == conn && e.Writable })
}

// quiet fails if the connection is reported within a moment, or keeps the loop
// awake without a report.
func (d *desk) quiet(conn env.Conn) {
	d.t.Helper()
	turns := 0
	for deadline := time.Now().Add(30 * time.Millisecond); time.Now().Before(deadline); turns++ {
		n, _ := d.Wait(d.events[:], int64(5*time.Millisecond))
		for _, e := range d.events[:n] {
			if e.Conn == conn {
				d.t.Fatalf("unwanted event %+v", e)
			}
		}
	}
	if turns > 20 {
		d.t.Fatalf("the loop turned %d times for nothing", turns)
	}
}

// pair dials a fresh listener and accepts.
func (d *desk) pair() (env.Conn, net.Conn) {
	d.t.Helper()
	listener, address := d.listen(env.ListenAddress{})
	defer d.Close(listener)
	conn, client, _ := d.connect(listener, "tcp", address)
	return conn, client
}

func (d *desk) connect(listener env.Conn, network, address string) (env.Conn, net.Conn, env.Peer) {
	d.t.Helper()
	client, err := net.Dial(network, address)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { client.Close() })
	d.readable(listener)
	conn, peer, err := d.Accept(listener)
	if err != nil {
		d.t.Fatal(err)
	}
	return conn, client, peer
}

// read collects size bytes.
func (d *desk) read(conn env.Conn, size int) []byte {
	d.t.Helper()
	var all []byte
	part := make([]byte, 16<<10)
	for len(all) < size {
		n, err := d.Read(conn, part)
		if err == env.ErrAgain {
			d.readable(conn)
			continue
		}
		if err != nil {
			d.t.Fatalf("after %d of %d bytes: %v", len(all), size, err)
		}
		all = append(all, part[:n]...)
	}
	return all
}

// write writes all, waiting where needed.
func (d *desk) write(conn env.Conn, b []byte) {
	d.t.Helper()
	for len(b) > 0 {
		n, err := d.Write(conn, b)
		switch {
		case err == env.ErrAgain:
			d.WantWrite(conn, true)
			d.writable(conn)
			d.WantWrite(conn, false)
		case err != nil:
			d.t.Fatal(err)
		}
		b = b[n:]
	}
}

func send(t *testing.T, to io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(to, text); err != nil {
		t.Fatal(err)
	}
}

func expect(t *testing.T, from io.Reader, text string) {
	t.Helper()
	got := make([]byte, len(text))
	if _, err := io.ReadFull(from, got); err != nil || string(got) != text {
		t.Fatalf("got %q, %v; want %q", got, err, text)
	}
}

// pattern is size bytes in which a lost or doubled one shows.
func pattern(size int) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(i * 7 / 3)
	}
	return b
}

func TestEcho(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		conn, client := d.pair()
		send(t, client, "hello")
		if got := d.read(conn, 5); string(got) != "hello" {
			t.Fatalf("read %q", got)
		}
		if _, err := d.Read(conn, make([]byte, 1)); err != env.ErrAgain {
			t.Fatalf("read of nothing: %v", err)
		}
		d.write(conn, []byte("world"))
		expect(t, client, "world")
	})
}

func TestPartialWritesToSlowReader(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		conn, client := d.pair()
		want := pattern(16 << 20)
		got := make(chan []byte)
		go func() {
			time.Sleep(20 * time.Millisecond)
			b := make([]byte, len(want))
			n, _ := io.ReadFull(client, b)
			got <- b[:n]
		}()
		d.write(conn, want)
		if !bytes.Equal(<-got, want) {
			t.Fatal("bytes differ")
		}
	})
}

func TestEventsAreLevelTriggered(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		conn, client := d.pair()
		send(t, client, "ab")
		d.readable(conn)
		d.readable(conn)
		if n, err := d.Read(conn, make([]byte, 1)); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		d.readable(conn)
		d.read(conn, 1)
		d.quiet(conn)
		d.WantWrite(conn, true)
		d.writable(conn)
		d.writable(conn)
		d.WantWrite(conn, false)
		d.quiet(conn)
	})
}

func TestWantReadOff(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		conn, client := d.pair()
		d.WantRead(conn, false)
		send(t, client, "x")
		d.quiet(conn)
		d.WantRead(conn, true)
		d.readable(conn)
	})
}

// A dead peer must not keep a loop awake that does not want to hear of it.
func TestDeadPeerIsSilentUntilWanted(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		conn, client := d.pair()
		d.WantRead(conn, false)
		client.(*net.TCPConn).SetLinger(0)
		client.Close()
		d.quiet(conn)
		d.WantRead(conn, true)
		d.readable(conn)
		if _, err := d.Read(conn, make([]byte, 1)); err != env.ErrReset {
			t.Fatalf("read after a reset: %v", err)
		}
	})
}

func TestHalfCloseStillGetsReply(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		conn, client := d.pair()
		send(t, client, "last words")
		client.(*net.TCPConn).CloseWrite()
		d.read(conn, 10)
		d.readable(conn)
		for range 2 {
			if n, err := d.Read(conn, make([]byte, 8)); n != 0 || err != io.EOF {
				t.Fatalf("at the end: %d, %v", n, err)
			}
		}
		d.write(conn, []byte("reply"))
		d.Close(conn)
		expect(t, client, "reply")
		if _, err := client.Read(make([]byte, 1)); err != io.EOF {
			t.Fatalf("after Close the client sees %v", err)
		}
	})
}

// What was written arrives although the peer's bytes were never read.
func TestCloseWithUnreadInput(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		conn, client := d.pair()
		send(t, client, "garbage that nobody reads")
		d.readable(conn)
		d.write(conn, []byte("-ERR go away\r\n"))
		d.Close(conn)
		expect(t, client, "-ERR go away\r\n")
		if _, err := client.Read(make([]byte, 1)); err != io.EOF {
			t.Fatalf("after the last words the client sees %v", err)
		}
	})
}

func TestWriteAfterReset(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		conn, client := d.pair()
		client.(*net.TCPConn).SetLinger(0)
		client.Close()
		d.readable(conn)
		d.Read(conn, make([]byte, 1))
		for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if _, err := d.Write(conn, []byte("x")); err != nil {
				if err != env.ErrReset {
					t.Fatalf("write after a reset: %v", err)
				}
				return
			}
		}
		t.Fatal("writes to a dead peer succeed")
	})
}

func TestUnixSocket(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		path := filepath.Join(t.TempDir(), "s")
		listener, _ := d.listen(env.ListenAddress{Network: "unix", Address: path, Perm: 0o600})
		conn, client, peer := d.connect(listener, "unix", path)
		if want := (env.Peer{Remote: path, Local: path, Loopback: true, Unix: true}); peer != want {
			t.Fatalf("peer %+v", peer)
		}
		d.KeepAlive(conn, 10)
		send(t, client, "hi")
		d.read(conn, 2)
		d.write(conn, []byte("ho"))
		expect(t, client, "ho")
	})
}
