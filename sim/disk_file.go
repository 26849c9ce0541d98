package sim

import (
	"io"
	"io/fs"
	"slices"

	"github.com/elares/ironcache/sim/invariant"
)

// file is an open file.
type file struct {
	disk    *Disk
	node    *node
	name    string
	crashes uint64
	closed  bool
}

// try asks whether an act on the file works.
func (f *file) try(act Act) error {
	if f.closed || f.crashes != f.disk.crashes {
		return fail("use", f.name, fs.ErrClosed)
	}
	return f.disk.try(act, f.name)
}

// ReadAt reads len(p) bytes, or fewer at the end of the file.
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if err := f.try(Reading); err != nil {
		return 0, err
	}
	if off >= int64(len(f.node.text)) {
		return 0, io.EOF
	}
	n := copy(p, f.node.text[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt writes p, or what there is room for.
func (f *file) WriteAt(p []byte, off int64) (int, error) {
	if err := f.try(Writing); err != nil {
		return 0, err
	}
	invariant.Check(off >= 0, "sim: offsets are not negative")
	if f.disk.Astray != nil {
		if to, at := f.disk.Astray(f.name, off, len(p)); to != f.name || at != off {
			return f.stray(to, at, p), nil
		}
	}
	size := f.disk.fits(f.node, len(p), off)
	f.put(write{off, append([]byte{}, p[:size]...)})
	if size < len(p) {
		return size, fail("write", f.name, ErrFull)
	}
	return size, nil
}

// fits tells how many bytes of a write at off the disk has room for.
func (d *Disk) fits(n *node, size int, off int64) int {
	if d.Capacity == 0 || !n.linked {
		return size
	}
	end := int64(len(n.text)) + d.Capacity - d.used
	return int(max(0, min(int64(size), end-off)))
}

// put does a write and remembers it until the next Sync.
func (f *file) put(w write) {
	n := f.node
	before := len(n.text)
	n.text = w.on(n.text)
	if n.linked {
		f.disk.used += int64(len(n.text) - before)
	}
	n.pending = append(n.pending, w)
}

// on does the write on a text.
func (w write) on(text []byte) []byte {
	if w.text == nil {
		return resize(text, int(w.off))
	}
	if len(w.text) == 0 {
		return text
	}
	end := int(w.off) + len(w.text)
	text = resize(text, max(len(text), end))
	copy(text[w.off:], w.text)
	return text
}

// resize cuts a text or fills it up with zeros.
func resize(text []byte, size int) []byte {
	if size <= len(text) {
		return text[:size]
	}
	before := len(text)
	text = slices.Grow(text, size-before)[:size]
	clear(text[before:])
	return text
}

// Truncate sets the size.
func (f *file) Truncate(size int64) error {
	if err := f.try(Truncating); err != nil {
		return err
	}
	if grow := int(size) - len(f.node.text); grow > 0 && f.disk.fits(f.node, grow, int64(len(f.node.text))) < grow {
		return fail("truncate", f.name, ErrFull)
	}
	f.put(write{off: size})
	return nil
}

// Size tells the size.
func (f *file) Size() (int64, error) {
	if f.closed || f.crashes != f.disk.crashes {
		return 0, fail("stat", f.name, fs.ErrClosed)
	}
	return int64(len(f.node.text)), nil
}

// Sync makes what was written durable. When it fails, a part of that never will
// be.
func (f *file) Sync() error {
	err := f.try(Syncing)
	if f.closed || f.crashes != f.disk.crashes {
		return err
	}
	if err != nil {
		f.node.lose(f.disk.world, f.disk.acts)
		return err
	}
	f.node.save(f.node.pending)
	f.disk.world.Note("sync", f.node.id, int64(len(f.node.saved)))
	return nil
}

// Close closes the file.
func (f *file) Close() error {
	if f.closed {
		return fail("close", f.name, fs.ErrClosed)
	}
	f.closed = true
	return nil
}
