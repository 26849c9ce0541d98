package proc

import (
	"fmt"
	"net"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/differ"
)

// step is a request to the node that a slot leaves, or to the one that it comes to.
// In its text @0 is the id of the former, @1 that of the latter.
type step struct {
	node int
	line string
}

const (
	leaves = 0
	comes  = 1
)

// theMove is a slot's way with its keys. The slot is that of the tag b.
var theMove = []step{
	{leaves, "mset b 1 {b}c 2 {b}d 3"},
	{leaves, "cluster setslot 3300 importing @1"},
	{leaves, "cluster setslot 3300 migrating x"},
	{comes, "cluster setslot 3300 migrating @0"},
	{comes, "cluster setslot 3300 importing x"},
	{comes, "cluster setslot 3300 importing @0"},
	{leaves, "cluster setslot 3300 migrating @1"},
	{leaves, "cluster setslot 3300 migrating @1"},
	{comes, "cluster setslot 3300 importing @0"},
	{leaves, "get b"},
	{leaves, "set b 2"},
	{leaves, "get {b}x"},
	{leaves, "set {b}x 1"},
	{leaves, "mget b {b}c b"},
	{leaves, "mget b {b}x"},
	{leaves, "mget {b}x {b}y"},
	{leaves, "mget {b}x {b}x"},
	{leaves, "mget {b}x other"},
	{leaves, "exists {b}x"},
	{leaves, "del {b}x"},
	{leaves, "del b {b}x"},
	{leaves, "rename b {b}x"},
	{leaves, "object encoding {b}x"},
	{leaves, "watch {b}x"},
	{leaves, "watch b"},
	{leaves, "unwatch"},
	{leaves, "multi"},
	{leaves, "get b"},
	{leaves, "mget b {b}c"},
	{leaves, "exec"},
	{leaves, "multi"},
	{leaves, "get b"},
	{leaves, "get {b}x"},
	{leaves, "exec"},
	{leaves, "exec"},
	{leaves, "multi"},
	{leaves, "getdel {b}d"},
	{leaves, "get {b}d"},
	{leaves, "exec"},
	{leaves, "cluster countkeysinslot 3300"},
	{leaves, "cluster nodes"},
	{comes, "get b"},
	{comes, "asking"},
	{comes, "get {b}x"},
	{comes, "get {b}x"},
	{comes, "asking"},
	{comes, "ping"},
	{comes, "get {b}x"},
	{comes, "asking"},
	{comes, "asking"},
	{comes, "get {b}x"},
	{comes, "asking"},
	{comes, "mget b {b}c"},
	{comes, "asking"},
	{comes, "mget b b"},
	{comes, "asking"},
	{comes, "mset {b}x 5 {b}y 6"},
	{comes, "asking"},
	{comes, "set {b}x 5"},
	{comes, "asking"},
	{comes, "set {b}x"},
	{comes, "get {b}x"},
	{comes, "asking"},
	{comes, "nosuch"},
	{comes, "get {b}x"},
	{comes, "asking"},
	{comes, "multi"},
	{comes, "get {b}x"},
	{comes, "set {b}x 6"},
	{comes, "exec"},
	{comes, "get {b}x"},
	{comes, "asking"},
	{comes, "multi"},
	{comes, "get {b}x"},
	{comes, "get {b}z"},
	{comes, "exec"},
	{comes, "multi"},
	{comes, "asking"},
	{comes, "get {b}x"},
	{comes, "exec"},
	{comes, "cluster countkeysinslot 3300"},
	{comes, "cluster getkeysinslot 3300 5"},
	{comes, "cluster nodes"},
	{leaves, "cluster setslot 3300 node x"},
	{leaves, "cluster setslot 3300 node @1"},
	{leaves, "del b {b}c"},
	{leaves, "cluster countkeysinslot 3300"},
	{leaves, "get b"},
	{comes, "cluster setslot 3300 node @1"},
	{leaves, "cluster setslot 3300 node @1"},
	{comes, "cluster setslot 3300 node @1"},
	{leaves, "get {b}x"},
	{comes, "get {b}x"},
	{comes, "get b"},
	{comes, "cluster setslot 3300 stable"},
	{leaves, "cluster setslot 3300 stable"},
	{comes, "del {b}x"},
}

// twoOfTheirs starts two nodes of redis-server, each in no cluster yet.
func twoOfTheirs(t *testing.T, flags ...string) (addrs []string) {
	t.Helper()
	return []string{startTheirs(t, flags...), startTheirs(t, flags...)}
}

// mover is two nodes of one kind, with a connection to each.
type mover struct {
	conns [2]*differ.Conn
	plain *strings.Replacer // takes out what two kinds cannot have in common
	ids   *strings.Replacer
}

// move makes one cluster of two nodes, of which the first owns nearly all slots.
func (b *bench) move(addrs []string) *mover {
	b.t.Helper()
	m := &mover{}
	var ids, plain []string
	for i, addr := range addrs {
		m.conns[i] = b.dial(addr, "2")
		id := b.ask(m.conns[i], "cluster myid")
		ids = append(ids, fmt.Sprint("@", i), id)
		_, port, _ := net.SplitHostPort(addr)
		n, _ := strconv.Atoi(port)
		plain = append(plain, id, fmt.Sprint("ID", i), strconv.Itoa(n+10000), fmt.Sprint("BUS", i), port, fmt.Sprint("PORT", i))
	}
	m.ids, m.plain = strings.NewReplacer(ids...), strings.NewReplacer(plain...)
	b.ask(m.conns[0], "cluster addslotsrange 0 16382")
	b.ask(m.conns[1], "cluster addslots 16383") // a node of theirs without slots becomes a replica
	_, port, _ := net.SplitHostPort(addrs[0])
	b.until("two nodes meet", func() bool {
		if strings.Contains(b.ask(m.conns[1], "cluster info"), "known_nodes:1") {
			b.ask(m.conns[1], "cluster meet 127.0.0.1 "+port)
		}
		for _, c := range m.conns {
			if info := b.ask(c, "cluster info"); !strings.HasPrefix(info, "cluster_state:ok") || !strings.Contains(info, "known_nodes:2") {
				return false
			}
		}
		return true
	})
	return m
}

// heardOf is when nodes were heard of, and their epochs, in CLUSTER NODES.
var heardOf = regexp.MustCompile(`(master -) \d+ \d+ \d+`)

// say asks one of the nodes and gives the reply without what must differ. Nodes are
// listed in any order.
func (m *mover) say(s step) string {
	r, err := m.conns[s.node].Do(strings.Fields(m.ids.Replace(s.line))...)
	if err != nil {
		return err.Error()
	}
	if s.line == "cluster nodes" {
		for line := range strings.Lines(r.Text) {
			if strings.Contains(line, "myself") {
				return heardOf.ReplaceAllString(m.plain.Replace(line), "$1 N")
			}
		}
	}
	return m.plain.Replace(r.Print())
}

// swap lets the slot go the other way.
func (m *mover) swap() {
	m.conns[0], m.conns[1] = m.conns[1], m.conns[0]
	m.ids = strings.NewReplacer("@0", m.ids.Replace("@1"), "@1", m.ids.Replace("@0"))
}

// A slot moves from node to node, there and back, with the replies of redis-server
// to the byte, on one shard and on several.
func TestSlotMovesAsInRedis(t *testing.T) {
	b := benchOf(t, New, 2, "--shards", "2")
	ours, theirs := b.move([]string{b.Nodes[0].Addr(), b.Nodes[1].Addr()}), b.move(twoOfTheirs(t))
	for range 2 {
		for _, s := range theMove {
			got, want := ours.say(s), theirs.say(s)
			if got != want {
				t.Errorf("to node %d: %s\n\tours   %s\n\ttheirs %s", s.node, s.line, got, want)
			}
		}
		ours.swap()
		theirs.swap()
	}
}
