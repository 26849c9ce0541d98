package raftlog

import (
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/raftlog/bus"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
)

// openFree opens a node that is in no cluster.
func openFree(t *testing.T, o Options) *Plane {
	t.Helper()
	p, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !p.over() {
			p.Close()
		}
	})
	return p
}

// What a node has of Raft is of one cluster, the first that it agreed to come into and
// that then came, also when it was started anew before it learnt more.
func TestDiskIsOfOneCluster(t *testing.T) {
	o := freeOptions(t)
	first, second := bus.ID{1}, bus.ID{2}
	for life := range 2 {
		p := openFree(t, o)
		if err := p.admitLine(lineCalls, second); err != nil {
			t.Errorf("life %d: a call is refused: %v", life, err)
		}
		if life == 0 {
			if err := p.admitLine(lineRaft, first); err != errUninvited || p.boundTo() != (bus.ID{}) {
				t.Errorf("Raft of a cluster that it has not agreed to come into: %v", err)
			}
			if why := p.promise(plea{Cluster: state.ID(first)}); why != "" {
				t.Fatal(why)
			}
		}
		for _, test := range []struct {
			cluster bus.ID
			passes  bool
		}{{bus.ID{}, false}, {first, true}, {second, false}, {first, true}} {
			if err := p.admitLine(lineRaft, test.cluster); life == 1 && test.cluster == second && err != errBound || (err == nil) != test.passes {
				t.Errorf("life %d: Raft of cluster %x: %v", life, test.cluster[:1], err)
			}
		}
		if !p.greeting(p.id).Raft || p.boundTo() != first {
			t.Errorf("life %d: it does not tell that it has a part in Raft, or is of %x", life, p.boundTo())
		}
		if p.promise(plea{Cluster: state.ID(second)}) == "" || p.promise(plea{Cluster: state.ID(second), Formed: true}) == "" || p.FormAlone() == nil {
			t.Errorf("life %d: it comes into another cluster", life)
		}
		if err := p.Claim([]slots.Range{{First: 7, Last: 7}}); err == nil {
			t.Errorf("life %d: it claims a slot that its cluster decides on", life)
		}
		if why := p.promise(plea{Cluster: state.ID(first), Formed: true}); why != "" {
			t.Errorf("life %d: it does not come into its own: %s", life, why)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// An invitation is for the cluster that the node has agreed last to come into. It holds
// when the promise has ended or is not wanted any more, and over a start: that cluster may
// have taken the node in by then.
func TestInvitationIsKept(t *testing.T) {
	o, clock := freeOptions(t), &hands{}
	clock.at.Store(int64(time.Hour))
	o.World.Clock = clock
	first, second := state.ID{1}, state.ID{2}
	p := openFree(t, o)
	for _, cluster := range []state.ID{first, second, second} {
		if why := p.promise(plea{Cluster: cluster}); why != "" {
			t.Fatalf("cluster %x: %s", cluster[:1], why)
		}
		p.promise(plea{Cluster: cluster, Off: true})
	}
	clock.at.Add(int64(promiseTime))
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	p = openFree(t, o)
	if err := p.admitLine(lineRaft, bus.ID(first)); err != errUninvited {
		t.Errorf("the cluster that it agreed to before: %v", err)
	}
	if err := p.admitLine(lineRaft, bus.ID(second)); err != nil {
		t.Errorf("the cluster that it agreed to last: %v", err)
	}
}

// stranger is a bus that says it is of a cluster.
func stranger(t *testing.T, cluster state.ID) *bus.Bus {
	t.Helper()
	o := freeOptions(t)
	b, err := bus.Open(bus.Options{
		World: host.NewWorld(host.Options{}), Address: o.Bus(), ID: bus.ID{9}, Log: slog.New(slog.DiscardHandler),
		Cluster: func() bus.ID { return bus.ID(cluster) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// Whoever only greets a node binds it to nothing. One that has it agree, and greets it then,
// does, and RESET undoes that: the connection is ended, and the node is free.
func TestUnbind(t *testing.T) {
	o := freeOptions(t)
	p, lies := openFree(t, o), state.ID{5}
	at, s := p.options.Bus(), stranger(t, lies)
	for _, line := range []bus.Line{lineRaft, '?'} {
		if _, err := s.Dial(line, at, 10*time.Second); err == nil {
			t.Errorf("line %c: a stranger is let in", line)
		}
	}
	if bound, invited := p.ties(); bound != (state.ID{}) || invited != (state.ID{}) {
		t.Errorf("a greeting binds it to %x, %x", bound[:1], invited[:1])
	}
	if err := p.Unbind(); err != nil {
		t.Error(err)
	}
	if why := p.promise(plea{Cluster: lies}); why != "" {
		t.Fatal(why)
	}
	c, err := s.Dial(lineRaft, at, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if p.boundTo() != bus.ID(lies) || p.FormAlone() == nil {
		t.Error("it is not bound")
	}
	if err := p.Unbind(); err != nil {
		t.Fatal(err)
	}
	c.SetDeadline(time.Now().Add(10 * time.Second))
	var timeout interface{ Timeout() bool }
	if n, err := c.Read(make([]byte, 1)); err == nil || errors.As(err, &timeout) && timeout.Timeout() {
		t.Errorf("the connection goes on: %d, %v", n, err)
	}
	if _, err := s.Dial(lineRaft, at, 10*time.Second); err == nil {
		t.Error("the stranger is let in again")
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	p = openFree(t, o)
	if bound, invited := p.ties(); bound != (state.ID{}) || invited != (state.ID{}) {
		t.Errorf("started anew it is bound to %x, %x", bound[:1], invited[:1])
	}
	if err := p.FormAlone(); err != nil {
		t.Error(err)
	}
	if err := p.Unbind(); err != nil || p.boundTo() != bus.ID(p.id) {
		t.Errorf("its own cluster is gone: %v", err)
	}
}

// A node that has heard so much as a term of a cluster is not unbound: it may be counted on.
func TestUnbindKeepsWhatWasPromised(t *testing.T) {
	p, cluster := openFree(t, freeOptions(t)), state.ID{5}
	if why := p.promise(plea{Cluster: cluster}); why != "" {
		t.Fatal(why)
	}
	s := stranger(t, cluster)
	asking := raft.NewNetworkTransport(bus.Stream{Listener: s.Listen(lineRaft)}, 1, 10*time.Second, io.Discard)
	defer asking.Close()
	var answer raft.RequestVoteResponse
	ask := raft.RequestVoteRequest{RPCHeader: raft.RPCHeader{ProtocolVersion: raft.ProtocolVersionMax, ID: []byte("a"), Addr: []byte("a")}, Term: 7}
	if err := asking.RequestVote("b", raft.ServerAddress(nameOf(p.id, &p.address)), &ask, &answer); err != nil || !answer.Granted {
		t.Fatalf("%+v, %v", answer, err)
	}
	if err := p.Unbind(); err != errTookPart || p.boundTo() != bus.ID(cluster) {
		t.Errorf("%v; bound to %x", err, p.boundTo())
	}
	if p.promise(plea{Cluster: state.ID{6}}) == "" {
		t.Error("it agrees to come into another cluster")
	}
}

// A node that a cluster has as a member, and that has agreed to come into another one since,
// does not let the cluster in. MEET from either side asks it anew.
func TestMeetInvitesAgain(t *testing.T) {
	for _, side := range []string{"member", "node"} {
		t.Run(side, func(t *testing.T) {
			o := freeOptions(t)
			o.Address.Port, o.Address.ReplicationPort = 2, 3 // the member has 1
			member, node := openFree(t, freeOptions(t)), openFree(t, o)
			if err := member.FormAlone(); err != nil {
				t.Fatal(err)
			}
			other := plea{Cluster: state.ID{1}}
			if why := node.promise(other); why != "" {
				t.Fatal(why)
			}
			other.Off = true
			node.promise(other)
			known := node.greeting(member.id)
			if o, err := member.admit(&known); err != nil || o.Refused() {
				t.Fatalf("%v, %v", o, err)
			}
			var err error
			if side == "member" {
				err = member.Meet(node.options.Bus())
			} else {
				err = node.Meet(member.options.Bus())
			}
			if err != nil || node.boundTo() != bus.ID(member.id) {
				t.Errorf("%v; bound to %x", err, node.boundTo())
			}
		})
	}
}

// stuck is a disk on which a file does not take the place of another before it may.
type stuck struct {
	env.Disk
	reached, may chan struct{}
}

func (s *stuck) Rename(from, to string) error {
	select {
	case s.reached <- struct{}{}:
		<-s.may
	default:
	}
	return s.Disk.Rename(from, to)
}

// While the disk takes its time with what binds the node, all else goes on.
func TestNothingWaitsForTheDiskToBind(t *testing.T) {
	o := freeOptions(t)
	disk := &stuck{o.World.Disk, make(chan struct{}), make(chan struct{})}
	o.World.Disk = disk
	p, cluster := openFree(t, o), state.ID{5}
	for _, what := range []string{"agree", "bind"} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			if why := p.promise(plea{Cluster: cluster}); why != "" {
				t.Error(why)
			}
			if what == "agree" {
				return
			}
			if err := p.bind(cluster); err != nil {
				t.Error(err)
			}
		}()
		<-disk.reached
		free := p.mu.TryLock()
		if free {
			p.mu.Unlock()
		}
		disk.may <- struct{}{}
		<-done
		if !free {
			t.Errorf("%s: the plane is locked meanwhile", what)
		}
	}
}

// Claims stay as they are while the node has agreed to come into a cluster: that may have
// been told of them already, and what is claimed later would be lost.
func TestClaimsAreFixedByPromise(t *testing.T) {
	p, wanted := openFree(t, freeOptions(t)), plea{Cluster: state.ID{5}, Formed: true}
	seven, eight := []slots.Range{{First: 7, Last: 7}}, []slots.Range{{First: 8, Last: 8}}
	if err := p.Claim(seven); err != nil {
		t.Fatal(err)
	}
	if why := p.promise(wanted); why != "" {
		t.Fatal(why)
	}
	if p.Claim(eight) == nil || p.Unclaim(seven) == nil {
		t.Error("claims change although they may have been told")
	}
	wanted.Off = true
	p.promise(wanted)
	if err := errors.Join(p.Claim(eight), p.Unclaim(seven)); err != nil {
		t.Errorf("nobody wants the node any more: %v", err)
	}
	wanted.Off = false
	if why := p.promise(wanted); why != "" {
		t.Fatal(why)
	}
	if err := errors.Join(p.Unbind(), p.Unclaim(eight)); err != nil {
		t.Errorf("a node that was unbound: %v", err)
	}
}

// What a node claims until it asks to be taken in is taken in with it, and what it claims
// until it begins to form a cluster is part of that.
func TestLateClaimsCount(t *testing.T) {
	owns := func(p *Plane, slot uint16) bool { return p.View().Map.Owner(slot) == p.View().Self }
	o := freeOptions(t)
	disk := &stuck{o.World.Disk, make(chan struct{}), make(chan struct{})}
	o.World.Disk = disk
	founder := openFree(t, o)
	formed := make(chan error, 1)
	go func() { formed <- founder.FormAlone() }()
	<-disk.reached // it is about to be bound
	if err := founder.Claim([]slots.Range{{First: 7, Last: 7}}); err != nil {
		t.Error(err)
	}
	disk.may <- struct{}{}
	if err := <-formed; err != nil || !owns(founder, 7) {
		t.Errorf("it forms a cluster without what it claims: %v", err)
	}
	o = freeOptions(t)
	o.Address.Port, o.Address.ReplicationPort = 2, 3 // the founder has 1
	node := openFree(t, o)
	own, other := node.greeting(founder.id), founder.greeting(node.id)
	if err := node.Claim([]slots.Range{{First: 8, Last: 8}}); err != nil {
		t.Fatal(err)
	}
	if err := node.joinWith(founder.options.Bus(), &own, &other); !errors.Is(err, errLater) {
		t.Fatal(err)
	}
	if !node.Await(func(v *View) bool { return v.Self != slots.None }, 20*time.Second) || !owns(node, 8) {
		t.Error("it joins a cluster without what it claims")
	}
}
