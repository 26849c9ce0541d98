package keyspace

// Clear empties the space at once. Its memory is freed by Store.Work, after
// the walks that have yet to report it.
func (s *Space) Clear() {
	if s.count == 0 && s.leaves == 1 && s.perSlot == nil {
		return
	}
	st, old := s.store, new(Space)
	st.moves++
	*old = *s
	st.byID[old.id] = old
	st.cleared = append(st.cleared, old)
	for _, w := range st.walks {
		if w != nil {
			w.cleared(s, old)
		}
	}
	st.reset(s, old.db)
	st.Work(clearWork) // so that clearing again and again cannot pile up
}

const clearWork = 256

// Work does about budget steps of what was left undone: freeing cleared spaces,
// returning memory, ending abandoned walks. A step is worth about 100 ns. It
// tells whether more is left that can be done now.
func (s *Store) Work(budget int) bool {
	for budget > 0 {
		spent := s.workOnce(budget)
		if spent == 0 {
			return false
		}
		budget -= spent
	}
	return true
}

// releaseCost is about what giving 2 MB back to the system takes, in steps.
const releaseCost = 500

func (s *Store) workOnce(budget int) int {
	if len(s.releases) > 0 {
		s.releaseSome()
		return releaseCost
	}
	for _, w := range s.walks {
		if w != nil && w.closed {
			w.Step(min(budget, 256), nil)
			w.finish()
			return min(budget, 256)
		}
	}
	for i, p := range s.cleared {
		if p.holds == 0 {
			return s.drain(i, p)
		}
	}
	return 0
}

// drain frees one segment of a cleared space, or the nodes below one cell of
// its root, or what remains then.
func (s *Store) drain(i int, p *Space) int {
	switch {
	case p.agenda.n > 0:
		return p.drainSegment()
	case p.drained < len(p.root):
		p.freeNodes(p.root[p.drained:p.drained+1], 0, 0, 64)
		p.root[p.drained] = leafCell(emptyTable, 0, 0)
		p.drained++
		return 1
	}
	s.chargeTables(-8*len(p.root) - agendaBytes*len(p.agenda.pages) - 4*len(p.perSlot))
	s.byID[p.id] = nil
	s.freeIDs = append(s.freeIDs, p.id)
	s.cleared = append(s.cleared[:i], s.cleared[i+1:]...)
	return 1
}

// drainSegment frees the last segment of the agenda.
func (p *Space) drainSegment() int {
	s := p.store
	ref := p.agenda.at(p.agenda.n - 1).table
	t := s.table(ref)
	words := t.words()
	for i, w := range words {
		if i+splitAhead < len(words) {
			prefetch(s.at(words[i+splitAhead] & refMask))
		}
		if w != 0 {
			s.freeEntry(s.entry(w & refMask))
		}
	}
	n := int(t.count)
	p.count -= n
	p.expires -= int(t.expire)
	p.strike(t)
	p.lead(t.prefix, t.depth(), leafCell(emptyTable, t.depth(), 0))
	p.freeTable(ref, t)
	return n + 8
}
