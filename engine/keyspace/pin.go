package keyspace

import (
	"slices"
	"unsafe"
)

// Pin reads a part of a long string in pieces, as it was when the Pin was made,
// whatever becomes of the key meanwhile. What is about to change before it was
// read is copied, and only that.
type Pin struct {
	store   *Store
	handle  uint64
	at      int        // the byte to be read next
	end     int        // of the part
	kept    []keptSome // of [at, end), in order, apart from each other
	number  int        // among the store's pins
	changed bool       // the string has changed since the Pin was made
}

// keptSome is a copy of bytes that have changed since.
type keptSome struct {
	from int
	was  []byte
}

// keptUnit is what a change keeps at least, in bytes.
const keptUnit = 4096

// Pin starts to read the bytes from first to end of a string. It gives nil for
// a string of up to 512 KB, which is as well read at once. The pin is to be
// closed.
func (e Entry) Pin(first, end int) *Pin {
	if e.Kind() != KindExtent {
		return nil
	}
	s, x := e.store, (*extent)(e.payload())
	if x.handle&ownMapping == 0 {
		return nil
	}
	p := &Pin{store: s, handle: x.handle, at: first, end: end, number: len(s.pins)}
	s.mapping(x.handle).pins++
	s.pins = append(s.pins, p)
	return p
}

// Store is whose string it is.
func (p *Pin) Store() *Store { return p.store }

// Left is how many bytes are still to be read.
func (p *Pin) Left() int { return p.end - p.at }

// Read fills b with what comes next and tells how many bytes those are.
func (p *Pin) Read(b []byte) int {
	n := min(len(b), p.Left())
	for done := 0; done < n; {
		done += p.some(b[done:n])
	}
	return n
}

// some reads up to where a copy begins or ends.
func (p *Pin) some(b []byte) int {
	from := unsafe.Slice((*byte)(unsafe.Add(p.store.extentData(p.handle), p.at)), p.Left())
	if len(p.kept) > 0 {
		first := p.kept[0]
		if p.at < first.from {
			from = from[:min(first.from-p.at, len(from))]
		} else {
			from = first.was[p.at-first.from:]
		}
		if p.at+min(len(b), len(from)) == first.from+len(first.was) {
			p.drop(1)
		}
	}
	n := copy(b, from)
	p.at += n
	return n
}

// drop forgets the first n copies.
func (p *Pin) drop(n int) {
	for _, k := range p.kept[:n] {
		p.store.chargePins(-len(k.was))
	}
	p.kept = p.kept[n:]
}

// Close ends the reading. The Pin may not be used any more.
func (p *Pin) Close() {
	s := p.store
	p.drop(len(p.kept))
	last := s.pins[len(s.pins)-1]
	s.pins[p.number], last.number = last, p.number
	s.pins[len(s.pins)-1] = nil
	s.pins = s.pins[:len(s.pins)-1]
	s.mapping(p.handle).pins--
	s.letGo(p.handle)
}

// protect lets the bytes from first to end of an extent change: readers that
// have yet to come there keep them.
func (s *Store) protect(handle uint64, first, end int) {
	if handle&ownMapping == 0 || s.mapping(handle).pins == 0 || first >= end {
		return
	}
	for _, p := range s.pins {
		if p.handle == handle {
			p.keep(first/keptUnit*keptUnit, roundUp(end, keptUnit))
		}
	}
}

// keep copies what lies between first and end and has neither been read nor
// been kept.
func (p *Pin) keep(first, end int) {
	p.changed = true
	end = min(end, p.end)
	i := 0
	for at := max(first, p.at); at < end; i++ {
		if i < len(p.kept) && p.kept[i].from <= at {
			at = max(at, p.kept[i].from+len(p.kept[i].was))
			continue
		}
		until := end
		if i < len(p.kept) {
			until = min(until, p.kept[i].from)
		}
		was := unsafe.Slice((*byte)(unsafe.Add(p.store.extentData(p.handle), at)), until-at)
		p.kept = slices.Insert(p.kept, i, keptSome{at, slices.Clone(was)})
		p.store.chargePins(len(was))
		at = until
	}
}

// chargePins counts copies, which lie in the Go heap.
func (s *Store) chargePins(n int) {
	s.account.live += int64(n)
	s.extents.kept += int64(n)
}
