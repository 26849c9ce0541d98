package keyspace

// Expiry without sampling and without memory for each key: a segment knows a
// time before which none of its entries is due, and the agenda orders segments
// by it. A deadline that moves later changes nothing but its entry, so the time
// may be too early; a sweep of the segment then corrects it.

// slackEach is by how many milliseconds each entry with an expiry delays the
// sweep of its segment, so that a sweep of many finds several due.
const slackEach = 2

// lookAt is when to sweep a segment whose first deadline is at.
func (s *Space) lookAt(t *table, at int64) int64 {
	slack := min(s.store.slack, slackEach*int64(t.expire-1))
	if at > never-slack {
		return never
	}
	return at + slack
}

// noteExpiry counts an entry that now has an expiry.
func (s *Space) noteExpiry(c uint64, t *table, at int64) {
	t.expire++
	s.expires++
	s.advance(c, t, at)
}

// advance makes sure that the segment is swept soon after a deadline.
func (s *Space) advance(c uint64, t *table, at int64) {
	if look := s.lookAt(t, at); look < t.due {
		s.reschedule(c&refMask, t, look)
	}
}

// retime follows a change of an entry's expiry from was to at, 0 for none.
func (s *Space) retime(place, ref uint64, was, at int64) {
	if was == at || was != 0 && at > was {
		return
	}
	c := s.leaf(place)
	t := s.store.table(c & refMask)
	switch w := t.at(t.find(mix(window(place, depthOf(c))), ref)); {
	case at == 0:
		*w &^= wordExpire
		t.expire--
		s.expires--
	case was == 0:
		*w |= wordExpire
		s.noteExpiry(c, t, at)
	default:
		s.advance(c, t, at)
	}
}

// NextDue is the earliest time at which Due may find something, Unix
// milliseconds; math.MaxInt64 when nothing expires.
func (s *Space) NextDue() int64 { return s.agenda.first() }

// NextDue is the earliest time at which Due of any space may find something.
func (s *Store) NextDue() int64 {
	at := int64(never)
	for _, p := range s.spaces {
		at = min(at, p.NextDue())
	}
	return at
}

// Due looks for entries with 0 < expiry <= now, reading about budget entries
// at most, and one segment at least. It removes those for which fn is true,
// and tells how many. fn changes nothing.
func (s *Space) Due(now int64, budget int, fn func(Entry) bool) int {
	removed := 0
	for budget > 0 && s.agenda.first() <= now {
		ref := s.agenda.at(0).table
		t := s.store.table(ref)
		budget -= int(t.expire) + 1
		removed += s.sweep(ref, t, now, fn)
	}
	return removed
}

// sweep looks at all entries of a segment that have an expiry. From the end,
// since removing one shifts back only words behind it.
func (s *Space) sweep(ref uint64, t *table, now int64, fn func(Entry) bool) int {
	prefix, soonest, removed := t.prefix, int64(never), 0
	words := t.words()
	for i := len(words) - 1; i >= 0; i-- {
		if ahead := i - sweepAhead; ahead >= 0 && words[ahead]&wordExpire != 0 {
			prefetch(s.store.at(words[ahead] & refMask))
		}
		if words[i]&wordExpire == 0 {
			continue
		}
		e := s.store.entry(words[i] & refMask)
		switch at := e.Expiry(); {
		case at > now:
			soonest = min(soonest, at)
		case fn(e):
			s.removeAt(t, i, e)
			removed++
		default:
			soonest = min(soonest, now+1)
		}
	}
	if t.expire == 0 {
		s.reschedule(ref, t, never)
	} else {
		s.reschedule(ref, t, s.lookAt(t, soonest))
	}
	s.thin(prefix, t)
	return removed
}

const sweepAhead = 8

// removeAt removes an entry whose word is known.
func (s *Space) removeAt(t *table, i int, e Entry) {
	if s.store.walking > 0 || s.store.slotCounts {
		place := s.placeOf(e.ref)
		s.preserve(place, e)
		s.countSlot(place, -1)
	}
	s.unlinkAt(t, i)
	s.store.freeEntry(e)
}
