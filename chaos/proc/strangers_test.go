package proc

import (
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/elares/ironcache/chaos/differ"
)

// silent opens connections to an address that say nothing, until the test ends.
func (b *bench) silent(at string, count int) {
	b.t.Helper()
	for range count {
		c, err := net.Dial("tcp", at)
		if err != nil {
			b.t.Fatal(err)
		}
		b.t.Cleanup(func() { c.Close() })
	}
}

// Hundreds of connections to the bus of the leader that say nothing do not keep the other
// nodes from renewing their leases: whoever writes does not hear of them.
func TestSilentConnectionsStopNobody(t *testing.T) {
	b := benchOf(t, New, 3, "--cluster-lease", "2500") // the usual one, which a busy machine does not miss
	b.join()
	bus := net.JoinHostPort("127.0.0.1", strconv.Itoa(b.Nodes[b.leader()].Port+10000))
	var conns []*differ.Conn
	for _, n := range b.Nodes {
		c, err := differ.Dial(n.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		conns = append(conns, c)
	}
	began, writes := time.Now(), 0
	for second := time.Duration(0); time.Since(began) < 5*time.Second; writes++ {
		if time.Since(began) >= second { // those of before are ended by now, or soon
			second += time.Second
			b.silent(bus, 200)
		}
		i := writes % len(conns)
		if r, err := conns[i].Do("SET", KeyOf(i, len(conns), 0), strconv.Itoa(writes)); err != nil || r.Text != "OK" {
			t.Fatalf("write %d, after %v, of node %d: %q, %v", writes, time.Since(began), i, r.Text, err)
		}
	}
	t.Logf("%d writes", writes)
}
