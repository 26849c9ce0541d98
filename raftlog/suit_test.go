package raftlog

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
)

// hands is a clock that a test sets.
type hands struct{ at atomic.Int64 }

func (h *hands) Wall() int64 { return h.at.Load() }

func (h *hands) Monotonic() int64 { return h.at.Load() }

func (h *hands) Boot() int64 { return h.at.Load() }

// A node gives its promise to one cluster, gives way to a lower id or to a cluster
// that is there while it asks others itself, and keeps a promise for its time.
func TestPromises(t *testing.T) {
	low, own, high := state.ID{1}, state.ID{2}, state.ID{3}
	clock := &hands{}
	clock.at.Store(int64(time.Hour))
	p := &Plane{id: own, world: env.World{Clock: clock, Disk: host.NewWorld(host.Options{}).Disk}}
	var err error
	if p.store, err = store.Open(p.world.Disk, t.TempDir()+"/raft", store.Options{}); err != nil {
		t.Fatal(err)
	}
	defer p.store.Close()
	gives := func(what string, r plea, want bool) {
		t.Helper()
		if why := p.promise(r); (why == "") != want {
			t.Errorf("%s: %q", what, why)
		}
	}
	asks := func(what string, want bool) {
		t.Helper()
		if p.court() != want {
			t.Errorf("%s: asks others %v", what, !want)
		}
	}
	asks("nothing was promised", true)
	gives("a higher id, while it asks", plea{Cluster: high}, false)
	gives("a cluster with a higher id, while it asks", plea{Cluster: high, Formed: true}, true)
	if p.courted(true) {
		t.Error("it forms a cluster although it has given its promise")
	}
	gives("the same again", plea{Cluster: high}, true)
	gives("another", plea{Cluster: low}, false)
	gives("not wanted by another", plea{Cluster: low, Off: true}, true)
	asks("it has given its promise", false)
	gives("not wanted any more", plea{Cluster: high, Off: true}, true)
	asks("it is free", true)
	gives("a lower id, while it asks", plea{Cluster: low}, true)
	if p.courted(true) {
		t.Error("it forms a cluster although it gave way")
	}
	clock.at.Add(int64(promiseTime) - 1)
	gives("another, before the end", plea{Cluster: high}, false)
	clock.at.Add(1)
	gives("another, at the end", plea{Cluster: high}, true)
	clock.at.Add(int64(promiseTime))
	asks("the promise has ended", true)
	if p.courted(false) || !p.court() || !p.courted(true) {
		t.Error("it forms a cluster if others refuse, or not if they agree")
	}
	gives("while it forms one", plea{Cluster: low, Formed: true}, false)
}

// What kept a node from asking another is told.
func TestFoundingTellsWhyNot(t *testing.T) {
	p, err := Open(freeOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	nobody := freeOptions(t).Address
	if err := p.foundWith(busOf(&nobody), state.ID{1}); !errors.Is(err, errLater) || !errors.Is(err, errNotSent) {
		t.Error(err)
	}
}

// While a node asks others whether they come into the cluster of its topology, it does
// not ask for another reason: the end of one would be taken for that of the other.
func TestFormationAndMeetTakeTurns(t *testing.T) {
	court := answers[callCourt]
	opened, asked := make(chan *Plane, 1), make(chan bool, 1)
	answers[callCourt] = func(p *Plane, body []byte) (any, error) {
		asks := <-opened
		opened <- asks
		free := asks.meeting.TryLock()
		if free {
			asks.meeting.Unlock()
		}
		select {
		case asked <- free:
		default:
		}
		return court(p, body)
	}
	defer func() { answers[callCourt] = court }()
	var options []Options
	var topology []Place
	for i := range 2 {
		o := freeOptions(t)
		topology = append(topology, Place{Bus: busOf(&o.Address), Owns: []slots.Range{{First: uint16(slots.First(i, 2)), Last: uint16(slots.First(i+1, 2) - 1)}}})
		options = append(options, o)
	}
	for i := range options {
		o := &options[len(options)-1-i] // the first one last
		o.Topology = topology
		p, err := Open(*o)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if i == len(options)-1 {
			opened <- p
		}
	}
	select {
	case free := <-asked:
		if free {
			t.Error("it could be told to MEET meanwhile")
		}
	case <-time.After(20 * time.Second):
		t.Error("it does not ask")
	}
}

// A node whose formation fails gives back what other nodes have promised for it.
func TestPromisesAreGivenBack(t *testing.T) {
	other, gone, o := openFree(t, freeOptions(t)), freeOptions(t), freeOptions(t)
	o.Topology = []Place{{Bus: "of another node"}, {Bus: other.options.Bus()}, {Bus: gone.Bus()}}
	p := openFree(t, o)
	if err := p.found(); !errors.Is(err, errNotSent) {
		t.Errorf("with a node that is not there: %v", err)
	}
	if _, invited := other.ties(); invited != p.id {
		t.Errorf("the other was not asked: it agreed to %x", invited[:1])
	}
	if why := other.promise(plea{Cluster: state.ID{1}}); why != "" {
		t.Errorf("the other node is not free: %s", why)
	}
	if err := p.FormAlone(); err != nil {
		t.Errorf("the node itself is not free: %v", err)
	}
}

// freeOptions are those of a node with a free port.
func freeOptions(t *testing.T) Options {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := uint16(l.Addr().(*net.TCPAddr).Port)
	return Options{
		World: host.NewWorld(host.Options{}), Dir: t.TempDir() + "/node", Election: 100 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
		Address: state.Address{Host: "127.0.0.1", Port: 1, BusPort: port, ReplicationPort: 1},
	}
}

// A node that ended between binding its disk and forming its cluster goes on with that
// when it is started again, whether it had begun a Raft group by then or not.
func TestFormationIsFinished(t *testing.T) {
	for _, group := range []bool{false, true} {
		t.Run(fmt.Sprintf("group=%v", group), func(t *testing.T) { finishes(t, group) })
	}
}

func finishes(t *testing.T, begun bool) {
	o := freeOptions(t)
	o.Election = time.Second // so that it does not go on with it in this life
	p, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.bind(p.id); err != nil {
		t.Fatal(err)
	}
	group := raft.Configuration{Servers: []raft.Server{{ID: p.raftConfig().LocalID, Address: raft.ServerAddress(nameOf(p.id, &p.address))}}}
	if begun {
		if err := p.raft.BootstrapCluster(group).Error(); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	o.Election = 100 * time.Millisecond
	if p, err = Open(o); err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for by := time.Now().Add(20 * time.Second); !p.greeting(p.id).Member; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(by) {
			t.Fatal("it has begun a cluster, and is in none")
		}
	}
}

// A node that is started anew keeps what it has promised: the cluster that it is to come
// into may be about to be formed. It is free again when the promise has ended.
func TestPromiseOutlastsStart(t *testing.T) {
	o, clock := freeOptions(t), &hands{}
	clock.at.Store(int64(time.Hour))
	o.World.Clock = clock
	first, second := plea{Cluster: state.ID{1}}, plea{Cluster: state.ID{2}}
	p := openFree(t, o)
	if why := p.promise(first); why != "" {
		t.Fatal(why)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	p = openFree(t, o)
	if p.promise(second) == "" || p.FormAlone() == nil {
		t.Error("it comes into another cluster")
	}
	if why := p.promise(first); why != "" {
		t.Errorf("it does not come into the one that it has promised to: %s", why)
	}
	clock.at.Add(int64(promiseTime))
	if why := p.promise(second); why != "" {
		t.Errorf("the promise has ended: %s", why)
	}
}

// full is a disk on which no file takes the place of another while it is full.
type full struct {
	env.Disk
	is atomic.Bool
}

func (f *full) Rename(from, to string) error {
	if f.is.Load() {
		return errors.New("no room")
	}
	return f.Disk.Rename(from, to)
}

// What a node cannot write down it has not promised.
func TestPromiseIsWritten(t *testing.T) {
	o := freeOptions(t)
	disk := &full{Disk: o.World.Disk}
	o.World.Disk = disk
	p := openFree(t, o)
	disk.is.Store(true)
	if p.promise(plea{Cluster: state.ID{1}}) == "" {
		t.Error("it promises what it cannot write down")
	}
	disk.is.Store(false)
	if why := p.promise(plea{Cluster: state.ID{2}}); why != "" {
		t.Errorf("it keeps what it has not promised: %s", why)
	}
}
