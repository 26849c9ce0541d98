package fault

import "strings"

var churn = Fault{
	Name:   "churn",
	Does:   "A node that was in no cluster joins by MEET, leaves by FORGET after a while, and begins anew with an empty disk.",
	Seen:   "it was a member, and is none any more",
	Share:  30, // one node more to run
	Joined: true,
	Spare:  true,
	Draw:   func(d Dice, e *Event) { e.For = d.Between(1000, 9000) },
	Begin: func(s *Stage, e Event) Going {
		if s.Spares == 0 {
			return Going{Seen: never}
		}
		spare := len(s.Nodes) - 1
		c := &stay{spare: spare, member: e.Node % spare}
		c.script = newScript(s, func(*script) { c.live() })
		return Going{
			Seen: func() bool { return c.apart },
			End:  func() { c.leave = true },
			Step: c.script.step,
			Stop: c.script.stop,
		}
	},
}

// stay is one time that a node is in the cluster.
type stay struct {
	*script
	spare  int  // the node
	member int  // that is asked
	leave  bool // it is time to
	apart  bool // it was a member, and is none
}

// live waits for its turn, joins, stays, leaves and begins anew.
func (c *stay) live() {
	s := c.stage
	for s.guest {
		c.wait()
	}
	s.guest = true
	id := ""
	c.insist(func() bool {
		id = c.say(c.spare, "cluster", "myid").Text
		return len(id) == 40
	})
	c.insist(c.joins)
	for !c.leave {
		c.wait()
	}
	unknown := 0 // members in a row that did not know it: one may lag, not all of them
	c.insist(func() bool {
		reply := c.say(c.member, "cluster", "forget", id)
		if unknown++; !strings.HasPrefix(reply.Text, "ERR Unknown node") {
			unknown = 0
		}
		return reply.OK() || unknown == c.spare
	})
	c.apart = true
	c.anew()
	s.guest = false
}

// insist asks for something until it is done, another member each time.
func (c *stay) insist(do func() bool) {
	for !do() {
		c.member = (c.member + 1) % c.spare
		c.rest(300)
	}
}

// joins brings the node to a member that knows who owns all slots: one that has lost
// its disk is in no cluster, and would form one.
func (c *stay) joins() bool {
	s := c.stage
	info := c.say(c.member, "cluster", "info").Text
	if !strings.Contains(info, "cluster_slots_assigned:16384\r\n") || s.Nodes[c.member].Spoiled {
		return false
	}
	return c.say(c.member, "cluster", "meet", s.host(c.spare), ClientPort).OK()
}

// anew has the node begin anew: it is another one from then on.
func (c *stay) anew() {
	s := c.stage
	n := s.Cluster.Nodes[c.spare]
	s.Nodes[c.spare].Down = Restart
	n.Crash()
	n.Machine.LoseDisk()
	s.Nodes[c.spare].Emptied = true
}
