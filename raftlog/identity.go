package raftlog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim/env"
)

// identityFile holds the node's id, as text. It is written before anything else
// and never again: a node that lost its disk is another node, which the Raft
// group does not take for the one that voted.
const identityFile = "node-id"

// identity reads the node's id, or draws one.
func identity(w env.World, dir string) (state.ID, error) {
	if err := w.Disk.MakeDir(dir); err != nil {
		return state.ID{}, fmt.Errorf("raftlog: make %s: %w", dir, err)
	}
	name := dir + "/" + identityFile
	f, err := w.Disk.Open(name, false)
	if errors.Is(err, fs.ErrNotExist) {
		return draw(w, dir)
	}
	if err != nil {
		return state.ID{}, fmt.Errorf("raftlog: open the node's id: %w", err)
	}
	defer f.Close()
	text := make([]byte, 64)
	n, err := f.ReadAt(text, 0)
	if err != nil && err != io.EOF {
		return state.ID{}, fmt.Errorf("raftlog: read %s: %w", name, err)
	}
	id, err := state.ParseID(strings.TrimSuffix(string(text[:n]), "\n"))
	if err != nil {
		return id, &store.Corruption{File: name, Cause: "it holds no node id: " + err.Error()}
	}
	return id, nil
}

// draw makes an id and writes it, so that either nothing or all of it is there
// after a crash.
func draw(w env.World, dir string) (id state.ID, err error) {
	var raw [24]byte
	for i := 0; i < len(raw); i += 8 {
		binary.LittleEndian.PutUint64(raw[i:], w.Rand.Uint64())
	}
	copy(id[:], raw[:])
	name := dir + "/" + identityFile
	f, err := w.Disk.Open(name+".new", true)
	if err != nil {
		return id, fmt.Errorf("raftlog: write the node's id: %w", err)
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt([]byte(id.String()+"\n"), 0)
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = w.Disk.Rename(name+".new", name)
	}
	for _, durable := range []string{dir, path.Dir(dir)} { // the folder may be as new as the file
		if err == nil {
			err = w.Disk.SyncDir(durable)
		}
	}
	if err != nil {
		return id, fmt.Errorf("raftlog: write the node's id: %w", err)
	}
	return id, nil
}
