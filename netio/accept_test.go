package netio

import (
	"bufio"
	"bytes"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elares/ironcache/raftlog/sparing"
	"github.com/elares/ironcache/sim/env"
)

// TestUnacceptedIsLoggedSparingly: a loop that gets no connections tells so now and
// then, with how often, and counts all.
func TestUnacceptedIsLoggedSparingly(t *testing.T) {
	var text bytes.Buffer
	l := &Loop{node: &Node{log: slog.New(slog.NewTextHandler(&text, nil))}}
	for range 20 {
		l.acceptFailed(env.ErrTooMany)
	}
	l.mono += sparing.Least
	l.acceptFailed(env.ErrTooMany)
	const line, more = "a connection was not accepted", `"more since the last such line"=19`
	if said := text.String(); strings.Count(said, line) != 2 || strings.Count(said, more) != 1 || l.stats.refused != 21 {
		t.Errorf("%d were counted, and it says\n%s", l.stats.refused, said)
	}
}

// TestAdmitIsExact: loops that accept at once let in as many as there may be,
// no more and no fewer.
func TestAdmitIsExact(t *testing.T) {
	const most, loops = 100, 8
	var node Node
	var admitted atomic.Int64
	var all sync.WaitGroup
	for range loops {
		all.Go(func() {
			for range most {
				if node.admit(most) {
					admitted.Add(1)
				}
			}
		})
	}
	all.Wait()
	if admitted.Load() != most || node.clients() != most {
		t.Errorf("%d admitted, %d counted, not %d", admitted.Load(), node.clients(), most)
	}
}

// TestMaxclientsIsExact: however many come at once, maxclients are served; the
// others are told, and those that leave make room.
func TestMaxclientsIsExact(t *testing.T) {
	const most, comers = 17, 80
	place := startPlant(t, 4, false, "maxclients=17")
	for range 3 {
		var served, refused atomic.Int64
		var all, asked sync.WaitGroup
		asked.Add(comers)
		for range comers {
			all.Go(func() {
				conn, err := net.Dial("tcp", place.address)
				if err != nil {
					t.Error(err)
					asked.Done()
					return
				}
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
				_, _ = conn.Write([]byte("PING\r\n"))
				line, _ := bufio.NewReader(conn).ReadString('\n')
				if line == "+PONG\r\n" {
					served.Add(1)
				} else {
					refused.Add(1) // with words, or by a reset that overtook them
				}
				asked.Done()
				asked.Wait() // nobody leaves before all have come
			})
		}
		all.Wait()
		if served.Load() != most || refused.Load() != comers-most {
			t.Errorf("%d were served and %d refused", served.Load(), refused.Load())
		}
		for place.node.clients() > 0 {
			time.Sleep(time.Millisecond)
		}
	}
}

// TestHTTPIsLoggedSparingly: a client that comes again and again and speaks HTTP, as
// whoever looks whether a port is open, is told of now and then.
func TestHTTPIsLoggedSparingly(t *testing.T) {
	town := newTown(t, 1)
	for range 20 {
		town.speakHTTP()
	}
	town.pass(2000)
	town.speakHTTP()
	const line, more = "a client speaks HTTP", `"more since the last such line"=19`
	if said := town.log.String(); strings.Count(said, line) != 2 || strings.Count(said, more) != 1 {
		t.Errorf("it says\n%s", said)
	}
}

// speakHTTP connects and asks for a page.
func (t *town) speakHTTP() {
	c := t.dial()
	c.Send([]byte("POST / HTTP/1.1\r\n"))
	c.ended()
}
