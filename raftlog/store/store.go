// Package store keeps what hashicorp/raft must not forget, over env.Disk: the
// log, the stable values (term, vote) and snapshots. It starts no goroutines
// and reads no clock; the mutexes are there because the library calls a store
// from several goroutines.
//
// The promise that callers rely on: what a call answered with success survives
// every crash, what was removed stays removed, and nothing else ever comes
// back. Bytes that the disk changed are an error that names file, offset and
// cause; they are never handed out as data and never taken for an empty store.
//
// One process at a time may have a folder open.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/elares/ironcache/sim/env"
)

// Defaults of Options.
const (
	DefaultSegmentSize = 4 << 20
	DefaultKeep        = 2
)

// Options say how a store is kept. The zero value is a usable one.
type Options struct {
	// Node is who the store belongs to. A store of another node is refused.
	Node string
	// SegmentSize is after how many bytes the log goes on in a next file; 0
	// stands for DefaultSegmentSize.
	SegmentSize int64
	// Keep is how many snapshots stay, the newest ones; 0 stands for DefaultKeep.
	Keep int
}

// Store is an open store.
type Store struct {
	Log       *Log
	Stable    *Stable
	Snapshots *Snapshots
}

// Names in the folder of a store.
const (
	identityName = "identity"
	stableName   = "stable"
	logName      = "log"
	snapshotName = "snapshots"
)

// Open opens the store in a folder, or makes one where there is none yet. The
// folder's parent must exist. What a crash left half done is finished or
// removed.
func Open(disk env.Disk, dir string, options Options) (*Store, error) {
	if options.SegmentSize == 0 {
		options.SegmentSize = DefaultSegmentSize
	}
	if options.Keep == 0 {
		options.Keep = DefaultKeep
	}
	if err := identify(disk, dir, options.Node); err != nil {
		return nil, err
	}
	snapshots, err := openSnapshots(disk, path.Join(dir, snapshotName), options.Keep)
	if err != nil {
		return nil, err
	}
	stable, err := openStable(disk, path.Join(dir, stableName))
	if err != nil {
		return nil, err
	}
	log, err := openLog(disk, path.Join(dir, logName), options.SegmentSize)
	if err != nil {
		return nil, err
	}
	log.snapshots = snapshots
	s := &Store{log, stable, snapshots}
	if err := s.catchUp(); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	return s, nil
}

// catchUp empties a log that ends before the newest snapshot. The library does
// so after it installed a snapshot; a crash in between would leave a log that
// nothing can be appended to.
func (s *Store) catchUp() error {
	list, err := s.Snapshots.List()
	if err != nil || len(list) == 0 {
		return err
	}
	first, last := s.Log.bounds()
	if first == 0 || last >= list[0].Index {
		return nil
	}
	_, reader, err := s.Snapshots.Open(list[0].ID)
	if corrupt := (*Corruption)(nil); errors.As(err, &corrupt) {
		return nil // the log may be all that there is
	}
	if err != nil {
		return err
	}
	return errors.Join(reader.Close(), s.Log.DeleteRange(first, last))
}

// Last is the index of the last entry that the store has, itself or in a snapshot; 0
// without any.
func (s *Store) Last() uint64 {
	_, last := s.Log.bounds()
	return max(last, s.Snapshots.newest())
}

// Close releases the files of the log. What was answered with success is
// durable without it.
func (s *Store) Close() error { return s.Log.Close() }

// identify checks whose store a folder holds and in which format, and makes a
// store where there is none. The identity is written last: a folder without one
// holds nothing that was ever used.
func identify(disk env.Disk, dir, node string) error {
	name := path.Join(dir, identityName)
	text, err := readAll(disk, name, maxIdentity)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return create(disk, dir, node)
	case err != nil:
		return err
	}
	if err := checkIdentity(name, text, node); err != nil {
		return err
	}
	return syncDir(disk, dir)
}

func create(disk env.Disk, dir, node string) error {
	if _, err := disk.List(path.Dir(dir)); err != nil {
		return fmt.Errorf("store: create %s: %w", dir, err)
	}
	for _, folder := range []string{dir, path.Join(dir, logName), path.Join(dir, snapshotName)} {
		if err := disk.MakeDir(folder); err != nil {
			return fmt.Errorf("store: create %s: %w", folder, err)
		}
	}
	if err := unused(disk, dir); err != nil {
		return err
	}
	if err := syncDir(disk, path.Dir(dir)); err != nil {
		return err
	}
	if err := replace(disk, path.Join(dir, stableName), encodeStable(nil)); err != nil {
		return err
	}
	if err := createLog(disk, path.Join(dir, logName)); err != nil {
		return err
	}
	return replace(disk, path.Join(dir, identityName), encodeIdentity(node))
}

// unused tells whether a folder without an identity holds at most what a crash
// of create leaves.
func unused(disk env.Disk, dir string) error {
	snapshots, err := list(disk, path.Join(dir, snapshotName), snapshotSuffix)
	if err != nil {
		return err
	}
	segments, err := list(disk, path.Join(dir, logName), segmentSuffix)
	if err != nil {
		return err
	}
	used := len(snapshots) > 0 || slices.ContainsFunc(segments, func(name string) bool { return name != segmentFile(1) })
	for _, file := range []struct {
		name string
		size int
	}{{path.Join(dir, logName, segmentFile(1)), beginSize}, {path.Join(dir, stableName), len(encodeStable(nil))}} {
		text, err := readAll(disk, file.name, file.size)
		var large *Corruption
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case errors.As(err, &large):
			used = true
		case err != nil:
			return err
		default:
			used = used || len(text) != file.size
		}
	}
	if used {
		return &Corruption{path.Join(dir, identityName), 0, "the file is missing, but there are a log, values or snapshots beside it"}
	}
	return nil
}
