package netio

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// clusterMeet brings another node and this one into one cluster. Unlike Redis it
// answers when that is done, or tells why not.
func clusterMeet(r *Request) {
	if r.Len() > 5 {
		r.misused()
		return
	}
	port, ok := resp.ParseInt(r.At(3))
	if !ok {
		r.Reply.Error(resp.NoBasePort(r.At(3)))
		return
	}
	bus := port + config.BusAbove
	if r.Len() == 5 {
		if bus, ok = resp.ParseInt(r.At(4)); !ok {
			r.Reply.Error(resp.NoBusPort(r.At(4)))
			return
		}
	}
	host, err := netip.ParseAddr(string(r.At(2)))
	if err != nil || !isPort(port) || !isPort(bus) {
		r.Reply.Error(resp.NoNodeAddress(r.At(2), r.At(3)))
		return
	}
	to := netip.AddrPortFrom(host, uint16(bus)).String()
	r.decide(func(plane ControlPlane) error { return plane.Meet(to) })
}

func isPort(n int64) bool { return n > 0 && n <= 65535 }

// clusterForget ends the membership of another node, which has no slots. It does so
// for all nodes: to say it to each, as one does in Redis, is no error.
func clusterForget(r *Request) {
	plane, v := r.Loop.node.plane, r.Loop.view
	m := r.member(r.At(2))
	id, err := state.ParseID(string(r.At(2)))
	switch {
	case m == nil && err == nil && (v.Forgotten(id, r.Loop.boot) || plane.Seated(id)):
		r.decide(func(plane ControlPlane) error { return plane.Unseat(id, clusterPatience) })
	case m == nil:
		r.Reply.Error(resp.UnknownNode(r.At(2)))
	case m.ID == plane.ID():
		r.Reply.Error(resp.ErrForgetMyself)
	case v.Self == slots.None:
		r.Reply.Error(resp.ErrNotAMember)
	default:
		r.decide(func(plane ControlPlane) error {
			return refusal(plane.Forget(m.Number, m.ID, clusterPatience))
		})
	}
}

// leave has this node give up its slots and then its membership, unless somebody has
// ended that meanwhile: that is written down then.
func (n *Node) leave(plane ControlPlane) error {
	v := plane.View()
	m := v.Member()
	if m == nil {
		return plane.Unbind()
	}
	err := n.leaveAs(plane, v, m)
	if errors.Is(err, raftlog.ErrNoLeader) && plane.View().Member() == nil {
		return plane.Unbind() // nobody led it any more
	}
	return err
}

func (n *Node) leaveAs(plane ControlPlane, v *raftlog.View, m *state.Member) error {
	if o := v.State.Dispensable(m); o.Refused() {
		return refusal(o, nil)
	}
	if list := v.Map.OwnedBy(m.Number); len(list) > 0 {
		if err := n.giveUp(plane, list); err != nil {
			return err
		}
	}
	return refusal(plane.Forget(m.Number, m.ID, clusterPatience))
}

// clusterReplicate would make this node a replica.
func clusterReplicate(r *Request) {
	m, v := r.member(r.At(2)), r.Loop.view
	e := resp.ErrNoReplication
	switch {
	case m == nil:
		e = resp.UnknownNode(r.At(2))
	case m.ID == r.Loop.node.plane.ID():
		e = resp.ErrReplicateMyself
	case m.Of != slots.None:
		e = resp.ErrReplicateReplica
	case v.Self != slots.None && v.Map.Owns(v.Self), r.Loop.node.keys() != 0:
		e = resp.ErrReplicateSlots
	}
	r.Reply.Error(e)
}

// clusterFailover would make this replica the owner of its owner's slots. No
// node is a replica.
func clusterFailover(r *Request) {
	if r.Len() > 3 {
		r.misused()
		return
	}
	if r.Len() == 3 && !is(r.At(2), "force") && !is(r.At(2), "takeover") {
		r.Reply.Error(resp.ErrSyntax)
		return
	}
	r.Reply.Error(resp.ErrFailoverMaster)
}

// clusterReset takes back what a node in no cluster claims and has agreed to, or has a
// member leave its cluster. All loops stand still.
func clusterReset(r *Request) {
	if r.Len() > 3 {
		r.misused()
		return
	}
	hard := r.Len() == 3 && is(r.At(2), "hard")
	switch v := r.Loop.view; {
	case r.Len() == 3 && !hard && !is(r.At(2), "soft"):
		r.Reply.Error(resp.ErrSyntax)
	case r.Loop.node.keys() != 0:
		r.Reply.Error(resp.ErrResetKeys)
	case hard:
		r.Reply.Error(resp.ErrResetHard)
	case v.Self != slots.None:
		r.decide(r.Loop.node.leave)
	default:
		r.decide(func(plane ControlPlane) error {
			if err := plane.Unbind(); err != nil || len(v.Claims) == 0 {
				return err
			}
			return plane.Unclaim(v.Claims)
		})
	}
}

// clusterBumpEpoch gives this node an epoch that no other is above.
func clusterBumpEpoch(r *Request) {
	o, plane := r.Loop.outlook(), r.Loop.node.plane
	self, epoch := o.View.Self, o.epoch(o.self)
	switch {
	case self == slots.None:
		r.Reply.Error(resp.ErrNotFormed)
		return
	case epoch != 0 && epoch == o.highest():
		r.Reply.Simple(fmt.Sprintf("STILL %d", epoch))
		return
	}
	r.await(func() func(*resp.Writer) {
		err := propose(plane, &state.BumpEpoch{Node: self})
		v := plane.View()
		return func(w *resp.Writer) {
			if m := v.Member(); err == nil && m != nil {
				w.Simple(fmt.Sprintf("BUMPED %d", m.Epoch))
				return
			}
			settle(w, err)
		}
	})
}

// clusterSetConfigEpoch has no effect on a node in no cluster: epochs are
// indices of the log. redis-cli asks for it.
func clusterSetConfigEpoch(r *Request) {
	n, ok := resp.ParseInt(r.At(2))
	o := r.Loop.outlook()
	switch {
	case !ok:
		r.Reply.Error(resp.ErrNotInteger)
	case n < 0:
		r.Reply.Error(resp.NoConfigEpoch(n))
	case len(o.members) > 1:
		r.Reply.Error(resp.ErrConfigEpochKnows)
	case o.epoch(o.self) != 0:
		r.Reply.Error(resp.ErrConfigEpochSet)
	default:
		r.Reply.OK()
	}
}
