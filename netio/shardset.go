package netio

import "math/bits"

// MaxShards is the most loops that one node can have.
const MaxShards = 256

// shardSet is a set of shards.
type shardSet [MaxShards / 64]uint64

func (s *shardSet) add(shard int)      { s[shard/64] |= 1 << (shard % 64) }
func (s *shardSet) has(shard int) bool { return s[shard/64]>>(shard%64)&1 == 1 }

func (s *shardSet) count() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// only gives the single member of a set of one, else -1.
func (s *shardSet) only() int {
	if s.count() != 1 {
		return -1
	}
	for i, word := range s {
		if word != 0 {
			return i*64 + bits.TrailingZeros64(word)
		}
	}
	return -1
}

func (s *shardSet) merge(other shardSet) {
	for i := range s {
		s[i] |= other[i]
	}
}

// firstShards is the set of the shards 0 to n-1.
func firstShards(n int) shardSet {
	var s shardSet
	for i := 0; i < n; i++ {
		s.add(i)
	}
	return s
}
