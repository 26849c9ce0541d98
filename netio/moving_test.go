package netio

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/slots"
)

// court decides for nodes of one simulated world: what is proposed is decided at
// once, and known to all that are not behind.
type court struct {
	t     *testing.T
	state state.State
	index uint64
	seats []*seat
}

// seat is a node's control plane. Its lease never ends.
type seat struct {
	*raftlog.Static
	court  *court
	id     state.ID
	view   *raftlog.View
	behind bool
	wake   func()
	yield  func(uint16, uint64) error
	boot   func() int64
}

func (c *court) decide(e state.Entry) (state.Outcome, error) {
	data, err := state.Encode(e)
	if err != nil {
		return state.Outcome{}, err
	}
	c.index++
	o, err := c.state.Apply(c.index, data)
	for _, s := range c.seats {
		s.learn()
	}
	return o, err
}

func (s *seat) learn() {
	if s.behind {
		return
	}
	s.view = s.view.Next(s.court.state, s.id, s.court.index, slots.DefaultLease, s.boot())
	s.view.Until = math.MaxInt64
	if s.wake != nil {
		s.wake()
	}
}

func (s *seat) View() *raftlog.View                   { return s.view }
func (s *seat) Notify(wake func())                    { s.wake = wake }
func (s *seat) Go(work func())                        { work() }
func (s *seat) ID() state.ID                          { return s.id }
func (s *seat) OnYield(do func(uint16, uint64) error) { s.yield = do }

func (s *seat) Address() state.Address { return s.view.State.ByID(s.id).Address }

func (s *seat) Await(holds func(*raftlog.View) bool, _ time.Duration) bool { return holds(s.view) }

func (s *seat) Propose(e state.Entry, _ time.Duration) (state.Outcome, error) {
	return s.court.decide(e)
}

func (s *seat) Release(spans []state.Span, _ time.Duration) (state.Outcome, error) {
	m := s.view.Member()
	return s.court.decide(&state.Release{Node: m.Number, By: state.Stamp{Incarnation: m.Stamp.Incarnation, Sequence: m.Stamp.Sequence + 1}, Spans: spans})
}

func (s *seat) Flip(slot uint16, move uint64, _ time.Duration) error {
	return refusal(s.court.decide(&state.Flip{Slot: slot, Epoch: s.view.Map.Epoch(slot), Move: move}))
}

// newCourt makes towns of one world: the first owns all slots.
func newCourt(t *testing.T, shards, nodes int) (*court, []*town) {
	t.Helper()
	world := sim.New(1, sim.Mix{})
	c := &court{t: t, index: 1}
	form := &state.Form{}
	for i := range nodes {
		f := state.Founder{
			ID: idOf(i), Incarnation: 1, Speaks: state.NewestVersion, Suffrage: state.Voter,
			Address: state.Address{Host: fmt.Sprintf("10.0.0.%d", i+1), Port: 7000, BusPort: 17000, ReplicationPort: 27000},
		}
		if i == 0 {
			f.Owns = []slots.Range{slots.All}
		}
		form.Founders = append(form.Founders, f)
	}
	if o, err := c.decide(form); err != nil || o.Refused() {
		t.Fatal(o, err)
	}
	var towns []*town
	for i := range nodes {
		s := &seat{court: c, id: idOf(i), view: &raftlog.View{Map: slots.NewMap()}, boot: func() int64 { return world.Now() }}
		s.learn()
		c.seats = append(c.seats, s)
		towns = append(towns, newTownBy(t, world, Options{Shards: shards, Plane: s, Store: keyspace.Options{SlotCounts: true}},
			fmt.Sprintf("bind=10.0.0.%d", i+1), "protected-mode=no"))
	}
	for _, town := range towns[1:] {
		towns[0].actors = append(towns[0].actors, town.actors...)
	}
	for _, town := range towns[1:] {
		town.actors = towns[0].actors
	}
	return c, towns
}

// callAt connects to a town by its own address.
func callAt(t *town) *caller {
	return &caller{Peer: t.world.Dial(t.machine.Host() + ":6379"), town: t}
}

func idOf(i int) (id state.ID) {
	id[0] = byte(i + 1)
	return id
}

// The slot that the tests move, of keys with the tag b.
const (
	theSlot   = "3300"
	askTwo    = "-ASK 3300 10.0.0.2:7000\r\n"
	movedOne  = "-MOVED 3300 10.0.0.1:7000\r\n"
	movedTwo  = "-MOVED 3300 10.0.0.2:7000\r\n"
	tryAgain  = "-TRYAGAIN Multiple keys request during rehashing of slot\r\n"
	ok        = "+OK\r\n"
	null      = "$-1\r\n"
	setsNode  = "cluster setslot " + theSlot + " node "
	migrates  = "cluster setslot " + theSlot + " migrating "
	imports   = "cluster setslot " + theSlot + " importing "
	setStable = "cluster setslot " + theSlot + " stable"
)

// A slot moves with its keys: while it does the owner answers for what it has and
// sends clients to the destination for the rest, which answers after ASKING.
func TestSlotMovesWithItsKeys(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		_, towns := newCourt(t, shards, 3)
		one, two, three := callAt(towns[0]), callAt(towns[1]), callAt(towns[2])
		idOne, idTwo := idOf(0).String(), idOf(1).String()
		one.check([2]string{"mset b 1 {b}c 2", ok})
		two.check([2]string{imports + idOne, ok}, [2]string{imports + idOne, ok}, [2]string{migrates + idOne, "-ERR I'm not the owner of hash slot 3300\r\n"})
		one.check(
			[2]string{migrates + idTwo, ok},
			[2]string{migrates + idOf(2).String(), "-ERR slot 3300 migrates to " + idTwo + " (10.0.0.2:7000)\r\n"},
			[2]string{"get b", bulk("1")}, [2]string{"mget b {b}c b", "*3\r\n" + bulk("1") + bulk("2") + bulk("1")},
			[2]string{"get {b}x", askTwo}, [2]string{"mget {b}x {b}y", askTwo}, [2]string{"set {b}x 1", askTwo},
			[2]string{"mget b {b}x", tryAgain}, [2]string{"watch {b}x", askTwo}, [2]string{"set b 3", ok},
		)
		two.check(
			[2]string{"get b", movedOne}, [2]string{"asking", ok}, [2]string{"get {b}x", null}, [2]string{"get {b}x", movedOne},
			[2]string{"asking", ok}, [2]string{"mget b {b}c", tryAgain}, [2]string{"asking", ok}, [2]string{"mget b b", "*2\r\n" + null + null},
			[2]string{"asking", ok}, [2]string{"set {b}x 5", ok}, [2]string{"cluster countkeysinslot " + theSlot, ":1\r\n"},
			[2]string{"cluster getkeysinslot " + theSlot + " 5", "*1\r\n" + bulk("{b}x")},
		)
		three.check([2]string{"get {b}x", movedOne}, [2]string{"asking", ok}, [2]string{"get {b}x", movedOne},
			[2]string{imports + idOne, "-ERR slot 3300 migrates to " + idTwo + " (10.0.0.2:7000)\r\n"}, [2]string{setStable, ok})
		for c, mark := range map[*caller]string{one: " [3300->-" + idTwo + "]\n", two: " [3300-<-" + idOne + "]\n"} {
			if got := c.line("cluster nodes"); !strings.Contains(got, mark) {
				t.Errorf("cluster nodes: %q has no %q", got, mark)
			}
		}
		one.check([2]string{setsNode + idTwo, "-ERR Can't assign hashslot 3300 to a different node while I still hold keys for this hash slot.\r\n"},
			[2]string{"del b {b}c", ":2\r\n"}, [2]string{setsNode + idTwo, ok}, [2]string{setsNode + idTwo, ok}, [2]string{"get b", movedTwo})
		two.check([2]string{setsNode + idTwo, ok}, [2]string{"get {b}x", bulk("5")})
		three.check([2]string{"get b", movedTwo}, [2]string{setsNode + idTwo, ok})
	})
}

// A transaction is looked at command by command, and as a whole by EXEC.
func TestTransactionsOfAMovingSlot(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		_, towns := newCourt(t, shards, 2)
		one, other, two := callAt(towns[0]), callAt(towns[0]), callAt(towns[1])
		one.check([2]string{"set b 1", ok}, [2]string{migrates + idOf(1).String(), ok},
			[2]string{"multi", ok}, [2]string{"get b", "+QUEUED\r\n"}, [2]string{"exec", "*1\r\n" + bulk("1")},
			[2]string{"multi", ok}, [2]string{"get {b}x", askTwo},
			[2]string{"exec", "-EXECABORT Transaction discarded because of previous errors.\r\n"},
			[2]string{"multi", ok}, [2]string{"get b", "+QUEUED\r\n"})
		other.check([2]string{"del b", ":1\r\n"})
		one.check([2]string{"exec", askTwo}, [2]string{"exec", "-ERR EXEC without MULTI\r\n"})
		two.check([2]string{"asking", ok}, [2]string{"multi", ok}, [2]string{"set b 2", "+QUEUED\r\n"},
			[2]string{"set {b}c 3", "+QUEUED\r\n"}, [2]string{"exec", tryAgain}, [2]string{"get b", movedOne},
			[2]string{"asking", ok}, [2]string{"multi", ok}, [2]string{"set b 2", "+QUEUED\r\n"}, [2]string{"exec", "*1\r\n" + ok},
			[2]string{"get b", movedOne}, [2]string{"asking", ok}, [2]string{"multi", ok}, [2]string{"discard", ok}, [2]string{"get b", movedOne},
			[2]string{"asking", ok}, [2]string{"nosuch", "-ERR unknown command 'nosuch', with args beginning with: \r\n"}, [2]string{"get b", movedOne})
	})
}

// The destination may take over a slot of which keys are left behind: they are
// dropped. What was imported by a migration that is cut off is dropped as well, and
// nothing of either comes back.
func TestNothingOfASlotComesBack(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		_, towns := newCourt(t, shards, 2)
		one, two := callAt(towns[0]), callAt(towns[1])
		idOne, idTwo := idOf(0).String(), idOf(1).String()
		one.check([2]string{"mset b 1 {b}c 2", ok}, [2]string{migrates + idTwo, ok})
		two.check([2]string{"asking", ok}, [2]string{"set {b}x old", ok})
		one.check([2]string{setStable, ok}, [2]string{"get b", bulk("1")}, [2]string{"get {b}x", tryAgain}, [2]string{"set {b}x 1", tryAgain})
		two.check([2]string{"asking", ok}, [2]string{"get {b}x", movedOne}, [2]string{"cluster countkeysinslot " + theSlot, ":0\r\n"})
		one.check([2]string{migrates + idTwo, ok}, [2]string{"get {b}x", tryAgain}, [2]string{"get b", bulk("1")})
		two.check([2]string{"asking", ok}, [2]string{"get {b}x", tryAgain})
		towns[0].pass(2500)
		one.check([2]string{"get {b}x", tryAgain})
		towns[0].pass(200)
		one.check([2]string{"get {b}x", askTwo}, [2]string{setStable, ok})
		towns[0].pass(2700)
		one.check([2]string{"get {b}x", null}, [2]string{migrates + idTwo, ok})
		two.check([2]string{"asking", ok}, [2]string{"get {b}x", null}, [2]string{setsNode + idTwo, ok}, [2]string{"get b", null}, [2]string{"set b 2", ok})
		one.check([2]string{"get b", movedTwo}, [2]string{"cluster countkeysinslot " + theSlot, ":0\r\n"}, [2]string{imports + idTwo, ok},
			[2]string{setsNode + idOne, ok}, [2]string{"get b", null}, [2]string{"get {b}c", null})
		two.check([2]string{"get b", movedOne}, [2]string{"cluster countkeysinslot " + theSlot, ":0\r\n"})
	})
}

// What cannot be is refused with the reason.
func TestSetSlotRefuses(t *testing.T) {
	_, towns := newCourt(t, 1, 3)
	one, two, three := callAt(towns[0]), callAt(towns[1]), callAt(towns[2])
	idOne, idTwo := idOf(0).String(), idOf(1).String()
	two.check(
		[2]string{imports + idTwo, "-ERR Node " + idTwo + " is not the owner of hash slot 3300\r\n"},
		[2]string{setsNode + idTwo, "-ERR Hash slot 3300 does not migrate to node " + idTwo + ": CLUSTER SETSLOT with MIGRATING or IMPORTING first\r\n"},
		[2]string{"migrate 10.0.0.1 7000 b 0 100", "-ERR migrate is not in this version: whoever moves a slot copies its keys by GET, PTTL, ASKING and SET, and removes them by DEL\r\n"},
	)
	one.check(
		[2]string{migrates + idOne, "-ERR node " + idOne + " (10.0.0.1:7000) owns slot 3300\r\n"},
		[2]string{setsNode + idTwo, "-ERR Hash slot 3300 does not migrate to node " + idTwo + ": CLUSTER SETSLOT with MIGRATING or IMPORTING first\r\n"},
		[2]string{"multi", ok}, [2]string{migrates + idTwo, "+QUEUED\r\n"}, [2]string{"exec", "*1\r\n-ERR this command waits for the cluster, and no transaction can wait for that\r\n"},
	)
	three.check([2]string{setsNode + idTwo, "-ERR Hash slot 3300 does not migrate to node " + idTwo + ": CLUSTER SETSLOT with MIGRATING or IMPORTING first\r\n"})
}

// A node that was started anew does not give up what its former process may have a
// lease on.
func TestOrphanedSlotsAreNotGivenUp(t *testing.T) {
	c, towns := newCourt(t, 1, 2)
	m := c.state.Members()[0]
	if o, err := c.decide(&state.Announce{Node: 1, By: state.Stamp{Incarnation: 2}, Speaks: m.Speaks, Address: m.Address}); err != nil || o.Refused() {
		t.Fatal(o, err)
	}
	one := callAt(towns[0])
	one.check([2]string{"cluster delslots " + theSlot, "-ERR Slot 3300 is not given back yet to this node, which was started anew\r\n"})
	resume := &state.Assign{How: state.Resume, To: 1, Incarnation: 2, From: 1, Spans: []state.Span{{Range: slots.All, Epoch: 2}}}
	if o, err := c.decide(resume); err != nil || o.Refused() {
		t.Fatal(o, err)
	}
	one.check([2]string{"cluster delslots " + theSlot, ok}, [2]string{"get b", "-CLUSTERDOWN Hash slot not served\r\n"})
}

// A node gives a slot that nobody owns to any other.
func TestSetSlotNodeOfAnUnownedSlot(t *testing.T) {
	c, towns := newCourt(t, 1, 3)
	if o, err := c.decide(&state.Unassign{From: 1, Spans: []state.Span{{Range: slots.Range{First: 3300, Last: 3300}, Epoch: c.state.Map().Epoch(3300)}}}); err != nil || o.Refused() {
		t.Fatal(o, err)
	}
	callAt(towns[0]).check([2]string{"get b", "-CLUSTERDOWN Hash slot not served\r\n"}, [2]string{setsNode + idOf(1).String(), ok}, [2]string{"get b", movedTwo})
	callAt(towns[2]).check([2]string{setsNode + idOf(2).String(), "-ERR Hash slot 3300 does not migrate to node " + idOf(2).String() +
		": CLUSTER SETSLOT with MIGRATING or IMPORTING first\r\n"})
}

// A reply does not leave if a migration of its slot began, ended or was another
// when the request ran: what was not here may have been elsewhere.
func TestRepliesOfAMovingSlotAreFenced(t *testing.T) {
	c, towns := newCourt(t, 1, 2)
	l, s := towns[0].node.loops[0], c.seats[0]
	b := &batch{under: s.view, touched: []uint16{3300}}
	if !l.unchanged(b, s.view) {
		t.Error("a reply is kept back, and nothing has changed")
	}
	begin := &state.BeginMigration{To: 2, Incarnation: 1, Spans: []state.Span{{Range: slots.Range{First: 3300, Last: 3300}, Epoch: c.state.Map().Epoch(3300)}}}
	if o, err := c.decide(begin); err != nil || o.Refused() {
		t.Fatal(o, err)
	}
	if l.unchanged(b, s.view) {
		t.Error("a reply leaves that was made before a migration began")
	}
	b.under = s.view
	if !l.unchanged(b, s.view) {
		t.Error("a reply is kept back while a slot migrates")
	}
	if two := c.seats[1].view; !towns[1].node.loops[0].unchanged(&batch{under: two, touched: []uint16{3300}}, two) {
		t.Error("a reply about an imported key is kept back")
	}
}

func TestKeeps(t *testing.T) {
	mine, theirs := slots.Slot{Owner: 1, Epoch: 5}, slots.Slot{Owner: 2, Epoch: 5}
	coming := slots.Slot{Owner: 2, Epoch: 5, To: 1, Move: 7}
	for _, test := range []struct {
		name    string
		was, is slots.Slot
		keeps   bool
	}{
		{"an owner goes on", mine, mine, true},
		{"its slot begins to migrate", mine, slots.Slot{Owner: 1, Epoch: 5, To: 2, Move: 7}, true},
		{"it has the slot by another entry", mine, slots.Slot{Owner: 1, Epoch: 9}, false},
		{"it has lost the slot", mine, theirs, false},
		{"it has lost the slot and imports it", mine, slots.Slot{Owner: 2, Epoch: 9, To: 1, Move: 10}, false},
		{"it begins to import", theirs, coming, false},
		{"it goes on to import", coming, coming, true},
		{"it imports anew", coming, slots.Slot{Owner: 2, Epoch: 5, To: 1, Move: 9}, false},
		{"the import was cut off", coming, theirs, false},
		{"it owns what it imported", coming, slots.Slot{Owner: 1, Epoch: 8, Via: 7}, true},
		{"it owns the slot, not by the import", coming, slots.Slot{Owner: 1, Epoch: 8}, false},
		{"it owns the slot by a later import", coming, slots.Slot{Owner: 1, Epoch: 12, Via: 9}, false},
		{"it gets a slot that was nobody's", slots.Slot{Epoch: 4}, mine, false},
	} {
		if got := keeps(&test.was, &test.is, 1); got != test.keeps {
			t.Errorf("%s: keeps %v", test.name, got)
		}
		if keeps(&test.was, &test.is, slots.None) || keeps(&test.was, &test.was, slots.None) {
			t.Errorf("%s: who is no member keeps keys", test.name)
		}
	}
}

// Whose membership ends drops what it has, also when the map says what it said before: by
// the time that it is a member again others may have written.
func TestKeysOfOneWhoLeftAreDropped(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c, towns := newCourt(t, shards, 2)
		one, s := callAt(towns[0]), c.seats[0]
		one.check([2]string{"set b 1", ok}, [2]string{"get b", bulk("1")})
		member := s.view
		left := *member
		left.Self = slots.None
		s.view = &left
		s.wake()
		one.check([2]string{"get b", "-CLUSTERDOWN This node is no member of its cluster any more: CLUSTER MEET brings it back\r\n"}, [2]string{"dbsize", ":0\r\n"})
		s.view = member
		s.wake()
		one.check([2]string{"get b", null})
	})
}
