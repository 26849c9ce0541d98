package fault

import (
	"fmt"
	"slices"
	"strings"

	"github.com/elares/ironcache/chaos/wire"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/slots"
)

// mover moves slots to a node.
type mover struct {
	*script
	event       Event
	dice        Dice
	done        bool
	key         string
	first, last uint16
	most        uint16 // last of those that are reserved
	reserved    bool
	family      bool
	from, to    int // nodes
	fromID      string
	toID        string
}

// tries is how often a mover tries what has to be done.
const tries = 60

// until asks for something until it is done, as often as makes sense.
func (m *mover) until(do func() bool) bool {
	for range tries {
		if do() {
			return true
		}
		m.rest(400)
	}
	return false
}

// choose finds some neighbouring slots to move, from that of a key on, who has them, and
// who both are called. Nobody else moves them.
func (m *mover) choose(some int) bool {
	s := m.stage
	keys := s.Keys()
	if len(keys) == 0 || len(s.Addresses) < 2 {
		return false
	}
	m.key = keys[int(m.event.Amount)%len(keys)]
	m.family = isFamily(m.key)
	m.first = slots.Of([]byte(m.key))
	m.last = uint16(min(int(m.first)+some, slots.Count) - 1)
	if !s.reserve(m) {
		return false
	}
	if m.to = m.event.Node % len(s.Addresses); !m.until(m.whose) {
		return false
	}
	name := func(node int, into *string) func() bool {
		return func() bool {
			a := m.say(node, "cluster", "myid")
			*into = a.Text
			return a.Kind == '$'
		}
	}
	return m.until(name(m.from, &m.fromID)) && m.until(name(m.to, &m.toID))
}

// whose finds out who owns the slot. If it is who is to have it, the next node is.
func (m *mover) whose() bool {
	a := m.say(m.to, "exists", m.key)
	if a.Kind == ':' {
		m.from, m.to = m.to, (m.to+1)%len(m.stage.Addresses)
		return true
	}
	words := strings.Fields(a.Text)
	if a.Kind != '-' || len(words) != 3 || words[0] != "MOVED" {
		return false
	}
	m.from = slices.Index(m.stage.Addresses, words[2])
	return m.from >= 0 && m.from != m.to
}

func (m *mover) slot() string { return fmt.Sprint(m.first) }

// opens begins the migration of the slot.
func (m *mover) opens() bool {
	importing := []string{"cluster", "setslot", m.slot(), "importing", m.fromID}
	if !m.say(m.to, importing...).OK() || !m.say(m.from, "cluster", "setslot", m.slot(), "migrating", m.toID).OK() {
		return false
	}
	m.barges(importing)
	return true
}

// barges asks for the key where the slot is to go, without ASKING. A node that says
// right behind it that it imports the slot does not own it, and must not answer.
func (m *mover) barges(importing []string) {
	replies, well := m.ask(m.to, []string{"exists", m.key}, importing)
	if well && replies[0].Kind == ':' && replies[1].OK() {
		m.odd("node %d answers for slot %d, which it imports, without ASKING", m.to, m.first)
	}
}

// odd notes a reply that nobody should get.
func (m *mover) odd(format string, args ...any) {
	s := m.stage
	s.Odd = append(s.Odd, fmt.Sprintf("a mover at %d: ", s.Cluster.World.Now())+fmt.Sprintf(format, args...))
}

// linger lets clients use the slot as it is.
func (m *mover) linger() {
	if m.dice.Chance(70) {
		m.rest(m.dice.Between(1, 900))
	}
}

// closes ends it without a move.
func (m *mover) closes() bool {
	m.stable()
	return false
}

// stable ends it, on both sides, and tells whether both have said so.
func (m *mover) stable() bool {
	stable := func(node int) bool { return m.say(node, "cluster", "setslot", m.slot(), "stable").OK() }
	return m.until(func() bool { return stable(m.from) && stable(m.to) })
}

// back begins to move the slot with its keys, and leaves it where it was. What was
// copied, and what clients wrote where the slot was to go, is dropped.
func (m *mover) back() bool {
	if m.family {
		return false
	}
	if !m.opens() {
		return m.closes()
	}
	m.linger()
	for _, key := range m.say(m.from, "cluster", "getkeysinslot", m.slot(), "2").List {
		if !m.copies(key.Text) {
			return m.closes()
		}
	}
	m.linger()
	return m.stable()
}

// withKeys moves the slot and its keys.
func (m *mover) withKeys() bool {
	if m.family {
		return m.byRange() // some of its members would be here and some there
	}
	if !m.opens() {
		return m.closes()
	}
	m.linger()
	for range 8 {
		a := m.say(m.from, "cluster", "getkeysinslot", m.slot(), "10")
		if a.Kind != '*' {
			return m.closes()
		}
		if len(a.List) == 0 {
			asked := []int{m.to, m.from}
			if m.event.Amount%2 == 1 {
				slices.Reverse(asked)
			}
			return m.hands(asked)
		}
		for _, key := range a.List {
			if !m.copies(key.Text) {
				return m.closes()
			}
			m.linger()
		}
	}
	return m.closes()
}

// copies copies a key to where it goes, and removes it where it was. If a client
// writes it meanwhile, what is copied comes back. A key that is to expire is removed
// only: how long it lives on would hang on how long this takes.
func (m *mover) copies(key string) bool {
	s, w := m.stage, m.stage.Cluster.World
	had, well := m.ask(m.from, []string{"multi"}, []string{"get", key}, []string{"pttl", key}, []string{"exec"})
	if !well || len(had[3].List) != 2 {
		return well && had[1].Failed() // it is gone
	}
	value, life := had[3].List[0], had[3].List[1].Text
	if value.Null() {
		return true
	}
	if value.Kind != '$' {
		return false
	}
	from := w.Now()
	lost := s.loses(m.first, m.first, from, "a mover removes a key")
	if life == "-1" && !s.tainted[key] {
		s.Copies = append(s.Copies, Copy{key, from, -1})
		copied := len(s.Copies) - 1
		s.tainted[key] = true // until it is known what came of it
		set, well := m.ask(m.to, []string{"asking"}, []string{"set", key, value.Text})
		if !well || !set[1].OK() {
			return false
		}
		if m.say(m.from, "del", key).Kind != ':' {
			return false
		}
		s.Copies[copied].To, s.tainted[key] = w.Now(), false
	} else if m.say(m.from, "del", key).Kind != ':' {
		return false
	}
	s.Losses[lost].To = w.Now()
	return true
}

// hands has the slot handed over: nodes are asked for that in turn. The migration may be
// over meanwhile.
func (m *mover) hands(asked []int) (moved bool) {
	m.until(func() bool {
		for _, node := range asked {
			a := m.say(node, "cluster", "setslot", m.slot(), "node", m.toID)
			moved = moved || a.OK()
			if a.OK() || strings.Contains(a.Text, "does not migrate") {
				return true
			}
		}
		return false
	})
	if !moved {
		m.closes()
	}
	return moved
}

// bare moves the slot without its keys.
func (m *mover) bare() bool {
	if m.family {
		return m.byRange()
	}
	return m.thereAndBack(m.leaves)
}

// thereAndBack moves the slot, and often back again after a while: what was left
// behind must not be there any more.
func (m *mover) thereAndBack(moves func() bool) bool {
	if m.done = moves(); !m.done {
		return false
	}
	if m.dice.Chance(60) {
		m.rest(m.dice.Between(200, 1500))
		m.from, m.to, m.fromID, m.toID = m.to, m.from, m.toID, m.fromID
		moves()
	}
	return true
}

// leaves has the slot handed over, and leaves its keys behind.
func (m *mover) leaves() bool {
	if !m.opens() {
		return m.closes()
	}
	m.linger()
	lost := m.stage.loses(m.first, m.first, m.stage.Cluster.World.Now(), "a slot is handed over without its keys")
	moved := m.hands([]int{m.to, m.from}) // the former owner would refuse
	if moved {
		m.stage.Losses[lost].To = m.stage.Cluster.World.Now()
	}
	return moved
}

// byRange has slots given up and taken.
func (m *mover) byRange() bool { return m.thereAndBack(m.passes) }

// passes has the slots given up and taken once. What is given up has to be taken by
// somebody.
func (m *mover) passes() bool {
	words := func(verb string) []string {
		return []string{"cluster", verb, fmt.Sprint(m.first), fmt.Sprint(m.last)}
	}
	return m.until(func() bool {
		if strings.Contains(m.say(m.from, words("delslotsrange")...).Text, "has to give it up itself") {
			m.last = m.first // the others may be somebody else's
		}
		return m.takes(words("addslotsrange"))
	})
}

// takes has a node take slots, and tells whether they are its own then. To one that is in
// no cluster, as after it lost its disk, they are but claims.
func (m *mover) takes(words []string) bool {
	replies, well := m.ask(m.to, []string{"cluster", "info"}, words, []string{"exists", m.key})
	if !well {
		return false
	}
	alone, ok, has := strings.Contains(replies[0].Text, "cluster_known_nodes:1\r\n"), replies[1].OK(), replies[2]
	if !alone && ok && !mine(has) {
		m.odd("node %d says that slot %d is its own, and then %q", m.to, m.first, has.Text)
	}
	return ok && mine(has) || has.Kind == ':'
}

// mine tells whether a node takes the slot that it was asked for to be its own,
// whether it answers for it at the time or not.
func mine(a wire.Value) bool {
	return a.Kind != '-' || !strings.HasPrefix(a.Text, "MOVED ") && a.Text != string(resp.ErrSlotUnserved)
}

// reserve keeps slots for one mover.
func (s *Stage) reserve(m *mover) bool {
	for slot := int(m.first); slot <= int(m.last); slot++ {
		if s.Fixed[uint16(slot)] || s.busy[uint16(slot)] {
			return false
		}
	}
	m.reserved, m.most = true, m.last
	for slot := int(m.first); slot <= int(m.last); slot++ {
		s.busy[uint16(slot)], s.Moved[uint16(slot)] = true, true
	}
	return true
}

// free ends that.
func (s *Stage) free(m *mover) {
	if !m.reserved {
		return
	}
	for slot := int(m.first); slot <= int(m.most); slot++ {
		delete(s.busy, uint16(slot))
	}
}

// loses notes a loss that has no end yet, and gives its place.
func (s *Stage) loses(first, last uint16, from int64, why string) int {
	s.Losses = append(s.Losses, Loss{first, last, from, -1, why})
	return len(s.Losses) - 1
}
