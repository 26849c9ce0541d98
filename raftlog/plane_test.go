package raftlog_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// group is control planes on this machine.
type group struct {
	t       *testing.T
	options []raftlog.Options
	planes  []*raftlog.Plane
}

// freePort gives a port that is free now.
func freePort(t *testing.T) uint16 {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, text, _ := net.SplitHostPort(l.Addr().String())
	port, _ := strconv.Atoi(text)
	return uint16(port)
}

// quick is a lease for tests: short, but longer than this machine pauses.
var quick = slots.Lease{Length: int64(1500 * time.Millisecond), Drift: 1000, Margin: int64(50 * time.Millisecond)}

func newGroup(t *testing.T, nodes int, static bool) *group {
	g := &group{t: t, planes: make([]*raftlog.Plane, nodes)}
	var topology []raftlog.Place
	for i := range nodes {
		at := state.Address{Host: "127.0.0.1", Port: freePort(t), BusPort: freePort(t), ReplicationPort: freePort(t)}
		g.options = append(g.options, raftlog.Options{
			World: host.NewWorld(host.Options{}), Dir: t.TempDir() + "/node", Address: at, Secret: "s", Lease: quick,
			Election: 300 * time.Millisecond, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		})
		topology = append(topology, raftlog.Place{
			Bus:  fmt.Sprintf("127.0.0.1:%d", at.BusPort),
			Owns: []slots.Range{{First: uint16(slots.First(i, nodes)), Last: uint16(slots.First(i+1, nodes) - 1)}},
		})
	}
	for i := range nodes {
		if static {
			g.options[i].Topology = topology
		}
		g.start(i)
	}
	t.Cleanup(func() {
		for i := range g.planes {
			g.stop(i)
		}
	})
	return g
}

func (g *group) start(i int) {
	g.t.Helper()
	p, err := raftlog.Open(g.options[i])
	if err != nil {
		g.t.Fatal(err)
	}
	g.planes[i] = p
}

func (g *group) stop(i int) {
	if g.planes[i] != nil {
		if err := g.planes[i].Close(); err != nil {
			g.t.Errorf("close node %d: %v", i, err)
		}
		g.planes[i] = nil
	}
}

// until waits for something to hold.
func (g *group) until(what string, holds func() bool) {
	g.t.Helper()
	for by := time.Now().Add(30 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(by) {
			g.t.Fatalf("never: %s", what)
		}
	}
}

// serving tells whether every node that runs serves all that it owns, and each
// slot is owned.
func (g *group) serving() bool {
	for i, p := range g.planes {
		if p == nil {
			continue
		}
		v := p.View()
		for slot := range uint16(slots.Count) {
			owner := v.Map.Owner(slot)
			if owner == slots.None || owner == v.Self && !(v.Holds(g.options[i].World.Clock.Boot()) && v.Map.ServedBy(slot, v.Self)) {
				return false
			}
		}
	}
	return true
}

func TestStaticTopologyForms(t *testing.T) {
	g := newGroup(t, 3, true)
	g.until("three nodes serve", g.serving)
	for i, p := range g.planes {
		if v := p.View(); len(v.State.Members()) != 3 || v.Map.Owner(0) == v.Self != (i == 0) {
			t.Errorf("node %d: %d members", i, len(v.State.Members()))
		}
	}
	g.until("all vote", func() bool { return g.voters() == 3 })
}

func (g *group) voters() (n int) {
	v := g.planes[0].View()
	for _, m := range v.State.Members() {
		n += int(m.Suffrage)
	}
	return n
}

// allVote tells whether every node has a vote, and knows that all have.
func (g *group) allVote() bool {
	return !slices.ContainsFunc(g.planes, func(p *raftlog.Plane) bool { return p.Voters() != len(g.planes) })
}

// A node that starts again serves its slots again, in a later incarnation, once
// its former leases were waited out; the others go on meanwhile.
func TestRestartResumes(t *testing.T) {
	g := newGroup(t, 3, true)
	g.until("three nodes serve", g.serving)
	for i := range 3 {
		g.stop(i)
		g.until("the others serve", g.serving)
		g.start(i)
		g.until("all serve again", g.serving)
	}
}

// Meet and claims make the same as a topology, without a restart of anybody.
func TestMeet(t *testing.T) {
	g := newGroup(t, 3, false)
	for i, p := range g.planes {
		if err := p.Claim([]slots.Range{{First: uint16(slots.First(i, 3)), Last: uint16(slots.First(i+1, 3) - 1)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.planes[1].Claim([]slots.Range{{First: 6000, Last: 6000}}); err == nil {
		t.Error("a slot is claimed twice")
	}
	if err := g.planes[0].Meet(g.options[1].Bus()); err != nil {
		t.Fatal(err)
	}
	if err := g.planes[2].Meet(g.options[0].Bus()); err != nil {
		t.Fatal(err)
	}
	g.until("three nodes serve", g.serving)
	g.until("all vote", func() bool { return g.voters() == 3 })
	other := newGroup(t, 1, false)
	if err := other.planes[0].Claim([]slots.Range{{First: 7, Last: 7}}); err != nil {
		t.Fatal(err)
	}
	if err := g.planes[1].Meet(other.options[0].Bus()); err == nil {
		t.Error("a node joins that claims a slot which is owned")
	}
}

// Any node's proposal is decided, and known to it when Propose returns.
func TestProposeAnywhere(t *testing.T) {
	g := newGroup(t, 3, true)
	g.until("three nodes serve", g.serving)
	for i, p := range g.planes {
		v := p.View()
		outcome, err := p.Propose(&state.BumpEpoch{Node: v.Self}, 10*time.Second)
		if err != nil || outcome.Refused() {
			t.Fatalf("node %d: %v, %v", i, outcome, err)
		}
		after := p.View()
		if m := after.Member(); m.Epoch == 0 {
			t.Errorf("node %d does not know what it proposed", i)
		}
		if outcome, err = p.Propose(&state.SetRole{Node: v.Self, Of: v.Self}, 10*time.Second); err != nil || outcome.Reason != state.ReplicatesItself {
			t.Errorf("node %d: %v, %v", i, outcome, err)
		}
	}
}

// What is proposed while nobody leads is decided by whoever leads next.
func TestProposeWaitsForALeader(t *testing.T) {
	g := newGroup(t, 3, true)
	g.until("all vote", g.allVote)
	at := -1
	g.until("one leads", func() bool {
		at = slices.IndexFunc(g.planes, func(p *raftlog.Plane) bool { return p.Leader() == p.ID().String() })
		return at >= 0
	})
	one := g.planes[(at+1)%3]
	g.stop(at) // of which the others do not know yet
	g.until("it is decided", func() bool {
		outcome, err := one.Propose(&state.BumpEpoch{Node: one.View().Self}, 20*time.Second)
		if errors.Is(err, raftlog.ErrUnknown) && strings.Contains(err.Error(), "leadership lost") {
			return false // the next leader did not lead for long, and what it did with the entry is not known
		}
		if err != nil || outcome.Refused() {
			t.Fatalf("%v, %v", outcome, err)
		}
		return true
	})
}

// Without a majority no lease is renewed, and with it again all are.
func TestMajorityLost(t *testing.T) {
	g := newGroup(t, 3, true)
	g.until("three nodes serve", g.serving)
	g.stop(1)
	g.stop(2)
	p, clock := g.planes[0], g.options[0].World.Clock
	g.until("the lease ends", func() bool { return !p.View().Holds(clock.Boot()) })
	time.Sleep(500 * time.Millisecond)
	if p.View().Holds(clock.Boot()) {
		t.Error("a lease was renewed without a majority")
	}
	g.start(1)
	g.until("two serve", g.serving)
}

// A node forms a cluster of itself, gives slots up and takes them again.
func TestAloneAndRelease(t *testing.T) {
	g := newGroup(t, 1, false)
	p := g.planes[0]
	if err := p.Claim([]slots.Range{slots.All}); err != nil {
		t.Fatal(err)
	}
	if claims := p.View().Claims; len(claims) != 1 || claims[0] != slots.All {
		t.Errorf("the view has claims %v", claims)
	}
	if err := p.FormAlone(); err != nil {
		t.Fatal(err)
	}
	if v := p.View(); len(v.Claims) != 0 || p.Leader() != p.ID().String() {
		t.Errorf("claims %v; %s leads", v.Claims, p.Leader())
	}
	g.until("it serves", g.serving)
	v := p.View()
	spans := []state.Span{{Range: slots.Range{First: 5, Last: 7}, Epoch: v.Map.Epoch(5)}}
	if outcome, err := p.Release(spans, 10*time.Second); err != nil || outcome.Refused() {
		t.Fatalf("release: %v, %v", outcome, err)
	}
	if s := p.View().Map.At(6); s.Standing != slots.Released {
		t.Errorf("slot 6 is %+v", s)
	}
	if outcome, err := p.Release(spans, 10*time.Second); err != nil || outcome.Reason != state.NotServed {
		t.Errorf("release again: %v, %v", outcome, err)
	}
	if v := p.View(); v.Covered() || !v.Lively(v.Self, g.options[0].World.Clock.Boot()) {
		t.Errorf("covered: %v", v.Covered())
	}
}

// Who is not heard of for as long as its lease may hold is not lively.
func TestSilentMemberIsNotLively(t *testing.T) {
	g := newGroup(t, 3, true)
	g.until("three nodes serve", g.serving)
	clock := g.options[0].World.Clock
	silent := g.planes[2].View().Self
	g.stop(2)
	if !g.planes[0].View().Lively(silent, clock.Boot()) {
		t.Error("a member is silent at once")
	}
	g.until("the member is silent", func() bool { return !g.planes[0].View().Lively(silent, clock.Boot()) })
	if v := g.planes[0].View(); !v.Lively(v.Self, clock.Boot()) {
		t.Error("the node itself is silent")
	}
	g.start(2)
	g.until("it is heard of again", func() bool { return g.planes[0].View().Lively(silent, clock.Boot()) })
}

// A leader that is forgotten hands the lead over, and the others go on without it.
func TestForgottenLeaderAbdicates(t *testing.T) {
	g := newGroup(t, 3, false)
	for i := range 2 {
		if err := g.planes[2*i].Meet(g.options[1].Bus()); err != nil {
			t.Fatal(err)
		}
	}
	g.until("all vote", g.allVote)
	at := -1
	g.until("one leads", func() bool {
		at = slices.IndexFunc(g.planes, func(p *raftlog.Plane) bool { return p.Leader() == p.ID().String() })
		return at >= 0
	})
	gone, one, two := g.planes[at], g.planes[(at+1)%3], g.planes[(at+2)%3]
	number := gone.View().Self
	g.until("the leader is forgotten", func() bool {
		_, _ = one.Propose(&state.Forget{Node: number}, 10*time.Second)
		v := one.View()
		return v.State.Member(number) == nil
	})
	forgotten := gone.ID().String()
	g.until("another leads", func() bool { return one.Leader() != forgotten && one.Leader() != "" })
	g.stop(at)
	g.until("two nodes of two decide", func() bool { // one of them may not know yet who leads
		outcome, err := two.Propose(&state.BumpEpoch{Node: two.View().Self}, 10*time.Second)
		return err == nil && !outcome.Refused()
	})
	if v := two.View(); len(v.State.Members()) != 2 {
		t.Errorf("%d members", len(v.State.Members()))
	}
}

// A member that was forgotten is not taken for one any more, and comes back by MEET
// from either side, with what it remembers.
func TestForgottenNodeComesBack(t *testing.T) {
	g := newGroup(t, 3, false)
	for i := range 2 {
		if err := g.planes[i+1].Meet(g.options[0].Bus()); err != nil {
			t.Fatal(err)
		}
	}
	g.until("all vote", g.allVote)
	one, gone := g.planes[0], g.planes[2]
	for i, meet := range []func() error{
		func() error { return gone.Meet(g.options[1].Bus()) },
		func() error { return one.Meet(g.options[2].Bus()) },
	} {
		number := gone.View().Self
		g.until("it is forgotten", func() bool {
			_, _ = one.Propose(&state.Forget{Node: number}, 10*time.Second)
			v := one.View()
			return v.State.Member(number) == nil && one.Voters() == 2
		})
		if err := meet(); err != nil {
			t.Fatalf("time %d: %v", i, err)
		}
		g.until("it is a member again", func() bool { return gone.View().Self > number && gone.View().Until > 0 })
		g.until("all vote again", g.allVote)
	}
	other := newGroup(t, 1, false).planes[0]
	if err := other.FormAlone(); err != nil {
		t.Fatal(err)
	}
	if err := other.Meet(g.options[0].Bus()); err == nil || !strings.Contains(err.Error(), "clusters do not merge") {
		t.Errorf("two clusters meet: %v", err)
	}
}
