package host

import (
	crypto "crypto/rand"
	"encoding/binary"
	"math/rand/v2"

	"github.com/elares/ironcache/sim/env"
)

// chance draws from ChaCha8: seeds of hash tables come from it, so that a
// client that sees some draws must not be able to foretell others.
type chance struct{ *rand.ChaCha8 }

// NewRand gives a stream that starts from the system's entropy.
func NewRand() env.Rand {
	var seed [32]byte
	crypto.Read(seed[:]) // never fails: it ends the process instead
	return NewSeededRand(seed)
}

// NewSeededRand gives the stream of a seed.
func NewSeededRand(seed [32]byte) env.Rand { return chance{rand.NewChaCha8(seed)} }

func (c chance) Fork() env.Rand {
	var seed [32]byte
	for i := 0; i < len(seed); i += 8 {
		binary.LittleEndian.PutUint64(seed[i:], c.Uint64())
	}
	return NewSeededRand(seed)
}
