package netio

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/netio/host"
)

// plant is a node of real loops on loopback.
type plant struct {
	t       *testing.T
	node    *Node
	address string
	log     *syncLog
	ends    []<-chan struct{}
	aside   func(work func())
	plane   func(address string) ControlPlane // nil: the node is alone
}

// syncLog is a log that threads share.
type syncLog struct {
	mu sync.Mutex
	bytes.Buffer
}

func (s *syncLog) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Buffer.Write(p)
}

// startPlant starts a node with so many loops, each on a thread of its own.
func startPlant(t *testing.T, shards int, portable bool, options ...string) *plant {
	t.Helper()
	p := newPlant(t, shards, portable, options...)
	p.start()
	return p
}

// newPlant makes a node whose loops take no turns yet.
func newPlant(t *testing.T, shards int, portable bool, options ...string) *plant {
	t.Helper()
	p := &plant{t: t, log: &syncLog{}, aside: new(host.Aside).Do}
	p.build(shards, portable, options)
	return p
}

// build opens the node at some port.
func (p *plant) build(shards int, portable bool, options []string) {
	p.t.Helper()
	for try := 0; ; try++ {
		err := p.open(shards, portable, options)
		if err == nil {
			return
		}
		if try == 20 {
			p.t.Fatal(err)
		}
	}
}

// start runs the loops.
func (p *plant) start() {
	p.t.Helper()
	for _, l := range p.node.Loops() {
		end, err := host.Thread(host.AnyCPU, l.Run)
		if err != nil {
			p.t.Fatal(err)
		}
		p.ends = append(p.ends, end)
	}
	p.t.Cleanup(p.stop)
}

// open makes the node and opens its doors at a port that is free now.
func (p *plant) open(shards int, portable bool, options []string) error {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p.address = free.Addr().String()
	_ = free.Close()
	_, port, _ := net.SplitHostPort(p.address)
	flags := []config.Setting{{Name: "port", Value: port}, {Name: "bind", Value: "127.0.0.1"}}
	for _, option := range options {
		name, value, _ := strings.Cut(option, "=")
		flags = append(flags, config.Setting{Name: name, Value: value})
	}
	store, err := config.Load(config.Inputs{Flags: flags})
	if err != nil {
		return err
	}
	o := Options{
		World: host.NewWorld(host.Options{Portable: portable}), Config: store, Shards: shards,
		Log: slog.New(slog.NewTextHandler(p.log, nil)), Store: keyspace.Options{Headroom: host.Headroom}, Aside: p.aside,
	}
	if p.plane != nil {
		o.Plane = p.plane(p.address)
	}
	p.node, err = New(o)
	if err != nil {
		return err
	}
	return p.node.Listen()
}

// stop ends the node and waits for its loops.
func (p *plant) stop() {
	p.node.Stop()
	for i, end := range p.ends {
		select {
		case <-end:
		case <-time.After(20 * time.Second):
			p.t.Errorf("loop %d does not end", i)
		}
	}
}

// wire is a client on a real connection.
type wire struct {
	net.Conn
	in *bufio.Reader
}

func (p *plant) dial() (*wire, error) {
	conn, err := net.Dial("tcp", p.address)
	if err != nil {
		return nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	return &wire{conn, bufio.NewReader(conn)}, nil
}

// do sends requests in one piece and gives the replies.
func (w *wire) do(lines ...string) (replies []string, err error) {
	if _, err = w.Write(requests(lines...)); err != nil {
		return nil, err
	}
	for range lines {
		reply, err := w.read()
		if err != nil {
			return nil, err
		}
		replies = append(replies, reply)
	}
	return replies, nil
}

// read reads one reply.
func (w *wire) read() (string, error) {
	line, err := w.in.ReadString('\n')
	if err != nil {
		return "", err
	}
	n, _ := strconv.Atoi(strings.TrimRight(line[1:], "\r\n"))
	switch line[0] {
	case '$':
		if n < 0 {
			return line, nil
		}
		text := make([]byte, n+2)
		_, err = io.ReadFull(w.in, text)
		return line + string(text), err
	case '*':
		for range n {
			part, err := w.read()
			if err != nil {
				return "", err
			}
			line += part
		}
	}
	return line, nil
}

// load is what a client does over and over: one round of it on its connection.
// It reports what must not be.
type load struct {
	name  string
	round func(w *wire, r *rand.Rand, turn int) error
}

// accounts are the keys that transfers move money between; they lie on
// different shards.
var accounts = []string{"acc:1", "acc:2", "acc:3", "acc:4", "acc:5", "acc:6"}

// loads never end a connection, save the last two.
var loads = []load{
	{"counter", func(w *wire, r *rand.Rand, turn int) error {
		var lines []string
		key := "counter:" + w.LocalAddr().String()
		for range 20 {
			lines = append(lines, "incr "+key, "set x:"+strconv.Itoa(r.IntN(100))+" "+strings.Repeat("v", r.IntN(200)))
		}
		replies, err := w.do(lines...)
		for i := range replies {
			if want := fmt.Sprintf(":%d\r\n", turn*20+i/2+1); i%2 == 0 && replies[i] != want {
				return fmt.Errorf("counter: %q, want %q", replies[i], want)
			}
		}
		return err
	}},
	{"transfer", func(w *wire, r *rand.Rand, _ int) error {
		from, to := accounts[r.IntN(6)], accounts[r.IntN(6)]
		_, err := w.do("multi", words("decrby", from, 5), words("incrby", to, 5), "exec", "get "+from)
		return err
	}},
	{"audit", func(w *wire, _ *rand.Rand, _ int) error {
		replies, err := w.do(all("mget", accounts), "dbsize", "get x:1", "get x:2", "get x:3")
		if err != nil {
			return err
		}
		sum := 0
		for _, e := range elements(replies[0]) {
			sum += atoi(e)
		}
		if sum != 600 {
			return fmt.Errorf("audit: %q", replies[0])
		}
		return nil
	}},
	{"watch", func(w *wire, _ *rand.Rand, _ int) error {
		_, err := w.do("watch acc:1 x:1", "multi", "get acc:1", "exec", "watch x:2", "unwatch")
		return err
	}},
	{"wide", func(w *wire, r *rand.Rand, _ int) error {
		_, err := w.do("mset x:1 a x:2 b x:3 c", "rename x:1 x:4", "keys x:1*", "scan 0", "del x:7 x:8 x:9", "swapdb 5 6", "select 5", "flushdb", "select 0")
		return err
	}},
	{"expiry", func(w *wire, r *rand.Rand, _ int) error {
		_, err := w.do("set e:1 v px 1", "set e:2 v px 3", "set e:3 v ex 1", "get e:1", "get e:2", "persist e:3")
		return err
	}},
	{"operator", func(w *wire, r *rand.Rand, _ int) error {
		_, err := w.do("info", "client list", "config set hz "+strconv.Itoa(10+r.IntN(50)), "config get hz", "slowlog get",
			"config set maxmemory-samples "+strconv.Itoa(3+r.IntN(5)), "client pause 1 write", "client unpause", "memory usage x:1", "latency latest")
		time.Sleep(5 * time.Millisecond)
		return err
	}},
	{"monitor", func(w *wire, _ *rand.Rand, turn int) error {
		if turn == 0 {
			_, err := w.do("monitor")
			return err
		}
		_, err := w.read()
		if turn%500 == 499 {
			return io.EOF // leave, and come back
		}
		return err
	}},
	{"killer", func(w *wire, r *rand.Rand, _ int) error {
		_, err := w.do(words("client kill id", 1+r.IntN(100)), "client kill addr 127.0.0.1:1", "ping")
		time.Sleep(3 * time.Millisecond)
		return err
	}},
	{"comer", func(w *wire, r *rand.Rand, _ int) error {
		_, _ = w.Write(requests("get x:1", "mget x:1 x:2 x:3", "get x:4", "watch x:1 x:2"))
		if r.IntN(2) == 0 {
			_ = w.Conn.(*net.TCPConn).SetLinger(0)
		}
		_ = w.Close()
		return io.EOF
	}},
}

// Real loops carry a mixed load from many clients: no reply is wrong, no money
// is lost, and the node stops in good order. Under the race detector this is
// what watches the rings, the barriers and the arenas.
func TestMixedLoad(t *testing.T) {
	for _, portable := range []bool{false, true} {
		for _, shards := range []int{1, 2, 3, 4} {
			for _, order := range []string{"strict", "relaxed"} {
				if order == "relaxed" && shards != 2 || portable && shards == 3 {
					continue
				}
				t.Run(fmt.Sprintf("%d shards, portable %v, %s", shards, portable, order), func(t *testing.T) {
					p := startPlant(t, shards, portable, "pipeline-order="+order, "slowlog-log-slower-than=100")
					p.carry(500 * time.Millisecond)
				})
			}
		}
	}
}

// carry runs the loads for a time.
func (p *plant) carry(span time.Duration) {
	w, err := p.dial()
	if err == nil {
		_, err = w.do(all("mset", accounts, "100"))
	}
	if err != nil {
		p.t.Fatal(err)
	}
	var done sync.WaitGroup
	rounds := make([]atomic.Int64, len(loads))
	until := time.Now().Add(span)
	for i := range loads {
		done.Go(func() {
			if err := p.repeat(i, until, &rounds[i]); err != nil {
				p.t.Errorf("%s: %v", loads[i].name, err)
			}
		})
	}
	done.Wait()
	for i := range loads {
		if rounds[i].Load() == 0 {
			p.t.Errorf("%s: not a single round", loads[i].name)
		}
	}
}

// repeat does rounds of one load, on as many connections as it takes: some are
// killed, some end by themselves.
func (p *plant) repeat(i int, until time.Time, rounds *atomic.Int64) error {
	r := rand.New(rand.NewPCG(1, uint64(i)))
	for time.Now().Before(until) {
		w, err := p.dial()
		if err != nil {
			return err
		}
		for turn := 0; time.Now().Before(until); turn++ {
			if err = loads[i].round(w, r, turn); err != nil {
				break
			}
			rounds.Add(1)
		}
		_ = w.Close()
		if err != nil && !cut(err) {
			return err
		}
		if loads[i].name == "comer" {
			rounds.Add(1)
		}
	}
	return nil
}
