package sim

// stray does a write where it was not meant to go, and tells the size that the
// program believes to have written.
func (f *file) stray(to string, off int64, p []byte) int {
	d := f.disk
	d.world.note("astray", f.node.id, off)
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

// Used is how many bytes all files hold.
func (d *Disk) Used() int64 { return d.used }

// Files is how many files there are, folders not counted.
func (d *Disk) Files() int { return d.root.files() }

func (n *node) files() (count int) {
	for _, child := range n.entries {
		if child.entries == nil {
			count++
		} else {
			count += child.files()
		}
	}
	return count
}
