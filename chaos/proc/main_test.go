package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/elares/ironcache/chaos/differ"
	"github.com/elares/ironcache/slots"
)

// binary builds the program once.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "proc-")
	if err != nil {
		return "", err
	}
	scratch = dir
	return differ.BuildOurs("../..", dir)
})

var scratch string

func TestMain(m *testing.M) {
	code := m.Run()
	if scratch != "" {
		_ = os.RemoveAll(scratch)
	}
	os.Exit(code)
}

// bench is a cluster with its test.
type bench struct {
	*Cluster
	t *testing.T
}

// newBench starts nodes that are in no cluster yet.
func newBench(t *testing.T, nodes int) *bench {
	t.Helper()
	return benchOf(t, New, nodes)
}

// benchOf starts nodes in a way.
func benchOf(t *testing.T, start func(binary, dir string, nodes int, flags ...string) (*Cluster, error), nodes int, flags ...string) *bench {
	t.Helper()
	program, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	c, err := start(program, t.TempDir(), nodes, flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(c.Logs())
		}
		c.Stop()
	})
	return &bench{c, t}
}

// startTheirs starts a node of redis-server for a cluster, in none yet, and gives its
// address.
func startTheirs(t *testing.T, flags ...string) (addr string) {
	t.Helper()
	program, err := differ.RedisBinary()
	if errors.Is(err, differ.ErrNoRedis) && os.Getenv(differ.EnvSkipRedis) == "1" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	port, err := freePorts()
	if err != nil {
		t.Fatal(err)
	}
	p, err := differ.StartIn(t.TempDir(), port, "redis-server", program,
		append([]string{"--cluster-enabled", "yes", "--save", "", "--cluster-announce-ip", "127.0.0.1"}, flags...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return p.Addr
}

// dial connects with a node of either kind.
func (b *bench) dial(addr, protocol string) *differ.Conn {
	b.t.Helper()
	c, err := differ.Dial(addr)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(c.Close)
	b.ask(c, "hello "+protocol)
	return c
}

// ask gives the text of the reply to a request.
func (b *bench) ask(c *differ.Conn, line string) string {
	b.t.Helper()
	r, err := c.Do(strings.Fields(line)...)
	if err != nil {
		b.t.Fatalf("%s: %v", line, err)
	}
	return r.Text
}

// join brings the nodes together, each with an equal share of the slots.
func (b *bench) join() {
	b.t.Helper()
	for i, n := range b.Nodes {
		first, last := slots.First(i, len(b.Nodes)), slots.First(i+1, len(b.Nodes))-1
		if got := n.Say("CLUSTER", "ADDSLOTSRANGE", fmt.Sprint(first), fmt.Sprint(last)); got != "OK" {
			b.t.Fatalf("addslotsrange: %s", got)
		}
		if i > 0 {
			if got := n.Say("CLUSTER", "MEET", "127.0.0.1", fmt.Sprint(b.Nodes[0].Port)); got != "OK" {
				b.t.Fatalf("meet: %s", got)
			}
		}
	}
	b.until("the cluster is whole", b.whole)
	b.vote()
}

// vote waits until all nodes have a vote: with less, the loss of one may be that
// of the majority.
func (b *bench) vote() {
	b.t.Helper()
	b.until("all vote", func() bool {
		for _, n := range b.Nodes {
			if !strings.Contains(n.Say("INFO", "cluster"), fmt.Sprintf("cluster_voters:%d\r\n", len(b.Nodes))) {
				return false
			}
		}
		return true
	})
}

// until waits for something to hold.
func (b *bench) until(what string, holds func() bool) {
	b.t.Helper()
	for by := time.Now().Add(20 * time.Second); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(by) {
			b.t.Fatalf("never: %s", what)
		}
	}
}

// whole tells whether every node says that all is well and all say the same of
// who owns what.
func (b *bench) whole() bool {
	first := fmt.Sprint(b.Nodes[0].OwnedBy())
	for _, n := range b.Nodes {
		if !strings.Contains(n.Say("CLUSTER", "INFO"), "cluster_state:ok") || fmt.Sprint(n.OwnedBy()) != first {
			return false
		}
	}
	return true
}

// client is a go-redis client that knows the first node.
func (b *bench) client() *redis.ClusterClient {
	var addrs []string
	for _, n := range b.Nodes {
		addrs = append(addrs, n.Addr())
	}
	c := redis.NewClusterClient(&redis.ClusterOptions{Addrs: addrs, DialTimeout: time.Second, ReadTimeout: 2 * time.Second})
	b.t.Cleanup(func() { _ = c.Close() })
	return c
}

// uses sets and gets keys of a node's share with a client.
func (b *bench) uses(c *redis.ClusterClient, share int) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 10*time.Second)
	defer cancel()
	for number := range 10 {
		key := KeyOf(share, len(b.Nodes), number)
		if err := c.Set(ctx, key, number, 0).Err(); err != nil {
			b.t.Errorf("set %s, of node %d: %v", key, share, err)
		}
		if got, err := c.Get(ctx, key).Int(); err != nil || got != number {
			b.t.Errorf("get %s, of node %d: %d, %v", key, share, got, err)
		}
	}
}

// leads tells whether the node leads the cluster.
func (n *Node) leads() bool {
	return strings.Contains(n.Say("INFO", "cluster"), "cluster_leader:"+n.Say("CLUSTER", "MYID"))
}

// leader is the number of the node that leads.
func (b *bench) leader() (at int) {
	b.t.Helper()
	at = -1
	b.until("somebody leads", func() bool {
		for i, n := range b.Nodes {
			if n.Up() && n.leads() {
				at = i
			}
		}
		return at >= 0
	})
	return at
}

// cli runs redis-cli and gives what it printed.
func (b *bench) cli(args ...string) string {
	b.t.Helper()
	out, err := b.tryCLI(args...)
	if err != nil {
		b.t.Errorf("redis-cli %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// tryCLI is cli of what may fail.
func (b *bench) tryCLI(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(b.t.Context(), 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "redis-cli", args...).CombinedOutput()
	return string(out), err
}

// bus is the node as CLUSTER NODES writes its address.
func (n *Node) bus() string { return fmt.Sprintf("%s@%d", n.Addr(), n.Port+10000) }
