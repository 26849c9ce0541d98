package store_test

import "github.com/elares/ironcache/sim/env"

// doored is a disk that calls before each act, of its files as well.
type doored struct {
	env.Disk
	before func()
}

func (d doored) Open(name string, create bool) (env.File, error) {
	d.before()
	f, err := d.Disk.Open(name, create)
	if err != nil {
		return nil, err
	}
	return dooredFile{f, d.before}, nil
}

func (d doored) Rename(from, to string) error { d.before(); return d.Disk.Rename(from, to) }
func (d doored) Remove(name string) error     { d.before(); return d.Disk.Remove(name) }
func (d doored) MakeDir(name string) error    { d.before(); return d.Disk.MakeDir(name) }
func (d doored) SyncDir(name string) error    { d.before(); return d.Disk.SyncDir(name) }
func (d doored) List(name string) ([]string, error) {
	d.before()
	return d.Disk.List(name)
}

type dooredFile struct {
	env.File
	before func()
}

func (f dooredFile) ReadAt(p []byte, off int64) (int, error) {
	f.before()
	return f.File.ReadAt(p, off)
}
func (f dooredFile) WriteAt(p []byte, off int64) (int, error) {
	f.before()
	return f.File.WriteAt(p, off)
}
func (f dooredFile) Truncate(size int64) error { f.before(); return f.File.Truncate(size) }
func (f dooredFile) Size() (int64, error)      { f.before(); return f.File.Size() }
func (f dooredFile) Sync() error               { f.before(); return f.File.Sync() }
func (f dooredFile) Close() error              { f.before(); return f.File.Close() }
