package sim

// stray does a write where it was not meant to go, and tells the size that the
// program believes to have written.
func (f *file) stray(to string, off int64, p []byte) int {
	d := f.disk
	d.world.Note("astray", f.node.id, off)
	_, _, n, err := d.walk(to)
	if err != nil || n == nil || n.entries != nil {
		return len(p) // nowhere
	}
	w := write{off, append([]byte{}, p...)}
	if n == f.node {
		f.put(w)
		return len(p)
	}
	before := len(n.text)
	n.text, n.saved = w.on(n.text), w.on(n.saved)
	if n.linked {
		d.used += int64(len(n.text) - before)
	}
	return len(p)
}

// Flip turns one bit of a file over, in what is read and in what a crash
// leaves, as a disk that rots does.
func (d *Disk) Flip(name string, bit int64) {
	_, _, n, err := d.walk(name)
	if err != nil || n == nil {
		return
	}
	for _, text := range [][]byte{n.text, n.saved} {
		if int64(len(text))*8 > bit {
			text[bit/8] ^= 1 << (bit % 8)
		}
	}
}
