package wasm

import (
	"io"
	"io/fs"
	"strings"

	"github.com/tetratelabs/wazero/api"

	"github.com/elares/ironcache/sim/env"
)

var diskDoors = []function{
	{"disk_open", diskOpen, types(i32, i32, i32), types(i64)},
	{"disk_create", diskCreate, types(i32, i32, i32, i32), types(i64)},
	{"disk_follow", diskFollow, types(i32, i32, i32, i32), types(i64)},
	{"disk_rename", diskRename, types(i32, i32, i32, i32), types(i64)},
	{"disk_remove", diskPath(env.Disk.Remove), types(i32, i32), types(i64)},
	{"disk_make_dir", diskPath(env.Disk.MakeDir), types(i32, i32), types(i64)},
	{"disk_sync_dir", diskPath(env.Disk.SyncDir), types(i32, i32), types(i64)},
	{"disk_list", diskList, types(i32, i32, i32, i32), types(i64)},
	{"file_read", fileRead, types(i32, i32, i32, i64), types(i64)},
	{"file_write", fileWrite, types(i32, i32, i32, i64), types(i64)},
	{"file_truncate", fileTruncate, types(i32, i64), types(i64)},
	{"file_size", fileSize, types(i32), types(i64)},
	{"file_sync", fileSync, types(i32), types(i64)},
	{"file_close", fileClose, types(i32), types(i64)},
}

func diskOpen(l *life, m api.Memory, args []uint64) {
	l.enter()
	f, err := l.doors.Disk.Open(textAt(m, args[0], args[1]), uint32(args[2]) != 0)
	args[0] = l.opened(f, err)
}

func diskCreate(l *life, m api.Memory, args []uint64) {
	l.enter()
	f, err := l.doors.Disk.Create(textAt(m, args[0], args[1]), textAt(m, args[2], args[3]))
	args[0] = l.opened(f, err)
}

func diskFollow(l *life, m api.Memory, args []uint64) {
	l.enter()
	path, err := l.doors.Disk.Follow(textAt(m, args[0], args[1]))
	args[0] = l.answer(int64(copy(bytesAt(m, args[2], args[3]), path)), err)
}

// opened answers with the number of a file.
func (l *life) opened(f env.File, err error) uint64 {
	if err == nil {
		l.files = append(l.files, f)
	}
	return l.answer(int64(len(l.files)-1), err)
}

func diskRename(l *life, m api.Memory, args []uint64) {
	l.enter()
	args[0] = l.answer(0, l.doors.Disk.Rename(textAt(m, args[0], args[1]), textAt(m, args[2], args[3])))
}

// diskPath makes a function of an act on a path.
func diskPath(act func(env.Disk, string) error) func(*life, api.Memory, []uint64) {
	return func(l *life, m api.Memory, args []uint64) {
		l.enter()
		args[0] = l.answer(0, act(l.doors.Disk, textAt(m, args[0], args[1])))
	}
}

// diskList answers with the length of the names, with a zero between two; they
// are given if there is room.
func diskList(l *life, m api.Memory, args []uint64) {
	l.enter()
	names, err := l.doors.Disk.List(textAt(m, args[0], args[1]))
	text := strings.Join(names, "\x00")
	if room := bytesAt(m, args[2], args[3]); len(text) <= len(room) {
		copy(room, text)
	}
	args[0] = l.answer(int64(len(text)), err)
}

// file is the one that a door's first argument names.
func (l *life) file(args []uint64) env.File {
	l.enter()
	return l.files[uint32(args[0])]
}

func fileRead(l *life, m api.Memory, args []uint64) {
	n, err := l.file(args).ReadAt(bytesAt(m, args[1], args[2]), int64(args[3]))
	if err == io.EOF {
		err = nil
	}
	args[0] = l.answer(int64(n), err)
}

func fileWrite(l *life, m api.Memory, args []uint64) {
	n, err := l.file(args).WriteAt(bytesAt(m, args[1], args[2]), int64(args[3]))
	args[0] = l.answer(int64(n), err)
}

func fileTruncate(l *life, _ api.Memory, args []uint64) {
	args[0] = l.answer(0, l.file(args).Truncate(int64(args[1])))
}

func fileSize(l *life, _ api.Memory, args []uint64) {
	n, err := l.file(args).Size()
	args[0] = l.answer(n, err)
}

// fileSync takes the time that a disk takes.
func fileSync(l *life, _ api.Memory, args []uint64) {
	err := l.file(args).Sync()
	l.world.Spend(syncTime)
	args[0] = l.answer(0, err)
}

// syncTime is how long a sync takes, in nanoseconds.
const syncTime = 50_000

func fileClose(l *life, _ api.Memory, args []uint64) {
	f := l.file(args)
	l.files[uint32(args[0])] = shut{}
	args[0] = l.answer(0, f.Close())
}

// shut stands for a file that was closed.
type shut struct{}

func (shut) ReadAt([]byte, int64) (int, error)  { return 0, fs.ErrClosed }
func (shut) WriteAt([]byte, int64) (int, error) { return 0, fs.ErrClosed }
func (shut) Truncate(int64) error               { return fs.ErrClosed }
func (shut) Size() (int64, error)               { return 0, fs.ErrClosed }
func (shut) Sync() error                        { return fs.ErrClosed }
func (shut) Close() error                       { return fs.ErrClosed }
