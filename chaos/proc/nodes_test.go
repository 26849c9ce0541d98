package proc

import (
	"fmt"
	"strings"
	"testing"
)

// redis-cli adds a node to a cluster of three, removes it, which is then of no
// cluster, and adds it again.
func TestRedisCLIAddsAndRemovesANode(t *testing.T) {
	b := newBench(t, 4)
	var addrs []string
	for _, n := range b.Nodes {
		addrs = append(addrs, n.Addr())
	}
	b.cli(append(append([]string{"--cluster", "create"}, addrs[:3]...), "--cluster-yes")...)
	fourth := b.Nodes[3]
	know := func(nodes []*Node, number int) {
		t.Helper()
		b.until(fmt.Sprint("they know of ", number), func() bool {
			for _, n := range nodes {
				if !strings.Contains(n.Say("CLUSTER", "INFO"), fmt.Sprintf("cluster_known_nodes:%d\r\n", number)) {
					return false
				}
			}
			return true
		})
	}
	add := func() {
		t.Helper()
		if out := b.cli("--cluster", "add-node", addrs[3], addrs[1]); !strings.Contains(out, "[OK] New node added correctly.") {
			t.Errorf("add-node: %s", out)
		}
		know(b.Nodes, 4)
	}
	add()
	id := fourth.Say("CLUSTER", "MYID")
	if out := b.cli("--cluster", "del-node", addrs[0], id); strings.Contains(out, "ERR") {
		t.Errorf("del-node: %s", out)
	}
	know(b.Nodes[:3], 3)
	know(b.Nodes[3:], 1)
	if got := fourth.Say("GET", "a"); !strings.HasPrefix(got, "CLUSTERDOWN This node is no member of its cluster any more") {
		t.Errorf("the node that was removed says %q", got)
	}
	add()
}
