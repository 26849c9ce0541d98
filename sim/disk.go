package sim

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/elares/ironcache/sim/env"
)

// Errors of a disk.
var (
	// ErrFull is what a write fails with that the disk has no room for.
	ErrFull = errors.New("no space left on device")
	// ErrIO is what a drawn fault fails with.
	ErrIO = errors.New("input/output error")
)

// Disk is a file tree that knows what a crash would leave of it.
//
// What a file holds is durable after Sync; of what was written since, a crash
// keeps any sectors or none. An entry of a folder is durable after SyncDir; of
// the changes since, a crash keeps some, each as a whole and never one without
// those before it in the same folder. After a Sync that failed, sectors of what
// it was to save may be gone for good, although reads still give them until a
// crash.
type Disk struct {
	// Capacity is the most bytes that all files may hold; 0: no limit.
	Capacity int64
	// Fault, if set, is asked before each act on a path; the act fails with
	// the error it gives.
	Fault func(act Act, path string) error
	// Astray, if set, is asked of each write where it lands: in which file, and at
	// which offset there. What lands in another file than it was meant for is
	// durable at once. A file that is not there is none.
	Astray func(path string, off int64, size int) (string, int64)
	// Undo has the next crash keep none of the changes of entries that are not
	// durable; Undone counts those that crashes have undone.
	Undo   bool
	Undone int

	world   *World
	id      uint64
	root    *node
	journal []change // of entries, that are not durable yet
	used    int64    // bytes of all files in the tree
	files   uint64
	acts    uint64 // for draws
	crashes uint64 // a file opened before the last one is dead
}

// Act is what can fail.
type Act uint8

// The acts that a Disk asks its Fault about.
const (
	Opening Act = iota
	Reading
	Writing
	Truncating
	Syncing
	Renaming
	Removing
	SyncingDir
)

// node is a file or a folder.
type node struct {
	id     uint64
	linked bool // it is in the tree

	// A folder has entries, and those that a crash leaves for sure.
	entries, durable map[string]*node

	// A file has text, what a crash leaves, and the writes since.
	text, saved []byte
	pending     []write
}

// change is what happens to entries at once: some names get another node, or
// none.
type change []entry

type entry struct {
	dir  *node
	name string
	node *node // nil: removed
}

// write is text at an offset or, if there is none, a size.
type write struct {
	off  int64
	text []byte // nil for a new size, off
}

func newDisk(w *World, id uint64) *Disk {
	d := &Disk{world: w, id: id}
	d.root = d.newDir()
	return d
}

func (d *Disk) newNode() *node {
	d.files++
	return &node{id: d.id<<32 | d.files}
}

func (d *Disk) newDir() *node {
	n := d.newNode()
	n.entries, n.durable = map[string]*node{}, map[string]*node{}
	return n
}

// Open opens a file, and makes it first with create.
func (d *Disk) Open(name string, create bool) (env.File, error) {
	if err := d.try(Opening, name); err != nil {
		return nil, err
	}
	dir, base, n, err := d.walk(name)
	switch {
	case err != nil:
		return nil, fail("open", name, err)
	case n == nil && !create:
		return nil, fail("open", name, fs.ErrNotExist)
	case n != nil && n.entries != nil:
		return nil, fail("open", name, errors.New("is a directory"))
	case n == nil:
		n = d.newNode()
		d.apply(change{{dir, base, n}})
	}
	return &file{disk: d, node: n, name: name, crashes: d.crashes}, nil
}

// Create makes an empty file where nothing is. There are no permissions.
func (d *Disk) Create(name, _ string) (env.File, error) {
	if _, _, n, err := d.walk(name); err == nil && n != nil {
		return nil, fail("open", name, fs.ErrExist)
	}
	return d.Open(name, true)
}

// Follow gives the path itself: there are no links.
func (d *Disk) Follow(name string) (string, error) { return name, nil }

// Rename moves a file over another.
func (d *Disk) Rename(from, to string) error {
	if err := d.try(Renaming, to); err != nil {
		return err
	}
	source, old, n, err := d.walk(from)
	if err == nil && n == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		return fail("rename", from, err)
	}
	dir, base, over, err := d.walk(to)
	if err != nil {
		return fail("rename", to, err)
	}
	if n != over {
		d.apply(change{{source, old, nil}, {dir, base, n}})
	}
	return nil
}

// Remove deletes a file or an empty folder.
func (d *Disk) Remove(name string) error {
	if err := d.try(Removing, name); err != nil {
		return err
	}
	dir, base, n, err := d.walk(name)
	switch {
	case err == nil && n == nil:
		err = fs.ErrNotExist
	case err == nil && len(n.entries) > 0:
		err = errors.New("directory not empty")
	}
	if err != nil {
		return fail("remove", name, err)
	}
	d.apply(change{{dir, base, nil}})
	return nil
}

// MakeDir makes a folder and its parents.
func (d *Disk) MakeDir(name string) error {
	dir := d.root
	for _, part := range parts(name) {
		next := dir.entries[part]
		if next == nil {
			next = d.newDir()
			d.apply(change{{dir, part, next}})
		}
		if next.entries == nil {
			return fail("mkdir", name, errors.New("not a directory"))
		}
		dir = next
	}
	return nil
}

// List names the entries of a folder.
func (d *Disk) List(name string) ([]string, error) {
	dir, err := d.folder(name)
	if err != nil {
		return nil, fail("open", name, err)
	}
	return slices.Sorted(maps.Keys(dir.entries)), nil
}

// SyncDir makes the changes of a folder's entries durable.
func (d *Disk) SyncDir(name string) error {
	if err := d.try(SyncingDir, name); err != nil {
		return err
	}
	dir, err := d.folder(name)
	if err != nil {
		return fail("sync", name, err)
	}
	d.commit(dir, len(d.journal))
	return nil
}

// apply changes entries, and remembers that in the journal.
func (d *Disk) apply(c change) {
	for _, e := range c {
		if old := e.dir.entries[e.name]; old != nil {
			d.link(old, false)
		}
		if e.node == nil {
			delete(e.dir.entries, e.name)
			continue
		}
		e.dir.entries[e.name] = e.node
		d.link(e.node, true)
	}
	d.journal = append(d.journal, c)
}

// link takes a node into the tree or out of it.
func (d *Disk) link(n *node, linked bool) {
	switch {
	case n.linked && !linked:
		d.used -= int64(len(n.text))
	case linked && !n.linked:
		d.used += int64(len(n.text))
	}
	n.linked = linked
}

// walk finds the folder of a path, its last part, and what it names, nil if
// nothing.
func (d *Disk) walk(name string) (dir *node, base string, n *node, err error) {
	clean := path.Clean("/" + name)
	if dir, err = d.folder(path.Dir(clean)); err != nil {
		return nil, "", nil, err
	}
	base = path.Base(clean)
	if base == "/" {
		return dir, base, dir, nil
	}
	return dir, base, dir.entries[base], nil
}

func (d *Disk) folder(name string) (*node, error) {
	dir := d.root
	for _, part := range parts(name) {
		if dir = dir.entries[part]; dir == nil || dir.entries == nil {
			return nil, fs.ErrNotExist
		}
	}
	return dir, nil
}

// try asks for faults of an act.
func (d *Disk) try(act Act, name string) error {
	d.acts++
	if d.Fault != nil {
		if err := d.Fault(act, name); err != nil {
			return fail("fault", name, err)
		}
	}
	rate := [...]int{Reading: d.world.mix.ReadFails, Writing: d.world.mix.WriteFails, Syncing: d.world.mix.SyncFails, SyncingDir: d.world.mix.SyncFails}
	if d.world.happens(rate[act], drawFile, d.id, d.acts) {
		return fail("fault", name, ErrIO)
	}
	return nil
}

func fail(act, name string, err error) error { return &fs.PathError{Op: act, Path: name, Err: err} }

// parts are the names that a path consists of.
func parts(name string) []string {
	return strings.FieldsFunc(name, func(c rune) bool { return c == '/' })
}
