// Package slots says where a key belongs: which of the 16384 slots of the
// cluster keyspace, which node of a cluster, and which shard of a node. It has
// the arithmetic of leases. It does no I/O, reads no clock and holds no values.
// The slot of a key never changes, and equals that of Redis Cluster
// (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/).
// A Map never changes once published: a change is another Map.
package slots

import (
	"bytes"
	"encoding/binary"
)

// Count is the number of slots.
const Count = 16384

// Of tells the slot of a key: CRC16 (XMODEM) of its Tag, modulo Count.
func Of(key []byte) uint16 {
	if n := len(key); n >= 8 && n <= 16 &&
		!opens(binary.LittleEndian.Uint64(key)) && !opens(binary.LittleEndian.Uint64(key[n-8:])) {
		return crc16(key) & (Count - 1) // the usual case, without a search
	}
	return crc16(Tag(key)) & (Count - 1)
}

// opens tells whether one of eight bytes is '{' (Hacker's Delight, 6-1).
func opens(word uint64) bool {
	const each = 0x0101010101010101
	x := word ^ each*'{'
	return (x-each)&^x&(each<<7) != 0
}

// Tag is the part of a key that decides its slot: what stands between the
// first '{' and the first '}' after it, when that is not empty; else the whole
// key.
func Tag(key []byte) []byte {
	open := bytes.IndexByte(key, '{')
	if open < 0 {
		return key
	}
	size := bytes.IndexByte(key[open+1:], '}')
	if size <= 0 {
		return key
	}
	return key[open+1 : open+1+size]
}

// Shard tells which of a node's shards holds a slot, 0 <= Shard < shards. The
// slots of one shard are neighbours.
func Shard(slot uint16, shards int) int {
	return int(slot) * shards >> 14
}

// First is the lowest slot of a shard; First(shards, shards) is Count.
func First(shard, shards int) int {
	return (shard*Count + shards - 1) / shards
}
