package netio

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// inCluster is a command that only a node of a cluster has: others refuse it.
func inCluster(do func(*Request)) func(*Request) {
	return func(r *Request) {
		if r.Loop.node.plane == nil {
			r.Reply.Error(resp.ErrClusterOff)
			return
		}
		do(r)
	}
}

// clusterPatience is how long a command waits for a decision of the cluster.
const clusterPatience = 10 * time.Second

// await has the request answered by what work gives, which may take long: the
// connection waits, its loop goes on.
func (r *Request) await(work func() func(*resp.Writer)) {
	if r.inExec() {
		r.Reply.Error(resp.ErrClusterInExec)
		return
	}
	r.Conn.awaits = work
}

// decide has the request answered by OK when work is done, or by its error.
func (r *Request) decide(work func(ControlPlane) error) {
	plane := r.Loop.node.plane
	r.await(func() func(*resp.Writer) {
		err := work(plane)
		return func(w *resp.Writer) { settle(w, err) }
	})
}

func settle(w *resp.Writer, err error) {
	if err == nil {
		w.OK()
		return
	}
	w.Fail(clusterError(err))
}

// clusterError is an error of the control plane as a client is told it.
func clusterError(err error) error {
	var e resp.Error
	if errors.As(err, &e) {
		return e
	}
	return resp.Undecided(strings.ReplaceAll(err.Error(), "raftlog: ", ""))
}

// propose has an entry decided; to be refused is an error.
func propose(plane ControlPlane, e state.Entry) error {
	return refusal(plane.Propose(e, clusterPatience))
}

// refusal makes one error of the two ways in which an entry fails.
func refusal(o state.Outcome, err error) error {
	if err == nil && o.Refused() {
		return resp.Undecided(o.Sentence)
	}
	return err
}

// clusterMyID tells the id of the node, or of the shard that was asked.
func clusterMyID(r *Request) {
	plane, shard := r.Loop.node.plane, 0
	if at := plane.Address(); len(at.ShardPorts) > 0 {
		shard = r.Loop.id
	}
	r.Reply.BulkString(shardID(plane.ID(), shard).String())
}

// clusterMyShardID tells the id of the node with its replicas, which the log
// gave as a number.
func clusterMyShardID(r *Request) {
	var shard uint64
	if m := r.Loop.view.Member(); m != nil {
		shard = m.Shard
	}
	r.Reply.BulkString(fmt.Sprintf("%040x", shard))
}

func clusterKeySlot(r *Request) { r.Reply.Int(int64(slots.Of(r.At(2)))) }

// clusterSaveConfig has nothing to do: what is decided is on disk already.
func clusterSaveConfig(r *Request) { r.Reply.OK() }

// clusterFailureReports tells that there are none: nodes do not gossip.
func clusterFailureReports(r *Request) {
	if r.member(r.At(2)) == nil {
		r.Reply.Error(resp.UnknownNode(r.At(2)))
		return
	}
	r.Reply.Int(0)
}

// member finds a node by the text of its id, nil if this node knows none.
func (r *Request) member(text []byte) *state.Member {
	id, err := state.ParseID(string(text))
	if err != nil {
		return nil
	}
	for _, m := range r.Loop.view.State.Members() {
		if called(m, id) {
			return m
		}
	}
	if self := r.Loop.node.myself(r.Loop.view); called(self, id) {
		return self
	}
	return nil
}

// clusterCountKeys counts the keys of a slot. All loops stand still.
func clusterCountKeys(r *Request) {
	slot, ok := resp.ParseInt(r.At(2))
	switch {
	case !ok:
		r.Reply.Error(resp.ErrNotInteger)
	case slot < 0 || slot >= slots.Count:
		r.Reply.Error(resp.ErrInvalidSlot)
	default:
		r.Reply.Int(int64(r.Loop.node.keysIn(uint16(slot))))
	}
}

// keysIn counts the keys of a slot. All loops stand still.
func (n *Node) keysIn(slot uint16) int {
	return n.stores[slots.Shard(slot, len(n.loops))].Space(0).SlotLen(slot)
}

// clusterGetKeys lists keys of a slot. All loops stand still.
func clusterGetKeys(r *Request) {
	slot, ok := resp.ParseInt(r.At(2))
	most, okToo := resp.ParseInt(r.At(3))
	switch {
	case !ok || !okToo:
		r.Reply.Error(resp.ErrNotInteger)
		return
	case slot < 0 || slot >= slots.Count || most < 0:
		r.Reply.Error(resp.ErrGetKeysInSlot)
		return
	}
	n := r.Loop.node
	most = min(most, int64(n.keysIn(uint16(slot))))
	r.Reply.Array(int(most))
	n.stores[slots.Shard(uint16(slot), len(n.loops))].Space(0).SlotKeys(uint16(slot), int(most), func(e keyspace.Entry) {
		r.Reply.Bulk(e.Key())
	})
}

// asking lets the next request use a slot that comes to this node.
func asking(r *Request) {
	r.Conn.asking = true
	r.Reply.OK()
}

// readOnly lets the connection read from a replica; there are none to read from.
func readOnly(r *Request) {
	r.Conn.readOnly = true
	r.Reply.OK()
}

func readWrite(r *Request) {
	r.Conn.readOnly = false
	r.Reply.OK()
}
