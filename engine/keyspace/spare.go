package keyspace

import "slices"

// The first write to a page costs several times what copying a page does, and
// so does giving it back. So some of the regions that large values leave behind
// are kept, with their memory, for the next ones.

// spare is a region that is kept.
type spare struct {
	region []byte
	soiled int // bytes from here on have never been written
}

type spares struct {
	ready     []spare // the one that has been there longest comes first
	mostSpare int64   // Options.Spare
	spared    int64   // bytes that they hold
	idleSpare int64   // what they held at least since the last Age
}

const (
	// leastSpare is from how many bytes on a region is worth keeping.
	leastSpare = 64 << 10
	// mostTrim is how many bytes too many a spare region may hold to be used:
	// they are given back at once.
	mostTrim = 4 << 20
)

// waste is how many bytes a value of that size may hold in vain.
func waste(size int) int { return max(maxLoanWaste, size/8) }

// Region gives a region of at least size bytes for a value of which want bytes
// are known to come: a spare one, or a new one. The first soiled bytes of it
// hold anything, the others are zero.
func (s *Store) Region(size, want int) (region []byte, soiled int, err error) {
	i := s.fittingSpare(size, want)
	if i < 0 {
		region, err = s.mem.Map(size)
		return region, 0, err
	}
	one := s.takeSpare(i)
	if most := s.wholePages(want + waste(want)); one.soiled > most {
		rest := Release{part: one.region[most:one.soiled], soiled: one.soiled - most}
		rest.Run(s.mem)
		one.soiled = most
	}
	return one.region, one.soiled, nil
}

// fittingSpare finds the spare region that costs least to use, -1 if a new one
// does: what it lacks is written for the first time, what it has too much goes.
func (s *Store) fittingSpare(size, want int) int {
	best, least := -1, want
	for i := range s.ready {
		one := &s.ready[i]
		cost, excess := want-one.soiled, one.soiled-want-waste(want)
		if excess > 0 {
			cost = excess
		}
		if len(one.region) >= size && excess <= mostTrim && cost < least {
			best, least = i, cost
		}
	}
	return best
}

func (s *Store) takeSpare(i int) spare {
	one := s.ready[i]
	s.ready = slices.Delete(s.ready, i, i+1)
	s.spared -= int64(one.soiled)
	s.idleSpare = min(s.idleSpare, s.spared)
	return one
}

// dropSpare lets go of the region that has been there longest.
func (s *Store) dropSpare() {
	one := s.takeSpare(0)
	s.release(Release{part: one.region, soiled: one.soiled, whole: true})
}

// GiveBack returns a region that Region gave, whole. Bytes from soiled on have
// never been written. It is kept, or goes to the system in pieces, now or later.
func (s *Store) GiveBack(region []byte, soiled int) {
	soiled = min(s.wholePages(soiled), len(region))
	if s.loan.lent(region) {
		s.loan.dropped, s.loan.written = true, soiled
		return
	}
	most := s.spareRoom()
	if soiled < leastSpare || int64(soiled) > most {
		s.release(Release{part: region, soiled: soiled, whole: true})
		return
	}
	for s.spared+int64(soiled) > most {
		s.dropSpare()
	}
	s.ready = append(s.ready, spare{region, soiled})
	s.spared += int64(soiled)
}

// wholePages rounds up to what can be discarded.
func (s *Store) wholePages(n int) int { return roundUp(n, max(pageBytes, s.mem.PageSize())) }

// spareRoom is how many bytes may be spare. Near the limit of the node, spare
// regions hold memory beyond it: an eighth at most.
func (s *Store) spareRoom() int64 {
	l := s.account.ledger
	limit := l.Limit()
	if limit <= 0 || s.mostSpare == 0 {
		return s.mostSpare
	}
	return min(s.mostSpare, max(limit-l.Used(), limit/8)/int64(l.stores()))
}

// Age lets go of what was spare all the time since the last call.
func (s *Store) Age() {
	most := s.spareRoom()
	for n := s.idleSpare; len(s.ready) > 0 && (n > 0 || s.spared > most); s.dropSpare() {
		n -= int64(s.ready[0].soiled)
	}
	s.idleSpare = s.spared
}

// DropSpares lets go of all that is spare.
func (s *Store) DropSpares() {
	for len(s.ready) > 0 {
		s.dropSpare()
	}
}
