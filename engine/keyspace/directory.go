package keyspace

import "unsafe"

// The directory of a space is a tree of arrays of cells, each indexed by the
// next bits of the Place. The root takes the first bits, 1 to the 14 of the
// slot. Where many keys share what the root tells apart, a cell leads to a
// node: first to the bits that complete the slot, then, up to maxNode bits at a
// time, to those of the hash. So the order of cells is that of Places, and
// no array is so large that doubling it takes long.
//
// A cell is a leaf or leads to a node:
//
//	leaf: ref of a table, its depth (bits of Place that all its keys share), its step
//	node: ref of the node, its base (bits of Place before it), its bits
//
// A leaf of less depth than its array distinguishes fills 2^difference cells.
const (
	cellDepth = 36      // 6 bits
	cellStep  = 42      // 6 bits
	cellNode  = 1 << 48 // leads to a node
	cellField = 63

	maxNode  = 10 // bits of a node
	slotBits = 14
)

func leafCell(ref uint64, depth, step uint) uint64 {
	return ref | uint64(depth)<<cellDepth | uint64(step)<<cellStep
}

func depthOf(cell uint64) uint { return uint(cell >> cellDepth & cellField) }
func stepOf(cell uint64) uint  { return uint(cell >> cellStep & cellField) }

// node is the head of an array of cells in a block.
type node struct {
	head   uint64 // kindNode, id of the space, bits (as step), base (as depth)
	prefix uint64 // the lowest Place below
}

const nodeBytes = int(unsafe.Sizeof(node{}))

func nodeClass(width uint) uint8 { return sizeClass(nodeBytes + 8<<width) }

func (s *Space) cellsOf(cell uint64) []uint64 {
	at := unsafe.Add(s.store.at(cell&refMask), nodeBytes)
	return unsafe.Slice((*uint64)(at), 1<<stepOf(cell))
}

// index is the number of a Place's cell in an array of 2^width cells after base bits.
func index(place uint64, base, width uint) int {
	return int(place << (base & 63) >> 1 >> ((63 - width) & 63))
}

// leaf finds the leaf of a Place.
func (s *Space) leaf(place uint64) (c uint64) {
	if c = s.root[place>>(s.shift&63)]; c&cellNode != 0 {
		c = s.leafBelow(place)
	}
	return
}

// leafBelow is leaf where the root leads to a node; apart, so that leaf is
// small enough to be compiled into its callers.
func (s *Space) leafBelow(place uint64) uint64 {
	c := s.root[place>>(s.shift&63)]
	for c&cellNode != 0 {
		c = s.below(c, place)
	}
	return c
}

// below follows a cell that leads to a node.
func (s *Space) below(c, place uint64) uint64 {
	i := index(place, depthOf(c), stepOf(c))
	return *word(unsafe.Add(s.store.at(c&refMask), nodeBytes+i*8))
}

// array finds the array that holds cells of that depth for a Place: the
// deepest one with fewer bits before it.
func (s *Space) array(place uint64, depth uint) (cells []uint64, base, width uint) {
	cells, width = s.root, s.width()
	for {
		c := cells[index(place, base, width)]
		if c&cellNode == 0 || depthOf(c) >= depth {
			return cells, base, width
		}
		cells, base, width = s.cellsOf(c), depthOf(c), stepOf(c)
	}
}

func (s *Space) width() uint { return 64 - s.shift }

// lead makes all Places that share depth bits with place lead to a cell.
func (s *Space) lead(place uint64, depth uint, cell uint64) {
	cells, base, width := s.array(place, depth)
	setCells(cells, index(place, base, width), base+width-depth, cell)
}

// setCells fills the aligned group of 2^n cells that holds cell i.
func setCells(cells []uint64, i int, n uint, cell uint64) {
	first := i >> n << n
	for j := range cells[first : first+1<<n] {
		cells[first+j] = cell
	}
}

// reach makes the directory tell apart Places of the leaf c by one bit more
// than it shares, so that the leaf can split.
func (s *Space) reach(place, c uint64) {
	depth := depthOf(c)
	for {
		_, base, width := s.array(place, depth+1)
		switch {
		case base+width > depth:
			return
		case base == 0 && width < slotBits && s.mayWiden(width+1):
			s.reroot(width + 1)
		case depth >= slotBits && s.width() < slotBits && s.mayWiden(slotBits):
			s.reroot(slotBits)
		case base >= slotBits && width < maxNode:
			s.widen(place, base, width)
		default:
			s.addNode(place, depth, c)
		}
	}
}

// mayWiden keeps the root in proportion to what the space holds.
func (s *Space) mayWiden(width uint) bool { return 1<<width <= max(64, s.count/8) }

// addNode puts a node between a leaf and its cell.
func (s *Space) addNode(place uint64, depth uint, c uint64) {
	width := uint(1)
	if depth < slotBits {
		width = slotBits - depth
	}
	cell := s.newNode(place, depth, width)
	setCells(s.cellsOf(cell), 0, width, c)
	s.lead(place, depth, cell)
}

func (s *Space) newNode(place uint64, base, width uint) uint64 {
	c := nodeClass(width)
	ref := s.store.alloc(c)
	s.store.tables += int64(classes[c].size)
	s.nodes++
	*(*node)(s.store.at(ref)) = node{
		head:   tableHead(s.id, width, base) | kindNode<<kindShift,
		prefix: place &^ suffix(base),
	}
	return leafCell(ref, base, width) | cellNode
}

// suffix has the bits of a Place after the first depth ones set.
func suffix(depth uint) uint64 { return ^uint64(0) >> depth }

func (s *Space) freeNode(cell uint64) {
	s.nodes--
	s.store.tables -= int64(classes[nodeClass(stepOf(cell))].size)
	s.store.free(cell & refMask)
}

// widen doubles a node of hash bits.
func (s *Space) widen(place uint64, base, width uint) {
	cells, upper, bits := s.array(place, base)
	was := cells[index(place, upper, bits)]
	cell := s.newNode(place, base, width+1)
	to := s.cellsOf(cell)
	for i, c := range s.cellsOf(was) {
		to[2*i], to[2*i+1] = c, c
	}
	s.lead(place, base, cell)
	s.freeNode(was)
}

// reroot rebuilds all that tells slots apart around a root of another width.
func (s *Space) reroot(width uint) {
	old, oldWidth := s.root, s.width()
	root := make([]uint64, 1<<width)
	s.store.chargeTables(8 * (len(root) - len(old)))
	s.gather(root, 0, 0, width)
	s.root, s.shift = root, 64-width
	s.freeNodes(old, 0, oldWidth, slotBits)
}

// gather fills an array of cells from the current directory.
func (s *Space) gather(to []uint64, place uint64, base, width uint) {
	for i := 0; i < len(to); {
		at := place | uint64(i)<<1<<(63-base-width)
		c := s.slotCell(at)
		if deep := depthOf(c); deep <= base+width {
			n := base + width - deep
			setCells(to, i, n, c)
			i += 1 << n
			continue
		}
		to[i] = s.newNode(at, base+width, slotBits-base-width)
		s.gather(s.cellsOf(to[i]), at, base+width, slotBits-base-width)
		i++
	}
}

// slotCell follows a Place to a leaf, or to a node of hash bits.
func (s *Space) slotCell(place uint64) uint64 {
	c := s.root[index(place, 0, s.width())]
	for c&cellNode != 0 && depthOf(c) < slotBits {
		c = s.below(c, place)
	}
	return c
}

// freeNodes frees the nodes with less than limit bits before them, below an array.
func (s *Space) freeNodes(cells []uint64, base, width, limit uint) {
	for i := 0; i < len(cells); {
		c := cells[i]
		deep := min(depthOf(c), base+width)
		if c&cellNode != 0 && depthOf(c) < limit {
			s.freeNodes(s.cellsOf(c), depthOf(c), stepOf(c), limit)
			s.freeNode(c)
		}
		i += 1 << (base + width - deep)
	}
}
