package bus_test

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elares/ironcache/raftlog/bus"
)

// hush opens connections that say nothing, until the test ends.
func hush(t *testing.T, at string, count int) {
	t.Helper()
	for range count {
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
	}
}

// answers tells whether what is sent comes back.
func answers(c net.Conn) error {
	c.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := c.Write([]byte("hello")); err != nil {
		return err
	}
	_, err := io.ReadFull(c, make([]byte, 5))
	return err
}

// Whoever proves itself comes in and stays, be there silent connections of the same
// address, or as many others that have proved themselves.
func TestConnectionsKeepNobodyOut(t *testing.T) {
	for _, c := range []struct {
		name   string
		proven int // connections that prove themselves
		silent int // that come before each of them
	}{
		{"silent", 4, 100},
		{"proven", 150, 0}, // more than one address has room for
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, portable bool) {
				server, at := open(t, "s", portable)
				echo(server)
				client, _ := open(t, "s", portable)
				var proven []net.Conn
				for i := range c.proven {
					hush(t, at, c.silent)
					one, err := client.Dial(echoLine, at, 10*time.Second)
					if err != nil {
						t.Fatalf("connection %d, behind %d silent ones: %v", i, c.silent*(i+1), err)
					}
					defer one.Close()
					proven = append(proven, one)
				}
				for i, one := range proven {
					if err := answers(one); err != nil {
						t.Errorf("connection %d: %v", i, err)
					}
				}
			})
		})
	}
}

// hands is a clock that stands until a test moves it.
type hands struct{ at atomic.Int64 }

func (h *hands) Wall() int64 { return h.at.Load() }

func (h *hands) Monotonic() int64 { return h.at.Load() }

func (h *hands) Boot() int64 { return h.at.Load() }

// What strangers do is logged now and then, each kind of it, with how much was left out.
func TestStrangersAreLoggedSparingly(t *testing.T) {
	log, clock := &lines{}, &hands{}
	server, at := open(t, "right", false, func(o *bus.Options) {
		o.Log, o.World.Clock = slog.New(slog.NewTextHandler(log, nil)), clock
	})
	echo(server)
	enter := func() {
		t.Helper()
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.Write([]byte(strings.Repeat("GET / HTTP/1.1\r\n", 10)))
		c.SetDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.Copy(io.Discard, c); isTimeout(err) { // it is closed when the line is written
			t.Fatal(err)
		}
	}
	for range 20 {
		enter()
	}
	const away, more = "does not speak this protocol", `"more since the last such line"=19`
	if log.with(away) != 1 {
		t.Errorf("it says\n%s", log.all())
	}
	wrong, _ := open(t, "wrong", false)
	if _, err := wrong.Dial(echoLine, at, 10*time.Second); !errors.Is(err, bus.ErrSecret) {
		t.Fatal(err)
	}
	soon(t, log, func() bool { return log.with("turned away") == 2 }) // another kind
	clock.at.Add(int64(time.Second))
	enter()
	if log.with(away) != 2 || log.with(more) != 1 {
		t.Errorf("it says\n%s", log.all())
	}
}

// soon waits for something to hold of a log.
func soon(t *testing.T, log *lines, holds func() bool) {
	t.Helper()
	for by := time.Now().Add(10 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(by) {
			t.Fatalf("it says\n%s", log.all())
		}
	}
}

// Whoever asks for a line that nobody serves has no effect on who is admitted.
func TestAdmittedToServedLinesOnly(t *testing.T) {
	var admitted atomic.Int32
	server, at := open(t, "", false, func(o *bus.Options) {
		o.Admit = func(line bus.Line, _ bus.ID) error {
			admitted.Add(1)
			return nil
		}
	})
	echo(server)
	client, _ := open(t, "", false)
	if _, err := client.Dial('?', at, 10*time.Second); err == nil || admitted.Load() != 0 {
		t.Errorf("%d were admitted, %v", admitted.Load(), err)
	}
	c, err := client.Dial(echoLine, at, 10*time.Second)
	if err != nil || admitted.Load() != 1 {
		t.Fatalf("%d were admitted, %v", admitted.Load(), err)
	}
	c.Close()
}

// Sever ends what others have dialled, and tells when whoever has it has let go of it.
func TestSever(t *testing.T) {
	onEach(t, func(t *testing.T, portable bool) {
		server, at := open(t, "", portable)
		echo(server)
		held := server.Listen('h')
		client, _ := open(t, "", portable)
		dial := func(line bus.Line) net.Conn {
			t.Helper()
			c, err := client.Dial(line, at, 10*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			return c
		}
		echoed, other := dial(echoLine), dial('h')
		taken, err := held.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if err := answers(echoed); err != nil {
			t.Fatal(err)
		}
		if !server.Sever(echoLine, 10*time.Second) {
			t.Error("it is not let go of")
		}
		if err := answers(echoed); err == nil || isTimeout(err) {
			t.Errorf("it is not ended: %v", err)
		}
		if err := answers(dial(echoLine)); err != nil {
			t.Errorf("one that was dialled afterwards: %v", err)
		}
		other.Write([]byte("unread"))
		if server.Sever('h', 20*time.Millisecond) {
			t.Error("somebody has it still")
		}
		if n, err := taken.Read(make([]byte, 10)); err == nil {
			t.Errorf("what was not read is read: %d bytes", n)
		}
		taken.Close()
		if !server.Sever('h', 10*time.Second) || !server.Sever('?', 0) {
			t.Error("there is nothing to wait for")
		}
	})
}
