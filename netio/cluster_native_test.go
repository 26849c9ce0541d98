package netio

import (
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
)

// startMember starts a node with a control plane of its own that is in no
// cluster. around may put something around the plane.
func startMember(t *testing.T, shards int, around ...func(ControlPlane) ControlPlane) *plant {
	t.Helper()
	p := &plant{t: t, log: &syncLog{}, aside: new(host.Aside).Do}
	dir := t.TempDir()
	p.plane = func(address string) ControlPlane {
		_, text, _ := net.SplitHostPort(address)
		port, _ := strconv.Atoi(text)
		plane, err := raftlog.Open(raftlog.Options{
			World: host.NewWorld(host.Options{}), Dir: dir + "/" + text, Secret: "s", Election: 100 * time.Millisecond,
			Address: state.Address{Host: "127.0.0.1", Port: uint16(port), BusPort: freeBusPort(t), ReplicationPort: 1},
			Log:     slog.New(slog.NewTextHandler(io.Discard, nil)),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = plane.Close() })
		whole := ControlPlane(plane)
		for _, put := range around {
			whole = put(whole)
		}
		return whole
	}
	p.build(shards, false, nil)
	p.start()
	return p
}

func freeBusPort(t *testing.T) uint16 {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return uint16(l.Addr().(*net.TCPAddr).Port)
}

// says sends one request and gives the reply.
func (p *plant) says(w *wire, line string) string {
	p.t.Helper()
	replies, err := w.do(line)
	if err != nil {
		p.t.Fatalf("%s: %v", line, err)
	}
	return replies[0]
}

// wants compares replies with what they should be. On a busy machine a leader may
// be late enough to lose its office; what was not decided then is asked again.
func (p *plant) wants(w *wire, lines ...[2]string) {
	p.t.Helper()
	for _, line := range lines {
		got := p.says(w, line[0])
		for by := time.Now().Add(20 * time.Second); strings.Contains(got, "the outcome is not known") && time.Now().Before(by); {
			time.Sleep(20 * time.Millisecond)
			got = p.says(w, line[0])
		}
		if got != line[1] {
			p.t.Errorf("%s: %q, want %q", line[0], got, line[1])
		}
	}
}

// eventually waits until a reply has a text in it.
func (p *plant) eventually(w *wire, line, text string) {
	p.t.Helper()
	got := ""
	for by := time.Now().Add(20 * time.Second); time.Now().Before(by); time.Sleep(20 * time.Millisecond) {
		if got = p.says(w, line); strings.Contains(got, text) {
			return
		}
	}
	p.t.Fatalf("%s: %q never has %q", line, got, text)
}

// A node that claims all slots is a cluster of its own; it gives slots up and
// takes them back, and what was in them is gone.
func TestClusterOfOne(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		p := startMember(t, shards)
		w, err := p.dial()
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		p.wants(w,
			[2]string{"get b", "-CLUSTERDOWN Hash slot not served\r\n"},
			[2]string{"cluster bumpepoch", "-ERR this node is in no cluster yet: CLUSTER MEET, or CLUSTER ADDSLOTS of all slots, make one\r\n"},
			[2]string{"cluster set-config-epoch 7", "+OK\r\n"},
			[2]string{"cluster addslotsrange 0 100 200 300", "+OK\r\n"},
			[2]string{"cluster addslots 50", "-ERR Slot 50 is already busy\r\n"},
			[2]string{"cluster delslots 20 21 250", "+OK\r\n"},
			[2]string{"cluster delslots 20", "-ERR Slot 20 is already unassigned\r\n"},
		)
		if got := p.says(w, "cluster nodes"); !strings.Contains(got, " myself,master - 0 0 0 connected 0-19 22-100 200-249 251-300\n") {
			t.Errorf("cluster nodes: %q", got)
		}
		p.wants(w,
			[2]string{"cluster reset hard", "-ERR a node keeps its id as long as its disk: to make another one of it, stop it and remove the folder cluster in dir\r\n"},
			[2]string{"cluster reset", "+OK\r\n"},
			[2]string{"cluster addslotsrange 0 16383", "+OK\r\n"},
		)
		p.eventually(w, "cluster info", "cluster_state:ok\r\ncluster_slots_assigned:16384\r\ncluster_slots_ok:16384\r\n")
		p.wants(w,
			[2]string{"set b 1", "+OK\r\n"},
			[2]string{"set a 1", "+OK\r\n"},
			[2]string{"cluster delslotsrange 3300 3310", "+OK\r\n"},
			[2]string{"get b", "-CLUSTERDOWN Hash slot not served\r\n"},
			[2]string{"get a", "$1\r\n1\r\n"},
			[2]string{"cluster addslots 3300", "+OK\r\n"},
			[2]string{"cluster addslots 3300", "-ERR Slot 3300 is already busy\r\n"},
		)
		p.eventually(w, "get b", "$-1\r\n")
		if got := p.says(w, "cluster info"); !strings.Contains(got, "cluster_state:fail\r\ncluster_slots_assigned:16374\r\n") {
			t.Errorf("cluster info: %q", got)
		}
		if got := p.says(w, "cluster bumpepoch"); !strings.HasPrefix(got, "+STILL ") {
			t.Errorf("cluster bumpepoch: %q", got)
		}
		p.wants(w, [2]string{"cluster reset", "-ERR CLUSTER RESET can't be called with master nodes containing keys\r\n"}, [2]string{"flushall", "+OK\r\n"})
		if got := p.says(w, "cluster reset"); !strings.Contains(got, "nobody has a vote") {
			t.Errorf("the last voter leaves: %q", got)
		}
		p.wants(w,
			[2]string{"cluster flushslots", "+OK\r\n"},
			[2]string{"get a", "-CLUSTERDOWN Hash slot not served\r\n"},
			[2]string{"cluster slots", "*0\r\n"},
		)
	})
}

// unbinding is a plane that counts how often it is told to Unbind.
type unbinding struct {
	ControlPlane
	times *atomic.Int32
}

func (u unbinding) Unbind() error {
	u.times.Add(1)
	return u.ControlPlane.Unbind()
}

// RESET of a node in no cluster takes back what it claims and what it has agreed to.
func TestResetUnbinds(t *testing.T) {
	times := new(atomic.Int32)
	p := startMember(t, 1, func(plane ControlPlane) ControlPlane { return unbinding{plane, times} })
	w, err := p.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ok := func(line string) [2]string { return [2]string{line, "+OK\r\n"} }
	p.wants(w, ok("cluster reset"), ok("cluster addslots 7"), ok("cluster reset soft"), ok("cluster addslots 7"))
	if n := times.Load(); n != 2 {
		t.Errorf("it was unbound %d times", n)
	}
}

// stale is a plane whose first releases come when the slots have another epoch already.
type stale struct {
	ControlPlane
	left *atomic.Int32
}

func (s stale) Release(spans []state.Span, patience time.Duration) (state.Outcome, error) {
	if s.left.Add(-1) >= 0 {
		return state.Outcome{Reason: state.StaleEpoch, Sentence: "slot 7 has epoch 42, not 4"}, nil
	}
	return s.ControlPlane.Release(spans, patience)
}

// Slots that were given back by another epoch while they were given up are given up by that
// one. If it happens again and again, the client is told.
func TestSlotsAreGivenUpByTheirEpoch(t *testing.T) {
	left := new(atomic.Int32)
	p := startMember(t, 1, func(plane ControlPlane) ControlPlane { return stale{plane, left} })
	w, err := p.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p.wants(w, [2]string{"cluster addslotsrange 0 16383", "+OK\r\n"})
	p.eventually(w, "cluster info", "cluster_state:ok\r\n")
	left.Store(givenBack)
	p.wants(w, [2]string{"cluster delslots 7", "+OK\r\n"})
	left.Store(givenBack + 1)
	p.wants(w, [2]string{"cluster delslots 8", "-ERR slot 7 has epoch 42, not 4\r\n"}, [2]string{"cluster delslots 8", "+OK\r\n"})
}

// Three nodes come together by MEET, and all tell the same of who owns what. One
// that is forgotten is not told of any more.
func TestClusterByMeet(t *testing.T) {
	var members []*plant
	var wires []*wire
	for range 3 {
		p := startMember(t, 2)
		w, err := p.dial()
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		members, wires = append(members, p), append(wires, w)
	}
	at := members[0].node.plane.Address()
	meet := "cluster meet 127.0.0.1 " + strconv.Itoa(int(at.Port)) + " " + strconv.Itoa(int(at.BusPort))
	members[0].wants(wires[0], [2]string{"cluster addslotsrange 0 9999", "+OK\r\n"})
	members[1].wants(wires[1], [2]string{"cluster addslotsrange 10000 16383", "+OK\r\n"}, [2]string{meet, "+OK\r\n"})
	members[2].wants(wires[2], [2]string{"cluster addslots 3", "+OK\r\n"})
	if got := members[2].says(wires[2], meet); !strings.Contains(got, "slot 3, which ") || !strings.Contains(got, "is owned by") {
		t.Errorf("a node that claims what is owned: %q", got)
	}
	members[2].wants(wires[2], [2]string{"cluster delslots 3", "+OK\r\n"}, [2]string{meet, "+OK\r\n"}, [2]string{meet, "+OK\r\n"})
	for i, p := range members {
		p.eventually(wires[i], "cluster info", "cluster_state:ok\r\n")
		p.eventually(wires[i], "cluster info", "cluster_known_nodes:3\r\ncluster_size:2\r\n")
	}
	if a, b := members[0].says(wires[0], "cluster slots"), members[2].says(wires[2], "cluster slots"); a != b {
		t.Errorf("%q and %q", a, b)
	}
	if got := members[1].says(wires[1], "cluster bumpepoch"); !strings.HasPrefix(got, "+BUMPED ") {
		t.Errorf("cluster bumpepoch of a node without the highest epoch: %q", got)
	}
	if got := members[1].says(wires[1], "cluster bumpepoch"); !strings.HasPrefix(got, "+STILL ") {
		t.Errorf("cluster bumpepoch again: %q", got)
	}
	third := members[2].node.plane.ID().String()
	members[0].wants(wires[0],
		[2]string{"cluster forget " + members[1].node.plane.ID().String(), "-ERR node " + members[1].node.plane.ID().String() + " (" + members[1].address + ") owns slots\r\n"},
		[2]string{"cluster delslots 10000", "-ERR Slot 10000 is owned by " + members[1].node.plane.ID().String() + " (" + members[1].address + "), which is alive and has to give it up itself\r\n"},
		[2]string{"cluster setslot 5 migrating " + third, "+OK\r\n"},
	)
	first := members[0].node.plane.ID().String() + " (" + members[0].address + ")"
	members[1].wants(wires[1],
		[2]string{"cluster delslots 9 10001", "-ERR Slot 9 is owned by " + first + ", which is alive and has to give it up itself\r\n"},
		[2]string{"cluster addslots 10001", "-ERR Slot 10001 is already busy\r\n"}, // it was not given up
	)
	members[2].eventually(wires[2], "cluster setslot 5 node "+third, "+OK\r\n")
	members[2].wants(wires[2], [2]string{"cluster delslots 5", "+OK\r\n"})
	members[0].eventually(wires[0], "cluster forget "+third, "+OK\r\n")
	members[1].eventually(wires[1], "cluster info", "cluster_known_nodes:2\r\n")
	members[1].wants(wires[1],
		[2]string{"cluster forget " + third, "+OK\r\n"}, // to say it to each node is no error
		[2]string{"cluster forget " + strings.Repeat("0", 40), "-ERR Unknown node " + strings.Repeat("0", 40) + "\r\n"},
	)
	members[2].eventually(wires[2], "get b", "-CLUSTERDOWN This node is no member of its cluster any more")
	if got := members[2].says(wires[2], "cluster nodes"); strings.Count(got, "\n") != 3 || !strings.Contains(got, third+" ") {
		t.Errorf("a node that was forgotten knows of %q", got)
	}
	members[2].wants(wires[2], [2]string{meet, "+OK\r\n"})
	for i, p := range members {
		p.eventually(wires[i], "cluster info", "cluster_known_nodes:3\r\n")
	}
	leaves(t, members, wires, meet)
}

// leaves lets a member with slots leave by RESET, and come back.
func leaves(t *testing.T, members []*plant, wires []*wire, meet string) {
	t.Helper()
	second := members[1].node.plane.ID().String()
	members[1].wants(wires[1], [2]string{"cluster reset", "+OK\r\n"})
	members[0].eventually(wires[0], "cluster info", "cluster_slots_assigned:9999\r\n")
	members[0].eventually(wires[0], "cluster info", "cluster_known_nodes:2\r\n")
	if got := members[0].says(wires[0], "cluster nodes"); strings.Contains(got, second) {
		t.Errorf("the member that left is known: %q", got)
	}
	members[1].wants(wires[1], [2]string{meet, "+OK\r\n"})
	members[1].eventually(wires[1], "cluster addslotsrange 10000 16383", "+OK\r\n") // what it claimed once is over
	members[0].eventually(wires[0], "cluster info", "cluster_slots_assigned:16383\r\ncluster_slots_ok:16383\r\n")
}
