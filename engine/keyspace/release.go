package keyspace

import "github.com/elares/ironcache/sim/env"

// Release is memory on its way back to the system.
type Release struct {
	part   []byte
	soiled int    // bytes of it, from its start, that may hold memory; a multiple of the page size
	first  uint32 // page number of the part
	whole  bool   // a region that is to be unmapped
	done   int    // bytes of it that are discarded already
}

// releasePiece bounds one call to the system: a longer one would hold up the
// collector, and with it every loop.
const releasePiece = 2 << 20

// Bytes is how much memory the system gets back, at most.
func (r Release) Bytes() int { return r.soiled }

// Whole tells that Released has little to do.
func (r Release) Whole() bool { return r.whole }

// Run gives the memory back in pieces of at most 2 MB. Any thread may call it.
func (r Release) Run(mem env.Memory) {
	for !r.piece(mem) {
	}
}

// piece gives the next piece back and tells whether it was the last.
func (r *Release) piece(mem env.Memory) bool {
	rest := r.soiled - r.done
	n := min(rest, releasePiece)
	if rest > releasePiece || !r.whole {
		mem.Discard(r.part[r.done : r.done+n])
		r.done += n
		return rest == n
	}
	mem.Unmap(r.part)
	r.done += n
	return true
}

// mostWaiting is how many bytes may wait in a store to go back to the system.
// From then on, as much goes back as is used for the first time, so that a busy
// store cannot take memory faster than it returns what it has freed.
const mostWaiting = 8 << 20

// outgoing is what nobody else gives back to the system.
type outgoing struct {
	aside    func(Release) bool // Options.Release
	releases []Release
	waiting  int64 // bytes of them
	owed     int64 // bytes to give back at once
}

// release gives memory to whoever returns it, or keeps it for Work.
func (p *pages) release(r Release) {
	if p.aside == nil || !p.aside(r) {
		p.releases = append(p.releases, r)
		p.waiting += int64(r.soiled - r.done)
	}
}

// PassOn offers what waits to Options.Release again.
func (p *pages) PassOn() {
	for last := len(p.releases) - 1; last >= 0 && p.aside != nil && p.aside(p.releases[last]); last-- {
		p.forget(last)
	}
}

func (p *pages) forget(i int) {
	r := &p.releases[i]
	p.waiting -= int64(r.soiled - r.done)
	*r = Release{}
	p.releases = p.releases[:i]
}

// releaseSome gives a piece of the last release back and tells its size.
func (p *pages) releaseSome() int {
	last := len(p.releases) - 1
	r := &p.releases[last]
	was := r.done
	ended := r.piece(p.mem)
	n := r.done - was
	p.waiting -= int64(n)
	if ended {
		done := *r
		p.forget(last)
		p.Released(done)
	}
	return n
}

// Released tells the store that Run is done.
func (p *pages) Released(r Release) {
	if !r.whole {
		n := len(r.part) / pageBytes
		p.freed(r.first/uint32(p.perChunk), int(r.first)%p.perChunk, n)
	}
}

// Soil tells the store that n bytes of memory are in use for the first time,
// also where its owner uses a region that is not the store's yet.
func (p *pages) Soil(n int) {
	if p.waiting <= mostWaiting {
		p.owed = 0
		return
	}
	for p.owed += int64(n); p.owed > 0 && p.waiting > mostWaiting; {
		p.owed -= int64(p.releaseSome())
	}
}
