package proc

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/differ"
	"github.com/elares/ironcache/slots"
)

// redis-cli makes a cluster of three nodes and finds it sound, and go-redis uses
// it.
func TestRedisCLIMakesACluster(t *testing.T) {
	if _, err := exec.LookPath("redis-cli"); err != nil {
		if os.Getenv("IRONCACHE_SKIP_CLIENTS") == "1" {
			t.Skip("no redis-cli")
		}
		t.Fatal("please install redis-tools, or set IRONCACHE_SKIP_CLIENTS=1")
	}
	b := newBench(t, 3)
	var addrs []string
	for _, n := range b.Nodes {
		addrs = append(addrs, n.Addr())
	}
	out := b.cli(append(append([]string{"--cluster", "create"}, addrs...), "--cluster-yes")...)
	if !strings.Contains(out, "[OK] All nodes agree about slots configuration.") || !strings.Contains(out, "[OK] All 16384 slots covered.") {
		t.Errorf("create: %s", out)
	}
	b.until("the cluster is whole", b.whole)
	out = b.cli("--cluster", "check", addrs[2])
	if !strings.Contains(out, "[OK] All 16384 slots covered.") || strings.Contains(out, "[ERR]") || strings.Contains(out, "[WARNING]") {
		t.Errorf("check: %s", out)
	}
	if out = b.cli("--cluster", "info", addrs[1]); !strings.Contains(out, "[OK] 0 keys in 3 masters.") {
		t.Errorf("info: %s", out)
	}
	b.reshards()
	c := b.client()
	for i := range b.Nodes {
		b.uses(c, i)
	}
	if out = b.cli("-c", "-p", fmt.Sprint(b.Nodes[0].Port), "get", KeyOf(2, 3, 7)); out != "7\n" {
		t.Errorf("redis-cli that follows: %q", out)
	}
}

// reshards has redis-cli move an empty slot from the first node to the second, and
// back, and a slot with a key, which it cannot.
func (b *bench) reshards() {
	b.t.Helper()
	ids := []string{b.Nodes[0].Say("CLUSTER", "MYID"), b.Nodes[1].Say("CLUSTER", "MYID")}
	reshard := []string{"--cluster", "reshard", b.Nodes[2].Addr(), "--cluster-slots", "1", "--cluster-yes", "--cluster-from"}
	for i := range ids {
		out := b.cli(append(reshard, ids[i], "--cluster-to", ids[1-i])...)
		if !strings.Contains(out, "Moving slot 0 from") || strings.Contains(out, "ERR") {
			b.t.Errorf("reshard: %s", out)
		}
		b.until("the slot has moved", func() bool { return strings.HasPrefix(b.Nodes[2].OwnedBy()[b.Nodes[1-i].bus()], "0") })
	}
	const key = "3560" // of slot 0
	if got := b.Nodes[0].Say("SET", key, "v"); got != "OK" {
		b.t.Errorf("set: %s", got)
	}
	out, err := b.tryCLI(append(reshard, ids[0], "--cluster-to", ids[1])...)
	if err == nil || !strings.Contains(out, "is not in this version: whoever moves a slot copies its keys") {
		b.t.Errorf("reshard of a slot with a key: %v, %s", err, out)
	}
	if got := b.Nodes[0].Say("CLUSTER", "SETSLOT", "0", "STABLE"); got != "OK" {
		b.t.Errorf("stable: %s", got)
	}
	if got := b.Nodes[0].Say("GET", key); got != "v" {
		b.t.Errorf("get: %s", got)
	}
	b.Nodes[0].Say("DEL", key)
}

// A cluster outlives kill -9 of its leader and of a
// follower. What has a live owner stays in use; a node that comes back with its
// disk, and without its data, has its slots again.
func TestKilledNodesComeBack(t *testing.T) {
	b := newBench(t, 3)
	b.join()
	c := b.client()
	for i := range b.Nodes {
		b.uses(c, i)
	}
	for _, leads := range []bool{true, false} {
		at := b.leader()
		if !leads {
			at = (at + 1) % 3
		}
		id := b.Nodes[at].Say("CLUSTER", "MYID")
		if err := b.Nodes[at].Kill(); err != nil {
			t.Fatal(err)
		}
		live := []int{(at + 1) % 3, (at + 2) % 3}
		b.until("those who live know who is dead", func() bool {
			return strings.Contains(b.Nodes[live[0]].Say("CLUSTER", "INFO"), "cluster_state:fail") &&
				strings.Contains(b.Nodes[live[1]].Say("CLUSTER", "NODES"), " master,fail ")
		})
		for _, i := range live {
			b.until("who lives serves", func() bool { return b.Nodes[i].Say("SET", KeyOf(i, 3, 0), "0") == "OK" })
			b.uses(c, i)
		}
		if err := b.Nodes[at].Start(); err != nil {
			t.Fatal(err)
		}
		b.until("the cluster is whole again", b.whole)
		if got := b.Nodes[at].Say("CLUSTER", "MYID"); got != id {
			t.Errorf("node %d came back as %s and was %s", at, got, id)
		}
		if got := b.Nodes[at].Say("EXISTS", KeyOf(at, 3, 5)); got != "0" {
			t.Errorf("a node came back with data: %s", got)
		}
		b.uses(c, at)
	}
}

// An owner that stood still for longer than its lease, while its slot was given
// to another, does not answer with what it had.
func TestPausedOwnerIsFenced(t *testing.T) {
	b := newBench(t, 3)
	b.join()
	key := KeyOf(0, 3, 0)
	slot := fmt.Sprint(slots.Of([]byte(key)))
	conn, err := differ.Dial(b.Nodes[0].Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if r, err := conn.Do("SET", key, "old"); err != nil || r.Text != "OK" {
		t.Fatalf("set: %v, %v", r, err)
	}
	if err := b.Nodes[0].Pause(); err != nil {
		t.Fatal(err)
	}
	conn.Queue([]string{"GET", key})
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	b.until("the slot is taken from who does not answer", func() bool {
		return b.Nodes[1].Say("CLUSTER", "DELSLOTS", slot) == "OK"
	})
	b.until("another has it", func() bool { return b.Nodes[1].Say("CLUSTER", "ADDSLOTS", slot) == "OK" })
	b.until("and serves it", func() bool { return b.Nodes[1].Say("SET", key, "new") == "OK" })
	if err := b.Nodes[0].Resume(); err != nil {
		t.Fatal(err)
	}
	if r, err := conn.Read(); err == nil && r.Kind != '-' {
		t.Errorf("the former owner answers %q", r.Text)
	}
	b.until("the cluster is whole again", b.whole)
	if got, want := b.Nodes[0].Say("GET", key), "MOVED "+slot+" "+b.Nodes[1].Addr(); got != want {
		t.Errorf("the former owner says %q, want %q", got, want)
	}
	if got := b.Nodes[1].Say("GET", key); got != "new" {
		t.Errorf("the owner says %q", got)
	}
}

// With a topology in the configuration nobody has to bring nodes together: with
// Raft they come together by themselves, static ones are together.
func TestTopology(t *testing.T) {
	for _, mode := range []string{"raft", "static"} {
		t.Run(mode, func(t *testing.T) {
			b := benchOf(t, NewFormed, 3, "--cluster-mode", mode)
			b.until("the cluster is whole", b.whole)
			c := b.client()
			for i := range b.Nodes {
				b.uses(c, i)
			}
		})
	}
}
