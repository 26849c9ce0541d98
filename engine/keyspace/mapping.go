package keyspace

import "unsafe"

// mapping is a region of its own for one large extent.
type mapping struct {
	region []byte // from the first byte of the extent on
	front  int    // bytes of what was mapped that lie before it
	dirty  int    // bytes from here on have never been written
	refs   int    // holders; above 1 the bytes may not change
	pins   int    // readers that take their time
}

// holds is the memory that the first n bytes take, with what lies before them.
func (m *mapping) holds(n int) int {
	if n == 0 {
		return 0
	}
	return roundUp(m.front+n, pageBytes)
}

// whole is all that was mapped.
func (m *mapping) whole() []byte {
	start := unsafe.Add(unsafe.Pointer(unsafe.SliceData(m.region)), -m.front)
	return unsafe.Slice((*byte)(start), m.front+len(m.region))
}

func (s *Store) mapping(handle uint64) *mapping { return &s.maps[uint32(handle)] }

// adopt makes a region, with what is known of it, an extent of the store.
func (s *Store) adopt(m mapping) uint64 {
	m.refs = 1
	number := uint32(len(s.maps))
	if last := len(s.vacant) - 1; last >= 0 {
		number = s.extents.vacant[last]
		s.extents.vacant = s.extents.vacant[:last]
		s.maps[number] = m
	} else {
		s.maps = append(s.maps, m)
	}
	s.chargeMapped(m.holds(m.dirty))
	return ownMapping | uint64(number)
}

// disown takes a region out of the store.
func (s *Store) disown(handle uint64) mapping {
	m := s.mapping(handle)
	was := *m
	s.chargeMapped(-m.holds(m.dirty))
	*m = mapping{}
	s.extents.vacant = append(s.extents.vacant, uint32(handle))
	return was
}

// letGo gives a region back that nobody has any more.
func (s *Store) letGo(handle uint64) {
	if m := s.mapping(handle); m.refs > 0 || m.pins > 0 {
		return
	}
	m := s.disown(handle)
	s.GiveBack(m.whole(), m.front+m.dirty)
}
