package netio

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/slots"
)

// threeNodes are the nodes of a static cluster. The first has a slot that stands
// alone, nobody has the last.
func threeNodes() []state.Founder {
	place := func(n byte, owns ...slots.Range) state.Founder {
		return state.Founder{Owns: owns, Address: state.Address{
			Host: fmt.Sprintf("10.0.0.%d", n), Port: 7000, BusPort: 17000, ReplicationPort: 27000,
		}}
	}
	list := []state.Founder{
		place(1, slots.Range{First: 0, Last: 5460}, slots.Range{First: 16000, Last: 16000}),
		place(2, slots.Range{First: 5461, Last: 10922}),
		place(3, slots.Range{First: 10923, Last: 15999}, slots.Range{First: 16001, Last: 16382}),
	}
	list[1].Address.Hostname = "two.example"
	return list
}

var idOne, idTwo, idThree = raftlog.StaticID("10.0.0.1:17000").String(), raftlog.StaticID("10.0.0.2:17000").String(), raftlog.StaticID("10.0.0.3:17000").String()

// atOnce does what waits for the cluster where it is asked for: a static cluster
// keeps nobody waiting.
type atOnce struct{ *raftlog.Static }

func (atOnce) Go(work func()) { work() }

// newStaticTown is the first node of a static cluster.
func newStaticTown(t *testing.T, shards int, nodes []state.Founder, options ...string) *town {
	t.Helper()
	plane, err := raftlog.NewStatic(&nodes[0].Address, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return newTownBy(t, sim.New(1, sim.Mix{}), Options{Shards: shards, Plane: atOnce{plane}, Store: keyspace.Options{SlotCounts: true}}, options...)
}

func TestClusterNodesAndInfo(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c := newStaticTown(t, shards, threeNodes()).dial()
		c.check(
			[2]string{"cluster nodes", bulk(
				idOne + " 10.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-5460 16000\n" +
					idTwo + " 10.0.0.2:7000@17000,two.example master - 0 0 1 connected 5461-10922\n" +
					idThree + " 10.0.0.3:7000@17000 master - 0 0 1 connected 10923-15999 16001-16382\n")},
			[2]string{"cluster info", bulk("cluster_state:fail\r\ncluster_slots_assigned:16383\r\ncluster_slots_ok:16383\r\n" +
				"cluster_slots_pfail:0\r\ncluster_slots_fail:0\r\ncluster_known_nodes:3\r\ncluster_size:3\r\n" +
				"cluster_current_epoch:1\r\ncluster_my_epoch:1\r\ncluster_stats_messages_sent:0\r\n" +
				"cluster_stats_messages_received:0\r\ntotal_cluster_links_buffer_limit_exceeded:0\r\n")},
			[2]string{"cluster myid", bulk(idOne)},
			[2]string{"cluster myshardid", bulk(strings.Repeat("0", 39) + "1")},
			[2]string{"cluster links", "*0\r\n"},
			[2]string{"cluster replicas " + idTwo, "*0\r\n"},
			[2]string{"cluster slaves " + idTwo, "*0\r\n"},
			[2]string{"cluster count-failure-reports " + idTwo, ":0\r\n"},
			[2]string{"cluster saveconfig", "+OK\r\n"},
			[2]string{"info cluster", bulk("# Cluster\r\ncluster_enabled:1\r\ncluster_leader:\r\ncluster_voters:0\r\ncluster_last_write_status:ok\r\ncluster_fenced_replies:0\r\n")},
		)
		if got := c.line("hello"); !strings.Contains(got, "$4\r\nmode\r\n$7\r\ncluster\r\n") {
			t.Errorf("hello: %q", got)
		}
		if got := c.line("info server"); !strings.Contains(got, "redis_mode:cluster\r\n") {
			t.Errorf("info server: %q", got)
		}
		if got := c.line("cluster help"); !strings.HasPrefix(got, "*") || !strings.Contains(got, "ADDSLOTSRANGE ") {
			t.Errorf("cluster help: %q", got)
		}
	})
}

// All slots served, in a static cluster, is ok for ever.
func TestStaticClusterIsOK(t *testing.T) {
	nodes := threeNodes()
	nodes[2].Owns[1].Last = 16383
	c := newStaticTown(t, 1, nodes).dial()
	if got := c.line("cluster info"); !strings.Contains(got, "cluster_state:ok\r\n") {
		t.Errorf("cluster info: %q", got)
	}
}

func node2(n int, id string) string {
	return fmt.Sprintf("*4\r\n$8\r\n10.0.0.%d\r\n:7000\r\n%s", n, bulk(id))
}

func TestClusterSlots(t *testing.T) {
	c := newStaticTown(t, 1, threeNodes()).dial()
	entry := func(first, last, n int, id, about string) string {
		return fmt.Sprintf("*3\r\n:%d\r\n:%d\r\n", first, last) + node2(n, id) + about
	}
	none, named := "*0\r\n", "*2\r\n$8\r\nhostname\r\n$11\r\ntwo.example\r\n"
	want := func(none, named string) string {
		return "*5\r\n" + entry(0, 5460, 1, idOne, none) + entry(5461, 10922, 2, idTwo, named) +
			entry(10923, 15999, 3, idThree, none) + entry(16000, 16000, 1, idOne, none) + entry(16001, 16382, 3, idThree, none)
	}
	c.check([2]string{"cluster slots", want(none, named)})
	c.line("hello 3")
	c.check([2]string{"cluster slots", want("%0\r\n", strings.Replace(named, "*2", "%1", 1))})
}

// What a node wants to be called decides how it is shown, and what else is told.
func TestClusterEndpoints(t *testing.T) {
	for _, test := range []struct {
		endpoint     state.Endpoint
		slots, moved string
	}{
		{state.ByHostname, "*4\r\n$11\r\ntwo.example\r\n:7000\r\n" + bulk(idTwo) + "*2\r\n$2\r\nip\r\n$8\r\n10.0.0.2\r\n", "two.example:7000"},
		{state.ByNothing, "*4\r\n$-1\r\n:7000\r\n" + bulk(idTwo) + "*4\r\n$2\r\nip\r\n$8\r\n10.0.0.2\r\n$8\r\nhostname\r\n$11\r\ntwo.example\r\n", ":7000"},
	} {
		nodes := threeNodes()
		nodes[1].Address.Endpoint = test.endpoint
		c := newStaticTown(t, 1, nodes).dial()
		if got := c.line("cluster slots"); !strings.Contains(got, test.slots) {
			t.Errorf("cluster slots: %q has no %q", got, test.slots)
		}
		c.check([2]string{"get b", "$-1\r\n"}, [2]string{"get c", "-MOVED 7365 " + test.moved + "\r\n"})
	}
}

func TestClusterShards(t *testing.T) {
	c := newStaticTown(t, 1, threeNodes()).dial()
	c.line("hello 3")
	got := c.line("cluster shards")
	want := "%2\r\n$5\r\nslots\r\n*2\r\n:5461\r\n:10922\r\n$5\r\nnodes\r\n*1\r\n%8\r\n$2\r\nid\r\n" + bulk(idTwo) +
		"$4\r\nport\r\n:7000\r\n$2\r\nip\r\n$8\r\n10.0.0.2\r\n$8\r\nendpoint\r\n$8\r\n10.0.0.2\r\n" +
		"$8\r\nhostname\r\n$11\r\ntwo.example\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$18\r\nreplication-offset\r\n:0\r\n$6\r\nhealth\r\n$6\r\nonline\r\n"
	if !strings.HasPrefix(got, "*3\r\n%2\r\n$5\r\nslots\r\n*4\r\n:0\r\n:5460\r\n:16000\r\n:16000\r\n") || !strings.Contains(got, want) {
		t.Errorf("cluster shards: %q", got)
	}
}

// Keys of a slot are counted and listed on whatever shard has them.
func TestClusterKeysInSlot(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c := newStaticTown(t, shards, threeNodes()).dial()
		c.check(
			[2]string{"cluster keyslot {b}c", ":3300\r\n"},
			[2]string{"mset b 1 {b}c 2 {b}d 3", "+OK\r\n"},
			[2]string{"cluster countkeysinslot 3300", ":3\r\n"},
			[2]string{"cluster countkeysinslot 9000", ":0\r\n"},
			[2]string{"cluster getkeysinslot 9000 9", "*0\r\n"},
			[2]string{"cluster getkeysinslot 3300 0", "*0\r\n"},
		)
		if got := c.line("cluster getkeysinslot 3300 9"); !strings.HasPrefix(got, "*3\r\n") || !strings.Contains(got, "$4\r\n{b}d\r\n") {
			t.Errorf("getkeysinslot 3300 9: %q", got)
		}
		if got := c.line("cluster getkeysinslot 3300 2"); !strings.HasPrefix(got, "*2\r\n") {
			t.Errorf("getkeysinslot 3300 2: %q", got)
		}
	})
}

// clusterRefusals are what CLUSTER and commands that a cluster has not refuse,
// on the first of threeNodes.
var clusterRefusals = [][2]string{
	{"cluster addslots 16384", "ERR Invalid or out of range slot"},
	{"cluster addslots x", "ERR Invalid or out of range slot"},
	{"cluster addslots 16383 7", "ERR Slot 7 is already busy"},
	{"cluster addslots 16383 16383", "ERR Slot 16383 specified multiple times"},
	{"cluster addslotsrange 1 2 3", "ERR wrong number of arguments for 'cluster|addslotsrange' command"},
	{"cluster addslotsrange 9 5", "ERR start slot number 9 is greater than end slot number 5"},
	{"cluster addslotsrange 16382 16383", "ERR Slot 16382 is already busy"},
	{"cluster delslots 16383", "ERR Slot 16383 is already unassigned"},
	{"cluster delslots 7 7", "ERR Slot 7 specified multiple times"},
	{"cluster delslotsrange 7 -1", "ERR Invalid or out of range slot"},
	{"cluster countkeysinslot x", "ERR value is not an integer or out of range"},
	{"cluster countkeysinslot 16384", "ERR Invalid slot"},
	{"cluster getkeysinslot 1 -1", "ERR Invalid slot or number of keys"},
	{"cluster getkeysinslot 1 x", "ERR value is not an integer or out of range"},
	{"cluster replicas x", "ERR Unknown node x"},
	{"cluster count-failure-reports x", "ERR Unknown node x"},
	{"cluster forget x", "ERR Unknown node x"},
	{"cluster forget " + idOne, "ERR I tried hard but I can't forget myself..."},
	{"cluster replicate x", "ERR Unknown node x"},
	{"cluster replicate " + idOne, "ERR Can't replicate myself"},
	{"cluster replicate " + idTwo, "ERR To set a master the node must be empty and without assigned slots."},
	{"cluster failover", "ERR You should send CLUSTER FAILOVER to a replica"},
	{"cluster failover x", "ERR syntax error"},
	{"cluster failover force 1", "ERR unknown subcommand or wrong number of arguments for 'failover'. Try CLUSTER HELP."},
	{"cluster reset x", "ERR syntax error"},
	{"cluster reset", "ERR the cluster is static: cluster-topology says who owns which slots"},
	{"cluster set-config-epoch x", "ERR value is not an integer or out of range"},
	{"cluster set-config-epoch -1", "ERR Invalid config epoch specified: -1"},
	{"cluster set-config-epoch 1", "ERR The user can assign a config epoch only when the node does not know any other node."},
	{"cluster meet 10.0.0.1 x", "ERR Invalid TCP base port specified: x"},
	{"cluster meet 10.0.0.1 1 x", "ERR Invalid TCP bus port specified: x"},
	{"cluster meet nowhere 1", "ERR Invalid node address specified: nowhere:1"},
	{"cluster meet 10.0.0.1 70000", "ERR Invalid node address specified: 10.0.0.1:70000"},
	{"cluster meet 10.0.0.1 1 2 3", "ERR unknown subcommand or wrong number of arguments for 'meet'. Try CLUSTER HELP."},
	{"cluster setslot 1 migrating", "ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP"},
	{"cluster setslot x stable", "ERR Invalid or out of range slot"},
	{"cluster setslot 9000 migrating " + idTwo, "ERR I'm not the owner of hash slot 9000"},
	{"cluster setslot 1 migrating x", "ERR I don't know about node x"},
	{"cluster setslot 1 importing " + idTwo, "ERR I'm already the owner of hash slot 1"},
	{"cluster setslot 9000 importing x", "ERR I don't know about node x"},
	{"cluster setslot 1 node x", "ERR Unknown node x"},
	{"select 1", "ERR SELECT is not allowed in cluster mode"},
	{"select 99", "ERR SELECT is not allowed in cluster mode"},
	{"select x", "ERR value is not an integer or out of range"},
	{"swapdb 0 1", "ERR SWAPDB is not allowed in cluster mode"},
	{"move b 1", "ERR MOVE is not allowed in cluster mode"},
	{"copy b {b}c db 1", "ERR Copying to another database is not allowed in cluster mode"},
	{"mget b c", "CROSSSLOT Keys in request don't hash to the same slot"},
}

func TestClusterRefuses(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c := newStaticTown(t, shards, threeNodes()).dial()
		for _, test := range clusterRefusals {
			c.check([2]string{test[0], "-" + test[1] + "\r\n"})
		}
		c.check(
			[2]string{"select 0", "+OK\r\n"},
			[2]string{"cluster setslot 1 stable", "+OK\r\n"},
			[2]string{"cluster setslot 9000 node " + idTwo, "+OK\r\n"},
			[2]string{"set b 1", "+OK\r\n"},
			[2]string{"cluster flushslots", "-ERR DB must be empty to perform CLUSTER FLUSHSLOTS.\r\n"},
			[2]string{"cluster reset", "-ERR CLUSTER RESET can't be called with master nodes containing keys\r\n"},
		)
	})
}

// A static cluster decides nothing; what would wait for a decision is refused
// within EXEC wherever it is.
func TestStaticClusterDecidesNothing(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c := newStaticTown(t, shards, threeNodes()).dial()
		const static = "-ERR the cluster is static: cluster-topology says who owns which slots\r\n"
		for _, line := range []string{"cluster addslots 16383", "cluster delslots 7", "cluster flushslots", "cluster meet 10.0.0.2 7000", "cluster forget " + idTwo} {
			c.check([2]string{line, static})
		}
		c.check(
			[2]string{"multi", "+OK\r\n"},
			[2]string{"cluster delslots 7", "+QUEUED\r\n"},
			[2]string{"cluster flushslots", "+QUEUED\r\n"},
			[2]string{"cluster myid", "+QUEUED\r\n"},
			[2]string{"exec", "*3\r\n" + strings.Repeat("-ERR this command waits for the cluster, and no transaction can wait for that\r\n", 2) + bulk(idOne)},
			[2]string{"set b 1", "+OK\r\n"}, // slots that are not given up are served again
			[2]string{"get b", "$1\r\n1\r\n"},
		)
	})
}

func TestClusterConnectionFlags(t *testing.T) {
	c := newStaticTown(t, 1, threeNodes()).dial()
	c.check([2]string{"readonly", "+OK\r\n"}, [2]string{"asking", "+OK\r\n"})
	if got := c.line("client list"); !strings.Contains(got, " flags=r ") {
		t.Errorf("client list: %q", got)
	}
	c.check([2]string{"readwrite", "+OK\r\n"})
	if got := c.line("client list"); !strings.Contains(got, " flags=N ") {
		t.Errorf("client list: %q", got)
	}
}

// With full coverage required, one slot without an owner keeps all from being
// served.
func TestClusterRequiresFullCoverage(t *testing.T) {
	for _, test := range []struct {
		last uint16
		want string
	}{{16382, "-CLUSTERDOWN The cluster is down\r\n"}, {16383, "+OK\r\n"}} {
		nodes := threeNodes()
		nodes[2].Owns[1].Last = test.last
		c := newStaticTown(t, 1, nodes, "cluster-require-full-coverage=yes").dial()
		c.check([2]string{"set b 1", test.want})
	}
}

// moved is a node that came to the address where another member is.
type moved struct {
	atOnce
	at state.Address
}

func (m moved) Address() state.Address { return m.at }

// A node sends nobody to itself, though another member was last known where it is.
func TestNobodyIsSentToWhereHeIs(t *testing.T) {
	nodes := threeNodes()
	plane, err := raftlog.NewStatic(&nodes[0].Address, nodes)
	if err != nil {
		t.Fatal(err)
	}
	at := nodes[1].Address
	town := newTownBy(t, sim.New(1, sim.Mix{}), Options{Shards: 1, Plane: moved{atOnce{plane}, at}, Store: keyspace.Options{SlotCounts: true}})
	town.dial().check(
		[2]string{"set b 1", "+OK\r\n"},
		[2]string{"get c", "-CLUSTERDOWN The owner of the hash slot was last known at the address that this node has now\r\n"},
		[2]string{"get a", "-MOVED 15495 10.0.0.3:7000\r\n"},
	)
}

// forgotten is a plane that has heard that its node is no member any more.
type forgotten struct{ atOnce }

func (forgotten) View() *raftlog.View { return &raftlog.View{Map: slots.NewMap()} }

func (forgotten) Unbind() error { return nil }

// A node that is forgotten while it is told to leave has left.
func TestLeaveOfOneWhoWasForgotten(t *testing.T) {
	nodes := threeNodes()
	plane, err := raftlog.NewStatic(&nodes[0].Address, nodes)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Node{}).leave(forgotten{atOnce{plane}}); err != nil {
		t.Error(err)
	}
}

// unaware is a plane that has not heard yet that its node is no member any more.
type unaware struct{ atOnce }

func (unaware) Propose(state.Entry, time.Duration) (state.Outcome, error) {
	return state.Outcome{Reason: state.UnknownNode, Sentence: "node number 1 is not a member"}, nil
}

func (unaware) Forget(slots.Node, state.ID, time.Duration) (state.Outcome, error) {
	return state.Outcome{}, nil
}

// Neither is a node that has not heard of it told that it cannot leave.
func TestLeaveOfOneWhoHasNotHeard(t *testing.T) {
	nodes := threeNodes()
	nodes[0].Owns = nil
	plane, err := raftlog.NewStatic(&nodes[0].Address, nodes)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Node{}).leave(unaware{atOnce{plane}}); err != nil {
		t.Error(err)
	}
}

// late is a plane that hears that its node is no member any more while it looks for a leader.
type late struct {
	unaware
	heard *bool
}

func (p late) View() *raftlog.View {
	if *p.heard {
		return forgotten{}.View()
	}
	return p.Static.View()
}

func (p late) Forget(slots.Node, state.ID, time.Duration) (state.Outcome, error) {
	*p.heard = true
	return state.Outcome{}, raftlog.ErrNoLeader
}

func (late) Unbind() error { return nil }

// Nor is one that hears of it while it is told to leave.
func TestLeaveOfOneWhoHears(t *testing.T) {
	nodes := threeNodes()
	nodes[0].Owns = nil
	plane, err := raftlog.NewStatic(&nodes[0].Address, nodes)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Node{}).leave(late{unaware{atOnce{plane}}, new(bool)}); err != nil {
		t.Error(err)
	}
}
