package sim

import (
	"cmp"
	"maps"
	"slices"
)

// sector is how many bytes a disk writes as a whole.
const sector = 512

// Crash drops what was not durable, as drawn. Files that are open cannot be
// used any more.
func (d *Disk) Crash() {
	d.crashes++
	for _, n := range d.all() {
		if n.linked = false; n.entries == nil {
			n.lose(d.world, d.crashes)
			n.text = slices.Clone(n.saved)
		}
	}
	if size := uint64(len(d.journal)); size > 0 && !d.Undo {
		draw := d.world.draw(drawEntries, d.id, d.crashes)
		d.commit(d.touched(draw, draw>>1%size), int(draw>>1%(size+1)))
	}
	d.Undone += len(d.journal)
	d.journal, d.used, d.Undo = nil, 0, false
	d.restore(d.root)
}

// touched is a folder that a change of the journal touches, or nil for all of
// them.
func (d *Disk) touched(draw, change uint64) *node {
	if draw&1 == 0 {
		return nil
	}
	return d.journal[change][0].dir
}

// commit makes durable the changes of a folder (nil: of all folders) among the
// first few of the journal, and what must come before them.
func (d *Disk) commit(dir *node, first int) {
	dirs := map[*node]bool{dir: true}
	kept := make([]bool, len(d.journal))
	for i := first - 1; i >= 0; i-- {
		if kept[i] = dir == nil || d.journal[i].touches(dirs); kept[i] {
			for _, e := range d.journal[i] {
				dirs[e.dir] = true
			}
		}
	}
	var left []change
	for i, c := range d.journal {
		if !kept[i] {
			left = append(left, c)
			continue
		}
		c.keep()
	}
	d.journal = left
}

func (c change) touches(dirs map[*node]bool) bool {
	return slices.ContainsFunc(c, func(e entry) bool { return dirs[e.dir] })
}

// keep makes a change durable.
func (c change) keep() {
	for _, e := range c {
		if e.node == nil {
			delete(e.dir.durable, e.name)
			continue
		}
		e.dir.durable[e.name] = e.node
	}
}

// all gives every node that is in the tree or may be after a crash, in the
// order in which they were made.
func (d *Disk) all() []*node {
	seen := map[*node]bool{}
	var visit func(*node)
	visit = func(n *node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		for _, entries := range []map[string]*node{n.entries, n.durable} {
			for _, child := range entries {
				visit(child)
			}
		}
	}
	visit(d.root)
	for _, c := range d.journal {
		for _, e := range c {
			visit(e.node)
		}
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b *node) int { return cmp.Compare(a.id, b.id) })
}

// restore makes the entries of a folder and below those that are durable.
func (d *Disk) restore(dir *node) {
	dir.entries = maps.Clone(dir.durable)
	for _, n := range dir.entries {
		n.linked = true
		d.used += int64(len(n.text))
		if n.durable != nil {
			d.restore(n)
		}
	}
}

// save makes writes durable, and forgets all that were pending.
func (n *node) save(writes []write) {
	for _, w := range writes {
		n.saved = w.on(n.saved)
	}
	n.pending = nil
}

// lose makes a drawn part of what is pending durable and forgets the rest:
// nothing, everything, everything up to a moment, or any sectors.
func (n *node) lose(w *World, moment uint64) {
	draw := w.draw(drawLost, n.id, moment)
	writes := n.pending
	switch draw % 4 {
	case 0:
		writes = nil
	case 1:
	case 2:
		if len(writes) > 0 {
			writes = writes[:draw/4%uint64(len(writes))]
		}
	case 3:
		writes = torn(writes, func(i uint64) bool { return w.draw(drawTorn, n.id, moment<<24|i)&1 == 0 })
	}
	w.Note("lose", n.id, int64(len(writes)))
	n.save(writes)
}

// torn gives the sectors of writes that are kept.
func torn(writes []write, kept func(i uint64) bool) (left []write) {
	i := uint64(0)
	for _, w := range writes {
		if i++; w.text == nil && kept(i) {
			left = append(left, w)
		}
		for off, text := w.off, w.text; len(text) > 0; i++ {
			size := min(len(text), sector-int(off%sector))
			if kept(i) {
				left = append(left, write{off, text[:size]})
			}
			off, text = off+int64(size), text[size:]
		}
	}
	return left
}
