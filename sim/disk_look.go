package sim

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

// SizeOf is the size of a file, 0 if there is none.
func (d *Disk) SizeOf(name string) int64 { return int64(len(d.TextOf(name))) }

// TextOf is what a file holds, nothing if there is none. It is no act of the disk, and
// not to be written to.
func (d *Disk) TextOf(name string) []byte {
	_, _, n, err := d.walk(name)
	if err != nil || n == nil {
		return nil
	}
	return n.text
}
