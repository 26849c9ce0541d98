package netio

import (
	"slices"

	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// clusterSlots lists ranges of slots with their owners.
func clusterSlots(r *Request) {
	o := r.Loop.outlook()
	at, n := r.Reply.Mark(), 0
	for _, span := range o.ranges() {
		nodes := o.shardOf(span.owner)
		r.Reply.Array(2 + len(nodes))
		r.Reply.Int(int64(span.First))
		r.Reply.Int(int64(span.Last))
		for _, f := range nodes {
			f.writeSlotNode(r.Reply)
		}
		n++
	}
	r.Reply.EndArray(at, n)
}

// ownedRange is a range of slots with its owner.
type ownedRange struct {
	slots.Range
	owner *face
}

// ranges lists the ranges of all members, ascending.
func (o *outlook) ranges() (list []ownedRange) {
	for _, f := range o.faces {
		for _, r := range f.owns {
			list = append(list, ownedRange{r, f})
		}
	}
	slices.SortFunc(list, func(a, b ownedRange) int { return int(a.First) - int(b.First) })
	return list
}

// shardOf lists an owner and those of its replicas that are there.
func (o *outlook) shardOf(owner *face) []*face {
	list := []*face{owner}
	for _, f := range o.faces {
		if f.Of == owner.Number && f.Of != slots.None && o.lively(f.Member) {
			list = append(list, f)
		}
	}
	return list
}

// writeSlotNode writes a node as CLUSTER SLOTS shows it: as it wants to be
// reached, then all else that is known of its place.
func (f *face) writeSlotNode(w *resp.Writer) {
	a := &f.Address
	w.Array(4)
	if a.Endpoint == state.ByNothing {
		w.Null()
	} else {
		w.BulkString(preferred(a))
	}
	w.Int(int64(f.port))
	w.BulkString(f.id.String())
	at, n := w.Mark(), 0
	if a.Endpoint != state.ByIP {
		w.BulkString("ip")
		w.BulkString(hostOf(a))
		n++
	}
	if a.Endpoint != state.ByHostname && a.Hostname != "" {
		w.BulkString("hostname")
		w.BulkString(a.Hostname)
		n++
	}
	w.EndMap(at, n)
}

// clusterShards describes owners with their replicas and slots.
func clusterShards(r *Request) {
	o := r.Loop.outlook()
	at, n := r.Reply.Mark(), 0
	for _, f := range o.faces {
		if f.Of == slots.None {
			o.writeShard(r.Reply, f)
			n++
		}
	}
	r.Reply.EndArray(at, n)
}

func (o *outlook) writeShard(w *resp.Writer, owner *face) {
	w.Map(2)
	w.BulkString("slots")
	w.Array(2 * len(owner.owns))
	for _, r := range owner.owns {
		w.Int(int64(r.First))
		w.Int(int64(r.Last))
	}
	w.BulkString("nodes")
	at, n := w.Mark(), 0
	for _, f := range o.faces {
		if f == owner || f.Of == owner.Number && f.Of != slots.None {
			o.writeShardNode(w, f)
			n++
		}
	}
	w.EndArray(at, n)
}

func (o *outlook) writeShardNode(w *resp.Writer, f *face) {
	m := f.Member
	role, health := "master", "online"
	if m.Of != slots.None {
		role = "replica"
	}
	if !o.lively(m) {
		health = "fail"
	}
	at, n := w.Mark(), 0
	field := func(name, value string) {
		w.BulkString(name)
		w.BulkString(value)
		n++
	}
	field("id", f.id.String())
	w.BulkString("port")
	w.Int(int64(f.port))
	field("ip", hostOf(&m.Address))
	field("endpoint", preferred(&m.Address))
	if m.Address.Hostname != "" {
		field("hostname", m.Address.Hostname)
	}
	field("role", role)
	w.BulkString("replication-offset")
	w.Int(0)
	field("health", health)
	w.EndMap(at, n+2)
}

// clusterLinks lists the connections with other nodes. Unlike Redis, nodes keep
// none to those that they have nothing to say to, and may have several to one.
func clusterLinks(r *Request) {
	links := r.Loop.node.plane.Links()
	r.Reply.Array(len(links))
	for i := range links {
		writeLink(r.Reply, &links[i])
	}
}

func writeLink(w *resp.Writer, l *raftlog.Link) {
	direction, events := "from", "r"
	if l.Dialled {
		direction = "to"
	}
	if l.Sending {
		events = "rw"
	}
	text := func(name, value string) {
		w.BulkString(name)
		w.BulkString(value)
	}
	number := func(name string, value int64) {
		w.BulkString(name)
		w.Int(value)
	}
	w.Map(6)
	text("direction", direction)
	text("node", state.ID(l.Peer).String())
	number("create-time", l.Since/1e6)
	text("events", events)
	number("send-buffer-allocated", int64(l.Room))
	number("send-buffer-used", int64(l.Used))
}
