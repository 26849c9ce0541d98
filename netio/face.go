package netio

import (
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// face is a member as clients are shown it. With shard-owners each shard of a node
// is shown like a node of its own: with its port, its slots, and an id made of the
// node's, so that clients which know nodes by id tell them apart.
type face struct {
	*state.Member
	id   state.ID
	port uint16
	owns []slots.Range
	self bool // it is the one that was asked
}

// facesOf shows a member that owns some slots.
func facesOf(m *state.Member, owns []slots.Range) []*face {
	ports := m.Address.ShardPorts
	if len(ports) == 0 {
		return []*face{{Member: m, id: m.ID, port: m.Address.Port, owns: owns}}
	}
	list := make([]*face, len(ports))
	for i, port := range ports {
		list[i] = &face{Member: m, id: shardID(m.ID, i), port: port, owns: ofShard(owns, i, len(ports))}
	}
	return list
}

// shardID is the id of a node's shard, as clients are told it: that of the first is
// the node's.
func shardID(id state.ID, shard int) state.ID {
	id[len(id)-2] ^= byte(shard >> 8)
	id[len(id)-1] ^= byte(shard)
	return id
}

// ofShard is what one of so many shards has of ranges.
func ofShard(list []slots.Range, shard, shards int) (part []slots.Range) {
	first, last := uint16(slots.First(shard, shards)), uint16(slots.First(shard+1, shards)-1)
	for _, r := range list {
		if r = (slots.Range{First: max(r.First, first), Last: min(r.Last, last)}); r.First <= r.Last {
			part = append(part, r)
		}
	}
	return part
}

// called tells whether a member, or a shard of it, is shown with an id.
func called(m *state.Member, id state.ID) bool {
	for shard := range max(1, len(m.Address.ShardPorts)) {
		if shardID(m.ID, shard) == id {
			return true
		}
	}
	return false
}

// portOf is where a slot of a node is asked for.
func portOf(a *state.Address, slot uint16) uint16 {
	if n := len(a.ShardPorts); n > 0 {
		return a.ShardPorts[slots.Shard(slot, n)]
	}
	return a.Port
}
