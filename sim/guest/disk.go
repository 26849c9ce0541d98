//go:build wasip1

package main

import (
	"io"
	"strings"
	"unsafe"

	"github.com/elares/ironcache/sim/env"
)

// disk is the machine's.
type disk struct{}

func (disk) Open(path string, create bool) (env.File, error) {
	answer := diskOpen(path, flag(create))
	if answer < 0 {
		return nil, outcome(answer)
	}
	return file(answer), nil
}

func (disk) Create(path, like string) (env.File, error) {
	answer := diskCreate(path, like)
	if answer < 0 {
		return nil, outcome(answer)
	}
	return file(answer), nil
}

func (disk) Follow(path string) (string, error) {
	var text [4096]byte
	answer := diskFollow(path, unsafe.Pointer(&text[0]), int32(len(text)))
	return string(text[:max(0, answer)]), outcome(answer)
}

func (disk) Rename(from, to string) error { return outcome(diskRename(from, to)) }

func (disk) Remove(path string) error { return outcome(diskRemove(path)) }

func (disk) MakeDir(path string) error { return outcome(diskMakeDir(path)) }

func (disk) SyncDir(dir string) error { return outcome(diskSyncDir(dir)) }

// List asks again with more room when there was too little.
func (disk) List(dir string) ([]string, error) {
	for room := 4096; ; {
		text := make([]byte, room)
		answer := diskList(dir, unsafe.Pointer(&text[0]), int32(room))
		switch {
		case answer < 0:
			return nil, outcome(answer)
		case int(answer) > room:
			room = int(answer)
		case answer == 0:
			return nil, nil
		default:
			return strings.Split(string(text[:answer]), "\x00"), nil
		}
	}
}

// file is an open file, by the host's number.
type file int32

// ReadAt reads len(p) bytes, or fewer at the end of the file.
func (f file) ReadAt(p []byte, off int64) (int, error) {
	answer := fileRead(int32(f), unsafe.Pointer(unsafe.SliceData(p)), int32(len(p)), off)
	if answer < 0 {
		return 0, outcome(answer)
	}
	if int(answer) < len(p) {
		return int(answer), io.EOF
	}
	return int(answer), nil
}

// WriteAt writes p; of a write that fails the host tells nothing more.
func (f file) WriteAt(p []byte, off int64) (int, error) {
	answer := fileWrite(int32(f), unsafe.Pointer(unsafe.SliceData(p)), int32(len(p)), off)
	if answer < 0 {
		return 0, outcome(answer)
	}
	return int(answer), nil
}

func (f file) Truncate(size int64) error { return outcome(fileTruncate(int32(f), size)) }

func (f file) Size() (int64, error) {
	answer := fileSize(int32(f))
	return max(0, answer), outcome(answer)
}

func (f file) Sync() error { return outcome(fileSync(int32(f))) }

func (f file) Close() error { return outcome(fileClose(int32(f))) }
