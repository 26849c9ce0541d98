package sim

import (
	"math/rand/v2"

	"github.com/elares/ironcache/sim/env"
)

// Mix says how unkind a world is. The zero value is a kind one: everything is
// whole, at once and successful. Rates are out of a million.
type Mix struct {
	ShortRead  int // a read gives fewer bytes than there are
	ShortWrite int // a write takes fewer bytes than there is room for
	Hidden     int // a Wait leaves out something that is ready
	Reset      int // a segment breaks its connection instead of arriving
	SyncFails  int // a sync of a file fails
	ReadFails  int // a read of a file fails
	WriteFails int // a write to a file fails

	// MinDelay and MaxDelay bound how long a segment travels, in nanoseconds.
	MinDelay, MaxDelay int64
	// Window is how many bytes of each direction of a connection may be on
	// their way or unread; 0 stands for DefaultWindow.
	Window int
	// Tick is how far each reading of a clock moves time, in nanoseconds; 0
	// stands for DefaultTick. Without it a loop that spins on its clock would
	// never end.
	Tick int64
}

// What a Mix stands for where it says nothing.
const (
	DefaultWindow = 64 << 10
	DefaultTick   = 100
)

// million is what rates are out of.
const million = 1_000_000

// DrawMix draws how unkind the world of a seed is. Each rate is zero in about
// half of all seeds, so that some seeds show one fault without the noise of the
// others.
func DrawMix(seed uint64) Mix {
	n := uint64(0)
	upTo := func(most int) int {
		n++
		draw := hash(seed, uint64(drawMix), n, 0)
		if draw&1 == 0 || most == 0 {
			return 0
		}
		return int(draw>>1) % most
	}
	return Mix{
		ShortRead: upTo(300_000), ShortWrite: upTo(300_000), Hidden: upTo(300_000), Reset: upTo(2_000),
		SyncFails: upTo(10_000), ReadFails: upTo(2_000), WriteFails: upTo(2_000),
		MaxDelay: int64(upTo(5_000_000)), Window: upTo(4096),
	}
}

// purpose keeps draws for different things apart.
type purpose uint64

const (
	drawMix purpose = iota
	drawRand
	drawRead
	drawWrite
	drawHidden
	drawReset
	drawDelay
	drawListener
	drawTurn
	drawSync
	drawFile
	drawLost
	drawTorn
	drawEntries
	drawPinch
	drawTear
)

// draw is the chance of one moment: of the n-th event of something (a link, a
// file). It depends on nothing else, so that a fault more or less elsewhere
// leaves it as it is.
func (w *World) draw(p purpose, of, n uint64) uint64 { return hash(w.seed, uint64(p), of, n) }

// happens draws whether something of a rate happens.
func (w *World) happens(rate int, p purpose, of, n uint64) bool {
	return rate > 0 && w.draw(p, of, n)%million < uint64(rate)
}

// hash mixes four words with the finaliser of SplitMix64.
func hash(words ...uint64) (h uint64) {
	for _, word := range words {
		h = (h ^ word) + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// stream is the Rand of a machine: PCG-DXSM of math/rand/v2, whose output the
// Go library promises to keep.
type stream struct{ *rand.PCG }

// NewRand gives the stream of a seed.
func NewRand(seed uint64) env.Rand {
	return stream{rand.NewPCG(hash(seed, uint64(drawRand)), hash(seed, uint64(drawRand), 1))}
}

// Fork seeds a stream with two draws of this one.
func (s stream) Fork() env.Rand { return stream{rand.NewPCG(s.Uint64(), s.Uint64())} }
