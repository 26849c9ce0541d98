package host

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"github.com/elares/ironcache/sim/env"
)

// A connection changes hands in the middle of a stream, in both directions.
func TestMovesLoseNoByte(t *testing.T) {
	onEach(t, func(t *testing.T, a *desk) {
		b := newDesk(t, a.network)
		conn, client := a.pair()
		want := pattern(1 << 20)
		go client.Write(want)
		var got []byte
		for at, other := a, b; len(got) < len(want); at, other = other, at {
			got = append(got, at.read(conn, 1)...)
			at.Detach(conn)
			at.quiet(conn)
			if err := other.Attach(conn); err != nil {
				t.Fatal(err)
			}
			got = append(got, other.read(conn, min(100_000, len(want)-len(got)))...)
		}
		if !bytes.Equal(got, want) {
			t.Fatal("bytes differ")
		}
	})
}

// TestGone: the end of a peer's stream is seen without reading; where the
// system tells, unread bytes before it do not hide it.
func TestGone(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		for name, leave := range map[string]func(net.Conn){
			"close":  func(c net.Conn) { c.Close() },
			"half":   func(c net.Conn) { _ = c.(*net.TCPConn).CloseWrite() },
			"reset":  func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0); c.Close() },
			"behind": func(c net.Conn) { send(t, c, "bytes"); c.Close() },
		} {
			conn, client := d.pair()
			d.WantRead(conn, false)
			if d.Gone(conn) {
				t.Errorf("%s: gone before it", name)
			}
			leave(client)
			gone := false
			for range 1000 {
				if gone = d.Gone(conn); gone {
					break
				}
				time.Sleep(time.Millisecond)
			}
			_, portable := d.network.(*portableNetwork)
			if !gone && !(portable && name == "behind") {
				t.Errorf("%s: not seen", name)
			}
			d.Close(conn)
		}
	})
}

// What arrives between Detach and Attach is reported by the next owner, and so
// is what arrived before and was not read.
func TestBytesArriveWhileDetached(t *testing.T) {
	onEach(t, func(t *testing.T, a *desk) {
		b := newDesk(t, a.network)
		conn, client := a.pair()
		send(t, client, "before ")
		a.readable(conn)
		a.Detach(conn)
		send(t, client, "between")
		time.Sleep(5 * time.Millisecond)
		if err := b.Attach(conn); err != nil {
			t.Fatal(err)
		}
		b.readable(conn)
		if got := b.read(conn, 14); string(got) != "before between" {
			t.Fatalf("read %q", got)
		}
		b.write(conn, []byte("ok"))
		expect(t, client, "ok")
		b.Close(conn)
		if _, err := client.Read(make([]byte, 1)); err != io.EOF {
			t.Fatalf("after Close the client sees %v", err)
		}
	})
}

// Shut ends what the poller watches, and only that.
func TestShut(t *testing.T) {
	onEach(t, func(t *testing.T, a *desk) {
		b := newDesk(t, a.network)
		mine, client := a.pair()
		other, moved := a.pair()
		a.Detach(other)
		if err := b.Attach(other); err != nil {
			t.Fatal(err)
		}
		a.Shut()
		a.Wake() // late, and harmless
		if _, err := client.Read(make([]byte, 1)); err != io.EOF {
			t.Fatalf("the client of %d sees %v", mine, err)
		}
		b.write(other, []byte("still here"))
		expect(t, moved, "still here")
	})
}

func TestReportsAreFair(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		const conns = 8
		listener, address := d.listen(env.ListenAddress{})
		clients := map[env.Conn]net.Conn{}
		for range conns {
			conn, client, _ := d.connect(listener, "tcp", address)
			clients[conn] = client
			send(t, client, "x") // and nobody reads
		}
		seen := map[env.Conn]bool{}
		for deadline := time.Now().Add(5 * time.Second); len(seen) < conns && time.Now().Before(deadline); {
			n, _ := d.Wait(d.events[:2], int64(time.Second))
			for _, e := range d.events[:n] {
				seen[e.Conn] = true
			}
		}
		if len(seen) < conns {
			t.Fatalf("only %d of %d ready connections were reported", len(seen), conns)
		}
	})
}
