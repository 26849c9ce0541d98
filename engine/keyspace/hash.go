package keyspace

import (
	"encoding/binary"
	"math/bits"

	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
)

// Key is a key with its Place. Bytes belong to the caller; nothing keeps them.
type Key struct {
	Bytes []byte
	Place uint64
	// Near is what Space.AskEntry told of the key, and spares Find the search
	// while nothing was removed since; 0 is always right.
	Near uint64
}

// Slot is the slot of the key.
func (k Key) Slot() uint16 { return uint16(k.Place >> slotShift) }

const slotShift = 50

// Hash is the keyed hash of a node: without its seeds, nobody can choose keys
// that collide. It follows wyhash (https://github.com/wangyi-fudan/wyhash,
// public domain): products of 128 bits, folded.
type Hash struct {
	seed0, seed1 uint64
	drop         uint64 // bits left out, to provoke collisions in tests
}

// NewHash draws the seeds.
func NewHash(r env.Rand) Hash {
	return Hash{seed0: r.Uint64(), seed1: r.Uint64()}
}

// Key gives the key with its Place.
func (h Hash) Key(b []byte) Key { return Key{Bytes: b, Place: h.Place(b)} }

// Place is slot<<50 | 50 bits of the hash of the whole key. The keyspace is
// ordered by it.
func (h Hash) Place(b []byte) uint64 {
	return uint64(slots.Of(b))<<slotShift | h.sum(b)&^h.drop>>(64-slotShift)
}

// Odd constants with as many ones as zeros, as wyhash chooses them.
const (
	odd0 = 0xa0761d6478bd642f
	odd1 = 0xe7037ed1a0b428db
)

func (h Hash) sum(b []byte) uint64 {
	var x, y uint64
	seed, n := h.seed0, len(b)
	switch {
	case n > 16:
		seed = h.long(b)
		x, y = binary.LittleEndian.Uint64(b[n-16:]), binary.LittleEndian.Uint64(b[n-8:])
	case n >= 8:
		x, y = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n-8:])
	case n >= 4:
		x, y = uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[n-4:]))
	case n > 0:
		x = uint64(b[0])<<16 | uint64(b[n/2])<<8 | uint64(b[n-1])
	}
	hi, lo := bits.Mul64(x^h.seed1, y^seed)
	return fold(hi^odd0^uint64(n), lo^h.seed1^odd1)
}

// long absorbs all but the last 1 to 16 bytes.
func (h Hash) long(b []byte) uint64 {
	seed := h.seed0
	for ; len(b) > 16; b = b[16:] {
		x, y := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		seed = fold(x^h.seed1^odd0, y^seed)
	}
	return seed
}

func fold(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	return hi ^ lo
}
