package keyspace

import "unsafe"

// A snapshot walk reports every entry as it was when the walk started, while
// the store goes on changing. It goes through the spaces in the order of
// Places. Whoever changes an entry that lies ahead of the walk first puts a copy
// of it, its pre-image, into the walk's queue, and marks the entry; entries that
// appear ahead of the walk are marked too. The walk skips what is marked and
// takes the marks away, so that none is left when it has passed.

// maxWalks is how many walks can run at a time: each has one mark bit.
const maxWalks = 4

// WalkOptions of a snapshot walk.
type WalkOptions struct {
	QueueBytes int // bound of the queue of pre-images
	First      int // first slot
	End        int // the slot after the last; 0 means slots.Count
}

// Walk reports what a Store held when it started.
type Walk struct {
	store    *Store
	mark     uint64 // its bit in headers
	number   int    // in Store.walks
	spaces   []*Space
	at       int    // spaces before are done
	place    uint64 // Places of spaces[at] below are done
	from, to uint64 // the first and the last Place
	queue    []uint64
	taken    int   // of the queue
	bytes    int64 // of the rest
	bound    int64
	closed   bool // nobody wants to know any more, but the marks have to go
}

// queueSpace is where a word of the queue keeps the number of the space.
const queueSpace = 36

// StartWalk starts a walk over all databases. It gives nil when maxWalks are
// under way.
func (s *Store) StartWalk(opts WalkOptions) *Walk {
	for i := range s.walks {
		if s.walks[i] == nil {
			s.walks[i] = s.newWalk(i, opts)
			s.walking++
			return s.walks[i]
		}
	}
	return nil
}

func (s *Store) newWalk(number int, opts WalkOptions) *Walk {
	w := &Walk{
		store: s, number: number, mark: 1 << (markShift + number),
		spaces: append([]*Space(nil), s.spaces...), bound: int64(opts.QueueBytes),
		from: uint64(opts.First) << slotShift, to: uint64(opts.End)<<slotShift - 1,
	}
	w.place = w.from
	return w
}

// Step reports about n entries, each once in the whole walk and as it was at
// its start, with the number that its database had then. It tells whether more
// is left. fn changes nothing, and neither scans nor samples.
func (w *Walk) Step(n int, fn func(db int, e Entry)) bool {
	for ; n > 0 && w.taken < len(w.queue); n-- {
		w.report(fn)
	}
	for n > 0 && w.at < len(w.spaces) {
		n -= 1 + w.advance(n, fn)
	}
	return w.at < len(w.spaces) || w.taken < len(w.queue)
}

// report takes one pre-image off the queue.
func (w *Walk) report(fn func(db int, e Entry)) {
	q := w.queue[w.taken]
	e := w.store.entry(q & refMask)
	fn(int(q>>queueSpace), e)
	w.drop(e)
	if w.taken++; w.taken == len(w.queue) {
		w.queue, w.taken = w.queue[:0], 0
	}
}

func (w *Walk) drop(e Entry) {
	n := int64(e.Bytes())
	w.bytes -= n
	w.store.queued -= n
	w.store.freeEntry(e)
}

// advance goes on in the current space.
func (w *Walk) advance(n int, fn func(db int, e Entry)) int {
	s := w.spaces[w.at]
	c := s.leaf(w.place)
	words, next := s.run(w.place, n, 64)
	for _, x := range words {
		if placeIn(w.place, c, x) > w.to {
			break
		}
		e := s.store.entry(x & refMask)
		if h := word(e.block); *h&w.mark != 0 {
			*h &^= w.mark
		} else if !w.closed {
			fn(w.at, e)
		}
	}
	if w.place = next; next == 0 || next > w.to {
		w.leave(s)
	}
	return len(words)
}

// leave ends the walk of one space.
func (w *Walk) leave(s *Space) {
	s.holds = max(0, s.holds-1)
	w.spaces[w.at] = nil
	w.at++
	w.place = w.from
}

// Full tells that the queue of pre-images is at its bound: writers should wait
// until Step has drained it. A write that comes anyway is still kept.
func (w *Walk) Full() bool { return w.bytes >= w.bound && w.bytes > 0 }

// Close ends a walk, finished or not. An unfinished one goes on silently in
// Store.Work until its marks are gone.
func (w *Walk) Close() {
	w.closed = true
	for ; w.taken < len(w.queue); w.taken++ {
		w.drop(w.store.entry(w.queue[w.taken] & refMask))
	}
	w.finish()
}

// finish gives the mark bit back once the walk has passed everything.
func (w *Walk) finish() bool {
	done := w.at == len(w.spaces)
	if done && w.store.walks[w.number] == w {
		w.store.walks[w.number] = nil
		w.store.walking--
	}
	return done
}

// covers tells whether the walk has yet to report what lies at a Place.
func (w *Walk) covers(s *Space, place uint64) bool {
	return w != nil && !w.closed && w.ahead(s, place)
}

// ahead tells whether the walk has yet to pass a Place.
func (w *Walk) ahead(s *Space, place uint64) bool {
	if place < w.from || place > w.to {
		return false
	}
	for i := w.at; i < len(w.spaces); i++ {
		if w.spaces[i] == s {
			return i > w.at || place >= w.place
		}
	}
	return false
}

// marks are those of an entry that appears at a Place.
func (s *Space) marks(place uint64) uint64 {
	marks := uint64(0)
	for _, w := range s.store.walks {
		if w.covers(s, place) {
			marks |= w.mark
		}
	}
	return marks
}

// preserve keeps the pre-image of an entry that is about to change or go.
func (s *Space) preserve(place uint64, e Entry) {
	if s.store.walking > 0 {
		s.preserveFor(place, e)
	}
}

func (s *Space) preserveFor(place uint64, e Entry) {
	h := word(e.block)
	for _, w := range s.store.walks {
		if w.covers(s, place) && *h&w.mark == 0 {
			w.keep(s, e)
			*h |= w.mark
		}
	}
}

// keep copies an entry into the queue.
func (w *Walk) keep(s *Space, e Entry) {
	db, h := w.at, e.header()
	for w.spaces[db] != s {
		db++
	}
	to := w.store.entry(w.store.alloc(sizeClass(headerSize(h))))
	size := headerSize(h)
	copy(unsafe.Slice((*byte)(to.block), size), unsafe.Slice((*byte)(e.block), size))
	*word(to.block) = h&^markMask | flagQueued
	if h&flagLongKey != 0 {
		x := (*extent)(unsafe.Add(to.block, headerBytes))
		*x = w.store.shareExtent(*x)
	}
	if headerKind(h) == KindExtent {
		x := (*extent)(to.payload())
		*x = w.store.shareExtent(*x)
	}
	n := int64(to.Bytes())
	w.bytes += n
	w.store.queued += n
	w.queue = append(w.queue, to.ref|uint64(db)<<queueSpace)
}

// swapped follows an exchange of the contents of two spaces.
func (w *Walk) swapped(p, q *Space) {
	for i := w.at; i < len(w.spaces); i++ {
		switch w.spaces[i] {
		case p:
			w.spaces[i] = q
		case q:
			w.spaces[i] = p
		}
	}
}

// cleared follows the contents of a space to where they wait to be freed.
func (w *Walk) cleared(s, to *Space) {
	for i := w.at; i < len(w.spaces); i++ {
		if w.spaces[i] == s {
			w.spaces[i] = to
			to.holds++
		}
	}
}
