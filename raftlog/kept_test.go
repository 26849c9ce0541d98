package raftlog

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/raftlog/bus"
)

// double is a bus that stands for another node and answers calls as a test wants.
type double struct {
	*bus.Bus
	name string

	mu    sync.Mutex
	conns int
	calls []string // "2: b" is what was asked for on the second connection
}

// newDouble serves calls: serve answers one, and tells whether the connection goes on.
func newDouble(t *testing.T, serve func(conn net.Conn, number int, ask frame) bool) *double {
	t.Helper()
	o := freeOptions(t)
	id := bus.ID{7}
	b, err := bus.Open(bus.Options{World: host.NewWorld(host.Options{}), Address: o.Bus(), ID: id, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	d := &double{Bus: b, name: bus.Name(o.Bus(), id)}
	l := b.Listen(lineCalls)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go d.serve(conn, serve)
		}
	}()
	return d
}

func (d *double) serve(conn net.Conn, serve func(conn net.Conn, number int, ask frame) bool) {
	defer conn.Close()
	d.mu.Lock()
	d.conns++
	number := d.conns
	d.mu.Unlock()
	for goesOn := true; goesOn; {
		ask, err := readFrame(conn)
		if err != nil {
			return
		}
		if callKind(ask.head) != callKnock {
			d.mu.Lock()
			d.calls = append(d.calls, fmt.Sprintf("%d: %s", number, ask.body))
			d.mu.Unlock()
		}
		goesOn = serve(conn, number, ask)
	}
}

// seen is what was asked for so far.
func (d *double) seen() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.calls)
}

// repeats answers a call with what was asked.
func repeats(conn net.Conn, _ int, ask frame) bool {
	return writeFrame(conn, frame{answered, ask.call, ask.body}) == nil
}

// caller is a plane that asks doubles for a text, which they answer with.
type caller struct {
	*Plane
	t *testing.T
}

func newCaller(t *testing.T) caller {
	t.Helper()
	p, err := Open(freeOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return caller{p, t}
}

func (c caller) ask(to, text string, patience time.Duration) (answer string, err error) {
	err = c.call(to, callHello, text, &answer, patience)
	return answer, err
}

// asks asks for texts, one after the other.
func (c caller) asks(to string, texts ...string) {
	c.t.Helper()
	for _, text := range texts {
		if got, err := c.ask(to, text, 10*time.Second); err != nil || got != text {
			c.t.Errorf("asked for %s: %q, %v", text, got, err)
		}
	}
}

// saw compares what a double was asked for with what it should have been.
func (c caller) saw(d *double, want string) {
	c.t.Helper()
	if got := fmt.Sprint(d.seen()); got != want {
		c.t.Errorf("the node saw %s, want %s", got, want)
	}
}

// Calls to a node that is known by its id go over one connection, one after the other,
// and those at once over connections of their own, of which few are kept. Of a mere
// address none is.
func TestCallsGoOverKeptConnections(t *testing.T) {
	d, c := newDouble(t, repeats), newCaller(t)
	c.asks(d.name, "a", "b", "c")
	c.saw(d, `[1: "a" 1: "b" 1: "c"]`)
	address, _, _ := strings.Cut(d.name, "#")
	c.asks(address, "d", "e")
	c.saw(d, `[1: "a" 1: "b" 1: "c" 2: "d" 3: "e"]`)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { c.asks(d.name, fmt.Sprint(i)) })
	}
	all.Wait()
	if n := len(c.kept.list); n == 0 || n > mostKeptOf {
		t.Errorf("%d are kept", n)
	}
	c.asks(d.name, "f")
}

// A call that the other side refuses leaves the connection in order.
func TestRefusedCallKeepsTheConnection(t *testing.T) {
	d := newDouble(t, func(conn net.Conn, _ int, ask frame) bool {
		if string(ask.body) == `"b"` {
			return writeFrame(conn, frame{failed, ask.call, []byte("no b")}) == nil
		}
		return repeats(conn, 0, ask)
	})
	c := newCaller(t)
	c.asks(d.name, "a")
	if _, err := c.ask(d.name, "b", 10*time.Second); err == nil || !strings.HasSuffix(err.Error(), "says: no b") {
		t.Error(err)
	}
	c.asks(d.name, "c")
	c.saw(d, `[1: "a" 1: "b" 1: "c"]`)
}

// A kept connection that broke, with or without a word, or on which something came that
// nobody asked for, is not used: the call goes over another one, and once.
func TestBrokenConnectionIsReplaced(t *testing.T) {
	for name, serve := range map[string]func(conn net.Conn, number int, ask frame) bool{
		"it was closed": func(conn net.Conn, number int, ask frame) bool {
			return repeats(conn, number, ask) && number > 1
		},
		"nobody is there": func(conn net.Conn, number int, ask frame) bool {
			return number == 1 && callKind(ask.head) == callKnock || repeats(conn, number, ask)
		},
		"the answer came twice": func(conn net.Conn, number int, ask frame) bool {
			return repeats(conn, number, ask) && (number > 1 || repeats(conn, number, ask))
		},
		"a knock has the answer to another call": func(conn net.Conn, number int, ask frame) bool {
			if number == 1 && callKind(ask.head) == callKnock {
				ask.call--
			}
			return repeats(conn, number, ask)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, c := newDouble(t, serve), newCaller(t)
			c.asks(d.name, "a")
			if got, err := c.ask(d.name, "b", 4*time.Second); err != nil || got != "b" { // half of it waits for the knock
				t.Errorf("%q, %v", got, err)
			}
			c.saw(d, `[1: "a" 2: "b"]`)
		})
	}
}

// The connection of a call whose answer did not come is not used again: a late answer is
// none to another call. Of such a call it is not known whether it was seen.
func TestLateAnswerIsOfNoOtherCall(t *testing.T) {
	late, sent := make(chan bool), make(chan bool)
	d := newDouble(t, func(conn net.Conn, number int, ask frame) bool {
		if string(ask.body) != `"b"` {
			return repeats(conn, number, ask)
		}
		<-late
		_ = repeats(conn, number, ask)
		close(sent)
		return true
	})
	c := newCaller(t)
	c.asks(d.name, "a")
	if got, err := c.ask(d.name, "b", 2*time.Second); err == nil || errors.Is(err, errNotSent) {
		t.Errorf("%q, %v", got, err)
	}
	c.asks(d.name, "c")
	close(late)
	<-sent
	c.asks(d.name, "d")
	c.saw(d, `[1: "a" 1: "b" 2: "c" 2: "d"]`)
}

// An answer to another call, or one that is none, is an error, and no connection is kept
// that gave one.
func TestWrongAnswerIsNone(t *testing.T) {
	for name, wrong := range map[string]func(ask frame) frame{
		"of another call": func(ask frame) frame { return frame{answered, ask.call + 1, ask.body} },
		"neither":         func(ask frame) frame { return frame{'?', ask.call, ask.body} },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDouble(t, func(conn net.Conn, _ int, ask frame) bool { return writeFrame(conn, wrong(ask)) == nil })
			c := newCaller(t)
			for _, text := range []string{"a", "b"} {
				if got, err := c.ask(d.name, text, 10*time.Second); err == nil || errors.Is(err, errNotSent) {
					t.Errorf("%q, %v", got, err)
				}
			}
			c.saw(d, `[1: "a" 2: "b"]`)
		})
	}
}

// A node that does not answer at all has not seen the call.
func TestCallIsNotSentToNobody(t *testing.T) {
	d := newDouble(t, func(conn net.Conn, number int, ask frame) bool { return number == 1 && repeats(conn, number, ask) })
	c := newCaller(t)
	c.asks(d.name, "a")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.ask(d.name, "b", 10*time.Second); !errors.Is(err, errNotSent) {
		t.Error(err)
	}
}

// Few connections are kept, and none for long.
func TestKeptConnectionsAreFew(t *testing.T) {
	d, c := newDouble(t, repeats), newCaller(t)
	clock := &hands{}
	k := kept{clock: clock}
	var talks []*talk
	for i := range mostKept + 3 {
		conn, err := c.bus.Dial(lineCalls, d.name, 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		talks = append(talks, &talk{Conn: conn})
		k.put(fmt.Sprintf("127.0.0.1:%d#", i), talks[i])
	}
	for i, one := range talks {
		if one.Quiet() != (i >= 3) {
			t.Errorf("connection %d of %d is kept: %v", i, len(talks), one.Quiet())
		}
	}
	if k.take("127.0.0.1:3#") != talks[3] || k.take("127.0.0.1:3#") != nil || k.take("127.0.0.1:0#") != nil {
		t.Error("another than the one that was kept is given")
	}
	clock.at.Add(int64(keptTime) - 1)
	k.put("127.0.0.1:3#", talks[3])
	clock.at.Add(1)
	k.tidy()
	if len(k.list) != 1 || !talks[3].Quiet() || talks[4].Quiet() {
		t.Errorf("%d are kept after their time", len(k.list)-1)
	}
	k.end("127.0.0.1:3#")
	if len(k.list) != 0 || talks[3].Quiet() {
		t.Errorf("%d are kept", len(k.list))
	}
	conn, err := c.bus.Dial(lineCalls, d.name, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	k.put("127.0.0.1:3#", &talk{Conn: conn})
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for by := time.Now().Add(10 * time.Second); len(k.list) > 0; k.tidy() {
		if time.Now().After(by) {
			t.Fatal("one is kept that the other side has ended")
		}
	}
}
