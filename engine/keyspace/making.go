package keyspace

// Making is a copy of a long string that is made a little at a time.
type Making struct {
	pin    *Pin
	region []byte
	soiled int // bytes of the region that may have been written
	done   int // bytes copied
}

// leastMade is the length, in bytes, up to which a string is as well copied at
// once.
const leastMade = 1 << 20

// Make begins to copy a string. It gives nil for one that is copied at once, and
// where the system has no memory for it. The Making is to be assigned or dropped.
func (e Entry) Make() *Making {
	n := e.Len()
	if n <= leastMade {
		return nil
	}
	pin := e.Pin(0, n)
	if pin == nil {
		return nil
	}
	region, soiled, err := e.store.regionFor(n)
	if err != nil {
		pin.Close()
		return nil
	}
	return &Making{pin: pin, region: region, soiled: soiled}
}

// regionFor gets memory for n bytes, with room to grow where that is free.
func (s *Store) regionFor(n int) (region []byte, soiled int, err error) {
	if n < s.headroom {
		if region, soiled, err = s.Region(s.wholePages(s.headroom), n); err == nil {
			return region, soiled, nil
		}
	}
	return s.Region(s.wholePages(n), n)
}

// Step copies up to n more bytes and tells whether all are copied.
func (m *Making) Step(n int) bool {
	n = m.pin.Read(m.region[m.done:][:min(n, m.pin.Left())])
	m.done += n
	m.pin.store.chargePins(n)
	return m.pin.Left() == 0
}

// Of tells whether it is a copy of what an entry has now. Another entry, or one
// that has changed, needs another.
func (m *Making) Of(e Entry) bool { return m.on(e) && !m.pin.changed }

// on tells whether an entry has the extent that is being copied.
func (m *Making) on(e Entry) bool {
	return e.store == m.pin.store && e.Kind() == KindExtent && (*extent)(e.payload()).handle == m.pin.handle
}

// Spoiled tells whether an entry has changed since its copy was begun.
func (m *Making) Spoiled(e Entry) bool { return m.on(e) && m.pin.changed }

// Drop ends a copy that nobody wants.
func (m *Making) Drop() {
	m.end()
	m.pin.store.GiveBack(m.region, max(m.soiled, m.done))
}

func (m *Making) end() {
	m.pin.store.chargePins(-m.done)
	m.pin.Close()
}

// AssignMade is Assign of a copy that is complete. The entry is of the same Store.
func (s *Space) AssignMade(k Key, e Entry, m *Making, expiry int64, clock uint32) Entry {
	m.end()
	x := extent{s.store.adopt(mapping{region: m.region, dirty: max(m.soiled, m.done)}), uint64(m.done)}
	return s.assignExtent(k, e, x, expiry, clock)
}
