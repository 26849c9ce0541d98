package host

import (
	"bytes"
	"io"
	"net"
	"testing"

	"github.com/elares/ironcache/sim/env"
)

// dial starts a connection and waits until it stands.
func (d *desk) dial(to string) env.Conn {
	d.t.Helper()
	conn, err := d.Dial(to)
	if err != nil {
		d.t.Fatal(err)
	}
	d.writable(conn)
	return conn
}

func TestDialCarriesBytesBothWays(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		for _, at := range []string{"127.0.0.1:0", "[::1]:0"} {
			listener, err := net.Listen("tcp", at)
			if err != nil {
				continue // no IPv6 here
			}
			echoed := make(chan error, 1)
			go func() {
				conn, err := listener.Accept()
				if err == nil {
					_, err = io.Copy(conn, conn)
					conn.Close()
				}
				echoed <- err
			}()
			conn := d.dial(listener.Addr().String())
			d.WantWrite(conn, false)
			if n, err := d.Write(conn, []byte("hello")); n != 5 || err != nil {
				t.Fatalf("write: %d, %v", n, err)
			}
			d.readable(conn)
			var got [16]byte
			if n, err := d.Read(conn, got[:]); err != nil || !bytes.Equal(got[:n], []byte("hello")) {
				t.Fatalf("read: %q, %v", got[:n], err)
			}
			d.Close(conn)
			if err := <-echoed; err != nil {
				t.Fatal(err)
			}
			listener.Close()
		}
	})
}

func TestDialWhereNobodyListens(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listener.Close()
		conn, err := d.Dial(listener.Addr().String())
		if err == env.ErrRefused {
			return // the system may tell at once
		}
		if err != nil {
			t.Fatal(err)
		}
		d.readable(conn)
		if _, err := d.Read(conn, make([]byte, 1)); err != env.ErrRefused {
			t.Fatalf("read: %v", err)
		}
		d.Close(conn)
	})
}

func TestDialWantsNumbers(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		for _, to := range []string{"", "localhost:1", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:"} {
			if _, err := d.Dial(to); err == nil {
				t.Errorf("dial %q: no error", to)
			}
		}
	})
}

func TestDialThatIsClosedAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		conn, err := d.Dial(listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		d.Close(conn)
		client, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if n, err := client.Read(make([]byte, 1)); n != 0 || err == nil {
			t.Fatalf("the far end reads %d bytes, %v", n, err)
		}
	})
}
