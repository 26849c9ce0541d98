package fault

import "strings"

var churn = Fault{
	Name:   Churn,
	Does:   "A node that was in no cluster joins by MEET, leaves by FORGET after a while, and begins anew with an empty disk.",
	Seen:   "it was a member, and is none any more",
	Share:  35, // one node more to run
	Joined: true,
	Draw:   func(d Dice, e *Event) { e.For = d.Between(1000, 9000) },
	Begin: func(s *Stage, e Event) Going {
		if s.Spares == 0 {
			return Going{Seen: never}
		}
		c := &stay{stage: s, event: e, spare: len(s.Nodes) - 1, operator: operator{stage: s}}
		return Going{
			Seen: func() bool { return c.state == apart },
			End:  func() { c.leave = true },
			Step: c.step,
		}
	},
}

// Churn is the name of the fault.
const Churn = "churn"

// stay is one time that a node is in the cluster: it waits for its turn, learns its
// id, looks for a member, joins, stays, leaves, and is apart.
type stay struct {
	stage    *Stage
	event    Event
	spare    int
	operator operator
	state    stayState
	id       string
	member   int // that is asked
	unknown  int // members in a row that did not know it
	leave    bool
}

type stayState uint8

const (
	waits stayState = iota
	learns
	looks
	joins
	stays
	leaves
	apart
)

// step does what can be done now. What no member answers well is asked of
// another.
func (c *stay) step() {
	s, o := c.stage, &c.operator
	switch c.state {
	case waits:
		if s.guest == nil {
			s.guest, c.state, c.member = c, learns, c.event.Node%c.spare
		}
	case learns:
		if id, done := o.ask(c.spare, "CLUSTER MYID"); done && len(id) == 40 {
			c.id, c.state = id, looks
		}
	case looks: // a node that lost its disk is in no cluster, and would form one
		if info, done := o.ask(c.member, "CLUSTER INFO"); done {
			c.took(strings.Contains(info, "cluster_slots_assigned:16384\r\n") && !s.Nodes[c.member].Spoiled, joins)
		}
	case joins:
		if reply, done := o.ask(c.member, "CLUSTER MEET "+s.host(c.spare)+" "+ClientPort); done {
			if c.took(reply == "+OK", stays); c.state == joins {
				c.state = looks
			}
		}
	case stays:
		if c.leave {
			c.state = leaves
		}
	case leaves:
		if reply, done := o.ask(c.member, "CLUSTER FORGET "+c.id); done {
			if c.unknown++; !strings.HasPrefix(reply, "-ERR Unknown node") {
				c.unknown = 0
			}
			c.took(reply == "+OK" || c.unknown == c.spare, apart) // one may lag, not all of them
		}
		if c.state == apart {
			c.end()
		}
	}
}

// took goes on when a member did as it was asked, and to another member otherwise.
func (c *stay) took(well bool, then stayState) {
	if well {
		c.state = then
		return
	}
	c.member = (c.member + 1) % c.spare
}

// end has the node begin anew: it is another one from then on.
func (c *stay) end() {
	s := c.stage
	n := s.Cluster.Nodes[c.spare]
	s.Nodes[c.spare].Down = Restart
	n.Crash()
	n.Machine.LoseDisk()
	s.guest = nil
}
