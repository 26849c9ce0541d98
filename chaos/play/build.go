package play

import (
	"fmt"
	"strconv"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim/door"
	"github.com/elares/ironcache/sim/wasm"
	"github.com/elares/ironcache/slots"
)

// replicationPort is where nodes say that they replicate. Nothing listens there.
const replicationPort = 26379

// portOf is a port of package fault as a number.
func portOf(text string) uint16 {
	n, _ := strconv.ParseUint(text, 10, 16)
	return uint16(n)
}

// newCluster makes the nodes of a plan, which are down. Each is to own an equal
// share of the slots.
func newCluster(p *plan.Plan) *wasm.Cluster {
	c := wasm.NewCluster(p.World(), p.Network)
	var topology []raftlog.Place
	for i := range p.Nodes + p.Spares {
		n := c.Add(door.Start{Shards: p.Shards})
		at := state.Address{Host: n.Machine.Host(), Port: portOf(fault.ClientPort), BusPort: portOf(fault.BusPort), ReplicationPort: replicationPort}
		n.Start.Config = map[string]string{"bind": at.Host, "port": fault.ClientPort, "protected-mode": "no", "hz": "2"}
		if p.Relaxed {
			n.Start.Config["pipeline-order"] = "relaxed"
		}
		if p.Alone {
			continue
		}
		n.Start.Cluster = &door.Cluster{Address: at, Secret: "s", SnapshotEvery: uint64(p.Snapshot)}
		if p.Drift != 0 {
			n.Start.Cluster.Lease = p.Lease()
		}
		if i >= p.Nodes {
			continue
		}
		topology = append(topology, raftlog.Place{Bus: at.Host + ":" + fault.BusPort, Owns: []slots.Range{{
			First: uint16(slots.First(i, p.Nodes)), Last: uint16(slots.First(i+1, p.Nodes) - 1),
		}}})
	}
	for _, n := range c.Nodes[:p.Nodes] {
		if n.Start.Cluster != nil {
			n.Start.Cluster.Topology = topology
		}
	}
	return c
}

// addresses are where clients reach the nodes.
func addresses(c *wasm.Cluster) (list []string) {
	for _, n := range c.Nodes {
		list = append(list, n.Machine.Host()+":"+fault.ClientPort)
	}
	return list
}

// owner tells which node owns the slot of a key.
func owner(key string, nodes int) int { return slots.Shard(slots.Of([]byte(key)), nodes) }

// keyOf is a key of a node that no workload uses.
func keyOf(node, nodes int) string {
	for k := 0; ; k++ {
		if key := fmt.Sprintf("probe:%d", k); owner(key, nodes) == node {
			return key
		}
	}
}
