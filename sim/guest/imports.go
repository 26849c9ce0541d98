//go:build wasip1

package main

import (
	"errors"
	"unsafe"

	"github.com/elares/ironcache/sim/door"
)

// The doors' other side. Every one of them is a place where the host may end
// this node, or let it stand still for as long as it likes.

//go:wasmimport ironcache wall
func hostWall() int64

//go:wasmimport ironcache monotonic
func hostMonotonic() int64

//go:wasmimport ironcache why
func hostWhy(p unsafe.Pointer, room int32) int32

//go:wasmimport ironcache fence
func hostFence(slots, epochs unsafe.Pointer, count, released int32, until int64)

//go:wasmimport ironcache applied
func hostApplied(index, term, entry, state int64, text unsafe.Pointer, size int32)

//go:wasmimport ironcache standing
func hostStanding(role int32, term, voted, kept, epoch, until int64)

//go:wasmimport ironcache lead
func hostLead(term, covered int64, log unsafe.Pointer, count int32)

//go:wasmimport ironcache mark
func hostMark(name string)

//go:wasmimport ironcache net_poller
func netPoller() int32

//go:wasmimport ironcache net_listen
func netListen(poller int32, network, address string, backlog, shared, perm int32) int64

//go:wasmimport ironcache net_dial
func netDial(poller int32, address string) int64

//go:wasmimport ironcache net_accept
func netAccept(poller, listener int32, peer unsafe.Pointer, room int32) int64

//go:wasmimport ironcache net_wait
func netWait(poller int32, events unsafe.Pointer, room int32, timeout int64) int32

//go:wasmimport ironcache net_bells
func netBells(names unsafe.Pointer, room int32) int32

//go:wasmimport ironcache net_read
func netRead(poller, conn int32, p unsafe.Pointer, room int32) int64

//go:wasmimport ironcache net_write
func netWrite(poller, conn int32, p unsafe.Pointer, size int32) int64

//go:wasmimport ironcache net_want
func netWant(poller, conn, write, on int32)

//go:wasmimport ironcache net_gone
func netGone(poller, conn int32) int32

//go:wasmimport ironcache net_detach
func netDetach(poller, conn int32)

//go:wasmimport ironcache net_attach
func netAttach(poller, conn int32) int64

//go:wasmimport ironcache net_close
func netClose(poller, conn int32)

//go:wasmimport ironcache net_shut
func netShut(poller int32)

//go:wasmimport ironcache disk_open
func diskOpen(path string, create int32) int64

//go:wasmimport ironcache disk_create
func diskCreate(path, like string) int64

//go:wasmimport ironcache disk_follow
func diskFollow(path string, p unsafe.Pointer, room int32) int64

//go:wasmimport ironcache disk_rename
func diskRename(from, to string) int64

//go:wasmimport ironcache disk_remove
func diskRemove(path string) int64

//go:wasmimport ironcache disk_make_dir
func diskMakeDir(path string) int64

//go:wasmimport ironcache disk_list
func diskList(dir string, p unsafe.Pointer, room int32) int64

//go:wasmimport ironcache disk_sync_dir
func diskSyncDir(dir string) int64

//go:wasmimport ironcache file_read
func fileRead(file int32, p unsafe.Pointer, size int32, off int64) int64

//go:wasmimport ironcache file_write
func fileWrite(file int32, p unsafe.Pointer, size int32, off int64) int64

//go:wasmimport ironcache file_truncate
func fileTruncate(file int32, size int64) int64

//go:wasmimport ironcache file_size
func fileSize(file int32) int64

//go:wasmimport ironcache file_sync
func fileSync(file int32) int64

//go:wasmimport ironcache file_close
func fileClose(file int32) int64

// failure is the error of a negative answer; errors that have a code are given
// bare, as the doors promise.
func failure(answer int64) error {
	if err := door.Code(answer).Err(); err != nil {
		return err
	}
	return errors.New(why())
}

// why is the text of the last error.
func why() string {
	text := make([]byte, 512)
	return string(text[:hostWhy(unsafe.Pointer(&text[0]), int32(len(text)))])
}

// pathError is the error of a negative answer about a file: what it is by its
// code, what happened by its text.
type pathError struct {
	text string
	kind error
}

func (e *pathError) Error() string { return e.text }

func (e *pathError) Unwrap() error { return e.kind }

// outcome gives the error of an answer about a file, nil if there is none.
func outcome(answer int64) error {
	if answer >= 0 {
		return nil
	}
	return &pathError{why(), door.Code(answer).Err()}
}
