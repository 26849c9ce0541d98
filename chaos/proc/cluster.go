package proc

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/elares/ironcache/chaos/differ"
	"github.com/elares/ironcache/slots"
)

// Cluster is processes of `ironcache server` in one cluster.
type Cluster struct {
	Nodes  []*Node
	binary string
	flags  []string
}

// Node is one of them, up or down.
type Node struct {
	Port    int
	Dir     string
	process *differ.Process // nil: it is down
	cluster *Cluster
}

// Lease is how long the leases of these clusters last: short, and longer than a
// machine that tests load stands still.
const Lease = 1500 * time.Millisecond

// New starts a number of nodes that are in no cluster yet, each with a folder of
// its own in dir.
func New(binary, dir string, nodes int, flags ...string) (*Cluster, error) {
	c, err := plan(binary, dir, nodes, flags)
	if err != nil {
		return nil, err
	}
	return c, c.start()
}

// NewFormed starts nodes that are told of one another, each the owner of an
// equal share of the slots.
func NewFormed(binary, dir string, nodes int, flags ...string) (*Cluster, error) {
	c, err := plan(binary, dir, nodes, flags)
	if err != nil {
		return nil, err
	}
	var places []string
	for i, n := range c.Nodes {
		places = append(places, fmt.Sprintf("%s %d-%d", n.Addr(), slots.First(i, nodes), slots.First(i+1, nodes)-1))
	}
	c.flags = append(c.flags, "--cluster-topology", strings.Join(places, ", "))
	return c, c.start()
}

// plan says what nodes there will be.
func plan(binary, dir string, nodes int, flags []string) (*Cluster, error) {
	c := &Cluster{binary: binary, flags: append([]string{
		"server", "--cluster-mode", "raft", "--cluster-secret", "of tests", "--shards", "1", "--loglevel", "verbose",
		"--cluster-lease", strconv.Itoa(int(Lease.Milliseconds())), "--cluster-lease-margin", "20", "--cluster-election-timeout", "250",
	}, flags...)}
	for i := range nodes {
		port, err := freePorts()
		if err != nil {
			return nil, err
		}
		c.Nodes = append(c.Nodes, &Node{Port: port, Dir: filepath.Join(dir, fmt.Sprint("node", i)), cluster: c})
	}
	return c, nil
}

// start starts all nodes, or none.
func (c *Cluster) start() error {
	for _, n := range c.Nodes {
		if err := n.Start(); err != nil {
			c.Stop()
			return err
		}
	}
	return nil
}

// freePorts finds a port that is free together with those of bus and
// replication, and below those that the system gives to clients.
func freePorts() (int, error) {
	for range 100 {
		port := 12000 + rand.IntN(10000)
		if free(port) && free(port+10000) && free(port+20000) {
			return port, nil
		}
	}
	return 0, fmt.Errorf("proc: no three free ports")
}

func free(port int) bool {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// Stop ends all nodes.
func (c *Cluster) Stop() {
	for _, n := range c.Nodes {
		if n.process != nil {
			_ = n.process.Signal(syscall.SIGCONT)
			n.process.Stop()
			n.process = nil
		}
	}
}

// Logs is the end of what each node that is up has written.
func (c *Cluster) Logs() string {
	var text strings.Builder
	for i, n := range c.Nodes {
		if n.process != nil {
			fmt.Fprintf(&text, "node %d at %s:\n%s\n", i, n.Addr(), n.process.Log())
		}
	}
	return text.String()
}

// Start starts the node with what its folder has.
func (n *Node) Start() (err error) {
	if err := os.MkdirAll(n.Dir, 0o700); err != nil {
		return fmt.Errorf("proc: folder of a node: %w", err)
	}
	n.process, err = differ.StartIn(n.Dir, n.Port, "ironcache", n.cluster.binary, n.cluster.flags...)
	return err
}

// Kill is kill -9.
func (n *Node) Kill() error {
	err := n.process.Kill()
	n.process = nil
	return err
}

// Pause lets the process stand still, until Resume. The signal takes effect some
// time after it was sent; Pause waits until every thread has stopped, so that
// nothing sent afterwards is answered.
func (n *Node) Pause() error {
	if err := n.process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	for by := time.Now().Add(5 * time.Second); !n.stopped(); time.Sleep(time.Millisecond) {
		if time.Now().After(by) {
			return fmt.Errorf("proc: process %d does not stop", n.process.PID())
		}
	}
	return nil
}

// stopped tells whether every thread stands still, as far as /proc tells.
func (n *Node) stopped() bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", n.process.PID()))
	for _, name := range threads {
		text, err := os.ReadFile(name)
		if err == nil && !strings.Contains(string(text), ") T ") {
			return false
		}
	}
	return true
}

// Resume ends a Pause.
func (n *Node) Resume() error { return n.process.Signal(syscall.SIGCONT) }

// Addr is where clients reach the node.
func (n *Node) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(n.Port)) }

// Up tells whether the node runs.
func (n *Node) Up() bool { return n.process != nil }

// Say sends one request, on a connection of its own, and gives the text of the
// reply or of what went wrong.
func (n *Node) Say(words ...string) string {
	c, err := differ.Dial(n.Addr())
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	c.Patience = 12 * time.Second
	r, err := c.Do(words...)
	if err != nil {
		return err.Error()
	}
	return r.Text
}

// OwnedBy lists the slots that CLUSTER NODES of a node shows for each address.
func (n *Node) OwnedBy() map[string]string {
	owned := map[string]string{}
	for line := range strings.Lines(n.Say("CLUSTER", "NODES")) {
		if words := strings.Fields(line); len(words) >= 8 {
			owned[words[1]] = strings.Join(words[8:], " ")
		}
	}
	return owned
}

// KeyOf is a key that belongs to the i-th of so many equal shares of all slots,
// with a number to tell several apart.
func KeyOf(i, nodes, number int) string {
	for k := 0; ; k++ {
		key := fmt.Sprintf("{%d}:%d", k, number)
		if slots.Shard(slots.Of([]byte(key)), nodes) == i {
			return key
		}
	}
}
