package bus_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/raftlog/bus"
)

const echoLine bus.Line = 'e'

// idOf is the id of the node at an address.
func idOf(address string) bus.ID { return sha1.Sum([]byte(address)) }

// open gives a bus on a free port of loopback, with changes to its options.
func open(t *testing.T, secret string, portable bool, changes ...func(*bus.Options)) (*bus.Bus, string) {
	t.Helper()
	for try := 0; ; try++ {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		at := free.Addr().String()
		free.Close()
		o := bus.Options{
			World: host.NewWorld(host.Options{Portable: portable}), Address: at, ID: idOf(at), Secret: secret,
			Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		}
		for _, change := range changes {
			change(&o)
		}
		b, err := bus.Open(o)
		if err == nil {
			t.Cleanup(func() { b.Close() })
			return b, at
		}
		if try == 20 {
			t.Fatal(err)
		}
	}
}

// echo serves the echo line of a bus.
func echo(b *bus.Bus) {
	l := b.Listen(echoLine)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				io.Copy(c, c)
				c.Close()
			}()
		}
	}()
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

func onEach(t *testing.T, test func(t *testing.T, portable bool)) {
	for _, portable := range []bool{false, true} {
		t.Run(fmt.Sprintf("portable=%v", portable), func(t *testing.T) { test(t, portable) })
	}
}

func TestManyConnectionsCarryBytes(t *testing.T) {
	onEach(t, func(t *testing.T, portable bool) {
		server, at := open(t, "s", portable)
		echo(server)
		client, _ := open(t, "s", portable)
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				c, err := client.Dial(echoLine, at, 10*time.Second)
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				text := bytes.Repeat([]byte{byte(i), 'x', byte(i >> 1)}, 300_000)
				go c.Write(text)
				got := make([]byte, len(text))
				if _, err := io.ReadFull(c, got); err != nil || !bytes.Equal(got, text) {
					t.Errorf("connection %d: %v", i, err)
				}
			})
		}
		all.Wait()
	})
}

func TestGreetingKeepsOthersOut(t *testing.T) {
	onEach(t, func(t *testing.T, portable bool) {
		server, at := open(t, "right", portable)
		echo(server)
		client, _ := open(t, "wrong", portable)
		if _, err := client.Dial(echoLine, at, 5*time.Second); !errors.Is(err, bus.ErrSecret) {
			t.Errorf("with another secret: %v", err)
		}
		same, _ := open(t, "right", portable)
		if _, err := same.Dial('?', at, 5*time.Second); err == nil {
			t.Error("a line that nobody serves is dialled")
		}
		stranger, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer stranger.Close()
		stranger.Write([]byte("GET / HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n"))
		stranger.SetReadDeadline(time.Now().Add(10 * time.Second))
		if got, err := io.ReadAll(stranger); len(got) > 0 || isTimeout(err) {
			t.Errorf("a stranger is told %q, %v", got, err)
		}
	})
}

// A dialler whose listener does not speak the protocol, or nothing at all, is
// told so in time.
func TestDialGivesUp(t *testing.T) {
	onEach(t, func(t *testing.T, portable bool) {
		b, _ := open(t, "", portable)
		silent, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
		if _, err := b.Dial(echoLine, silent.Addr().String(), 50*time.Millisecond); !isTimeout(err) {
			t.Errorf("with a silent listener: %v", err)
		}
		go func() {
			for {
				c, err := silent.Accept()
				if err != nil {
					return
				}
				c.Write(bytes.Repeat([]byte("-ERR what?\r\n"), 20))
			}
		}()
		if _, err := b.Dial(echoLine, silent.Addr().String(), 5*time.Second); !errors.Is(err, bus.ErrStranger) {
			t.Errorf("with a stranger: %v", err)
		}
		silent.Close()
		if _, err := b.Dial(echoLine, silent.Addr().String(), 5*time.Second); err == nil {
			t.Error("nobody listens, and there is no error")
		}
		if _, err := b.Dial(echoLine, "nowhere", time.Second); err == nil {
			t.Error("no address, and no error")
		}
	})
}

func TestDeadlinesAndClose(t *testing.T) {
	onEach(t, func(t *testing.T, portable bool) {
		server, at := open(t, "", portable)
		echo(server)
		client, _ := open(t, "", portable)
		c, err := client.Dial(echoLine, at, 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		if _, err := c.Read(make([]byte, 1)); !isTimeout(err) {
			t.Errorf("read past its deadline: %v", err)
		}
		c.SetReadDeadline(time.Time{})
		time.AfterFunc(20*time.Millisecond, func() { c.Close() })
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
			t.Errorf("read while it is closed: %v", err)
		}
		other, err := client.Dial(echoLine, at, 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(20*time.Millisecond, func() { client.Close() })
		if _, err := other.Read(make([]byte, 1)); err == nil {
			t.Error("a read outlives its bus")
		}
		if _, err := client.Dial(echoLine, at, time.Second); err == nil {
			t.Error("a closed bus dials")
		}
	})
}

// hashicorp/raft's own transport runs on it.
func TestRaftTransport(t *testing.T) {
	onEach(t, func(t *testing.T, portable bool) {
		server, at := open(t, "s", portable)
		client, _ := open(t, "s", portable)
		name := raft.ServerAddress(bus.Name(at, idOf(at)))
		serving := raft.NewNetworkTransport(bus.Stream{Listener: server.Listen('r'), Self: string(name)}, 3, 5*time.Second, io.Discard)
		asking := raft.NewNetworkTransport(bus.Stream{Listener: client.Listen('r')}, 3, 5*time.Second, io.Discard)
		defer serving.Close()
		defer asking.Close()
		go func() {
			for rpc := range serving.Consumer() {
				rpc.Respond(&raft.RequestVoteResponse{Term: 7, Granted: true}, nil)
			}
		}()
		var answer raft.RequestVoteResponse
		for range 100 {
			err := asking.RequestVote("a", name, &raft.RequestVoteRequest{Term: 7}, &answer)
			if err != nil || answer.Term != 7 || !answer.Granted {
				t.Fatalf("%+v, %v", answer, err)
			}
		}
		if got := serving.LocalAddr(); got != name {
			t.Errorf("others are told %s", got)
		}
		gone := raft.ServerAddress(bus.Name(at, bus.ID{7}))
		if err := asking.RequestVote("b", gone, &raft.RequestVoteRequest{Term: 7}, &answer); !errors.Is(err, bus.ErrOther) {
			t.Errorf("a node votes in the stead of one that was at its address: %v", err)
		}
	})
}

// A node is dialled by its id, and another that is at its address now does not pass
// for it: neither side lets it.
func TestOnlyTheNodeThatIsWanted(t *testing.T) {
	onEach(t, func(t *testing.T, portable bool) {
		server, at := open(t, "s", portable)
		echo(server)
		client, _ := open(t, "s", portable)
		here, gone := idOf(at), bus.ID{7}
		c, err := client.Dial(echoLine, bus.Name(at, here), 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
		if _, err := client.Dial(echoLine, bus.Name(at, gone), 5*time.Second); !errors.Is(err, bus.ErrOther) {
			t.Errorf("a node that is gone is reached: %v", err)
		}
		for _, name := range []string{at + "#", at + "#07", at + "#" + strings.Repeat("x", 40)} {
			if _, err := client.Dial(echoLine, name, 5*time.Second); err == nil {
				t.Errorf("%s is dialled", name)
			}
		}
		for _, test := range []struct {
			wanted bus.ID
			passes bool
		}{{here, true}, {bus.ID{}, true}, {gone, false}} {
			if got := greetCarelessly(t, at, test.wanted); got != test.passes {
				t.Errorf("a dialler that wants %x, whoever is there: passes %v", test.wanted, got)
			}
		}
	})
}

// lines are those of a log.
type lines struct {
	mu   sync.Mutex
	text string
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text += string(p)
	return len(p), nil
}

// with counts the lines that have a text in them.
func (l *lines) with(part string) (count int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text) {
		if strings.Contains(line, part) {
			count++
		}
	}
	return count
}

// all is the whole text.
func (l *lines) all() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text
}

// That nodes of the cluster take this one for another is said once. Strangers do not
// make it say so, whatever id they want.
func TestTakenForAnother(t *testing.T) {
	onEach(t, func(t *testing.T, portable bool) {
		log := &lines{}
		server, at := open(t, "s", portable, func(o *bus.Options) { o.Log = slog.New(slog.NewTextHandler(log, nil)) })
		echo(server)
		node, _ := open(t, "s", portable)
		stranger, _ := open(t, "another", portable)
		gone, drawn := bus.ID{7}, bus.ID{8}
		for range 3 {
			if _, err := node.Dial(echoLine, bus.Name(at, gone), 5*time.Second); !errors.Is(err, bus.ErrOther) {
				t.Fatal(err)
			}
			if _, err := stranger.Dial(echoLine, bus.Name(at, drawn), 5*time.Second); !errors.Is(err, bus.ErrSecret) {
				t.Fatal(err)
			}
		}
		const taken, away = "takes this node for another", "turned away"
		for by := time.Now().Add(10 * time.Second); log.with(taken) < 1 || log.with(away) < 1; time.Sleep(time.Millisecond) {
			if time.Now().After(by) {
				t.Fatalf("it says\n%s", log.text)
			}
		}
		if log.with(taken) != 1 || log.with(fmt.Sprintf("%x", drawn)) != 0 {
			t.Errorf("it says\n%s", log.text)
		}
	})
}

// greetCarelessly dials with a secret of "s" and does not look at who answers. It
// tells whether the listener lets it pass.
func greetCarelessly(t *testing.T, at string, wanted bus.ID) bool {
	t.Helper()
	const magic = "ICBUS\x00\x01\n"
	c, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(10 * time.Second))
	own, nonce := bus.ID{9}, make([]byte, 16)
	said := slices.Concat([]byte(magic), []byte{byte(echoLine)}, own[:], own[:], wanted[:], nonce)
	answer := make([]byte, len(magic)+len(own)+len(nonce)+sha256.Size)
	if _, err := c.Write(said); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, answer); err != nil {
		t.Fatal(err)
	}
	proof := hmac.New(sha256.New, []byte("s"))
	fmt.Fprintf(proof, "dialler\x00%s%s", said, answer[:len(answer)-sha256.Size])
	if _, err := c.Write(proof.Sum(nil)); err != nil {
		t.Fatal(err)
	}
	verdict, _ := io.ReadAll(io.LimitReader(c, 1))
	return string(verdict) == "Y"
}

// Both ends list a connection for as long as it stands, with who is at the other.
func TestLinks(t *testing.T) {
	onEach(t, func(t *testing.T, portable bool) {
		server, at := open(t, "", portable)
		echo(server)
		client, from := open(t, "", portable)
		before := time.Now().UnixNano()
		c, err := client.Dial(echoLine, at, 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		for _, end := range []struct {
			*bus.Bus
			peer    bus.ID
			dialled bool
		}{{client, idOf(at), true}, {server, idOf(from), false}} {
			links := end.Links()
			if len(links) != 1 || links[0].Peer != end.peer || links[0].Dialled != end.dialled || links[0].Since < before || links[0].Since > time.Now().UnixNano() {
				t.Errorf("dialled %v: %+v", end.dialled, links)
			}
		}
		c.Close()
		for by := time.Now().Add(10 * time.Second); len(client.Links())+len(server.Links()) > 0; time.Sleep(time.Millisecond) {
			if time.Now().After(by) {
				t.Fatalf("closed, and listed: %+v, %+v", client.Links(), server.Links())
			}
		}
	})
}

// Who dials tells of which cluster it is, and the one that is dialled may not want it.
func TestOfWhichCluster(t *testing.T) {
	onEach(t, func(t *testing.T, portable bool) {
		ours := bus.ID{1}
		server, at := open(t, "s", portable, func(o *bus.Options) {
			o.Admit = func(line bus.Line, cluster bus.ID) error {
				if line == echoLine && cluster == ours {
					return nil
				}
				return errors.New("not one of us")
			}
		})
		echo(server)
		for cluster, passes := range map[bus.ID]bool{ours: true, {2}: false, {}: false} {
			client, _ := open(t, "s", portable, func(o *bus.Options) { o.Cluster = func() bus.ID { return cluster } })
			c, err := client.Dial(echoLine, at, 5*time.Second)
			if (err == nil) != passes {
				t.Errorf("a node of cluster %x: %v", cluster[:1], err)
			}
			if err == nil {
				c.Close()
			}
		}
	})
}
