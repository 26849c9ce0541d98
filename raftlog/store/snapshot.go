package store

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/sim/env"
)

// Snapshots is a raft.SnapshotStore. A snapshot is one file, which gets its name
// when it is complete and durable. Those of the highest index stay.
type Snapshots struct {
	disk env.Disk
	dir  string
	keep int

	mu   sync.Mutex
	have []name // complete ones, newest first
	last uint64 // highest serial number given out
}

// ErrStale says that a snapshot is older than the newest one. Where one was
// installed while a local one was still being written, the local one must not
// count any more.
var ErrStale = errors.New("there is a newer snapshot")

// name is what a snapshot is called. Serial numbers tell apart those of the same
// index and term.
type name struct{ index, term, serial uint64 }

const snapshotSuffix = ".snap"

func (n name) String() string { return fmt.Sprintf("%020d-%020d-%010d", n.index, n.term, n.serial) }

// parseName reads an ID, or the name of a file without its suffix.
func parseName(id string) (n name, ok bool) {
	_, err := fmt.Sscanf(id, "%d-%d-%d", &n.index, &n.term, &n.serial)
	return n, err == nil && n.String() == id
}

// newer sorts by age, newest first.
func newer(a, b name) int {
	return cmp.Or(cmp.Compare(b.index, a.index), cmp.Compare(b.term, a.term), cmp.Compare(b.serial, a.serial))
}

func openSnapshots(disk env.Disk, dir string, keep int) (*Snapshots, error) {
	if err := sweep(disk, dir); err != nil {
		return nil, err
	}
	files, err := list(disk, dir, snapshotSuffix)
	if err != nil {
		return nil, err
	}
	s := &Snapshots{disk: disk, dir: dir, keep: keep}
	for _, file := range files {
		n, ok := parseName(file[:len(file)-len(snapshotSuffix)])
		if !ok {
			return nil, &Corruption{path.Join(dir, file), 0, "this is not the name of a snapshot"}
		}
		s.have = append(s.have, n)
		s.last = max(s.last, n.serial)
	}
	slices.SortFunc(s.have, newer)
	return s, s.prune()
}

func (s *Snapshots) file(n name) string { return path.Join(s.dir, n.String()+snapshotSuffix) }

// newest is the index of the newest snapshot, 0 without any.
func (s *Snapshots) newest() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.have) == 0 {
		return 0
	}
	return s.have[0].index
}

// ending is the term of the newest snapshot that ends with an index.
func (s *Snapshots) ending(index uint64) (term uint64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.have, func(n name) bool { return n.index == index })
	if i < 0 {
		return 0, false
	}
	return s.have[i].term, true
}

// Create begins a snapshot. One that is older than the newest is refused with
// ErrStale, here or when it is closed. The transport is not used.
func (s *Snapshots) Create(version raft.SnapshotVersion, index, term uint64, configuration raft.Configuration, configurationIndex uint64, _ raft.Transport) (raft.SnapshotSink, error) {
	if version != raft.SnapshotVersionMax {
		return nil, fmt.Errorf("store: create a snapshot of version %d in %s: only version %d is known", version, s.dir, raft.SnapshotVersionMax)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.stale(index); err != nil {
		return nil, err
	}
	s.last++
	n := name{index, term, s.last}
	meta := encodeMeta(&raft.SnapshotMeta{
		Version: version, ID: n.String(), Index: index, Term: term,
		Configuration: configuration, ConfigurationIndex: configurationIndex,
	})
	return s.sink(n, meta)
}

func (s *Snapshots) stale(index uint64) error {
	if len(s.have) > 0 && index < s.have[0].index {
		return fmt.Errorf("store: snapshot of index %d in %s, which has one of %d: %w", index, s.dir, s.have[0].index, ErrStale)
	}
	return nil
}

// List describes the snapshots, newest first. A damaged one is listed too, by
// what its name says and with version 0: to open it fails, and the caller
// decides what then.
func (s *Snapshots) List() ([]*raft.SnapshotMeta, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var metas []*raft.SnapshotMeta
	for _, n := range s.have {
		meta, err := s.describe(n)
		var corrupt *Corruption
		if errors.As(err, &corrupt) {
			meta, err = &raft.SnapshotMeta{ID: n.String(), Index: n.index, Term: n.term}, nil
		}
		if err != nil {
			return nil, err
		}
		metas = append(metas, meta)
	}
	return metas, nil
}

func (s *Snapshots) describe(n name) (*raft.SnapshotMeta, error) {
	r, err := s.reader(n)
	if err != nil {
		return nil, err
	}
	return &r.meta, r.Close()
}

// add takes up a snapshot that is complete.
func (s *Snapshots) add(n name, temp string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.stale(n.index); err != nil {
		return err
	}
	file := s.file(n)
	if err := s.disk.Rename(temp, file); err != nil {
		return fmt.Errorf("store: rename %s to %s: %w", temp, file, err)
	}
	if err := syncDir(s.disk, s.dir); err != nil {
		if undo := s.disk.Rename(file, temp); undo != nil {
			err = errors.Join(err, fmt.Errorf("store: rename %s to %s: %w", file, temp, undo))
		}
		return err
	}
	s.have = append(s.have, n)
	slices.SortFunc(s.have, newer)
	s.prune() // what is left over now is so next time
	return nil
}

// prune removes what is too much, oldest first.
func (s *Snapshots) prune() error {
	for len(s.have) > s.keep {
		oldest := s.have[len(s.have)-1]
		if err := s.disk.Remove(s.file(oldest)); err != nil {
			return fmt.Errorf("store: remove %s: %w", s.file(oldest), err)
		}
		s.have = s.have[:len(s.have)-1]
	}
	return nil
}
